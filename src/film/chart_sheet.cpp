#include "film/chart_sheet.hpp"

#include <algorithm>

#include "mesh/error.hpp"
#include "render/chart_surface.hpp"

namespace rebound::film {
namespace {

constexpr int kWidth = 1000, kTitleHeight = 46, kChartHeight = 200;  // points
constexpr float kPngDensity = 2;                                     // pixels a point

}  // namespace

void require_plot_name(const std::filesystem::path& path) {
  if (path.extension() != ".svg" && path.extension() != ".png")
    throw InputError(path.string() + ": the name of a plot ends in .svg or .png");
}

std::string chart_sheet(const std::filesystem::path& path, const std::string& title,
                        std::span<const render::Chart> charts) {
  require_plot_name(path);
  const render::Theme& theme = render::light_theme();
  const int height = kTitleHeight + kChartHeight * static_cast<int>(charts.size());
  render::Font font = render::Font::find();
  float labels = 0;
  for (const auto& chart : charts) labels = std::max(labels, render::label_room(chart, font));
  const auto draw = [&](render::ChartSurface& surface, float density) {
    const auto pixels = [density](int points) { return static_cast<int>(density * static_cast<float>(points)); };
    surface.fill(0, 0, density * kWidth, density * static_cast<float>(height), theme.plot_background);
    surface.text(title, 12 * density, 30 * density, 20 * density, theme.text, render::Align::left);
    int top = kTitleHeight;
    for (render::Chart chart : charts) {
      chart.label_room = labels;
      render::draw_chart(surface, {0, pixels(top), pixels(kWidth), pixels(kChartHeight)}, chart, theme, density);
      top += kChartHeight;
    }
  };
  if (path.extension() == ".svg") {
    render::SvgSurface surface(kWidth, height, font);
    draw(surface, 1);
    return surface.document();
  }
  render::Image image(static_cast<int>(kPngDensity * kWidth),
                      static_cast<int>(kPngDensity * static_cast<float>(height)));
  render::ImageSurface surface(image, font);
  draw(surface, kPngDensity);
  return render::png_bytes(image, path.string());
}

}  // namespace rebound::film
