#include "sim/collide/continuous.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

constexpr int kMostSteps = 60;
constexpr double kStepShare = 0.9;
// A distance is known to about so many units of the last place of coordinates.
constexpr double kDistanceRounding = 16 * 2.2e-16;

}  // namespace

double free_way(const MovingPair& pair, double enough) {
  const int corners = corners_of(pair.kind), first_side = pair.kind == FeaturePair::edge_edge ? 2 : 1;
  // What all do together changes no distance.
  Vec3 mean = Vec3::Zero();
  for (int i = 0; i < corners; ++i) mean += pair.d[static_cast<std::size_t>(i)];
  mean /= corners;
  FourPoints x{}, d{};
  double size = 0;
  std::array<double, 2> fastest{0, 0};
  for (int i = 0; i < corners; ++i) {
    const auto c = static_cast<std::size_t>(i);
    x[c] = pair.x[c];
    d[c] = pair.d[c] - mean;
    double& of_side = fastest[i < first_side ? 0 : 1];
    of_side = std::max(of_side, d[c].norm());
    size = std::max(size, (x[c] - pair.x[0]).cwiseAbs().maxCoeff());
    size = std::max({size, pair.x[c].cwiseAbs().maxCoeff(), d[c].cwiseAbs().maxCoeff()});
  }
  const double speed = fastest[0] + fastest[1];
  const double rounding = kDistanceRounding * size;
  const auto gap_of = [&](const FourPoints& at) {
    const double distance = std::sqrt(feature_distance(pair.kind, at).squared);
    return distance - pair.offset - rounding;
  };
  double gap = gap_of(x);
  if (!(gap > 0)) return speed > 0 ? 0 : 1;
  if (speed < (1 - kGapLeft) * gap) return 1;
  const double left = kGapLeft * gap;
  double way = 0;
  FourPoints at = x;
  for (int step = 0; step < kMostSteps && way < enough; ++step) {
    const double next = way + kStepShare * (gap - (step == 0 ? 0 : left)) / speed;
    if (next >= 1) return 1;
    for (int i = 0; i < corners; ++i) {
      const auto c = static_cast<std::size_t>(i);
      at[c] = x[c] + next * d[c];
    }
    gap = gap_of(at);
    if (step > 0 && gap <= left) return way;
    way = next;
    if (gap <= left) return way;
  }
  return way;
}

}  // namespace rebound::sim
