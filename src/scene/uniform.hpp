// Random numbers of which a seed means the same everywhere: the standard's distributions differ between libraries.
#pragma once

#include <cstdint>
#include <random>

namespace rebound::scene {

/// Numbers in [0, 1).
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : random_(seed) {}
  double operator()() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 random_;
};

}  // namespace rebound::scene
