// Rods, wires and what holds them: c(x) = 0 with multipliers [Course].
#include <gtest/gtest.h>

#include <numbers>

#include "sim/constraint/rod.hpp"
#include "sim/constraint/wires.hpp"
#include "sim/step/newton.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

constexpr double kEarth = 9.81;
constexpr std::array kAll{"backward-euler", "bdf2", "implicit-midpoint", "newmark", "tr-bdf2"};

/// Points of a kilogram in gravity, without any energy but that.
Model bare(int n, double gravity = kEarth) {
  Model model = free_vertices(n);
  model.g = {0, -gravity, 0};
  model.energies.push_back(std::make_unique<Gravity>(model.M, model.g));
  return model;
}

/// A mass on a rod of `length`, let go at an angle from straight down.
struct Pendulum {
  explicit Pendulum(double angle, double length = 1) : model(bare(2)), x(2, 3) {
    model.fixed[0] = 1;
    model.constraints.push_back(std::make_shared<Rod>(0, 1, length));
    x << 0, 0, 0, length * std::sin(angle), -length * std::cos(angle), 0;
  }
  State state() const { return {x, Points::Zero(2, 3)}; }
  Model model;
  Points x;
};

double furthest_off(const Model& model, const Points& x) {
  ConstraintRows rows(model.constraints, model.fixed);
  rows.evaluate(x);
  return rows.largest();
}

// ---- the equations ----

class EachConstraint : public testing::TestWithParam<std::shared_ptr<const Constraint>> {};

TEST_P(EachConstraint, GradientAndCurvatureAreSlopes) {
  const Constraint& constraint = *GetParam();
  const Points x = random_points(2, 5);
  const std::array lambda{0.7, -1.3};
  const auto rows_at = [&](const Points& at) {
    std::vector<ConstraintRow> rows(2);
    constraint.evaluate(at, std::span(rows).first(static_cast<std::size_t>(constraint.equations())));
    return rows;
  };
  const double e = 1e-6;
  const auto vertices = constraint.vertices();
  for (std::size_t b = 0; b < vertices.size(); ++b)
    for (int k = 0; k < 3; ++k) {
      Points up = x, down = x;
      up(vertices[b], k) += e;
      down(vertices[b], k) -= e;
      const auto above = rows_at(up), below = rows_at(down), here = rows_at(x);
      for (std::size_t a = 0; a < vertices.size(); ++a) {
        Vec3 slope = Vec3::Zero();
        for (std::size_t i = 0; i < static_cast<std::size_t>(constraint.equations()); ++i) {
          if (a == 0) {
            EXPECT_NEAR((above[i].c - below[i].c) / (2 * e), here[i].gradient[b][k], 1e-7);
          }
          slope += lambda[i] * (above[i].gradient[a] - below[i].gradient[a]) / (2 * e);
        }
        const Eigen::Matrix3d K = constraint.curvature(x, lambda, static_cast<int>(a), static_cast<int>(b));
        EXPECT_LT((K.col(k) - slope).norm(), 1e-6);
      }
    }
}

// Whatever the way: short ones need a series. The derivative is by where the way ends.
TEST_P(EachConstraint, DiscreteGradientGivesAllOfTheDifference) {
  const Constraint& constraint = *GetParam();
  const std::array lambda{0.7, -1.3};
  const auto equations = static_cast<std::size_t>(constraint.equations());
  const auto vertices = constraint.vertices();
  for (const double length : {1.0, 0.1, 3e-3, 1e-4, 0.0}) {
    const Points from = random_points(2, 5), way = length * random_points(2, 7);
    const auto along = [&](const Points& to) {
      std::vector<ConstraintRow> rows(2);
      constraint.evaluate_along(0.5 * (from + to), to - from, std::span(rows).first(equations));
      return rows;
    };
    std::vector<ConstraintRow> before(2), after(2);
    constraint.evaluate(from, std::span(before).first(equations));
    constraint.evaluate(from + way, std::span(after).first(equations));
    const auto here = along(from + way);
    for (std::size_t i = 0; i < equations; ++i) {
      double change = 0;
      for (std::size_t a = 0; a < vertices.size(); ++a) change += way.row(vertices[a]) * here[i].gradient[a];
      EXPECT_NEAR(change, after[i].c - before[i].c, 1e-14 * (1 + 10 * length)) << length;
    }
    const double e = 1e-6;
    for (std::size_t b = 0; b < vertices.size(); ++b)
      for (int k = 0; k < 3; ++k) {
        Points up = from + way, down = from + way;
        up(vertices[b], k) += e;
        down(vertices[b], k) -= e;
        const auto above = along(up), below = along(down);
        for (std::size_t a = 0; a < vertices.size(); ++a) {
          Vec3 slope = Vec3::Zero();
          for (std::size_t i = 0; i < equations; ++i)
            slope += lambda[i] * (above[i].gradient[a] - below[i].gradient[a]) / (2 * e);
          const Eigen::Matrix3d K =
              constraint.curvature_along(from + 0.5 * way, way, lambda, static_cast<int>(a), static_cast<int>(b));
          EXPECT_LT((0.5 * K.col(k) - slope).norm(), 1e-6) << length;
        }
      }
  }
}

