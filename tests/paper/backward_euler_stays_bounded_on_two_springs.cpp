// [Dinev18 Appendix C, Theorem 1, Fig. 14-16]: a vertex on the x axis between two springs of rest length sqrt 2 whose
// other ends are fixed at (0, 1, 0) and (0, -1, 0). The potential is not convex, so an exactly solved backward Euler
// step may gain energy; yet H never passes max(H_0, H_c).
//   E(x) = k (sqrt(x^2 + 1) - sqrt 2)^2,  H_c = E(0) + m/2 ((beta + 1)/h)^2,  beta the positive root of Eq. 54
#include <gtest/gtest.h>

#include "sim/step/newton.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

const double kRest = std::sqrt(2.0);

double potential(double k, double x) { return k * std::pow(std::sqrt(x * x + 1) - kRest, 2); }  // Eq. 47
double slope(double k, double x) {
  return 2 * k * (std::sqrt(x * x + 1) - kRest) * x / std::sqrt(x * x + 1);
}  // Eq. 48

template <class Function>
double bisect(const Function& f, double low, double high) {
  const bool rises = f(high) > 0;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    ((f(middle) > 0) == rises ? high : low) = middle;
  }
  return (low + high) / 2;
}

// The positive root of Eq. 54; k cancels.
double beta() {
  // The slope is largest on [-1, 1] where its derivative 1 - sqrt 2/(x^2 + 1)^(3/2) vanishes, on the negative side.
  const double x_max = -bisect([](double x) { return 1 - kRest / std::pow(x * x + 1, 1.5); }, 0, 1);
  return bisect([&](double x) { return potential(1, x) - potential(1, 0) - (x + 1) * slope(1, x_max); }, 1, 10);
}

struct Start {
  double k, m, h, x, v;
};

struct TwoSprings {
  explicit TwoSprings(const Start& s) : model(free_vertices(3)), start(s) {
    Points rest(3, 3);
    rest << 0, 1, 0, s.x, 0, 0, 0, -1, 0;
    const std::vector<std::array<int, 2>> edges{{0, 1}, {1, 2}};
    const std::vector<double> lengths{kRest, kRest}, stiffness{s.k, s.k};
    model.energies.push_back(std::make_unique<Springs>(rest, edges, lengths, stiffness));
    model.fixed = {1, 0, 1};
    model.M[1] = s.m;
    stepper = std::make_unique<Stepper>(model, "backward-euler", s.h, kMostIterations, "newton");
    stepper->start({rest, Points::Zero(3, 3)});
    stepper->history.now.v(1, 0) = s.v;
  }
  double x() const { return stepper->history.now.x(1, 0); }
  double v() const { return stepper->history.now.v(1, 0); }
  double H() const { return potential(start.k, x()) + start.m / 2 * v() * v(); }
  bool on_the_axis() const {
    const State& now = stepper->history.now;
    return now.x.row(1).tail(2).isZero(0) && now.v.row(1).tail(2).isZero(0);
  }

  static constexpr int kMostIterations = 100;
  Model model;
  Start start;
  std::unique_ptr<Stepper> stepper;
};

// Decades apart: h^2 k/m from far below to far above 1, and starts from deep inside the wells to far outside.
Start random_start(std::mt19937& random) {
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const auto decades = [&](double low, double high) { return std::pow(10, between(low, high)); };
  Start s{decades(0, 5), decades(-2, 2), decades(-3, -1), between(-3, 3), 0};
  s.v = between(-3, 3) / s.h;
  s.v *= decades(-3, 0);
  return s;
}

TEST(AppendixC, BetaIsThePapers) { EXPECT_NEAR(beta(), 2.209, 5e-4); }

// The minimiser of a step's objective on the axis: as E is even it lies on y's side of 0, and there dg has one root.
double exact_step(const Start& s, double y) {
  const auto dg = [&](double x) { return s.m * (x - y) + s.h * s.h * slope(s.k, x); };
  return y > 0 ? bisect(dg, 0, y + 2) : bisect(dg, y - 2, 0);
}

// What rounding of x alone leaves of dg, as a velocity, besides the solver's tolerance.
double velocity_tolerance(const Start& s, double x) {
  return kVelocityTolerance + 4e-16 * (1 + std::abs(x)) * (1 / s.h + s.h * 2 * s.k / s.m);
}

TEST(AppendixC, TheEnergyOfBackwardEulerIsBoundedAndDoesRise) {
  std::mt19937 random(14);
  const double b = beta();
  int rises = 0, above_the_start = 0;
  double highest_rise = 0;  // of one step, as a share of E(0)
  for (int i = 0; i < 10000; ++i) {
    const Start s = random_start(random);
    TwoSprings system(s);
    const double hill = potential(s.k, 0), H0 = system.H(), Hc = hill + s.m / 2 * std::pow((b + 1) / s.h, 2);
    for (int n = 1; n <= 20; ++n) {
      const double before = system.H(), y = system.x() + s.h * system.v();
      const StepReport report = system.stepper->step();
      ASSERT_EQ(report.outcome, Outcome::done);
      ASSERT_LT(report.iterations, TwoSprings::kMostIterations) << "start " << i << " step " << n;
      const double x = system.x(), left = (x - y) / s.h + s.h * slope(s.k, x) / s.m;
      ASSERT_LE(std::abs(left), velocity_tolerance(s, x)) << "start " << i << " step " << n;
      ASSERT_NEAR(x, exact_step(s, y), 1e-10 * (1 + std::abs(y))) << "start " << i << " step " << n;
      ASSERT_TRUE(system.on_the_axis());

      const double H = system.H();
      ASSERT_LE(H, std::max(H0, Hc) * (1 + 1e-12)) << "start " << i << " step " << n;
      if (H - before > 1e-3 * hill) ++rises;
      if (H - H0 > 1e-3 * hill) ++above_the_start;
      highest_rise = std::max(highest_rise, (H - before) / hill);
    }
  }
  EXPECT_GT(rises, 100);
  EXPECT_GT(above_the_start, 100) << "H_0 alone is no bound";
  EXPECT_GT(highest_rise, 0.5);
}

// Thrown from a slope so as to arrive at the top without force: the step is free flight, and E(0) is above E(x_0). The
// top is the minimiser for h^2 k/m < 1/(2 (sqrt 2 - 1)) only, 1.2071.
TEST(AppendixC, AStepOntoTheTopGainsTheHeightOfTheTop) {
  for (const double k : {1.0, 10.0, 19.0}) {
    const Start s{k, 1, 0.25, 0.5, -2};
    TwoSprings system(s);
    const double before = system.H();
    system.stepper->step();
    EXPECT_EQ(system.x(), 0);
    EXPECT_EQ(system.v(), -2);
    EXPECT_NEAR(system.H() - before, potential(k, 0) - potential(k, 0.5), 1e-14 * k);
    EXPECT_GT(system.H(), before);
  }
}

}  // namespace
}  // namespace rebound::test
