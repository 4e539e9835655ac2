#include "app/layout.hpp"

#include <algorithm>
#include <cmath>

#include "app/settings.hpp"

namespace rebound::app {
namespace {

constexpr float kTopHeight = 48, kTimelineHeight = 38;
constexpr float kPaneGap = 2;
constexpr float kLeastPictureWidth = 320, kLeastPictureHeight = 200;
constexpr float kLeastSide = 250, kLeastPlots = 110;

/// As much of `wanted` as leaves `reserve`; nothing if that is less than `least`.
float share(float wanted, float least, float whole, float reserve) {
  const float possible = std::min(wanted, whole - reserve);
  return possible >= least ? possible : 0;
}

}  // namespace

Layout arrange(float width, float height, float unit, const Settings& settings) {
  width = std::max(width, 0.0f);
  height = std::max(height, 0.0f);
  Layout layout;
  if (!settings.panels) {
    layout.picture = {0, 0, width, height};
    return layout;
  }
  const float top = std::min(kTopHeight * unit, height);
  const float below = height - top;
  const float side =
      share(std::max(settings.side_width, kLeastSide) * unit, kLeastSide * unit, width, kLeastPictureWidth * unit);
  const float timeline = share(kTimelineHeight * unit, kTimelineHeight * unit, below, kLeastPictureHeight * unit);
  const float plots = share(std::max(settings.plots_height, kLeastPlots) * unit, kLeastPlots * unit, below - timeline,
                            kLeastPictureHeight * unit);
  layout.top = {0, 0, width, top};
  layout.side = {width - side, top, side, below};
  layout.plots = {0, height - plots, width - side, plots};
  layout.timeline = {0, height - plots - timeline, width - side, timeline};
  layout.picture = {0, top, width - side, below - plots - timeline};
  return layout;
}

std::vector<Rect> pane_places(const Rect& picture, std::size_t count, float unit) {
  const std::size_t columns = count < 2 ? 1 : count < 5 ? 2 : 3;
  const std::size_t rows = (std::max<std::size_t>(count, 1) + columns - 1) / columns;
  const float gap = kPaneGap * unit;
  const auto part = [gap](float whole, std::size_t parts) {
    const auto n = static_cast<float>(parts);
    return std::max(std::floor((whole - (n - 1) * gap) / n), 0.0f);
  };
  const float width = part(picture.width, columns), height = part(picture.height, rows);
  std::vector<Rect> places;
  for (std::size_t i = 0; i < count; ++i)
    places.push_back({picture.x + static_cast<float>(i % columns) * (width + gap),
                      picture.y + static_cast<float>(i / columns) * (height + gap), width, height});
  return places;
}

}  // namespace rebound::app
