// SIERE, semi-implicit Euler and exponential Rosenbrock-Euler [Chen20], against closed forms, the paper's own formulas
// written out densely, and one another.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

#include "linear_cube.hpp"
#include "sim/integrate/siere.hpp"
#include "sim/integrate/swing.hpp"

namespace rebound::test {
namespace {

using Eigen::MatrixXd;

// Against the closed forms in long double; around 0 against the series, of which four terms are exact there.
TEST(Swing, IsExactInItsThreeBranches) {
  for (const double h : {1e-3, 0.033, 1.0})
    for (const int sign : {1, -1})
      for (double size = 1e-16; size < 400; size *= 1.7) {
        const long double z = sign * size;
        long double s, c;  // over h and h^2
        if (size < 1e-3) {
          s = 1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72)));
          c = 0.5L * (1 - z / 12 * (1 - z / 30 * (1 - z / 56 * (1 - z / 90))));
        } else {
          const long double t = std::sqrt(static_cast<long double>(size));
          s = (sign > 0 ? std::sin(t) : std::sinh(t)) / t;
          c = 2 * std::pow((sign > 0 ? std::sin(t / 2) : std::sinh(t / 2)) / t, 2.0L);
        }
        const Swing mode = swing(static_cast<double>(z) / (h * h), h);
        // A double's z is good to 2e-16 itself, which a large angle multiplies.
        const double room = 1e-14 * (1 + std::sqrt(size));
        EXPECT_NEAR(mode.s / h, static_cast<double>(s), room * std::max(1.0, std::abs(static_cast<double>(s))))
            << sign * size;
        EXPECT_NEAR(mode.c / (h * h), static_cast<double>(c), room * std::max(1.0, std::abs(static_cast<double>(c))))
            << sign * size;
      }
}

// Where it is damped, against the exponential of [0 1; -lambda -d] by itself.
TEST(Swing, IsExactWithDampingOfAnySize) {
  for (const double h : {1e-3, 0.033, 1.0})
    for (const double z : {-9.0, -1.0, -1e-3, 0.0, 1e-9, 1e-3, 0.5, 1.0, 4.0, 9.0, 20.0, 100.0})
      for (const double dh : {-1.0, 1e-9, 1e-3, 0.3, 1.0, 2.0, 2.000001, 5.9, 6.1, 8.94427, 20.0, 60.0}) {
        SCOPED_TRACE(std::to_string(z) + ", " + std::to_string(dh));
        Eigen::Matrix<double, 3, 3> A;  // of q, q' and 1, with the force 1; time in steps
        A << 0, 1, 0, -z, -dh, 1, 0, 0, 0;
        const Eigen::Matrix3d E = A.exp();
        const Swing mode = swing(z / (h * h), h, dh / h);
        const double size = std::max(1.0, E.cwiseAbs().maxCoeff());
        EXPECT_NEAR(mode.s / h, E(0, 1), 1e-13 * size);
        EXPECT_NEAR(mode.c / (h * h), E(0, 2), 1e-13 * size);
      }
  // Beyond all bounds: what is left is a creep.
  const Swing stiff = swing(1e10, 0.01, 1e9);
  EXPECT_NEAR(stiff.s, std::exp(-0.1) / 1e9, 1e-16);
  EXPECT_NEAR(stiff.c, (1 - std::exp(-0.1)) / 1e10, 1e-17);
}

TEST(Siere, IsExactOnALinearBodyWithAllOfItsModesAtAnyStep) {
  const LinearCube cube;
  for (const double h : {0.001, 0.033, 0.5}) {
    Stepper stepper = stepper_of(cube.model, "siere", h);
    stepper.modes = 1000;
    const State start = cube.start(1);
    stepper.start(start);
    for (int frame = 1; frame <= 5; ++frame) {
      ASSERT_EQ(stepper.step().outcome, Outcome::done);
      const State exact = cube.after(start, frame * h);
      EXPECT_LT(largest_coordinate(stepper.history.now.x - exact.x), 1e-9) << h;
      EXPECT_LT(largest_coordinate(stepper.history.now.v - exact.v), 1e-8) << h;
    }
  }
}

