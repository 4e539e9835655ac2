// Local/global in single precision against the same iteration in double precision.
#include "sim/step/float_local_global.hpp"

#include <gtest/gtest.h>

#include "sim/step/local_global.hpp"
#include "support/models.hpp"
#include "support/scheme_names.hpp"

namespace rebound::test {
namespace {

// Two elastic cubes 40 m apart, gravity, pins, attachments and a grab: everything that a scene can have.
struct TwoFarCubes {
  explicit TwoFarCubes(double young = 1e5) {
    const mesh::TetMesh box = mesh::box({1, 1, 1}, {4, 4, 4}, 5);
    const int n = static_cast<int>(box.points.rows());
    rest.resize(2 * n, 3);
    rest << box.points, box.points.rowwise() + Eigen::RowVector3d(40, 3, -5);
    std::vector<std::array<int, 4>> tets;
    for (const int shift : {0, n})
      for (const auto& tet : box.tetrahedra)
        tets.push_back({tet[0] + shift, tet[1] + shift, tet[2] + shift, tet[3] + shift});
    model = free_vertices(2 * n);
    model.bodies = {{0, n}, {n, n}};
    model.M.setConstant(1000.0 / n);
    model.extent = 42;
    const std::vector<double> mu(tets.size(), young / 2.6);
    model.energies.push_back(std::make_unique<ArapTets>(rest, tets, mu));
    model.energies.push_back(std::make_unique<Gravity>(model.M, Vec3(0, -9.81, 0)));
    for (int v = 0; v < 25; ++v) model.fixed[static_cast<std::size_t>(v)] = 1;
    model.attachments.items.push_back({BodyPoint::at_vertex(n + 3), 1e4, Vec3(40.3, 3, -5)});
    const auto& held = tets.back();
    model.grabs.items.push_back({BodyPoint{held, {0.1, 0.2, 0.3, 0.4}}, 3e3, Vec3(41, 5, -5)});
  }

  History history() const {
    History h;
    h.now = {rest + random_points(static_cast<int>(rest.rows()), 1, 0.02),
             random_points(static_cast<int>(rest.rows()), 2)};
    h.before = {h.now.x - 0.03 * h.now.v, h.now.v};
    for (State* state : {&h.now, &h.before})
      for (int v = 0; v < 25; ++v) {
        state->x.row(v) = rest.row(v);
        state->v.row(v).setZero();
      }
    h.has_before = true;
    return h;
  }

  Points rest;
  Model model;
};

class FloatLocalGlobalTest : public testing::TestWithParam<Scheme> {};

TEST_P(FloatLocalGlobalTest, TakesTheSameIterationsToTheRoundingOfFloats) {
  const TwoFarCubes cubes;
  const History history = cubes.history();
  StepBuffers buffers;
  Workspace work(1);
  const StepObjective g(cubes.model, GetParam(), 0.033, history, buffers, work);
  FloatLocalGlobal single(cubes.model);
  LocalGlobal twice(cubes.model, Precision::double_only);
  for (const int iterations : {1, 2, 5, 10}) {
    Points x = g.y(), expected = g.y();
    EXPECT_EQ(single.minimize(g, iterations, nullptr, x).iterations, iterations);
    twice.minimize(g, iterations, nullptr, expected);
    const double moved = (expected - g.y()).cwiseAbs().maxCoeff();
    ASSERT_GT(moved, 1e-3);
    // A solve is good to a thousandth; what it misses, the next gradient sees.
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), (iterations == 1 ? 1e-3 : 3e-4) * moved) << iterations;
    for (int v = 0; v < 25; ++v) EXPECT_EQ((x.row(v) - history.now.x.row(v)).norm(), 0) << "fixed";
  }
}

TEST_P(FloatLocalGlobalTest, ConvergesToTheMinimumOfDoublePrecision) {
  const TwoFarCubes cubes(3e4);
  const History history = cubes.history();
  StepBuffers buffers;
  Workspace work(2);
  const StepObjective g(cubes.model, GetParam(), 0.01, history, buffers, work);
  FloatLocalGlobal single(cubes.model);
  LocalGlobal twice(cubes.model, Precision::double_only);
  Points x = g.y(), expected = g.y();
  const SolveReport report = single.minimize(g, 1000, nullptr, x);
  EXPECT_EQ(report.outcome, Outcome::done);
  EXPECT_LT(report.iterations, 1000) << "it stops by itself";
  twice.minimize(g, 1000, nullptr, expected);
  EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-11);
  Points dg;
  g.gradient(x, dg);
  EXPECT_LT(dg.cwiseAbs().maxCoeff() / (cubes.model.M[0] * 0.01), 1e-9) << "m/s";
}

