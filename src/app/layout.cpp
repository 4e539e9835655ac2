#include "app/layout.hpp"

#include <algorithm>

#include "app/settings.hpp"

namespace rebound::app {
namespace {

constexpr float kTopHeight = 48;
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
  const float plots =
      share(std::max(settings.plots_height, kLeastPlots) * unit, kLeastPlots * unit, below, kLeastPictureHeight * unit);
  layout.top = {0, 0, width, top};
  layout.side = {width - side, top, side, below};
  layout.plots = {0, height - plots, width - side, plots};
  layout.picture = {0, top, width - side, below - plots};
  return layout;
}

}  // namespace rebound::app
