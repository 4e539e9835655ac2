#include "sim/energy/pull.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

// A bar whose sides are freer than this, as a share of its width at rest, has none.
constexpr double kLeastWidth = 1e-3, kMostWidth = 50;

// A tetrahedron whose edges are the axes: F is where they are.
class Bar {
 public:
  Bar(const MaterialInfo& material, const MaterialValues& values) {
    x_.bottomRows<3>().setIdentity();
    energies_ = material.laws.front().make({x_, corners_, {&values, 1}, fill_, {}});
  }

  struct Answer {
    double force;  ///< Pa, of the cross-section at rest
    bool has_width;
  };
  Answer pull(double l) {
    // Across, stress grows with the width where a law is sound; where it is not, the width goes to 0.
    double low = std::log(kLeastWidth), high = std::log(kMostWidth);
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      (stress(l, std::exp(middle))[1] < 0 ? low : high) = middle;
    }
    const double width = std::exp(0.5 * (low + high));
    return {stress(l, width)[0], width > 2 * kLeastWidth};
  }

 private:
  static constexpr int kHalvings = 40;

  /// dW/ds of the stretches (l, t, t), along the first axis and across it, Pa.
  std::array<double, 2> stress(double l, double t) {
    x_(1, 0) = l;
    x_(2, 1) = x_(3, 2) = t;
    gradient_.setZero();
    for (const auto& energy : energies_) energy->add_gradient(x_, gradient_, work_);
    constexpr double kVolume = 1.0 / 6;
    return {gradient_(1, 0) / kVolume, gradient_(2, 1) / kVolume};
  }

  Points x_ = Points::Zero(4, 3), gradient_ = Points::Zero(4, 3);
  Elements corners_ = std::vector<std::array<int, 4>>{{0, 1, 2, 3}};
  std::vector<double> fill_{1.0};
  Workspace work_{1};
  Energies energies_;
};

/// The first fault on the way from the length `from`, by factors, to `to`.
PullLimit first_limit(Bar& bar, double from, double to, double factor) {
  const double way = to > from ? 1 : -1;  // a sound force grows along it
  double before = bar.pull(from).force;
  for (double l = from * factor; way * (to - l) >= 0; l *= factor) {
    const Bar::Answer here = bar.pull(l);
    if (!here.has_width) return {PullLimit::Kind::no_width, l / factor};
    if (!(way * (here.force - before) > 0)) return {PullLimit::Kind::gives_way, l / factor};
    before = here.force;
  }
  return {};
}

/// First by large steps, then by small ones about what they found.
PullLimit limit_towards(Bar& bar, double end) {
  constexpr double kLarge = 1.02, kSmall = 1.0005;
  const bool pulled = end > 1;
  const PullLimit rough = first_limit(bar, 1, end, pulled ? kLarge : 1 / kLarge);
  if (rough.kind == PullLimit::Kind::none) return rough;
  const double back = pulled ? 1 / kLarge : kLarge, beyond = 1 / (back * back);
  const double from = pulled ? std::max(1.0, rough.stretch * back) : std::min(1.0, rough.stretch * back);
  const PullLimit fine = first_limit(bar, from, rough.stretch * beyond, pulled ? kSmall : 1 / kSmall);
  return fine.kind == PullLimit::Kind::none ? rough : fine;
}

}  // namespace

std::vector<double> pull_stress(const MaterialInfo& material, const MaterialValues& values,
                                std::span<const double> stretches) {
  Bar bar(material, values);
  std::vector<double> stresses;
  stresses.reserve(stretches.size());
  for (const double l : stretches) stresses.push_back(bar.pull(l).force);
  return stresses;
}

PullLimits pull_limits(const MaterialInfo& material, const MaterialValues& values) {
  Bar bar(material, values);
  return {limit_towards(bar, kLeastPull), limit_towards(bar, kMostPull)};
}

}  // namespace rebound::sim
