// A body whose motion is known in closed form: a cube held at a face, as its own linearisation at rest.
#pragma once

#include <Eigen/Eigenvalues>

#include "sim/step/linearized_system.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {

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
    const Eigen::MatrixXd lower = K_, K = lower.selfadjointView<Eigen::Lower>();
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
    Eigen::MatrixXd S;
    system.multiply(Eigen::MatrixXd(Eigen::MatrixXd::Identity(system.size(), system.size())), S);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs(0.5 * (S + S.transpose()));
    const Eigen::MatrixXd& Y = pairs.eigenvectors();
    const Vector u = Y.transpose() * system.scaled_motion(state.x - rest),
                 v = Y.transpose() * system.scaled_motion(state.v);
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

inline Stepper stepper_of(const Model& model, const char* integrator, double h) {
  return Stepper(model, integrator, h, 100, "newton");
}

}  // namespace rebound::test
