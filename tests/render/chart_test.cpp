#include "render/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
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

TEST(Chart, IsTheSameInSvg) {
  Font font = Font::find();
  Chart chart = line_chart();
  chart.x_range = Range{0, 2};
  chart.y_range = Range{1, 3};
  chart.curves.push_back({"a<b & c", color_from_hex(0x00FF00), {0, 1, 1.5, 2}, {1, 1, std::nan(""), 2}, 2});
  SvgSurface surface(500, 300, font);
  draw_chart(surface, {50, 40, 400, 200}, chart, dark_theme());
  const std::string svg = surface.document();
  EXPECT_NE(svg.find("a&lt;b &amp; c"), std::string::npos);
  EXPECT_NE(svg.find(">Energy [J]<"), std::string::npos);
  // What comes after the gap is a single point, which is no line.
  std::size_t lines = 0;
  for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) ++lines;
  EXPECT_EQ(lines, 2u);
  // The first curve goes from corner to corner of its clip, over the middle of it, high up.
  float left = 0, top = 0, width = 0, height = 0, x[3], y[3];
  ASSERT_EQ(std::sscanf(svg.c_str() + svg.find("<clipPath"),
                        "<clipPath id=\"clip0\"><rect x=\"%f\" y=\"%f\" width=\"%f\" height=\"%f\"", &left, &top,
                        &width, &height),
            4);
  ASSERT_EQ(std::sscanf(svg.c_str() + svg.find(" points=\""), " points=\"%f,%f %f,%f %f,%f", &x[0], &y[0], &x[1], &y[1],
                        &x[2], &y[2]),
            6);
  EXPECT_NEAR(x[0], left, 0.02);
  EXPECT_NEAR(y[0], top + height, 0.02);
  EXPECT_NEAR(x[1], left + width / 2, 0.02);
  EXPECT_NEAR(y[1], top, 0.02);
  EXPECT_NEAR(x[2], left + width, 0.02);
  EXPECT_NEAR(y[2], top + height / 2, 0.02);
  // Where the picture has the curve's colour, the line of the SVG passes.
  Image image(500, 300);
  draw_chart(image, {50, 40, 400, 200}, chart, dark_theme(), font);
  EXPECT_GT(image.pixel(static_cast<int>(x[1]), static_cast<int>(y[1]) + 1)[0], 200);
}

TEST(Chart, ASmallOneHasNumbersOnBothAxes) {
  Font font = Font::find();
  Chart chart = line_chart();
  chart.x_range = Range{0, 3.96};
  chart.y_range = Range{2.6, 4.7};
  SvgSurface surface(300, 90, font);
  draw_chart(surface, {0, 0, 300, 90}, chart, dark_theme());
  const std::string svg = surface.document();
  EXPECT_NE(svg.find(">3<"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">4<"), std::string::npos) << svg;
}

TEST(Chart, OnALogarithmicAxisDecadesAreEvenAndWhatHasNoLogarithmIsAGap) {
  Font font = Font::find();
  Chart chart = line_chart();
  chart.y_logarithmic = true;
  chart.curves = {{"error", color_from_hex(0xFF0000), {0, 1, 2, 3, 4, 5}, {1e4, 1e2, 1, 0, 1e-1, 1e-2}, 2}};
  const Range decades = decades_of(chart.curves);
  EXPECT_GT(decades.low, 1e-3);
  EXPECT_LT(decades.low, 1e-2);
  EXPECT_GT(decades.high, 1e4);
  EXPECT_LT(decades.high, 1e5);
  chart.y_range = Range{1e-2, 1e4};
  SvgSurface surface(500, 300, font);
  draw_chart(surface, {50, 40, 400, 200}, chart, dark_theme());
  const std::string svg = surface.document();
  float left = 0, top = 0, width = 0, height = 0, x[3], y[3];
  ASSERT_EQ(std::sscanf(svg.c_str() + svg.find("<clipPath"),
                        "<clipPath id=\"clip0\"><rect x=\"%f\" y=\"%f\" width=\"%f\" height=\"%f\"", &left, &top,
                        &width, &height),
            4);
  const std::size_t first = svg.find(" points=\""), second = svg.find(" points=\"", first + 1);
  ASSERT_EQ(std::sscanf(svg.c_str() + first, " points=\"%f,%f %f,%f %f,%f\"", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]),
            6);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(y[i], top + height * static_cast<float>(i) / 3, 0.02);
  ASSERT_NE(second, std::string::npos) << "the gap";
  ASSERT_EQ(std::sscanf(svg.c_str() + second, " points=\"%f,%f %f,%f\"", &x[0], &y[0], &x[1], &y[1]), 4);
  EXPECT_NEAR(y[0], top + height * 5 / 6, 0.02);
  EXPECT_NEAR(y[1], top + height, 0.02);
  for (const char* label : {">0.01<", ">1<", ">100<", ">10,000<"})
    EXPECT_NE(svg.find(label), std::string::npos) << label;
}

