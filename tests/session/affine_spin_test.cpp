// A free affine body spins as a rigid one, by the books.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/model/rigid_motion.hpp"
#include "support/affine_box.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using sim::Vec3;

Vec3 spin_in_the_body(const Session& s) {
  return turn_of(s).transpose() * sim::fit_rigid_motion(s.model(), s.model().bodies[0], s.state()).omega;
}

/// Euler's equations I dw/dt = (I w) x w of the same box, by Runge and Kutta's method in steps of 0.1 ms.
class EulersBox {
 public:
  explicit EulersBox(const Vec3& omega) : omega_(omega) {
    const double m = 1000 * kBoxSize[0] * kBoxSize[1] * kBoxSize[2];
    for (int c = 0; c < 3; ++c) {
      const double a = kBoxSize[static_cast<std::size_t>((c + 1) % 3)],
                   b = kBoxSize[static_cast<std::size_t>((c + 2) % 3)];
      inertia_[c] = m * (a * a + b * b) / 12;
    }
  }
  const Vec3& to(double time) {
    constexpr double kStep = 1e-4;
    const auto steps = static_cast<std::int64_t>(std::llround(time / kStep));
    for (; done_ < steps; ++done_) {
      const Vec3 a = rate(omega_), b = rate(omega_ + kStep / 2 * a), c = rate(omega_ + kStep / 2 * b),
                 d = rate(omega_ + kStep * c);
      omega_ += kStep / 6 * (a + 2 * b + 2 * c + d);
    }
    return omega_;
  }

 private:
  Vec3 rate(const Vec3& w) const { return inertia_.cwiseProduct(w).cross(w).cwiseQuotient(inertia_); }

  Vec3 omega_, inertia_;
  std::int64_t done_ = 0;
};

/// The largest distance from Euler's equations until well after the box has turned over, as a share of the spin.
struct Tumble {
  double off = 0;
  double flip = 0, eulers_flip = 0;         ///< s, when the spin about the middle axis goes through zero
  double energy_off = 0, momentum_off = 0;  ///< shares
};
Tumble tumble(const char* integrator, double h, double stiffness) {
  Session s = open(tumbling_box(integrator, h, stiffness));
  EulersBox euler(Vec3(0.02, 6, 0.02));
  Tumble result;
  const Vec3 l = s.record().measured.l;
  const double H = s.record().measured.total();
  double before = 6, eulers_before = 6;
  while (s.record().time < 5) {
    EXPECT_TRUE(s.step()) << s.failure();
    const double time = s.record().time;
    const Vec3 spin = spin_in_the_body(s), eulers = euler.to(time);
    result.off = std::max(result.off, (spin - eulers).norm() / 6);
    if (spin.y() * before < 0) result.flip = time - h * spin.y() / (spin.y() - before);
    if (eulers.y() * eulers_before < 0) result.eulers_flip = time - h * eulers.y() / (eulers.y() - eulers_before);
    before = spin.y();
    eulers_before = eulers.y();
    result.energy_off = std::max(result.energy_off, std::abs(s.record().measured.total() / H - 1));
    result.momentum_off = std::max(result.momentum_off, (s.record().measured.l - l).norm() / l.norm());
  }
  return result;
}

// The body is strained by its spin, by about rho w^2 l^2 / (8 kappa), and the step turns it by O(h^2) too little.
TEST(AffineBox, TurnsOverAsEulersEquationsSayTheBetterTheStifferAndTheShorterTheStep) {
  const auto bounded = [](double h, double stiffness, double off, double flip_off) {
    for (const char* integrator : {"implicit-midpoint", "stabilized"}) {
      SCOPED_TRACE(std::string(integrator) + " h " + std::to_string(h) + " kappa " + std::to_string(stiffness));
      const Tumble t = tumble(integrator, h, stiffness);
      EXPECT_LT(t.off, off);
      EXPECT_NEAR(t.flip, t.eulers_flip, flip_off);
      EXPECT_NEAR(t.eulers_flip, 2.348, 1e-3);
      EXPECT_LT(t.momentum_off, 1e-10);
      EXPECT_LT(t.energy_off, 0.01);
    }
  };
  bounded(0.005, 1e6, 0.02, 0.01);
  bounded(0.0025, 1e7, 0.003, 0.002);
  bounded(0.00125, 1e8, 0.0008, 0.0005);
}

// What its stages are late by is made up for: what is left is the strain, however long the step.
TEST(AffineBox, TurnsOverUnderReboundAsEulersEquationsSayInLongStepsToo) {
  for (const double h : {0.03125, 0.01, 0.005}) {
    SCOPED_TRACE(h);
    const Tumble t = tumble("rebound", h, 1e8);
    EXPECT_LT(t.off, 42 * h * h + 0.0004);
    EXPECT_NEAR(t.flip, t.eulers_flip, 2e-4);
    EXPECT_LT(t.momentum_off, 1e-10);
    EXPECT_LT(t.energy_off, 1e-4);
  }
}

TEST(AffineBox, KeepsItsEnergyAndItsMomentaByTheBooks) {
  for (const char* integrator : {"implicit-midpoint", "stabilized", "rebound", "bdf2", "backward-euler"})
    for (const char* solver : {"newton", "newton-cg"}) {
      scene::Description d = tumbling_box(integrator, 0.002, 1e7);
      d.solver.type = solver;
      Session s = open(d);
      const Vec3 p = s.record().measured.p, l = s.record().measured.l;
      for (int frame = 0; frame < 500; ++frame) ASSERT_TRUE(s.step()) << s.failure();
      const FrameRecord& r = s.record();
      constexpr double kMomentum = 100 * 6 * 0.5;  // kg m/s, of one half of it
      EXPECT_LT((r.measured.p - p).norm(), 1e-9 * kMomentum) << integrator;
      EXPECT_NEAR(r.target, r.initial + r.added_total() - r.dissipated_total(), 1e-12 * r.initial);
      EXPECT_NEAR(r.target, r.initial, 1e-4 * r.initial);
      const bool dissipates = std::string(integrator) == "backward-euler" || std::string(integrator) == "bdf2";
      if (dissipates) continue;
      EXPECT_LT((r.measured.l - l).norm(), 1e-9 * l.norm()) << integrator << ' ' << solver;
      EXPECT_NEAR(r.measured.total(), r.initial, 1e-3 * r.initial) << integrator << ' ' << solver;
    }
}

}  // namespace
}  // namespace rebound::test