TEST_P(EachConstraint, ItsPathIsWhereItHolds) {
  const Constraint& constraint = *GetParam();
  for (const Vec3& at : constraint.path(Points::Zero(2, 3))) {
    Points x = Points::Zero(2, 3);
    x.row(constraint.vertices()[0]) = at.transpose();
    std::vector<ConstraintRow> rows(2);
    constraint.evaluate(x, rows);
    for (const ConstraintRow& row : rows) EXPECT_NEAR(row.c, 0, 1e-13);
  }
}

TEST(HelixWire, IsDrawnBeyondWhereItsPointHasGone) {
  const HelixWire helix(0, Vec3::Zero(), Vec3(0, 1, 0), 0.4, Vec3(0.3, 0, 0));
  for (const double height : {-30.0, 0.0, 7.0}) {
    double low = INFINITY, high = -INFINITY;
    for (const Vec3& at : helix.path(Points{{0.3, height, 0.0}})) {
      low = std::min(low, at.y());
      high = std::max(high, at.y());
    }
    EXPECT_LT(low, height - 0.7);
    EXPECT_GT(high, height + 0.7);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EachConstraint,
                         testing::Values(std::make_shared<Rod>(0, 1, 0.8),
                                         std::make_shared<LineWire>(1, Vec3(0.1, 0.2, 0.3), Vec3(1, 2, -1)),
                                         std::make_shared<CircleWire>(0, Vec3(0.1, 0.2, 0.3), Vec3(1, 2, 3), 0.7),
                                         std::make_shared<HelixWire>(1, Vec3(0.1, 0, 0), Vec3(1, 2, 3), 0.4,
                                                                     Vec3(0.3, 0.2, 0.5))),
                         [](const auto& tried) { return std::string(tried.param->kind()); });

// ---- a pendulum ----

class EachScheme : public testing::TestWithParam<const char*> {};

TEST_P(EachScheme, DriftsByNothingInAThousandSteps) {
  Pendulum pendulum(2.5);
  Stepper stepper(pendulum.model, GetParam(), 0.01, 100, "newton");
  stepper.start(pendulum.state());
  double off = 0;
  for (int i = 0; i < 1000; ++i) {
    const StepReport report = stepper.step();
    ASSERT_EQ(report.outcome, Outcome::done) << i;
    EXPECT_TRUE(report.converged) << i;
    off = std::max(off, furthest_off(pendulum.model, stepper.history.now.x));
  }
  EXPECT_LT(off, 1e-13);
}

TEST_P(EachScheme, AtRestTheTensionIsTheWeight) {
  Model model = bare(4);
  model.fixed[0] = 1;
  model.M << 1, 2, 3, 5;
  model.energies.back() = std::make_unique<Gravity>(model.M, model.g);
  Points x(4, 3);
  for (int i = 0; i < 4; ++i) x.row(i) << 0, -0.5 * i, 0;
  for (int i = 0; i < 3; ++i) model.constraints.push_back(std::make_shared<Rod>(i, i + 1, 0.5));
  Stepper stepper(model, GetParam(), 0.03, 100, "newton");
  stepper.start({x, Points::Zero(4, 3)});
  for (int i = 0; i < 5; ++i) ASSERT_EQ(stepper.step().outcome, Outcome::done);
  const Vector& T = *stepper.minimizer->constraint_forces();
  EXPECT_NEAR(T[0], 10 * kEarth, 1e-9);
  EXPECT_NEAR(T[1], 8 * kEarth, 1e-9);
  EXPECT_NEAR(T[2], 5 * kEarth, 1e-9);
  EXPECT_LT((stepper.history.now.x - x).norm(), 1e-12);
}

// T = m g cos + m v^2 / l, met with the order of the scheme.
TEST_P(EachScheme, TheTensionOfASwingIsTheAnalyticOne) {
  std::array<double, 2> error{};
  for (int fine = 0; fine < 2; ++fine) {
    Pendulum pendulum(1.2);
    const double h = fine ? 0.001 : 0.004;
    Stepper stepper(pendulum.model, GetParam(), h, 100, "newton");
    stepper.start(pendulum.state());
    const Scheme* scheme =
        find_integrator(GetParam())->schemes.empty() ? nullptr : &find_integrator(GetParam())->schemes[0];
    const double at = scheme->forces(h).at;
    for (int i = 0; i < static_cast<int>(0.8 / h); ++i) {
      const State before = stepper.history.now;
      ASSERT_EQ(stepper.step().outcome, Outcome::done);
      const State& now = stepper.history.now;
      // Where the scheme takes its forces.
      const Vec3 x = ((1 - at) * before.x.row(1) + at * now.x.row(1)).transpose();
      const Vec3 v = ((1 - at) * before.v.row(1) + at * now.v.row(1)).transpose();
      const double T = kEarth * -x.y() + v.squaredNorm();
      if (i > 4)
        error[static_cast<std::size_t>(fine)] =
            std::max(error[static_cast<std::size_t>(fine)], std::abs((*stepper.minimizer->constraint_forces())[0] - T));
    }
  }
  EXPECT_LT(error[0], 0.5);
  EXPECT_LT(error[1], 0.3 * error[0]) << error[0];
}

INSTANTIATE_TEST_SUITE_P(All, EachScheme, testing::ValuesIn(kAll), [](const auto& tried) {
  std::string name = tried.param;
  std::erase(name, '-');
  return name;
});

// A cone: v^2 = g l sin tan, T = m g / cos.
TEST(Pendulum, GoesRoundInACone) {
  const double angle = 0.6, speed = std::sqrt(kEarth * std::sin(angle) * std::tan(angle));
  Pendulum pendulum(angle);
  State start = pendulum.state();
  start.v.row(1) << 0, 0, speed;
  Stepper stepper(pendulum.model, "implicit-midpoint", 0.005, 100, "newton");
  stepper.start(start);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(stepper.step().outcome, Outcome::done);
    ASSERT_NEAR((*stepper.minimizer->constraint_forces())[0], kEarth / std::cos(angle), 2e-3) << i;
    ASSERT_NEAR(stepper.history.now.x(1, 1), -std::cos(angle), 2e-4);
  }
}

