// Where Newton's method arrives, as a map of starts [Gast15 Fig. 1]: a flat body of 18 vertices begins at rest, its tip
// pulled to a pixel, and takes one step of backward Euler. Plain Newton and `gast` are tried from each.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/image.hpp"

namespace rebound::papers {

struct NewtonMap {
  static constexpr int kWidth = 128, kHeight = 64;
  /// Steps a frame of 1/24 s that the paper shows, and one of a second.
  struct Step {
    const char* name;
    double h;  ///< s
  };
  static std::span<const Step> steps();

  /// Iterations, a row of pixels after the other from below; -1 where it failed.
  std::vector<int> plain, gast;
  int plain_failed() const;
  int gast_failed() const;
};

/// The rows [first, last) of pixels of the map for steps of h seconds, added to it.
void add_rows(double h, int first, int last, NewtonMap& map);
/// All of it. show: told the share that is done; may throw.
NewtonMap newton_map(double h, const std::function<void(double)>& show);

/// Side by side, plain Newton above, `gast` below: black 0, blue 15, cyan 30 or more iterations, red where it failed.
render::Image picture_of(std::span<const NewtonMap> maps);

}  // namespace rebound::papers