INSTANTIATE_TEST_SUITE_P(All, FloatLocalGlobalTest, testing::ValuesIn(kSchemes));

// A rule that never stops the solve makes it look at every iterate: all parts then wait for one another.
// Springs hang on vertices of several parts, or, at last, on vertices that no part has together.
enum class Hung { nothing, on_elements, across };

class PartByPart : public testing::TestWithParam<Hung> {};

// And has the gradient, to the rounding of floats.
TEST_P(PartByPart, GivesTheSameBytesAsAllAtOnce) {
  const mesh::TetMesh box = mesh::box({1, 1, 1}, {18, 18, 18}, 5);
  const int n = static_cast<int>(box.points.rows());
  Model model = free_vertices(n);
  model.bodies = {{0, n}};
  model.M.setConstant(1000.0 / n);
  model.energies.push_back(
      std::make_unique<ArapTets>(box.points, box.tetrahedra, std::vector<double>(box.tetrahedra.size(), 1e5)));
  model.energies.push_back(std::make_unique<Gravity>(model.M, Vec3(0, -9.81, 0)));
  for (int v = 0; v < 40; ++v) model.fixed[static_cast<std::size_t>(v)] = 1;
  if (GetParam() != Hung::nothing) {
    for (std::size_t t = 0; t < box.tetrahedra.size(); t += 100) {
      const BodyPoint point{box.tetrahedra[t], {0.1, t % 3 ? 0.4 : 0.5, t % 3 ? 0.1 : 0, 0.4}};
      const Vec3 at = point.of(box.points);
      // Every other one is pressed.
      model.contacts.items.push_back(
          {point, at + Vec3(0, t % 200 ? 0.05 : -0.05, 0), Vec3::UnitY(), 1e3, 0, 0, Vec3::Zero()});
      if (t % 400 == 0) model.attachments.items.push_back({point, 1e4, at + Vec3(0.1, 0, 0)});
    }
    model.attachments.items.push_back({BodyPoint::at_vertex(n - 1), 1e4, Vec3(1, 1, 1)});
  }
  if (GetParam() == Hung::across)
    model.contacts.items.push_back({BodyPoint{{50, n / 2, n - 60, n - 1}, {0.25, 0.25, -0.25, -0.25}}, Vec3(0, 1, 0),
                                    Vec3::UnitY(), 1e3, 0, 0, Vec3::Zero()});
  History history;
  history.now = {box.points + random_points(n, 1, 0.02), random_points(n, 2)};
  for (int v = 0; v < 40; ++v) history.now.v.row(v).setZero();
  const StopRule never = [](const Points&, double) { return false; };
  for (const int threads : {1, 2, 3}) {
    StepBuffers buffers;
    Workspace work(threads);
    const StepObjective g(model, kImplicitMidpoint, 0.033, history, buffers, work);
    FloatLocalGlobal solver(model);
    ASSERT_GT(solver.systems().analysis()->parts().back().stage, 0) << "large enough for parts above parts";
    for (const int iterations : {1, 2, 7}) {
      Points by_parts = g.y(), at_once = g.y();
      EXPECT_EQ(solver.minimize(g, iterations, nullptr, by_parts).iterations, iterations);
      solver.minimize(g, iterations, never, at_once);
      EXPECT_EQ(by_parts, at_once) << threads << " threads, " << iterations << " iterations";
    }
    Points dE, found_dE;
    model.gradient(history.now.x, dE, work);
    solver.gradient(history.now.x, found_dE, work);
    EXPECT_LT((found_dE - dE).cwiseAbs().maxCoeff(), 1e-5 * dE.cwiseAbs().maxCoeff());
    for (int v = 0; v < 40; ++v) EXPECT_EQ(found_dE.row(v).norm(), 0) << "fixed";
    if (threads > 1) continue;
    // The inverse is stored in half precision.
    LocalGlobal exact(model, Precision::double_only);
    Points expected = g.y(), found = g.y();
    exact.minimize(g, 7, nullptr, expected);
    solver.minimize(g, 7, nullptr, found);
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-3 * (expected - g.y()).cwiseAbs().maxCoeff());
  }
}

