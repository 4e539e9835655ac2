// SIERE, semi-implicit Euler and exponential Rosenbrock-Euler [Chen20], against closed forms, the paper's own formulas
// written out densely, and one another.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

#include "sim/integrate/siere.hpp"
#include "sim/integrate/swing.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

using Eigen::MatrixXd;

// 1/2 (x - x0)^T K (x - x0): a body whose motion is known in closed form.
class Linear final : public Energy {
 public:
  Linear(Points rest, SparseMatrix K) : rest_(std::move(rest)), K_(std::move(K)) {}
  EnergyKind kind() const override { return EnergyKind::elastic; }
  double value(const Points& x, Workspace&) const override {
    const Points d = x - rest_;
    const Eigen::Map<const Vector> u(d.data(), d.size());
    return 0.5 * u.dot(K_.selfadjointView<Eigen::Lower>() * u);
  }
  double add_gradient(const Points& x, Points& gradient, Workspace&) const override {
    const Points d = x - rest_;
    const Eigen::Map<const Vector> u(d.data(), d.size());
    const Vector Ku = K_.selfadjointView<Eigen::Lower>() * u;
    gradient += Eigen::Map<const Points>(Ku.data(), x.rows(), 3);
    return 0.5 * u.dot(Ku);
  }
  void add_laplacian(Triplets& L) const override {
    for (int i = 0; i < rest_.rows(); ++i)
      for (int j = 0; j <= i; ++j) L.emplace_back(i, j, 1.0);
  }
  void add_hessian(const Points&, Curvature, HessianBlocks& H, Workspace&) const override {
    const MatrixXd lower = K_, K = lower.selfadjointView<Eigen::Lower>();
    for (int i = 0; i < rest_.rows(); ++i)
      for (int j = 0; j <= i; ++j) H.add(i, j, K.block<3, 3>(3 * i, 3 * j));
  }

 private:
  Points rest_;
  SparseMatrix K_;
};

// A cube held at a face, as its own linearisation at rest.
struct LinearCube : MaterialCube {
  explicit LinearCube(double young = 1e5, int divisions = 2)
      : MaterialCube("stable-neo-hookean", young, 0.4, divisions) {
    Workspace work(1);
    SparseMatrix K = model.stiffness_matrix(rest, work);
    model.energies.clear();
    model.energies.push_back(std::make_shared<Linear>(rest, std::move(K)));
    hold_a_face();
  }

  State start(unsigned seed) const {
    State state{rest + random_points(model.vertices(), seed, 0.05), random_points(model.vertices(), seed + 1, 0.5)};
    keep_held(state);
    return state;
  }

  // Exactly, h seconds on, of K alone, or with damping.
  State after(const State& state, double h, LinearDamping damping = {}) const {
    Workspace work(1);
    LinearizedSystem system(model);
    system.assemble(rest, 1, {}, work);
    MatrixXd S;
    system.multiply(MatrixXd(MatrixXd::Identity(system.size(), system.size())), S);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> pairs(0.5 * (S + S.transpose()));
    const MatrixXd& Y = pairs.eigenvectors();
    const Vector u = Y.transpose() * system.scaled_motion(state.x - rest), v = Y.transpose() * system.scaled_motion(state.v);
    Vector u_h = u, v_h = v;
    for (Eigen::Index i = 0; i < u.size(); ++i) {
      const double lambda = std::max(0.0, pairs.eigenvalues()[i] - 1);
      if (lambda < 1e-6) continue;  // fixed
      // u = A e^(z_1 t) + B e^(z_2 t), z^2 + d z + lambda = 0.
      const double d = damping.a + damping.b * lambda;
      const std::complex<double> root = std::sqrt(std::complex<double>(0.25 * d * d - lambda)), z_1 = -0.5 * d + root,
                                 z_2 = -0.5 * d - root, A = (v[i] - z_2 * u[i]) / (z_1 - z_2), B = u[i] - A;
      u_h[i] = (A * std::exp(z_1 * h) + B * std::exp(z_2 * h)).real();
      v_h[i] = (A * z_1 * std::exp(z_1 * h) + B * z_2 * std::exp(z_2 * h)).real();
    }
    State next{rest + system.motion(Y * u_h), system.motion(Y * v_h)};
    keep_held(next);
    return next;
  }
};

Stepper stepper_of(const Model& model, const char* integrator, double h) {
  return Stepper(model, integrator, h, 100, "newton");
}

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
        EXPECT_NEAR(mode.s / h, static_cast<double>(s), room * std::max(1.0, std::abs(static_cast<double>(s)))) << sign * size;
        EXPECT_NEAR(mode.c / (h * h), static_cast<double>(c), room * std::max(1.0, std::abs(static_cast<double>(c)))) << sign * size;
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

// Underdamped, past critical, and by the masses alone.
constexpr LinearDamping kDampings[] = {{0.7, 0.002}, {3, 0.3}, {2, 0}, {0, 0.01}};

