// An implicit integrator is a row of numbers. Each one-solve method minimises
//
//     g(x) = 1/2 |x - y|_M^2 + c h^2 E(gamma x + (1 - gamma) x_n)
//     y    = a0 x_n + a1 x_{n-1} + h (b0 v_n + b1 v_{n-1}) - k h^2 M^-1 dE(x_n)
//     v    = r/h (x - a0 x_n - a1 x_{n-1}) + s v_n
//
// and local/global solves it with the constant matrix M + c gamma^2 h^2 L.
// Backward Euler: [Dinev18 Eq. 3, 4, 25]; implicit midpoint: [Dinev18 Eq. 5, 6, 16, 17]; BDF2 and Newmark (the
// trapezoid rule) from their definitions, verified by their order of convergence.
#pragma once

#include <array>
#include <string_view>

#include "sim/model/step_forces.hpp"

namespace rebound::sim {

struct Scheme {
  std::string_view id;
  double a0, a1, b0, b1, k, c, gamma, r, s;

  /// Does it look back to x_{n-1}, v_{n-1}?
  constexpr bool two_steps() const { return a1 != 0 || b1 != 0; }
  /// The factor of L in the system matrix, s^2.
  constexpr double stiffness_factor(double h) const { return c * gamma * gamma * h * h; }
  /// What a step of h seconds does with forces.
  constexpr StepForces forces(double h) const {
    return {stiffness_factor(h), c * gamma * gamma / (c * gamma + k), 1 / r, r * (c * gamma + k)};
  }
  /// A step changes angular momentum by the moments of its forces about x_n + arm (x_{n+1} - x_n): where x goes on by
  /// h v_{n+1}, about x_n; by the mean of both velocities, about the middle.
  constexpr double moment_arm() const { return two_steps() ? 1 : 1 - 1 / r; }
};

// clang-format off
inline constexpr Scheme kBackwardEuler    {"backward-euler",    1,      0,       1,      0,      0,     1,      1,   1,   0};
inline constexpr Scheme kImplicitMidpoint {"implicit-midpoint", 1,      0,       1,      0,      0,     1,      0.5, 2,  -1};
inline constexpr Scheme kNewmark          {"newmark",           1,      0,       1,      0,      0.25,  0.25,   1,   2,  -1};
inline constexpr Scheme kBdf2             {"bdf2",              4./3,  -1./3,    8./9,  -2./9,   0,     4./9,   1,   1.5, 0};
// clang-format on

inline constexpr std::array kSchemes = {kBackwardEuler, kBdf2, kImplicitMidpoint, kNewmark};

}  // namespace rebound::sim
