#include "sim/damp/rayleigh.hpp"

#include <limits>

namespace rebound::sim {

RayleighDamping::System::System(const Model& model) : D(model.laplacian()), analysis(D.matrix()) {}

double RayleighDamping::damp(const Model& model, DampingCoefficients of, double time, State& state) {
  if (of.k == 0 && of.mass == 0) return 0;
  if (!system_) system_ = std::make_unique<System>(model);
  HessianBlocks& D = system_->D;
  D.set_zero();
  Workspace alone(1);
  for (const auto& energy : model.energies)
    if (energy->kind() == EnergyKind::elastic) energy->add_hessian(state.x, Curvature::clamped, D, alone);

  SparseMatrix& A = D.matrix();
  for (int column = 0; column < A.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(A, column); it; ++it) {
      const bool held = model.fixed[it.row() / 3] || model.fixed[column / 3];
      const double mass = it.row() == column ? model.M[column / 3] : 0;
      it.valueRef() = held ? mass : (1 + of.mass * time) * mass + of.k * time * it.value();
    }
  const Cholesky cholesky(system_->analysis, A);
  if (!cholesky.ok()) return std::numeric_limits<double>::infinity();

  const double before = model.kinetic(state.v);
  Vector momentum(3 * model.vertices());
  for (int i = 0; i < model.vertices(); ++i) momentum.segment<3>(3 * i) = model.M[i] * state.v.row(i).transpose();
  cholesky.solve(momentum);
  state.v = Eigen::Map<const Points>(momentum.data(), model.vertices(), 3);
  model.clear_fixed(state.v);
  return before - model.kinetic(state.v);
}

// What has a period of four steps: (1 + a h + k h w^2) v' = v with w = pi / (2 h). Faster motion loses more.
double RayleighDamping::share_of_unresolved(const Model&, DampingCoefficients of, double time) const {
  constexpr double kQuarterTurn = 1.5707963267948966;
  const double kept = 1 / (1 + of.mass * time + of.k * kQuarterTurn * kQuarterTurn / time);
  return 1 - kept * kept;
}

}  // namespace rebound::sim