TEST(Siere, IsExactOnADampedLinearBodyWithAllOfItsModes) {
  const LinearCube cube;
  for (const LinearDamping& damping : kDampings)
    for (const char* id : {"siere", "exponential"})
      for (const double h : {0.001, 0.033, 0.5}) {
        SCOPED_TRACE(std::string(id) + " " + std::to_string(damping.b) + " " + std::to_string(h));
        Stepper stepper = stepper_of(cube.model, id, h);
        stepper.modes = 1000;
        stepper.damping = damping;
        const State start = cube.start(1);
        stepper.start(start);
        double H = stepper.H();
        for (int frame = 1; frame <= 5; ++frame) {
          const StepReport report = stepper.step();
          ASSERT_EQ(report.outcome, Outcome::done);
          const State exact = cube.after(start, frame * h, damping);
          EXPECT_LT(largest_coordinate(stepper.history.now.x - exact.x), 1e-8);
          EXPECT_LT(largest_coordinate(stepper.history.now.v - exact.v), 1e-7);
          // Nothing but damping takes anything.
          ASSERT_TRUE(report.damped);
          EXPECT_NEAR(H - stepper.H(), *report.damped, 1e-8 * H);
          H = stepper.H();
        }
      }
}

// Of backward Euler on a linear body: H falls by h v^T D v, and by 1/2 |dv|_M^2 + 1/2 |dx|_K^2, which is the method's own.
TEST(SemiImplicit, BooksWhatDampingTakesAndNoMore) {
  const LinearCube cube;
  Workspace work(1);
  LinearizedSystem system(cube.model);
  system.assemble_stiffness(cube.rest, work);
  std::vector<LinearDamping> all(std::begin(kDampings), std::end(kDampings));
  all.insert(all.end(), {{0, 0, 25}, {0.7, 0.002, 4}});
  for (const LinearDamping& damping : all) {
    const double h = 0.02;
    Stepper stepper = stepper_of(cube.model, "semi-implicit", h);
    stepper.damping = damping;
    stepper.start(cube.start(3));
    for (int frame = 0; frame < 10; ++frame) {
      const State before = stepper.history.now;
      const double H = stepper.H();
      const StepReport report = stepper.step();
      const State& after = stepper.history.now;
      const Vector dx = system.scaled_motion(after.x - before.x), dv = system.scaled_motion(after.v - before.v),
                   v = system.scaled_motion(after.v);
      Vector K_dx, K_v;
      system.multiply(dx, K_dx);
      system.multiply(v, K_v);
      EXPECT_LT((dx - h * v).norm(), 1e-12 * dx.norm());
      ASSERT_TRUE(report.damped);
      EXPECT_NEAR(*report.damped,
                  h * (damping.a * v.squaredNorm() + damping.b * v.dot(K_v) + damping.c * after.v.squaredNorm()), 1e-10 * H);
      EXPECT_NEAR(H - stepper.H(), *report.damped + 0.5 * dv.squaredNorm() + 0.5 * dx.dot(K_dx), 1e-10 * H);
    }
  }
}

// The masses of a lumped cube differ by eight times, so a drag is not proportional to them, and no mode is damped alone.
TEST(Siere, ComesToTheMotionUnderADragWithTheFirstPowerOfTheStep) {
  const LinearCube cube(2e4);
  constexpr double kDrag = 150, kTime = 0.2;  // kg/s, s
  const State start = cube.start(1);
  Workspace work(1);
  LinearizedSystem system(cube.model);
  system.assemble_stiffness(cube.rest, work);
  const int n = system.size();
  MatrixXd K;
  system.multiply(MatrixXd(MatrixXd::Identity(n, n)), K);
  MatrixXd J = MatrixXd::Zero(2 * n, 2 * n);
  J.topRightCorner(n, n).setIdentity();
  J.bottomLeftCorner(n, n) = -K;
  J.bottomRightCorner(n, n) = -MatrixXd((kDrag * system.root_mass().array().square().inverse()).matrix().asDiagonal());
  Vector u(2 * n);
  u << system.scaled_motion(start.x - cube.rest), system.scaled_motion(start.v);
  const double before = u.tail(n).squaredNorm() + u.head(n).dot(K * u.head(n));
  u = (kTime * J).exp() * u;
  ASSERT_LT(u.tail(n).squaredNorm() + u.head(n).dot(K * u.head(n)), 0.5 * before) << "the drag matters";
  for (const int modes : {0, 6}) {
    std::vector<double> errors;
    for (const int steps : {100, 200, 400}) {
      Stepper stepper = stepper_of(cube.model, modes == 0 ? "semi-implicit" : "siere", kTime / steps);
      stepper.modes = modes;
      stepper.damping = LinearDamping{0, 0, kDrag};
      stepper.start(start);
      for (int frame = 0; frame < steps; ++frame) ASSERT_EQ(stepper.step().outcome, Outcome::done);
      errors.push_back((system.scaled_motion(stepper.history.now.x - cube.rest) - u.head(n)).norm());
    }
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 1, 0.15) << modes << " modes, " << errors[2];
    EXPECT_LT(errors[2], 0.1 * u.head(n).norm()) << modes;
  }
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
  for (const auto& [z, of_backward_euler, of_bdf2] :
       {std::array{0.1, 0.0995, 0.0005}, {0.5, 0.4463, 0.0386}, {1.0, 0.6931, 0.1380}, {2.0, 0.8047, 0.2715}, {5.0, 0.6516, 0.3073},
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
      EXPECT_NEAR(rate, id == std::string("bdf2") ? of_bdf2 : of_backward_euler, id == std::string("bdf2") ? 4e-3 : 6e-5)
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
  for (const double young : {1e7, 1e8, 1e9}) {
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
  EXPECT_NEAR(products[2] / products[1], std::sqrt(10.0), 0.7);
}

}  // namespace
}  // namespace rebound::test