// T = 4 K(sin(angle / 2)) sqrt(l / g), by the arithmetic-geometric mean.
TEST(Pendulum, SwingsInItsPeriod) {
  const double angle = 2, length = 0.7;
  double a = 1, b = std::cos(angle / 2);
  while (a - b > 1e-15) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period = 2 * std::numbers::pi / a * std::sqrt(length / kEarth);
  for (const char* scheme : {"implicit-midpoint", "newmark", "bdf2", "tr-bdf2"}) {
    Pendulum pendulum(angle, length);
    const double h = 5e-4;
    Stepper stepper(pendulum.model, scheme, h, 100, "newton");
    stepper.start(pendulum.state());
    // A quarter, three quarters: where it goes through the middle, interpolated.
    std::vector<double> middles;
    for (int i = 0; middles.size() < 3 && i < 20000; ++i) {
      const double before = stepper.history.now.x(1, 0);
      ASSERT_EQ(stepper.step().outcome, Outcome::done);
      const double after = stepper.history.now.x(1, 0);
      if (before * after < 0) middles.push_back(h * (i + before / (before - after)));
    }
    ASSERT_EQ(middles.size(), 3u);
    EXPECT_NEAR(middles[2] - middles[0], period, 2e-5 * period) << scheme;
  }
}

/// A chain of rods that begins level, its first end held.
struct Chain {
  explicit Chain(int links, double length = 1) : model(bare(links + 1)), x(links + 1, 3) {
    model.fixed[0] = 1;
    for (int i = 0; i <= links; ++i) x.row(i) << i * length / links, 0, 0;
    for (int i = 0; i < links; ++i) model.constraints.push_back(std::make_shared<Rod>(i, i + 1, length / links));
    model.extent = length;
  }
  State state() const { return {x, Points::Zero(x.rows(), 3)}; }
  Model model;
  Points x;
};