TEST(Exponential, IsExactOnALinearBodyAtAnyStep) {
  const LinearCube cube;
  for (const double h : {0.001, 0.033, 0.5}) {
    Stepper stepper = stepper_of(cube.model, "exponential", h);
    const State start = cube.start(1);
    stepper.start(start);
    for (int frame = 1; frame <= 5; ++frame) {
      const StepReport report = stepper.step();
      ASSERT_EQ(report.outcome, Outcome::done);
      EXPECT_TRUE(report.converged);
      const State exact = cube.after(start, frame * h);
      EXPECT_LT(largest_coordinate(stepper.history.now.x - exact.x), 1e-8) << h;
      EXPECT_LT(largest_coordinate(stepper.history.now.v - exact.v), 1e-7) << h;
    }
  }
}

// Without modes there is nothing left but semi-implicit Euler.
TEST(Siere, WithoutModesIsSemiImplicitToTheLastBit) {
  MaterialCube cube("neo-hookean", 1e5, 0.4, 3);
  cube.fall();
  cube.hold_a_face();
  Stepper siere = stepper_of(cube.model, "siere", 0.01), semi_implicit = stepper_of(cube.model, "semi-implicit", 0.01);
  siere.modes = 0;
  State start{cube.rest, random_points(cube.model.vertices(), 3, 0.3)};
  cube.keep_held(start);
  siere.start(start);
  semi_implicit.start(start);
  for (int frame = 0; frame < 30; ++frame) {
    siere.step();
    semi_implicit.step();
  }
  EXPECT_EQ(siere.history.now.x, semi_implicit.history.now.x);
  EXPECT_EQ(siere.history.now.v, semi_implicit.history.now.v);
}

// One Newton step of backward Euler, written out: (M + h^2 K) dv = h f - h^2 K v.
TEST(SemiImplicit, IsOneNewtonStepOfBackwardEuler) {
  MaterialCube cube("stable-neo-hookean", 1e5, 0.4, 2);
  cube.fall();
  const int n = cube.model.vertices();
  const State start{cube.rest + random_points(n, 1, 0.02), random_points(n, 2, 0.5)};
  Workspace work(1);
  const double h = 0.02;
  const MatrixXd lower = cube.model.stiffness_matrix(start.x, work), K = lower.selfadjointView<Eigen::Lower>();
  Vector M(3 * n);
  for (int i = 0; i < 3 * n; ++i) M[i] = cube.model.M[i / 3];
  Points gradient;
  cube.model.gradient(start.x, gradient, work);
  const Eigen::Map<const Vector> dE(gradient.data(), 3 * n), v(start.v.data(), 3 * n);
  const MatrixXd A = MatrixXd(M.asDiagonal()) + h * h * K;
  const Vector dv = A.partialPivLu().solve(-h * dE - h * h * (K * v));
  Stepper stepper = stepper_of(cube.model, "semi-implicit", h);
  stepper.start(start);
  stepper.step();
  const Points v_next = start.v + Eigen::Map<const Points>(dv.data(), n, 3);
  EXPECT_LT(largest_coordinate(stepper.history.now.v - v_next), 1e-12);
  EXPECT_LT(largest_coordinate(stepper.history.now.x - (start.x + h * v_next)), 1e-13);
}