TEST(Chart, BearsNonsense) {
  Font font = Font::find();
  const double infinity = std::numeric_limits<double>::infinity();
  Chart chart = line_chart();
  chart.curves.push_back({"wild", color_from_hex(0x00FF00), {0, 1, 2, 3}, {std::nan(""), infinity, -1e300, 1e300}, 2});
  chart.curves.push_back({"empty", color_from_hex(0x0000FF), {}, {}, 2});
  for (const bool logarithmic : {false, true})
    for (const int size : {0, 1, 7, 40, 300}) {
      chart.y_logarithmic = logarithmic;
      Image image(300, 300);
      draw_chart(image, {10, 10, size, size}, chart, light_theme(), font, 2);
    }
  Image image(300, 300);
  draw_chart(image, {0, 0, 300, 300}, Chart{}, light_theme(), font);
}

TEST(Chart, ANarrowOneLeavesItsLegendOutWhereNobodyCouldReadIt) {
  Font font = Font::find();
  Chart chart = line_chart();
  chart.note = "some values are off the chart";
  chart.curves[0].color = color_from_hex(0xFF0000);
  for (int width = 60; width <= 260; width += 4) {
    Image image(300, 300);
    draw_chart(image, {10, 10, width, 200}, chart, light_theme(), font);
    for (int y = 0; y < 300; ++y)
      for (int x = 10 + width; x < 300; ++x) EXPECT_EQ(image.pixel(x, y)[3], 0) << width << ": " << x << ", " << y;
  }
}

TEST(Chart, ThoseInAColumnBeginAtTheSamePlace) {
  Font font = Font::find();
  const auto left_of_grid = [&](const Chart& chart) {
    SvgSurface surface(500, 300, font);
    draw_chart(surface, {0, 0, 500, 300}, chart, light_theme());
    const std::string svg = surface.document();
    float left = 0;
    EXPECT_EQ(std::sscanf(svg.c_str() + svg.find("<clipPath"), "<clipPath id=\"clip0\"><rect x=\"%f\"", &left), 1);
    return left;
  };
  Chart narrow = line_chart(), wide = line_chart();
  wide.y_range = Range{99998, 100004};
  EXPECT_GT(left_of_grid(wide), left_of_grid(narrow) + 10);
  narrow.label_room = label_room(wide, font);
  EXPECT_NEAR(left_of_grid(narrow), left_of_grid(wide), 0.01);
}

TEST(Font, WidthGrowsWithTextAndSize) {
  Font font = Font::find();
  EXPECT_GT(font.width("Energy", 12), 20);
  EXPECT_NEAR(font.width("Energy", 24), 2 * font.width("Energy", 12), 1);
  EXPECT_GT(font.width("kg m²/s · 10³", 12), font.width("kg m/s", 12));
  EXPECT_GE(font.width("\xff\xc3", 12), 0) << "broken UTF-8";
}

TEST(Font, MissingFilesAreNamed) { EXPECT_THROW(Font("/nowhere/font.ttf"), OutputError); }

TEST(Chart, SaysWhereItLeavesValuesOut) {
  Chart chart{.title = "Energy", .x_unit = "s", .y_unit = "J", .curves = {}, .x_range = {}, .y_range = {}};
  chart.curves.push_back({"H", {}, {0, 1, 2}, {1, std::numeric_limits<double>::quiet_NaN(), 5}, 1});
  EXPECT_EQ(note_of_range(chart), "");
  chart.y_range = Range{0, 5};
  EXPECT_EQ(note_of_range(chart), "");
  chart.y_range = Range{0, 4};
  EXPECT_NE(note_of_range(chart).find("off the chart"), std::string::npos);
}

}  // namespace
}  // namespace rebound::render