// Midpoint's force stands at right angles to the way: no work, and with gravity linear the energy is exact.
TEST(Rods, DoNoWorkByMidpoint) {
  Chain chain(8);
  Stepper stepper(chain.model, "implicit-midpoint", 1.0 / 60, 100, "newton");
  stepper.start(chain.state());
  const double before = stepper.ledger.target();
  double work = 0, off = 0;
  for (int i = 0; i < 1000; ++i) {
    const StepReport report = stepper.step();
    ASSERT_EQ(report.outcome, Outcome::done) << i;
    work = std::max(work, std::abs(stepper.minimizer->constraint_work()));
    off = std::max(off, furthest_off(chain.model, stepper.history.now.x));
  }
  EXPECT_LT(work, 1e-10);
  EXPECT_LT(off, 1e-13);
  EXPECT_NEAR(measure(chain.model, stepper.history.now, stepper.work).total(), before, 1e-8);
}

// Backward Euler takes energy and never gives any.
TEST(Rods, LoseByBackwardEuler) {
  Chain chain(4);
  Stepper stepper(chain.model, "backward-euler", 1.0 / 60, 100, "newton");
  stepper.start(chain.state());
  double last = measure(chain.model, chain.state(), stepper.work).total();
  for (int i = 0; i < 600; ++i) {
    ASSERT_EQ(stepper.step().outcome, Outcome::done);
    const double now = measure(chain.model, stepper.history.now, stepper.work).total();
    ASSERT_LE(now, last + 1e-9);
    last = now;
  }
  EXPECT_LT(last, -0.9 * kEarth * (8 * 9 / 2) / 8 / 8 * 4) << "it hangs";
}

// A constraint's own work is zero. What backward Euler counts as its work is the scheme's, and goes to zero with the
// step: half of it at half the step.
TEST(Rods, WorkOfBackwardEulerIsOfTheFirstOrder) {
  std::array<double, 3> work{};
  for (std::size_t fine = 0; fine < work.size(); ++fine) {
    Pendulum pendulum(1.2);
    const int steps = 200 << fine;
    Stepper stepper(pendulum.model, "backward-euler", 1.0 / steps, 100, "newton");
    stepper.start(pendulum.state());
    for (int i = 0; i < steps; ++i) {
      ASSERT_EQ(stepper.step().outcome, Outcome::done);
      work[fine] += stepper.minimizer->constraint_work();
    }
    EXPECT_LT(work[fine], 0) << "it takes";
  }
  EXPECT_NEAR(work[0] / work[1], 2, 0.1);
  EXPECT_NEAR(work[1] / work[2], 2, 0.05);
}

// The stiffer the spring, the nearer it is to the rod: by 1/k.
TEST(Rods, AreSpringsOfGrowingStiffness) {
  Pendulum rod(1);
  const double h = 0.01;
  Stepper exact(rod.model, "backward-euler", h, 100, "newton");
  exact.start(rod.state());
  for (int i = 0; i < 100; ++i) ASSERT_EQ(exact.step().outcome, Outcome::done);
  std::vector<double> error;
  for (const double k : {1e4, 1e5, 1e6}) {
    Pendulum spring(1);
    spring.model.constraints.clear();
    const std::vector<std::array<int, 2>> edges{{0, 1}};
    const std::vector<double> lengths{1}, stiffness{k};
    spring.model.energies.push_back(std::make_unique<Springs>(spring.x, edges, lengths, stiffness));
    Stepper stepper(spring.model, "backward-euler", h, 200, "newton");
    stepper.start(spring.state());
    for (int i = 0; i < 100; ++i) ASSERT_EQ(stepper.step().outcome, Outcome::done);
    error.push_back((stepper.history.now.x - exact.history.now.x).norm());
  }
  EXPECT_LT(error[0], 0.01);
  EXPECT_NEAR(error[0] / error[1], 10, 0.5);
  EXPECT_NEAR(error[1] / error[2], 10, 0.5);
}

// ---- beads ----

struct Bead {
  Bead(std::shared_ptr<const Constraint> wire, const Vec3& at) : model(bare(1)), x(1, 3) {
    model.constraints.push_back(std::move(wire));
    x.row(0) = at.transpose();
  }
  Model model;
  Points x;
};

