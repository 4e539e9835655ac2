// "repeat" of a body: one that is written, many that are there. Once a scene is read they are bodies like any other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scene/description.hpp"
#include "scene/json_reader.hpp"

namespace rebound::scene {

struct Repeat {
  std::array<int, 3> counts{1, 1, 1};  ///< along x, y and z
  Vec3 spacing{1, 1, 1};               ///< m, from one to the next
  double turn = 0;                     ///< degrees, the most that one is turned about an axis of its own
  std::uint64_t seed = 1;              ///< of the turns

  std::size_t count() const {
    return static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
           static_cast<std::size_t>(counts[2]);
  }
};

Repeat parse_repeat(Reader& reader);

/// Copies of the body, x fastest, then y, then z: about its place along x and z, from it upwards along y. "NAME 0" and
/// so on.
std::vector<Body> repeated(const Body& body, const Repeat& repeat);

}  // namespace rebound::scene
