// An implicit integrator is a row of numbers. Each one-solve method minimises
//
//     g(x) = 1/2 |x - y|_M^2 + c h^2 E(gamma x + (1 - gamma) x_n)
//     y    = a0 x_n + a1 x_{n-1} + h (b0 v_n + b1 v_{n-1}) - k h^2 M^-1 dE(x_n) + d h^2 a_n
//     v    = r/h (x - a0 x_n - a1 x_{n-1}) + s v_n + e h a_n
//
// and local/global solves it with the constant matrix M + c gamma^2 h^2 L.
// A stage of a method that has several spans a share of the step, and h above is that share of it.
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
  double span = 1;      ///< the share of the step that it makes
  double d = 0, e = 0;  ///< of methods that carry an acceleration of their own
  /// In a world with affine bodies, what only keeps bodies apart or in shape has no force of x_n, though k != 0.
  bool keeps_at_end = false;

  /// Does it look back to x_{n-1}, v_{n-1}?
  constexpr bool two_steps() const { return a1 != 0 || b1 != 0; }
  constexpr bool carries_acceleration() const { return d != 0 || e != 0; }
  /// The factor of L in the system matrix, s^2.
  constexpr double stiffness_factor(double h) const { return c * gamma * gamma * (span * h) * (span * h); }
  /// What a step of h seconds does with forces.
  constexpr StepForces forces(double h) const {
    return {stiffness_factor(h), gamma, 1 / r, r * (c * gamma + k), k / (c * gamma + k)};
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

/// A step in two solves that share a matrix: to x_g, then from x_g and x_n to x_{n+1}. In the second row x_n, v_n of
/// the table are x_g, v_g, and x_{n-1}, v_{n-1} are those at the beginning of the step.
struct TwoStageScheme {
  std::string_view id;
  Scheme first, second;
  /// Shares of the step's impulse that are of the forces at x_g and at x_{n+1}; the rest is of those at x_n.
  double of_middle, of_end;
};

inline constexpr double kSqrt2 = 1.4142135623730951;
inline constexpr double kTrShare = 2 - kSqrt2;         // g of [Bank85], where both matrices are the same
inline constexpr double kSdirkShare = 1 - kSqrt2 / 2;  // gamma of [Alexander77]

// TR-BDF2: the trapezoid rule to g, then BDF2 for points g and 1 - g apart: z = b1 x_g + b0 x_n, b1 = 1/(g (2 - g)),
// b0 = 1 - b1, x = z + (g/2) h (v + b1 v_g + b0 v_n - ...), all in units of g h.
constexpr TwoStageScheme tr_bdf2(double g) {
  const double b1 = 1 / (g * (2 - g)), b0 = 1 - b1;
  return {"tr-bdf2",
          {"tr-bdf2", 1, 0, 1, 0, 0.25, 0.25, 1, 2, -1, g},
          {"tr-bdf2", b1, b0, b1 / 2, b0 / 2, 0, 0.25, 1, 2, 0, g},
          b1 * g / 2,
          g / 2};
}

// The same, but for what keeps bodies apart or in shape in a world with affine ones: what an impact has pressed and
// strained there is faster than any step, and the trapezoid rule would have it swing to the other side. Methods of
// Newmark's kind with implicit contact do so (Kane, Repetto, Ortiz and Marsden 1999). A soft body's impact takes
// several steps, and keeps more of its energy by the trapezoid rule.
constexpr TwoStageScheme keeping_at_end(TwoStageScheme of) {
  of.first.keeps_at_end = true;
  return of;
}

// SDIRK2: backward Euler over gamma h; the second stage goes on from x_n + (1 - gamma) h v_1 with the velocity
// v_n + (1 - gamma) h a_1, which are q X_1 + (1 - q) X_n with q = (1 - gamma) / gamma.
constexpr TwoStageScheme sdirk2(double gamma) {
  const double q = (1 - gamma) / gamma;
  return {"sdirk2",
          {"sdirk2", 1, 0, 1, 0, 0, 1, 1, 1, 0, gamma},
          {"sdirk2", q, 1 - q, q, 1 - q, 0, 1, 1, 1, 0, gamma},
          1 - gamma,
          gamma};
}

inline constexpr TwoStageScheme kTrBdf2 = tr_bdf2(kTrShare), kSdirk2 = sdirk2(kSdirkShare);

// The generalized-alpha method [Chung93], with its force where x_{n+1-alpha_f} is:
//   M ((1 - alpha_m) a_{n+1} + alpha_m a_n) + dE((1 - alpha_f) x_{n+1} + alpha_f x_n) = 0
//   x_{n+1} = x_n + h v_n + h^2 ((1/2 - beta) a_n + beta a_{n+1}),  v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})
// rho: what is left of the fastest motion after a step; 1 is implicit midpoint, 0 forgets it at once.
struct GeneralizedAlphaScheme {
  Scheme row;
  double beta;
};

constexpr GeneralizedAlphaScheme generalized_alpha(double rho) {
  const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
  const double gamma = 0.5 - alpha_m + alpha_f, beta = 0.25 * (1 - alpha_m + alpha_f) * (1 - alpha_m + alpha_f);
  Scheme row{"generalized-alpha", 1, 0, 1, 0, 0, beta / ((1 - alpha_m) * (1 - alpha_f)), 1 - alpha_f, gamma / beta,
             1 - gamma / beta};
  row.d = 0.5 - beta - beta * alpha_m / (1 - alpha_m);
  row.e = 1 - gamma - gamma * (0.5 - beta) / beta;
  return {row, beta};
}

/// rho where nothing else is asked for.
inline constexpr double kUsualRho = 0.8;

// The adjoint of SDIRK2 (its step backwards, undone) has one implicit stage, of A* = [[1 - 2 gamma, gamma], [0, 0]]:
//   x = x_n + h ((1 - 2 gamma) v + gamma v_n),  v = v_n - h M^-1 ((1 - 2 gamma) dE(x) + gamma dE(x_n))
constexpr Scheme sdirk2_adjoint(double gamma) {
  const double w = 1 - 2 * gamma;
  return {"sdirk2-adjoint", 1, 0, w + gamma, 0, w * gamma, w * w, 1, 1 / w, -gamma / w};
}
inline constexpr Scheme kSdirk2Adjoint = sdirk2_adjoint(kSdirkShare);

inline constexpr std::array kSchemes = {kBackwardEuler, kBdf2, kImplicitMidpoint, kNewmark};

}  // namespace rebound::sim