TEST(Beads, FallAlongALineByTheShareOfGravity) {
  const Vec3 down = Vec3(3, -4, 0) / 5;
  Bead bead(std::make_shared<LineWire>(0, Vec3(0, 0, 0), down), Vec3(0, 0, 0));
  Stepper stepper(bead.model, "implicit-midpoint", 0.02, 100, "newton");
  stepper.start({bead.x, Points::Zero(1, 3)});
  for (int i = 0; i < 50; ++i) ASSERT_EQ(stepper.step().outcome, Outcome::done);
  EXPECT_LT((stepper.history.now.x.row(0).transpose() - 0.5 * kEarth * 0.8 * down).norm(), 1e-11);
  // What holds it: the part of its weight across the wire.
  EXPECT_NEAR(stepper.minimizer->constraint_forces()->norm(), 0.6 * kEarth, 1e-9);
}

TEST(Beads, OnACircleSwingAsAPendulum) {
  Bead bead(std::make_shared<CircleWire>(0, Vec3(0, 0, 0), Vec3(0, 0, 1), 1), Vec3(std::sin(1.2), -std::cos(1.2), 0));
  Pendulum pendulum(1.2);
  Stepper on_wire(bead.model, "implicit-midpoint", 0.01, 100, "newton"),
      on_rod(pendulum.model, "implicit-midpoint", 0.01, 100, "newton");
  on_wire.start({bead.x, Points::Zero(1, 3)});
  on_rod.start(pendulum.state());
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(on_wire.step().outcome, Outcome::done);
    ASSERT_EQ(on_rod.step().outcome, Outcome::done);
  }
  EXPECT_LT((on_wire.history.now.x.row(0) - on_rod.history.now.x.row(1)).norm(), 1e-9);
}

// Down a helix of slope tan = pitch / (2 pi r) the acceleration along it is g sin.
TEST(Beads, ComeDownAHelixEvenly) {
  const double pitch = 0.5, radius = 0.3, around = 2 * std::numbers::pi * radius;
  const double sine = pitch / std::hypot(pitch, around);
  Bead bead(std::make_shared<HelixWire>(0, Vec3(0, 0, 0), Vec3(0, 1, 0), pitch, Vec3(radius, 0, 0)),
            Vec3(radius, 0, 0));
  double error[2];
  for (int fine = 0; fine < 2; ++fine) {
    const double h = fine ? 0.0025 : 0.005;
    Stepper stepper(bead.model, "implicit-midpoint", h, 100, "newton");
    stepper.start({bead.x, Points::Zero(1, 3)});
    for (int i = 0; i < std::lround(1 / h); ++i) ASSERT_EQ(stepper.step().outcome, Outcome::done);
    EXPECT_LT(furthest_off(bead.model, stepper.history.now.x), 1e-12);
    error[fine] = std::abs(stepper.history.now.x(0, 1) + 0.5 * kEarth * sine * sine);
  }
  EXPECT_LT(error[1], 1e-3);
  EXPECT_NEAR(error[0] / error[1], 4, 0.5) << "second order";
}

// Down several turns at a seventh of a turn a step: what gravity gives is all there.
TEST(Beads, KeepTheirEnergyOnAHelix) {
  Bead bead(std::make_shared<HelixWire>(0, Vec3(0, 0, 0), Vec3(0.1, 1, 0.2), 0.5, Vec3(0.3, 0, 0)), Vec3(0.3, 0, 0));
  Stepper stepper(bead.model, "implicit-midpoint", 1.0 / 30, 100, "newton");
  stepper.start({bead.x, Points::Zero(1, 3)});
  const double before = stepper.ledger.target();
  double work = 0;
  for (int i = 0; i < 60; ++i) {
    const StepReport report = stepper.step();
    ASSERT_EQ(report.outcome, Outcome::done) << i;
    EXPECT_TRUE(report.converged) << i;
    work = std::max(work, std::abs(stepper.minimizer->constraint_work()));
  }
  EXPECT_GT(measure(bead.model, stepper.history.now, stepper.work).kinetic, 5);
  EXPECT_LT(work, 1e-11);
  EXPECT_NEAR(measure(bead.model, stepper.history.now, stepper.work).total(), before, 1e-9);
}

// ---- what cannot be ----