// The paper's own form, Eq. 8 to 14, as dense matrices of twice the size.
TEST(Siere, OneSolveGivesThePapersStep) {
  for (const bool indefinite : {false, true})
    for (const LinearDamping damping :
         {LinearDamping{}, LinearDamping{0.7, 0.004}, LinearDamping{0, 0, 30}, LinearDamping{0.7, 0.004, 8}}) {
      MaterialCube cube(indefinite ? "stvk" : "stable-neo-hookean", 1e5, 0.4, 2);
      Points x = cube.rest + random_points(cube.model.vertices(), 1, 0.01);
      if (indefinite) x.col(1) *= 0.5;
      Workspace work(1);
      LinearizedSystem K_only(cube.model), system(cube.model);
      K_only.assemble_stiffness(x, work);
      const int n = system.size();
      const MatrixXd I = MatrixXd::Identity(n, n);
      MatrixXd K;
      K_only.multiply(I, K);
      K = (0.5 * (K + K.transpose())).eval();
      const double lowest = K.selfadjointView<Eigen::Lower>().eigenvalues()[0];
      // As indefinite as it may be: beyond -1/h^2.
      const double h = indefinite ? 1.5 / std::sqrt(-lowest) : 0.02;
      system.assemble(x, h, damping, work);
      system.add_drag(h * damping.c);
      ASSERT_TRUE(system.factor());
      EXPECT_TRUE(!indefinite || damping.a != 0 || !system.positive_definite());
      // Exact ones, so that all that is left to differ is the step.
      const Eigen::SelfAdjointEigenSolver<MatrixXd> pairs(K);
      Modes modes;
      modes.count = 7;
      modes.lambda = pairs.eigenvalues().head(modes.count);
      modes.X = pairs.eigenvectors().leftCols(modes.count);
      const MatrixXd X = modes.answers(), P = X * X.transpose();
      const Vector v = Eigen::Map<const Vector>(random_points(n / 3, 2).data(), n);
      const Vector drag = damping.c * system.root_mass().array().square().inverse();
      const MatrixXd D = damping.a * I + damping.b * K + MatrixXd(drag.asDiagonal());
      // Of each mode by itself; what D couples is not in J_G.
      const Vector d = (X.transpose() * D * X).diagonal(), v_G = X.transpose() * v;
      const Vector f_e = Eigen::Map<const Vector>(random_points(n / 3, 3, 50).data(), n), f = f_e - D * v;

      MatrixXd J = MatrixXd::Zero(2 * n, 2 * n), J_G = J;
      J.topRightCorner(n, n) = I;
      J.bottomLeftCorner(n, n) = -K;
      J.bottomRightCorner(n, n) = -D;
      J_G.topRightCorner(n, n) = P;
      J_G.bottomLeftCorner(n, n) = -P * K * P;
      J_G.bottomRightCorner(n, n) = -X * d.asDiagonal() * X.transpose();
      const Vector f_G = X.transpose() * f_e - d.cwiseProduct(v_G);
      Vector delta(2 * n);
      delta << h * (v - X * v_G), h * (f - X * f_G);
      for (int i = 0; i < modes.count; ++i) {
        // phi_1 of the mode's own Jacobian, as a corner of an exponential.
        Eigen::Matrix3d of_mode;
        of_mode << 0, h, h * v_G[i], -h * modes.lambda[i], -h * d[i], h * f_G[i], 0, 0, 0;
        const Eigen::Matrix3d grown = of_mode.exp();
        delta.head(n) += grown(0, 2) * X.col(i);
        delta.tail(n) += grown(1, 2) * X.col(i);
      }
      const Vector u = (MatrixXd::Identity(2 * n, 2 * n) - h * (J - J_G)).fullPivLu().solve(delta);
      SiereIncrement step;
      step.find(system, modes, v, f_e, h, damping);
      EXPECT_LT((step.dx() - u.head(n)).norm(), 1e-12 * u.head(n).norm()) << indefinite << damping.a << damping.c;
      EXPECT_LT((step.dv() - u.tail(n)).norm(), 1e-12 * u.tail(n).norm()) << indefinite << damping.a << damping.c;
    }
}

// What the s modes hold stays, whatever the step; what the others hold is swallowed.
TEST(Siere, KeepsTheEnergyOfItsModesAtAnyStep) {
  const LinearCube cube;
  for (const double h : {0.005, 0.1}) {
    Stepper stepper = stepper_of(cube.model, "siere", h);
    stepper.modes = 6;
    stepper.start(cube.start(4));
    Workspace work(1);
    ModalAnalysis analysis(cube.model);
    ASSERT_TRUE(analysis.look(stepper.history.now, h, 6, work));
    const auto before = analysis.energies();
    const double H = stepper.H();
    for (int frame = 0; frame < 50; ++frame) stepper.step();
    ASSERT_TRUE(analysis.look(stepper.history.now, h, 6, work));
    // A cube has equal frequencies, whose modes may be turned into one another: what is known is their sum.
    double kept = 0, after = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      kept += before[i].total();
      after += analysis.energies()[i].total();
    }
    EXPECT_NEAR(after, kept, 1e-6 * kept);
    EXPECT_GT(stepper.H(), kept - 1e-9 * H);
    EXPECT_LT(stepper.H() - kept, 0.8 * (H - kept));
  }
}

TEST(Siere, IsOfFirstOrder) {
  MaterialCube cube("stable-neo-hookean", 2e4, 0.3, 2);
  cube.fall();
  cube.hold_a_face();
  State start{cube.rest, random_points(cube.model.vertices(), 3, 0.2)};
  cube.keep_held(start);
  for (const char* id : {"semi-implicit", "siere", "exponential"}) {
    std::vector<Points> ends;
    for (const int steps : {64, 128, 256, 512}) {
      Stepper stepper = stepper_of(cube.model, id, 0.1 / steps);
      stepper.start(start);
      for (int frame = 0; frame < steps; ++frame) ASSERT_EQ(stepper.step().outcome, Outcome::done);
      ends.push_back(stepper.history.now.x);
    }
    const double order = std::log2((ends[2] - ends[1]).norm() / (ends[3] - ends[2]).norm());
    // The exponential step is exact but for what K changes within it: of second order.
    EXPECT_NEAR(order, id == std::string("exponential") ? 2 : 1, 0.15) << id;
  }
}

