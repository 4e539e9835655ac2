// The solver of the optimisation integrator [Gast15 Sec. 3.1]: its parts one by one, and what it promises as a whole.
#include "sim/step/gast.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sim/registry.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

constexpr double kFrame = 1.0 / 24;

// ------------------------------------------------------------------------------------------------ the equations

Points one_row(double x, double y, double z) {
  Points p(1, 3);
  p << x, y, z;
  return p;
}

/// Conjugate gradients on a diagonal matrix, of a single vertex.
struct Solved {
  Solved(const Points& diagonal, const Points& b, double enough) {
    Workers workers(1);
    TruncatedCg cg;
    report = cg.solve(
        b, enough, [&](const Points& p, Points& Hp) { Hp = diagonal.cwiseProduct(p); },
        [](const Points& r, Points& z) { z = r; }, d, workers);
    residual = (b - diagonal.cwiseProduct(d)).norm();
  }
  TruncatedCg::Report report;
  Points d;
  double residual;
};

TEST(TruncatedCgTest, EndsAtTheFirstResidualThatIsSmallEnough) {
  const Points diagonal = one_row(4, 5, 6), b = one_row(1, 1, 1);
  int products = 0;
  double before = b.norm();
  for (const double enough : {0.3, 0.05, 1e-12}) {
    const Solved solved(diagonal, b, enough);
    EXPECT_LE(solved.residual, enough);
    EXPECT_GT(before, enough) << "the iterate before was not good enough";
    EXPECT_EQ(solved.report.products, ++products);
    before = solved.residual;
  }
}

TEST(TruncatedCgTest, OfAFirstDirectionWithoutPositiveCurvatureItIsTheRightHandSide) {
  const Points b = one_row(1, 2, 3);
  const Solved solved(one_row(1, 1, -1), b, 1e-12);  // b . H b = -4
  EXPECT_TRUE(solved.report.no_curvature);
  EXPECT_EQ(solved.report.products, 1);
  EXPECT_EQ(solved.d, b);
}

TEST(TruncatedCgTest, AtNegativeCurvatureLaterItIsTheLastIterate) {
  const Points diagonal = one_row(2, 2, -1), b = one_row(1, 1, 1);
  const double first = b.squaredNorm() / diagonal.cwiseProduct(b).cwiseProduct(b).sum();
  const Solved solved(diagonal, b, 1e-12);
  EXPECT_FALSE(solved.report.no_curvature);
  ASSERT_EQ(solved.report.products, 2);
  EXPECT_LT((solved.d - first * b).norm(), 1e-15);
}

TEST(GastTest, TheEquationsAreSolvedTheBetterTheNearerItIs) {
  EXPECT_EQ(Gast::equations_tolerance(1e6, 1e-9), 0.5);
  EXPECT_EQ(Gast::equations_tolerance(0.25, 1e-9), 0.5);
  EXPECT_DOUBLE_EQ(Gast::equations_tolerance(1e-4, 1e-9), 1e-2);
  EXPECT_DOUBLE_EQ(Gast::equations_tolerance(1e-12, 1e-8), 1e-4) << "no smaller than what tau stands for";
}

TEST(GastTest, EachDirectionPointsDownhillAndHasAnEnd) {
  Workers workers(1);
  const Points force = one_row(2, 0, 0);
  const auto made = [&](Points d) {
    Gast::make_suitable(force, d, workers);
    return d;
  };
  EXPECT_EQ(made(one_row(1, 5, 0)), one_row(1, 5, 0));
  EXPECT_EQ(made(one_row(-1, 5, 0)), one_row(1, -5, 0));
  EXPECT_EQ(made(one_row(0.009, 1, 0)), force) << "less than kappa of it is downhill";
  EXPECT_EQ(made(one_row(0.011, 1, 0)), one_row(0.011, 1, 0));
  EXPECT_EQ(made(one_row(0, 0, 0)), force);
  EXPECT_LT((made(one_row(3e6, 4e6, 0)) - one_row(600, 800, 0)).norm(), 1e-9);
}

// ------------------------------------------------------------------------------------------------ the line search

/// phi(t) = c2 (t - at)^2 + c4 (t - at)^4 + wave: bounded from below, with many minima.
struct RandomLine {
  explicit RandomLine(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    at = std::pow(10, 5 * unit(random) - 3);  // from 1e-3 to 1e2
    c2 = std::pow(10, 2 * unit(random) - 1);
    c4 = unit(random) < 0.5 ? 0 : unit(random);
    wave = unit(random) < 0.5 ? 0 : 0.2 * c2 * at;
    length = (0.05 + unit(random)) * at;
  }
  double value(double t) const {
    const double u = t - at;
    return c2 * u * u + c4 * u * u * u * u + wave * length * std::sin(t / length);
  }
  double slope(double t) const {
    const double u = t - at;
    return 2 * c2 * u + 4 * c4 * u * u * u + wave * std::cos(t / length);
  }
  LinePoint look(double t) const {
    return {t, value(t), slope(t), value(t) <= value(0) + WolfeSearch::kSufficientDecrease * t * slope(0), false};
  }
  double at, c2, c4, wave, length;
};