TEST(ConstraintSpace, NamesWhatIsSaidTwice) {
  Model model = bare(3);
  Points x(3, 3);
  x << 0, 0, 0, 1, 0, 0, 2, 0, 0;
  model.constraints = {std::make_shared<Rod>(0, 1, 1), std::make_shared<Rod>(1, 2, 1), std::make_shared<Rod>(0, 1, 1)};
  ConstraintSpace twice(model.constraints, model.M, model.fixed);
  EXPECT_EQ(twice.look(x), 2);
  // A straight chain between two held ends fixes its line once too often.
  model.constraints.pop_back();
  model.fixed = {1, 0, 1};
  ConstraintSpace taut(model.constraints, model.M, model.fixed);
  EXPECT_EQ(taut.look(x), 1);
  x(1, 1) = -0.1;
  EXPECT_FALSE(taut.look(x).has_value());
}

TEST(ConstraintSpace, RestoresTheNearestPlaceAndVelocity) {
  Chain chain(5);
  Points x = chain.x + random_points(6, 3, 0.03);
  x.row(0) = chain.x.row(0);
  const Points from = x;
  ConstraintSpace space(chain.model.constraints, chain.model.M, chain.model.fixed);
  ASSERT_TRUE(space.restore(x));
  EXPECT_LT(furthest_off(chain.model, x), 1e-14);
  EXPECT_LT((x - from).norm(), 0.3);
  Points v = random_points(6, 4);
  v.row(0).setZero();
  const double had = chain.model.kinetic(v);
  const Points was = v;
  space.make_tangential(v);
  ConstraintRows rows(chain.model.constraints, chain.model.fixed);
  rows.evaluate(x);
  EXPECT_LT(rows.along(v).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_NEAR(chain.model.kinetic(v) + chain.model.kinetic(was - v), had, 1e-12) << "it is the nearest one";
}

TEST(ConstrainedSolve, SaysWhatCannotHold) {
  Model model = bare(3);
  model.fixed = {1, 0, 1};
  Points x(3, 3);
  x << 0, 0, 0, 1, 0, 0, 2, 0, 0;
  // Ends 2 m apart, and rods of 0.9 m.
  model.constraints = {std::make_shared<Rod>(0, 1, 0.9), std::make_shared<Rod>(1, 2, 0.9)};
  Stepper stepper(model, "backward-euler", 0.01, 100, "newton");
  stepper.start({x, Points::Zero(3, 3)});
  const StepReport report = stepper.step();
  EXPECT_EQ(report.outcome, Outcome::constraints);
  EXPECT_TRUE(report.constraint.has_value());
}

TEST(ConstrainedSolve, SolvesElasticBodiesWithRods) {
  Points rest;
  Model model = arap_cube(2, 1e5, rest);
  model.g = {0, -kEarth, 0};
  model.energies.push_back(std::make_unique<Gravity>(model.M, model.g));
  // An edge of the cube is rigid, and hangs from a corner.
  model.fixed[0] = 1;
  model.constraints = {std::make_shared<Rod>(0, 1, (rest.row(0) - rest.row(1)).norm()),
                       std::make_shared<Rod>(1, 2, (rest.row(1) - rest.row(2)).norm())};
  Stepper stepper(model, "implicit-midpoint", 0.01, 100, "newton");
  stepper.start({rest, Points::Zero(rest.rows(), 3)});
  for (int i = 0; i < 100; ++i) {
    const StepReport report = stepper.step();
    ASSERT_EQ(report.outcome, Outcome::done) << i;
    ASSERT_TRUE(report.converged) << i;
    ASSERT_LT(furthest_off(model, stepper.history.now.x), 1e-13);
    ASSERT_LT(std::abs(stepper.minimizer->constraint_work()), 1e-9);
  }
}

// A chain that begins level falls fast and far in one step of a 30th of a second.
TEST(ConstrainedSolve, ConvergesAtAFrameAStep) {
  Chain chain(20);
  Stepper stepper(chain.model, "backward-euler", 1.0 / 30, 100, "newton");
  stepper.start(chain.state());
  int most = 0;
  for (int i = 0; i < 300; ++i) {
    const StepReport report = stepper.step();
    ASSERT_EQ(report.outcome, Outcome::done) << i;
    ASSERT_TRUE(report.converged) << i;
    most = std::max(most, report.iterations);
  }
  EXPECT_LT(most, 40);
}

}  // namespace
}  // namespace rebound::test
