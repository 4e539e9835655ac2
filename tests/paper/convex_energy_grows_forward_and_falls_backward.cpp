// [Dinev18 Appendix A, B]: on a convex potential a step of forward Euler cannot lose energy and one of backward Euler
// cannot gain any. On a quadratic one, with Hessian K, Eq. 43 and 45 say by how much:
//   forward    H_{n+1} - H_n = h^2/2 |dE(x_n)|^2_{M^-1}     + 1/2 d^T K d,   d = x_{n+1} - x_n
//   backward   H_n - H_{n+1} = h^2/2 |dE(x_{n+1})|^2_{M^-1} + 1/2 d^T K d
#include <gtest/gtest.h>

#include "support/models.hpp"

namespace rebound::test {
namespace {

// A random convex quadratic: springs of length zero from points to targets, each point an affine combination of up to
// four vertices, so that K is full; and gravity, which adds a slope.
struct ConvexSystem {
  static constexpr int kVertices = 8;

  explicit ConvexSystem(unsigned seed) : model(free_vertices(kVertices)), random(seed) {
    std::uniform_real_distribution<double> share(-0.5, 1);
    std::uniform_int_distribution<int> vertex(0, kVertices - 1);
    for (int i = 0; i < kVertices; ++i) model.M[i] = decades(-2, 2);
    for (int i = 0; i < 10; ++i) {
      Attachment a;
      double sum = 0;
      for (int j = 0; j < 3; ++j) sum += a.point.weights[j] = share(random);
      a.point.weights[3] = 1 - sum;
      for (int& v : a.point.vertices) v = vertex(random);
      a.stiffness = decades(-1, 5);
      a.target = random_points(1, random()).row(0).transpose();
      model.attachments.items.push_back(a);
    }
    model.energies.push_back(std::make_unique<Gravity>(model.M, Vec3(0, -9.81, 0)));
    h = decades(-4, -1);
    start = {random_points(kVertices, random()), random_points(kVertices, random(), 10)};
  }
  double decades(double low, double high) {
    return std::pow(10, std::uniform_real_distribution<double>(low, high)(random));
  }
  // K, from the definition of the energy.
  Eigen::MatrixXd hessian() const {
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(kVertices, kVertices);
    for (const Attachment& a : model.attachments.items) {
      Vector b = Vector::Zero(kVertices);
      for (int j = 0; j < 4; ++j) b[a.point.vertices[j]] += a.point.weights[j];
      K += a.stiffness * b * b.transpose();
    }
    return K;
  }

  Model model;
  std::mt19937 random;
  double h;
  State start;
};

// What Eq. 43 and 45 say a step between the two states gains or loses, the forces taken at `at`.
double change(const ConvexSystem& system, const Eigen::MatrixXd& K, const Points& at, const Points& d) {
  Workspace work(1);
  Points gradient;
  system.model.gradient(at, gradient, work);
  const Points impulse = system.h * gradient;
  return 0.5 * (impulse.transpose() * system.model.M.cwiseInverse().asDiagonal() * impulse).trace() +
         0.5 * (d.transpose() * K * d).trace();
}

// The largest part of H: what rounding is a share of.
double magnitude(const ConvexSystem& system, const State& state) {
  Workspace work(1);
  const Measurement m = measure(system.model, state, work);
  return m.kinetic + m.attachment + std::abs(m.gravity);
}

// sign 1: gains, forces at x_n; -1: loses, forces at x_{n+1}.
void expect_change(const char* integrator, const char* solver, double sign, int steps) {
  int strict = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const ConvexSystem system(seed);
    const Eigen::MatrixXd K = system.hessian();
    // The minimum itself: as many iterations as the solver ever has.
    Stepper stepper(system.model, integrator, system.h, std::max(20, find_solver(solver)->iterations), solver);
    stepper.start(system.start);
    for (int n = 1; n <= steps; ++n) {
      const State before = stepper.history.now;
      const double H = stepper.H();
      const StepReport report = stepper.step();
      ASSERT_EQ(report.outcome, Outcome::done);
      // gast has no preconditioner, as printed, and says where rounding stops it.
      if (std::string_view(solver) == "gast" && !report.converged) continue;
      const State& after = stepper.history.now;
      const double gain = sign * (stepper.H() - H);
      const double rounding = 1e-12 * std::max(magnitude(system, before), magnitude(system, after));
      ASSERT_GE(gain, -rounding) << "system " << seed << " step " << n;
      const double expected = change(system, K, sign > 0 ? before.x : after.x, after.x - before.x);
      ASSERT_NEAR(gain, expected, rounding) << "system " << seed << " step " << n;
      if (gain > 1e-6 * magnitude(system, before)) ++strict;
    }
  }
  EXPECT_GT(strict, 200);
}

TEST(AppendixA, ForwardEulerNeverLosesOnAConvexPotential) { expect_change("forward-euler", "newton", 1, 20); }

TEST(AppendixB, BackwardEulerNeverGainsOnAConvexPotential) {
  for (const SolverInfo& solver : solvers()) {
    SCOPED_TRACE(solver.id);
    expect_change("backward-euler", solver.id.data(), -1, 50);
  }
}

}  // namespace
}  // namespace rebound::test
