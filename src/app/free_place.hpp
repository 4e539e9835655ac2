// Where in a picture a card covers nothing that matters.
#pragma once

#include <optional>
#include <span>

#include "app/layout.hpp"

namespace rebound::app {

/// One of the picture's corners and sides for a card of that size, `margin` from the edge, where it meets none of the
/// taken places; the one before if that is still free. Nothing if there is none.
struct FreePlace {
  std::optional<Rect> find(const Rect& picture, float width, float height, float margin, std::span<const Rect> taken);

 private:
  int last_ = 0;
};

}  // namespace rebound::app
