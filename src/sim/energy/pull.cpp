#include "sim/energy/pull.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

// A tetrahedron whose edges are the axes: F is where they are.
class OneTetrahedron {
 public:
  OneTetrahedron(const MaterialInfo& material, const MaterialValues& values) {
    x_.bottomRows<3>().setIdentity();
    energies_ = material.laws.front().make({x_, corners_, {&values, 1}, fill_, {}});
  }

  /// dW/ds of the stretches (l, t, t), along the first axis and across it, Pa.
  std::array<double, 2> stress(double l, double t) {
    x_(1, 0) = l;
    x_(2, 1) = x_(3, 2) = t;
    gradient_.setZero();
    for (const auto& energy : energies_) energy->add_gradient(x_, gradient_, work_);
    constexpr double kVolume = 1.0 / 6;
    return {gradient_(1, 0) / kVolume, gradient_(2, 1) / kVolume};
  }

 private:
  Points x_ = Points::Zero(4, 3), gradient_ = Points::Zero(4, 3);
  Elements corners_ = std::vector<std::array<int, 4>>{{0, 1, 2, 3}};
  std::vector<double> fill_{1.0};
  Workspace work_{1};
  Energies energies_;
};

}  // namespace

std::vector<double> pull_stress(const MaterialInfo& material, const MaterialValues& values,
                                std::span<const double> stretches) {
  OneTetrahedron bar(material, values);
  std::vector<double> stresses;
  stresses.reserve(stretches.size());
  for (const double l : stretches) {
    // Across, stress grows with the width where a law is sound; the width at rest is between these two.
    double low = 0.3, high = 2.5;
    for (int i = 0; i < 24; ++i) {
      const double t = 0.5 * (low + high);
      (bar.stress(l, t)[1] < 0 ? low : high) = t;
    }
    stresses.push_back(bar.stress(l, 0.5 * (low + high))[0]);
  }
  return stresses;
}

}  // namespace rebound::sim
