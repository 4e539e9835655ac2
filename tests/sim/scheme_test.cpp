// The rows of the scheme table against mathematics from elsewhere: closed forms of the linear oscillator, order of
// convergence, and the paper's own right-hand sides.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <complex>

#include "amplification.hpp"
#include "sim/step/local_global.hpp"
#include "support/models.hpp"
#include "support/scheme_names.hpp"

namespace rebound::test {
namespace {

class OneSolveTest : public testing::TestWithParam<Scheme> {};

// One vertex of 1 kg on a spring of rest length zero: x'' = -k x, and w = h^2 k.
Path oscillate(const char* id, double h, double k, int steps, const char* solver = "local-global") {
  Model model = free_vertices(1);
  model.attachments.items.push_back({BodyPoint::at_vertex(0), k, Vec3::Zero()});
  Stepper stepper(model, id, h, 3, solver);
  State start{Points::Zero(1, 3), Points::Zero(1, 3)};
  start.x(0, 0) = 1;
  start.v(0, 0) = 0.3 / h;
  stepper.start(start);
  Path path;
  for (int i = 0; i <= steps; ++i) {
    path.emplace_back(stepper.history.now.x(0, 0), h * stepper.history.now.v(0, 0));
    stepper.step();
  }
  return path;
}

TEST(LinearOscillator, BackwardEulersAmplificationIsItsClosedForm) {
  for (const double w : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    const auto [trace, determinant] = trace_and_determinant(oscillate("backward-euler", 0.033, w / (0.033 * 0.033), 3));
    EXPECT_NEAR(trace, 2 / (1 + w), 1e-11) << w;
    EXPECT_NEAR(determinant, 1 / (1 + w), 1e-11) << w;  // |R|^2
  }
}

TEST(LinearOscillator, MidpointAndNewmarkTurnWithoutLoss) {
  for (const char* id : {"implicit-midpoint", "newmark"})
    for (const double w : {0.01, 0.1, 1.0, 10.0, 100.0}) {
      const auto [trace, determinant] = trace_and_determinant(oscillate(id, 0.033, w / (0.033 * 0.033), 3));
      EXPECT_NEAR(trace, 2 * (1 - w / 4) / (1 + w / 4), 1e-10) << id << " " << w;
      EXPECT_NEAR(determinant, 1, 1e-10) << id << " " << w;
    }
}

TEST(LinearOscillator, TheExplicitEulersAreTheirClosedForms) {
  for (const double w : {0.01, 0.1, 1.0, 3.0}) {
    const auto forward = trace_and_determinant(oscillate("forward-euler", 0.033, w / (0.033 * 0.033), 3));
    EXPECT_NEAR(forward.first, 2, 1e-11) << w;
    EXPECT_NEAR(forward.second, 1 + w, 1e-11) << w;
    const auto symplectic = trace_and_determinant(oscillate("symplectic-euler", 0.033, w / (0.033 * 0.033), 3));
    EXPECT_NEAR(symplectic.first, 2 - w, 1e-11) << w;
    EXPECT_NEAR(symplectic.second, 1, 1e-11) << w;
  }
}

TEST(LinearOscillator, Bdf2FollowsItsRecurrence) {
  // BDF2 on x' = v, v' = -k x: D^2 x + w x = 0 with D = 3/2 - 2 z^-1 + 1/2 z^-2.
  const double D2[5] = {9. / 4, -6, 11. / 2, -2, 1. / 4};
  for (const double w : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    const auto path = oscillate("bdf2", 0.033, w / (0.033 * 0.033), 12);
    // The first step is backward Euler; from x_1 on the recurrence needs five points after it.
    for (std::size_t n = 5; n < path.size(); ++n) {
      double sum = w * path[n].first;
      for (int i = 0; i < 5; ++i) sum += D2[i] * path[n - static_cast<std::size_t>(i)].first;
      EXPECT_NEAR(sum, 0, 1e-11 * (1 + w)) << "w " << w << " step " << n;
    }
  }
}

TEST(LinearOscillator, TheTwoStageMethodsHaveOneAmplification) {
  // R(z) = (1 + (1 - 2 c) z) / (1 - c z)^2, c = 1 - 1/sqrt 2, z = i sqrt w.
  const double c = 1 - std::sqrt(0.5);
  for (const char* id : {"tr-bdf2", "sdirk2"})
    for (const double w : {0.01, 0.1, 1.0, 10.0, 100.0, 1e4}) {
      const std::complex<double> z(0, std::sqrt(w)), R = (1.0 + (1 - 2 * c) * z) / ((1.0 - c * z) * (1.0 - c * z));
      const auto [trace, determinant] = trace_and_determinant(oscillate(id, 0.033, w / (0.033 * 0.033), 3));
      EXPECT_NEAR(trace, 2 * R.real(), 1e-9) << id << " " << w;
      EXPECT_NEAR(determinant, std::norm(R), 1e-9) << id << " " << w;
    }
}

TEST(LinearOscillator, Bdf2BeginsWithABackwardEulerStep) {
  const auto bdf2 = oscillate("bdf2", 0.033, 900, 1), be = oscillate("backward-euler", 0.033, 900, 1);
  EXPECT_DOUBLE_EQ(bdf2[1].first, be[1].first);
  EXPECT_DOUBLE_EQ(bdf2[1].second, be[1].second);
}

// A swinging, stretching pendulum of three springs: smooth, non-linear, no closed form; the reference is the same
// method with a far smaller step.
State swing(const char* id, int steps, const char* solver = "newton") {
  Model model = free_vertices(3);
  Points rest(3, 3);
  rest << 0, 0, 0, 1, 0, 0, 1.5, 0.8, 0;
  const std::vector<std::array<int, 2>> edges{{0, 1}, {1, 2}};
  const std::vector<double> lengths{1.0, 0.9}, stiffness{40.0, 25.0};
  model.energies.push_back(std::make_unique<Springs>(rest, edges, lengths, stiffness));
  model.energies.push_back(std::make_unique<Gravity>(model.M, Vec3(0, -9.81, 0)));
  model.fixed[0] = 1;
  Stepper stepper(model, id, 0.5 / steps, 400, solver);
  State start{rest, Points::Zero(3, 3)};
  start.v(1, 2) = 1;
  stepper.start(start);
  for (int i = 0; i < steps; ++i) stepper.step();
  return stepper.history.now;
}

TEST_P(OneSolveTest, HasTheOrderThatTheoryGivesIt) {
  const std::string id(GetParam().id);
  const int expected = id == "backward-euler" ? 1 : 2;
  const State exact = swing("newmark", 12800);
  for (const char* solver : {"local-global", "newton"}) {
    const auto error = [&](int steps) {
      const State s = swing(id.c_str(), steps, solver);
      return std::max((s.x - exact.x).cwiseAbs().maxCoeff(), (s.v - exact.v).cwiseAbs().maxCoeff());
    };
    const double order = std::log2(error(200) / error(400));
    EXPECT_NEAR(order, expected, 0.1) << id << " " << solver;
  }
}

TEST(TwoStages, AreOfSecondOrderAndSoIsWhatMendsThem) {
  const State exact = swing("newmark", 12800);
  for (const char* id : {"tr-bdf2", "sdirk2", "rebound"})
    for (const char* solver : {"local-global", "newton"}) {
      const auto error = [&](int steps) {
        const State s = swing(id, steps, solver);
        return std::max((s.x - exact.x).cwiseAbs().maxCoeff(), (s.v - exact.v).cwiseAbs().maxCoeff());
      };
      EXPECT_NEAR(std::log2(error(200) / error(400)), 2, 0.15) << id << " " << solver;
    }
}

TEST(GeneralizedAlpha, IsOfSecondOrderAndTheDecoupledMethodsOfFirst) {
  const State exact = swing("newmark", 12800);
  for (const auto& [id, order] : {std::pair{"generalized-alpha", 2}, {"a1", 1}, {"a-search", 1}}) {
    const auto error = [&, id = id](int steps) {
      const State s = swing(id, steps);
      return std::max((s.x - exact.x).cwiseAbs().maxCoeff(), (s.v - exact.v).cwiseAbs().maxCoeff());
    };
    EXPECT_NEAR(std::log2(error(400) / error(800)), order, 0.15) << id;
  }
}

TEST(TwoStages, ShareOneMatrix) {
  for (const TwoStageScheme& scheme : {kTrBdf2, kSdirk2})
    for (const double h : {0.001, 0.01, 0.033, 1.0 / 24})
      EXPECT_EQ(scheme.first.stiffness_factor(h), scheme.second.stiffness_factor(h)) << scheme.id << " " << h;
}

TEST(ExplicitEuler, IsOfFirstOrder) {
  const State exact = swing("newmark", 12800);
  for (const char* id : {"forward-euler", "symplectic-euler"}) {
    const auto error = [&](int steps) { return (swing(id, steps).x - exact.x).cwiseAbs().maxCoeff(); };
    EXPECT_NEAR(std::log2(error(800) / error(1600)), 1, 0.15) << id;
  }
}

TEST_P(OneSolveTest, NewtonAndConvergedLocalGlobalTakeTheSameStep) {
  Points rest;
  const Model model = arap_cube(2, 1e5, rest);
  const std::string id(GetParam().id);
  Stepper local_global(model, id.c_str(), 0.01, 3000), newton(model, id.c_str(), 0.01, 100, "newton");
  const int n = static_cast<int>(rest.rows());
  for (Stepper* stepper : {&local_global, &newton})
    stepper->start({rest + random_points(n, 1, 0.02), random_points(n, 2)});
  for (int i = 0; i < 3; ++i) {
    local_global.step();
    newton.step();
    EXPECT_LT((local_global.history.now.x - newton.history.now.x).cwiseAbs().maxCoeff(), 1e-8) << i;
    EXPECT_LT((local_global.history.now.v - newton.history.now.v).cwiseAbs().maxCoeff(), 1e-6) << i;
    newton.history = local_global.history;
  }
}

TEST_P(OneSolveTest, GradientOfTheObjectiveMatchesFiniteDifferences) {
  Points rest;
  const Model model = arap_cube(1, 1e4, rest);
  const int n = static_cast<int>(rest.rows());
  Workspace work(1);
  History history;
  history.now = {rest + random_points(n, 1, 0.1), random_points(n, 2)};
  history.before = {rest + random_points(n, 3, 0.1), random_points(n, 4)};
  history.has_before = true;
  StepBuffers buffers;
  const StepObjective g(model, GetParam(), 0.033, history, buffers, work);
  const Points x = rest + random_points(n, 5, 0.2);
  Points gradient;
  g.gradient(x, gradient);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double e = 1e-5;
    Points up = x, down = x;
    up.data()[i] += e;
    down.data()[i] -= e;
    EXPECT_NEAR(gradient.data()[i], (g.value(up) - g.value(down)) / (2 * e), 1e-6 * gradient.cwiseAbs().maxCoeff());
  }
}

TEST_P(OneSolveTest, LocalGlobalNeverRaisesTheObjective) {
  Points rest;
  const Model model = arap_cube(3, 1e5, rest);
  const int n = static_cast<int>(rest.rows());
  Workspace work(1);
  LocalGlobal solver(model);
  History history;
  history.now = {rest + random_points(n, 1, 0.05), random_points(n, 2)};
  history.before = history.now;
  history.has_before = true;
  StepBuffers buffers;
  const double h = 0.033;
  const StepObjective g(model, GetParam(), h, history, buffers, work);
  Points x = g.y();
  double value = g.value(x);
  for (int i = 0; i < 30; ++i) {
    solver.minimize(g, 1, nullptr, x);
    const double next = g.value(x);
    ASSERT_LE(next, value * (1 + 1e-12)) << "iteration " << i;
    value = next;
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, OneSolveTest, testing::ValuesIn(kSchemes), [](const auto& parameter) {
  std::string name(parameter.param.id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// ---- the paper's own form of an iteration ----

// J p of ARAP: sum w_i G_i^T R_i, assembled densely and naively.
Points dense_Jp(const Points& rest, const std::vector<std::array<int, 4>>& tets, double mu, const Points& x) {
  Points Jp = Points::Zero(rest.rows(), 3);
  for (const auto& t : tets) {
    Eigen::Matrix3d Dm, Ds;
    for (int k = 0; k < 3; ++k) {
      Dm.col(k) = (rest.row(t[k + 1]) - rest.row(t[0])).transpose();
      Ds.col(k) = (x.row(t[k + 1]) - x.row(t[0])).transpose();
    }
    const double w = 2 * mu * Dm.determinant() / 6;
    const Eigen::Matrix3d F = Ds * Dm.inverse();
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Matrix3d U = svd.matrixU();
    if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) *= -1;
    const Eigen::Matrix3d force = w * U * svd.matrixV().transpose() * Dm.inverse().transpose();
    for (int k = 0; k < 3; ++k) {
      Jp.row(t[k + 1]) += force.col(k).transpose();
      Jp.row(t[0]) -= force.col(k).transpose();
    }
  }
  return Jp;
}

struct PaperStep {
  Points rest, x_n, v_n, x;
  Model model;
  std::vector<std::array<int, 4>> tets;
  Eigen::MatrixXd L, M;
  double h = 0.033, mu = 1e5 / 2.6;

  PaperStep() : model(arap_cube(2, 1e5, rest)), tets(mesh::box({1, 1, 1}, {2, 2, 2}, 6).tetrahedra) {
    const int n = static_cast<int>(rest.rows());
    x_n = rest + random_points(n, 1, 0.05);
    v_n = random_points(n, 2);
    x = rest + random_points(n, 3, 0.1);
    L = dense_laplacian(model);
    M = model.M.asDiagonal();
  }
  Points one_iteration(const Scheme& scheme) {
    Workspace work(1);
    LocalGlobal solver(model);
    History history;
    history.now = {x_n, v_n};
    StepBuffers buffers;
    const StepObjective g(model, scheme, h, history, buffers, work);
    Points result = x;
    solver.minimize(g, 1, nullptr, result);
    return result;
  }
};

TEST(PaperForm, AnIterationOfBackwardEulerIsEquation28) {
  PaperStep s;
  const Points y = s.x_n + s.h * s.v_n;
  const Points expected =
      (s.M + s.h * s.h * s.L).ldlt().solve(s.h * s.h * dense_Jp(s.rest, s.tets, s.mu, s.x) + s.M * y);
  EXPECT_LT((s.one_iteration(kBackwardEuler) - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(PaperForm, AnIterationOfMidpointIsEquation30) {
  PaperStep s;
  const Points y = s.x_n + s.h * s.v_n, middle = 0.5 * (s.x + s.x_n);
  const double h2 = s.h * s.h;
  const Points expected = (s.M + h2 / 4 * s.L)
                              .ldlt()
                              .solve(s.M * y + h2 / 2 * dense_Jp(s.rest, s.tets, s.mu, middle) - h2 / 4 * s.L * s.x_n);
  EXPECT_LT((s.one_iteration(kImplicitMidpoint) - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Momenta, OfAFreeBodyAreKeptByConvergedMidpoint) {
  Points rest;
  const Model model = arap_cube(2, 1e4, rest);
  Stepper stepper(model, "implicit-midpoint", 0.01, 50, "newton");
  State start{rest, Points::Zero(rest.rows(), 3)};
  for (int i = 0; i < rest.rows(); ++i)
    start.v.row(i) = Vec3(0, 5, 1).cross(Vec3(rest.row(i))).transpose() + Eigen::RowVector3d(1, 2, 3);
  stepper.start(start);
  const Measurement before = measure(model, stepper.history.now, stepper.work);
  for (int i = 0; i < 50; ++i) stepper.step();
  const Measurement after = measure(model, stepper.history.now, stepper.work);
  EXPECT_LT((after.p - before.p).norm(), 1e-9 * before.p.norm());
  EXPECT_LT((after.l - before.l).norm(), 1e-9 * before.l.norm());
}

}  // namespace
}  // namespace rebound::test