INSTANTIATE_TEST_SUITE_P(Springs, PartByPart, testing::Values(Hung::nothing, Hung::on_elements, Hung::across));

TEST(FloatLocalGlobal, AnyNumberOfThreadsGivesTheSameBytes) {
  const TwoFarCubes cubes;
  const History history = cubes.history();
  std::vector<Points> results;
  for (const int threads : {1, 2, 3}) {
    StepBuffers buffers;
    Workspace work(threads);
    const StepObjective g(cubes.model, kImplicitMidpoint, 0.033, history, buffers, work);
    FloatLocalGlobal solver(cubes.model);
    results.push_back(g.y());
    solver.minimize(g, 10, nullptr, results.back());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(FloatLocalGlobal, TellsTheStopRuleTheEnergyOfTheIterate) {
  const TwoFarCubes cubes;
  const History history = cubes.history();
  StepBuffers buffers;
  Workspace work(1);
  const StepObjective g(cubes.model, kBackwardEuler, 0.033, history, buffers, work);
  FloatLocalGlobal solver(cubes.model);
  int asked = 0;
  const StopRule stop = [&](const Points& x, double E) {
    const double exact = cubes.model.energy(x, work);
    EXPECT_NEAR(E, exact, 1e-5 * std::abs(exact));
    return ++asked == 5;
  };
  Points x = g.y();
  EXPECT_EQ(solver.minimize(g, 20, stop, x).iterations, 4);
}

TEST(FloatLocalGlobal, GrabsAndPinsComeAndGo) {
  TwoFarCubes cubes;
  const History history = cubes.history();
  StepBuffers buffers;
  Workspace work(1);
  FloatLocalGlobal solver(cubes.model);
  const auto expect_agreement = [&](const char* when) {
    const StepObjective g(cubes.model, kImplicitMidpoint, 0.033, history, buffers, work);
    Points x = g.y(), expected = g.y();
    LocalGlobal twice(cubes.model, Precision::double_only);
    solver.minimize(g, 5, nullptr, x);
    twice.minimize(g, 5, nullptr, expected);
    const double moved = (expected - g.y()).cwiseAbs().maxCoeff();
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 3e-4 * moved) << when;
  };
  expect_agreement("held");
  cubes.model.grabs.items[0].target += Vec3(1, 1, 0);
  solver.grabs_changed(work.workers);
  expect_agreement("the hand has moved");
  cubes.model.grabs.items.push_back({BodyPoint::at_vertex(60), 500, Vec3(0, 1, 0)});
  solver.grabs_changed(work.workers);
  expect_agreement("two hands");
  cubes.model.grabs.items.clear();
  solver.grabs_changed(work.workers);
  expect_agreement("let go");
  cubes.model.fixed[3] = 0;
  solver.pins_changed(work.workers);
  expect_agreement("a pin less");
}

TEST(FloatLocalGlobal, TheLineIsTheEnergyBetweenTwoStates) {
  const TwoFarCubes cubes;
  Workspace work(2);
  FloatLocalGlobal solver(cubes.model);
  const Points from = cubes.history().now.x;
  Points way = random_points(static_cast<int>(from.rows()), 7, 0.03);
  cubes.model.clear_fixed(way);
  const Points to = from + way;
  const double elastic = cubes.model.energies[0]->value(from, work);
  const History history = cubes.history();
  StepBuffers buffers;
  const StepObjective g(cubes.model, kImplicitMidpoint, 0.033, history, buffers, work);
  Points x = g.y();
  solver.minimize(g, 1, nullptr, x);
  for (const double alpha : {0.0, 0.01, 0.3, 0.77, 1.0}) {
    const double exact = cubes.model.energy(from + alpha * (to - from), work);
    EXPECT_NEAR(solver.look(from, to, alpha, work).E, exact, 1e-5 * elastic) << alpha;
  }
}

TEST(FloatLocalGlobal, SupportsWhatItCanAndSaysWhatItCannot) {
  EXPECT_TRUE(FloatLocalGlobal::supports(TwoFarCubes().model));
  Points rest(2, 3);
  rest << 0, 0, 0, 1, 0, 0;
  const std::vector<std::array<int, 2>> edges{{0, 1}};
  const std::vector<double> ones{1.0};
  Model squared = free_vertices(2);
  squared.energies.push_back(std::make_unique<Springs>(rest, edges, ones, ones, SpringLaw::squared));
  EXPECT_FALSE(FloatLocalGlobal::supports(squared));
}

}  // namespace
}  // namespace rebound::test
