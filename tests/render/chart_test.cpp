#include "render/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rebound::render {
namespace {

int count_near(const Image& image, const Color& color) {
  int count = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    const float distance = std::abs(static_cast<float>(image.rgba[i]) - 255 * color.r) +
                           std::abs(static_cast<float>(image.rgba[i + 1]) - 255 * color.g) +
                           std::abs(static_cast<float>(image.rgba[i + 2]) - 255 * color.b);
    count += distance < 12 ? 1 : 0;
  }
  return count;
}

Chart line_chart() {
  return {.title = "Energy",
          .x_unit = "s",
          .y_unit = "J",
          .curves = {{"total", color_from_hex(0xFF0000), {0, 1, 2}, {1, 3, 2}, 2}},
          .x_range = {},
          .y_range = {}};
}

TEST(Chart, DrawsItsCurveInsideItsArea) {
  Image image(500, 300);
  Font font = Font::find();
  draw_chart(image, {50, 40, 400, 200}, line_chart(), dark_theme(), font);
  EXPECT_GT(count_near(image, color_from_hex(0xFF0000)), 300);
  EXPECT_EQ(image.pixel(20, 20)[3], 0) << "outside its area nothing is drawn";
  EXPECT_GT(count_near(image, dark_theme().text), 0);
}

TEST(Chart, BearsNonsense) {
  Font font = Font::find();
  const double infinity = std::numeric_limits<double>::infinity();
  Chart chart = line_chart();
  chart.curves.push_back({"wild", color_from_hex(0x00FF00), {0, 1, 2, 3}, {std::nan(""), infinity, -1e300, 1e300}, 2});
  chart.curves.push_back({"empty", color_from_hex(0x0000FF), {}, {}, 2});
  for (const int size : {0, 1, 7, 40, 300}) {
    Image image(300, 300);
    draw_chart(image, {10, 10, size, size}, chart, light_theme(), font, 2);
  }
  Image image(300, 300);
  draw_chart(image, {0, 0, 300, 300}, Chart{}, light_theme(), font);
}

TEST(Font, WidthGrowsWithTextAndSize) {
  Font font = Font::find();
  EXPECT_GT(font.width("Energy", 12), 20);
  EXPECT_NEAR(font.width("Energy", 24), 2 * font.width("Energy", 12), 1);
  EXPECT_GT(font.width("kg m²/s · 10³", 12), font.width("kg m/s", 12));
  EXPECT_GE(font.width("\xff\xc3", 12), 0) << "broken UTF-8";
}

TEST(Font, MissingFilesAreNamed) { EXPECT_THROW(Font("/nowhere/font.ttf"), OutputError); }

}  // namespace
}  // namespace rebound::render
