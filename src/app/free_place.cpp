#include "app/free_place.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace rebound::app {
namespace {

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/// Shares of the room that is left: across and down.
constexpr std::array<std::pair<float, float>, 8> kPlaces{
    {{0, 1}, {0, 0}, {1, 1}, {1, 0}, {0, 0.5f}, {1, 0.5f}, {0.5f, 1}, {0.5f, 0}}};

}  // namespace

std::optional<Rect> FreePlace::find(const Rect& picture, float width, float height, float margin,
                                    std::span<const Rect> taken) {
  const float across = picture.width - 2 * margin - width, down = picture.height - 2 * margin - height;
  if (across < 0 || down < 0) return std::nullopt;
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    const auto at = (static_cast<std::size_t>(last_) + i) % kPlaces.size();
    const Rect place{picture.x + margin + kPlaces[at].first * across, picture.y + margin + kPlaces[at].second * down,
                     width, height};
    if (std::ranges::any_of(taken, [&](const Rect& other) { return overlap(place, other); })) continue;
    last_ = static_cast<int>(at);
    return place;
  }
  return std::nullopt;
}

}  // namespace rebound::app