// Figs. 18 and 19: what backward Euler and with it semi-implicit Euler swallow, as damping d of the same effect.
TEST(SemiImplicit, SwallowsWhatTheClosedFormSays) {
  Model model = free_vertices(1);
  SparseMatrix K(3, 3);
  K.setIdentity();
  model.energies.push_back(std::make_shared<Linear>(Points::Zero(1, 3), K));
  for (const auto& [z, of_backward_euler, of_bdf2] : {std::array{0.1, 0.0995, 0.0005},
                                                      {0.5, 0.4463, 0.0386},
                                                      {1.0, 0.6931, 0.1380},
                                                      {2.0, 0.8047, 0.2715},
                                                      {5.0, 0.6516, 0.3073},
                                                      {10.0, 0.4615, 0.2403}})
    for (const char* id : {"semi-implicit", "backward-euler", "bdf2"}) {
      Stepper stepper = stepper_of(model, id, z);
      Points x(1, 3);
      x << 1, 0, 0;
      stepper.start({x, Points::Zero(1, 3)});
      // Along a phase the size of (x, v) wobbles: many steps, from one moment of it to another.
      const int first = 20, steps = 200;
      const auto size = [&] { return std::hypot(stepper.history.now.x(0, 0), stepper.history.now.v(0, 0)); };
      double log_first = 0, log_last = 0, shrunk = 0;
      for (int frame = 0; frame < steps; ++frame) {
        stepper.step();
        // The linear map is scaled, so that nothing underflows.
        if (frame == first) log_first = std::log(size()) + shrunk;
        if (frame == steps - 1) log_last = std::log(size()) + shrunk;
        const double by = size();
        shrunk += std::log(by);
        for (State* state : {&stepper.history.now, &stepper.history.before}) {
          state->x /= by;
          state->v /= by;
        }
      }
      const double rate = -2 * (log_last - log_first) / (steps - 1 - first) / z;
      EXPECT_NEAR(rate, id == std::string("bdf2") ? of_bdf2 : of_backward_euler,
                  id == std::string("bdf2") ? 4e-3 : 6e-5)
          << id << z;
    }
}

// A pinned body that swings: the more modes, the less is lost, and the exponential step loses next to nothing.
TEST(Siere, IsLivelierThanSemiImplicitTheMoreModesTheMore) {
  MaterialCube cube("neo-hookean", 2e5, 0.4, 3);
  cube.hold_a_face();
  State start{cube.rest, Points::Zero(cube.model.vertices(), 3)};
  start.v.col(1) = 0.3 * (cube.rest.col(0).array() + 0.5);
  start.v.col(2) = 2 * (cube.rest.col(0).array() + 0.5) * cube.rest.col(1).array();
  std::vector<double> left;
  double H = 0;
  for (const int modes : {0, 1, 3, 12, -1}) {
    Stepper stepper = stepper_of(cube.model, modes < 0 ? "exponential" : "siere", 0.01);
    stepper.modes = modes;
    stepper.start(start);
    H = stepper.H();
    for (int frame = 0; frame < 100; ++frame) ASSERT_EQ(stepper.step().outcome, Outcome::done);
    left.push_back(stepper.H() / H);
  }
  EXPECT_LT(left[0], 0.2);
  EXPECT_GT(left[2], 2 * left[0]);
  EXPECT_GT(left[3], left[2] + 0.05);
  EXPECT_NEAR(left[4], 1, 0.02);
}

// The exponential step pays for stiffness, SIERE does not.
TEST(Exponential, TakesProductsAsTheRootOfTheStiffness) {
  std::vector<double> products;
  // As h w / 2 and a little more, which counts where h w is small.
  for (const double young : {1e9, 1e10}) {
    MaterialCube cube("neo-hookean", young, 0.4, 7);
    cube.hold_a_face();
    State start{cube.rest, random_points(cube.model.vertices(), 5, 1e-3)};
    cube.keep_held(start);
    Stepper stepper = stepper_of(cube.model, "exponential", 0.01);
    stepper.start(start);
    const StepReport report = stepper.step();
    ASSERT_TRUE(report.converged);
    products.push_back(report.iterations);
  }
  EXPECT_NEAR(products[1] / products[0], std::sqrt(10.0), 0.5);
}

}  // namespace
}  // namespace rebound::test