TEST(WolfeSearchTest, BothConditionsHoldWhereItEnds) {
  int beyond = 0, before = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const RandomLine line(seed);
    std::vector<double> looked;
    const LinePoint end = WolfeSearch::find(line.look(0), 1e-14, 1e300, [&](double t) {
      looked.push_back(t);
      return line.look(t);
    });
    ASSERT_GT(end.alpha, 0) << seed;
    EXPECT_EQ(looked.front(), 1);
    EXPECT_EQ(looked.back(), end.alpha);
    EXPECT_LE(end.value, line.value(0) + WolfeSearch::kSufficientDecrease * end.alpha * line.slope(0)) << seed;
    EXPECT_LE(std::abs(end.slope), WolfeSearch::kCurvature * std::abs(line.slope(0))) << seed;
    EXPECT_LE(looked.size(), 25u) << seed;
    beyond += end.alpha > 1;
    before += end.alpha < 1;
  }
  EXPECT_GT(beyond, 100);
  EXPECT_GT(before, 100);
}

TEST(WolfeSearchTest, GoesNoFurtherThanItMay) {
  RandomLine line(1);
  line.at = 50, line.wave = 0;
  for (const double most : {0.25, 1.0, 7.0}) {
    double furthest = 0;
    const LinePoint end = WolfeSearch::find(line.look(0), 1e-14, most, [&](double t) {
      furthest = std::max(furthest, t);
      return line.look(t);
    });
    EXPECT_EQ(furthest, most);
    EXPECT_EQ(end.alpha, most);
  }
}

TEST(WolfeSearchTest, ComesBackFromWhereThereIsNoEnergy) {
  RandomLine line(1);
  line.at = 0.001, line.wave = 0;
  const LinePoint end = WolfeSearch::find(line.look(0), 1e-14, 1e300, [&](double t) {
    if (t < 0.01) return line.look(t);
    return LinePoint{t, INFINITY, NAN, false};
  });
  EXPECT_GT(end.alpha, 0);
  EXPECT_LT(end.alpha, 0.01);
  const LinePoint nowhere = WolfeSearch::find(line.look(0), 1e-14, 1e300, [&](double t) {
    return LinePoint{t, INFINITY, NAN, false};
  });
  EXPECT_EQ(nowhere.alpha, 0);
}

// ------------------------------------------------------------------------------------------------ the whole

/// A cube that is shaken hard, and held at a face.
class GastOfMaterial : public testing::TestWithParam<const char*> {
 protected:
  GastOfMaterial() : cube(GetParam(), 2e5, 0.4, 4) {
    cube.fall();
    cube.hold_a_face();
    const int n = static_cast<int>(cube.rest.rows());
    history.now = {cube.rest + random_points(n, 1, 0.015), random_points(n, 2, 3)};
    cube.keep_held(history.now);
  }
  MaterialCube cube;
  History history;
};

TEST_P(GastOfMaterial, FindsNewtonsMinimum) {
  StepBuffers buffers;
  Workspace work(2);
  for (const Scheme& scheme : {kBackwardEuler, kImplicitMidpoint, kNewmark}) {
    const StepObjective g(cube.model, scheme, 0.01, history, buffers, work);
    Points by_newton = g.y(), x = g.y();
    Newton newton(cube.model);
    Gast gast(cube.model);
    ASSERT_TRUE(newton.minimize(g, 200, nullptr, by_newton).converged);
    const SolveReport report = gast.minimize(g, 500, nullptr, x);
    ASSERT_TRUE(report.converged);
    EXPECT_LE(*report.residual, kVelocityTolerance);
    EXPECT_LT(largest_coordinate(x - by_newton), 1e-8);
  }
}

