#include <algorithm>
#include <cmath>
#include <set>

#include "mesh/structures/recipes.hpp"

namespace rebound::mesh {
namespace {

constexpr double kTall = 43;
const std::vector<double> kLevels{0,    1.6,  3.2,  4.8,  6.4,  8.0,  9.6,  10.8, 12.4, 14.2, 16.0, 17.8, 19.4, 20.4,
                                  22.2, 24.2, 26.2, 28.2, 30.2, 32.2, 34.2, 36.2, 38.2, 39.6, 40.6, 41.8, kTall};
const std::set<int> kPlatforms{6, 12, 23};  // the levels that they stand on

// Where the seven lines of the grid are at this level: two cells a leg, two between.
std::array<double, 7> lines(int level) {
  const double y = kLevels[static_cast<std::size_t>(level)];
  double half = 1.3 + 8.2 * std::pow(1 - std::min(1.0, y / 34), 2.1);
  double leg = std::min(0.5 * half, 0.85 + 1.5 * (1 - std::min(1.0, y / 20)));
  if (kPlatforms.count(level - 1) > 0 || kPlatforms.count(level) > 0) half *= 1.12;
  if (y > 40.5) {
    half *= 1 - 0.4 * (y - 40.5) / (kTall - 40.5);
    leg = 0.5 * half;
  }
  return {-half, -half + leg / 2, -half + leg, 0, half - leg, half - leg / 2, half};
}

template <typename Values>
double between(const Values& values, double line) {
  const auto low = std::min(static_cast<std::size_t>(line), values.size() - 2);
  const double share = line - static_cast<double>(low);
  return (1 - share) * values[low] + share * values[low + 1];
}

}  // namespace

Blocks tower(Detail detail) {
  const auto place = [](double i, double j, double level) -> Eigen::Vector3d {
    const int below = std::min(static_cast<int>(level), static_cast<int>(kLevels.size()) - 2);
    const double share = level - below;
    const auto low = lines(below), high = lines(below + 1);
    return {(1 - share) * between(low, i) + share * between(high, i), between(kLevels, level),
            (1 - share) * between(low, j) + share * between(high, j)};
  };
  const auto is_leg = [](int line) { return line != 2 && line != 3; };
  Blocks body;
  FilledGrid grid(body, detail == Detail::fine ? std::array{2, 2, 5} : std::array{1, 1, 1}, place);
  for (int level = 0; level + 1 < static_cast<int>(kLevels.size()); ++level) {
    const double y = kLevels[static_cast<std::size_t>(level)];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        const bool on_side = is_leg(i) || is_leg(j);
        if ((is_leg(i) && is_leg(j)) || (on_side && (kPlatforms.count(level) > 0 || y > 28)) || y > 39)
          grid.fill({i, j, level});
      }
  }
  return body;
}

}  // namespace rebound::mesh