TEST(IteratePlacesTest, KeepsAnEvenSampleAndTheLastOne) {
  for (const std::size_t most : {2u, 3u, 5u, 8u, 9u}) {
    IteratePlaces places(most);
    for (int round = 0; round < 2; ++round) {
      places.clear();
      EXPECT_TRUE(places.all().empty());
      for (std::size_t count = 1; count <= 70; ++count) {
        places.add(one_row(static_cast<double>(count - 1), 0, 0));
        const auto all = places.all();
        ASSERT_LE(all.size(), most);
        if (count <= most - 1) ASSERT_EQ(all.size(), count) << "all of them, while there is room";
        ASSERT_GE(2 * all.size() + 1, std::min(count, most)) << "no fewer than must be";
        ASSERT_EQ(all.back()->iterate, count - 1);
        for (std::size_t i = 0; i < all.size(); ++i) {
          if (i + 1 < all.size()) ASSERT_EQ(all[i]->iterate, i * places.every()) << "evenly";
          ASSERT_EQ(all[i]->x(0, 0), static_cast<double>(all[i]->iterate));
        }
      }
    }
  }
}

TEST_P(GastOfMaterial, EnergyNeverRises) {
  StepBuffers buffers;
  Workspace work(1);
  const StepObjective g(cube.model, kBackwardEuler, kFrame, history, buffers, work);
  double before = INFINITY;
  for (int most = 0; most < 100; ++most) {
    Points x = g.y();
    Gast gast(cube.model);
    const SolveReport report = gast.minimize(g, most, nullptr, x);
    const double value = g.value(x);
    EXPECT_LE(value, before + 1e-14 * std::abs(before)) << most;
    before = value;
    if (report.converged) {
      EXPECT_GT(most, 2);
      return;
    }
  }
  FAIL() << "no end";
}

TEST_P(GastOfMaterial, TellsHowItGotThere) {
  StepBuffers buffers;
  Workspace work(1);
  const StepObjective g(cube.model, kBackwardEuler, kFrame, history, buffers, work);
  const double h2 = kFrame * kFrame;
  Newton newton(cube.model);
  Gast gast(cube.model);
  for (Newton* solver : {&newton, static_cast<Newton*>(&gast)}) {
    Points x = g.y(), silent = g.y(), dg;
    solver->minimize(g, 500, nullptr, silent);
    SolveTrace trace;
    trace.places.emplace(1000);
    solver->write_trace(&trace);
    for (int solve = 0; solve < 2; ++solve) {
      trace.clear();
      x = g.y();
      solver->carry({});  // as the first began
      const SolveReport report = solver->minimize(g, 500, nullptr, x);
      EXPECT_EQ(x, silent) << "looking changes nothing";
      ASSERT_EQ(trace.iterates.size(), static_cast<std::size_t>(report.iterations) + 1);
      g.gradient(x, dg);
      EXPECT_NEAR(trace.iterates.back().objective, g.value(x) / h2, 1e-12 * std::abs(g.value(x) / h2));
      EXPECT_DOUBLE_EQ(trace.iterates.back().gradient, dg.norm() / h2);
      const auto places = trace.places->all();
      ASSERT_EQ(places.size(), trace.iterates.size());
      EXPECT_EQ(places.back()->x, x);
      int products = 0;
      for (std::size_t i = 0; i < trace.iterates.size(); ++i) {
        EXPECT_EQ(places[i]->iterate, i);
        const double there = g.value(places[i]->x) / h2;
        EXPECT_NEAR(trace.iterates[i].objective, there, 1e-12 * std::abs(there));
        EXPECT_EQ(trace.iterates[i].iteration, static_cast<int>(i));
        EXPECT_EQ(trace.iterates[i].alpha > 0, i > 0);
        products += trace.iterates[i].cg;
      }
      EXPECT_EQ(products, solver == &gast ? gast.products() : 0);
    }
    solver->write_trace(nullptr);
  }
}

TEST_P(GastOfMaterial, IsTheSameBytesOnAnyNumberOfThreads) {
  std::vector<Points> all;
  for (const int threads : {1, 2}) {
    StepBuffers buffers;
    Workspace work(threads);
    const StepObjective g(cube.model, kBackwardEuler, kFrame, history, buffers, work);
    Points x = g.y();
    Gast(cube.model).minimize(g, 500, nullptr, x);
    all.push_back(x);
  }
  EXPECT_EQ(all[0], all[1]);
}

INSTANTIATE_TEST_SUITE_P(Materials, GastOfMaterial, testing::ValuesIn(solid_materials()),
                         [](const auto& of) { return test_name(of.param); });

TEST(GastTest, FreeFallNeedsNoIteration) {
  MaterialCube cube("fixed-corotated", 1e4, 0.4, 3);
  cube.fall();
  History history;
  history.now = {cube.rest, Points::Zero(cube.rest.rows(), 3)};
  history.now.v.rowwise() += Eigen::RowVector3d(1, 2, -3);
  StepBuffers buffers;
  Workspace work(1);
  for (const Scheme& scheme : {kBackwardEuler, kImplicitMidpoint, kNewmark}) {
    const StepObjective g(cube.model, scheme, kFrame, history, buffers, work);
    Points x = g.y();
    EXPECT_GT(Newton(cube.model).minimize(g, 100, nullptr, x).iterations, 0) << "the other guess is not it";
    x = g.y();
    const SolveReport report = Gast(cube.model).minimize(g, 100, nullptr, x);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.iterations, 0);
  }
}

// The energy at the start says which: at short steps the explicit one, beyond them inertia alone. Where both would tear
// the body apart, the end is still no higher than where it stands.
TEST(GastTest, BeginsWithTheLowerEnergyAndEndsBelowWhereItStands) {
  MaterialCube cube("fixed-corotated", 1e6, 0.4, 3);
  const int n = static_cast<int>(cube.rest.rows());
  std::array<int, 2> taken{};
  int again = 0;
  for (const double speed : {0.1, 1.0, 10.0, 100.0}) {
    History history;
    history.now = {cube.rest + random_points(n, 1, 0.05), random_points(n, 2, speed)};
    for (const double h : {1e-4, 3e-4, 1e-3, 3e-3, 1e-2, kFrame, 1.0}) {
      StepBuffers buffers;
      Workspace work(1);
      const StepObjective g(cube.model, kBackwardEuler, h, history, buffers, work);
      Points dE, x = g.y();
      cube.model.gradient(history.now.x, dE, work);
      const std::array<Points, 2> guesses{g.y(), g.y() - h * h * dE / cube.model.M[0]};
      SolveTrace trace;
      trace.places.emplace(2);
      Gast gast(cube.model);
      gast.write_trace(&trace);
      gast.minimize(g, 0, nullptr, x);
      const std::size_t lower = g.value(guesses[1]) < g.value(guesses[0]) ? 1 : 0;
      const Points& first = trace.places->all().front()->x;
      EXPECT_LT((first - guesses[lower]).norm(), 1e-12 * first.norm());
      ++taken[lower];
      EXPECT_LE(g.value(x), g.value(history.now.x));
      again += x != first;
    }
  }
  for (const int count : taken) EXPECT_GT(count, 0);
  EXPECT_GT(again, 0) << "both guesses are good";
}

// Gravity may be an energy, or part of where inertia wants to go [Gast15 Sec. 2.3].
TEST(GastTest, TheMinimumDoesNotDependOnTheFormOfGravity) {
  MaterialCube with("fixed-corotated", 1e4, 0.4, 3), without("fixed-corotated", 1e4, 0.4, 3);
  with.fall();
  const int n = static_cast<int>(with.rest.rows());
  History history;
  history.now = {with.rest + random_points(n, 1, 0.05), random_points(n, 2, 1)};
  StepBuffers buffers, other_buffers;
  Workspace work(1);
  const StepObjective g(with.model, kBackwardEuler, kFrame, history, buffers, work);
  StepObjective other(without.model, kBackwardEuler, kFrame, history, other_buffers, work);
  Points y = other.y();
  y.col(1).array() += -9.81 * kFrame * kFrame;
  other.set_y(y);
  Points x = g.y(), other_x = other.y();
  ASSERT_TRUE(Gast(with.model).minimize(g, 500, nullptr, x).converged);
  ASSERT_TRUE(Gast(without.model).minimize(other, 500, nullptr, other_x).converged);
  EXPECT_LT(largest_coordinate(x - other_x), 1e-10);
  const auto difference = [&](const Points& at) { return g.value(at) - other.value(at); };
  const double here = difference(x), there = difference(history.now.x);
  EXPECT_NEAR(here, there, 1e-9 * std::abs(here)) << "both forms differ by a constant";
}

// Any start, at a frame a step and at a second a step.
TEST(GastTest, ComesBackFromRandomAndCollapsedStarts) {
  for (const double young : {1e3, 1e5, 1e7}) {
    MaterialCube cube("fixed-corotated", young, 0.4, 4);
    const int n = static_cast<int>(cube.rest.rows());
    for (const bool collapsed : {false, true}) {
      for (const double h : {kFrame, 1.0}) {
        SCOPED_TRACE(std::to_string(young) + (collapsed ? " collapsed " : " random ") + std::to_string(h));
        History history;
        history.now = {collapsed ? Points(Points::Zero(n, 3)) : random_points(n, 3, 0.5), Points::Zero(n, 3)};
        StepBuffers buffers;
        Workspace work(2);
        const StepObjective g(cube.model, kBackwardEuler, h, history, buffers, work);
        Points x = g.y();
        SolveEffort effort(500);
        effort.tolerance = 1e-6;
        EXPECT_TRUE(Gast(cube.model).minimize(g, effort, nullptr, x).converged);
      }
    }
  }
}

}  // namespace
}  // namespace rebound::test
