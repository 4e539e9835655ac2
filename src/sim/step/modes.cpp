#include "sim/step/modes.hpp"

#include <cmath>
#include <numbers>

namespace rebound::sim {
namespace {

constexpr PairsEffort kFirst{1e-8, 100};
// Beside the modes of the step before. Many modes have one another to be near to, and each sweep costs.
constexpr double kNextTolerance = 5e-4;
constexpr int kNextSweeps = 2, kManyModes = 12;
// Below this share of 1/h^2 a mode has no force to speak of.
constexpr double kFree = 1e-9;

}  // namespace

void ModeSearch::run(LinearizedSystem& system, int wanted, const Modes* before, Modes& found) {
  const bool known = before != nullptr && before->X.rows() == system.size() && before->wanted == wanted;
  const bool many = wanted > kManyModes;
  const PairsEffort next{kNextTolerance, many ? 1 : kNextSweeps};
  if (known) found.rest = before->rest;
  if (!known ||
      !follower_.run(system, wanted, system.mass_factor(), next, before->X, pairs_, many ? &found.rest : nullptr)) {
    const bool start = before != nullptr && before->X.rows() == system.size();
    pairs_ = lowest_pairs(system, wanted, system.mass_factor(), known ? next : kFirst,
                          start ? before->X : Eigen::MatrixXd());
    system.restore();
    found.rest = {};
  }
  found.lambda = (pairs_.theta.array() - system.mass_factor()) / system.stiffness_factor();
  found.X.swap(pairs_.X);
  system.restrict(found.X);  // of what has been fixed since the step before, a last rest
  found.wanted = wanted;
  found.count = pairs_.count;
  found.residual = pairs_.residual;
  found.turn = pairs_.turn;
  found.sweeps = pairs_.sweeps;
  found.converged = pairs_.converged;
}

Modes lowest_modes(LinearizedSystem& system, int wanted, const Modes* before) {
  Modes found;
  ModeSearch().run(system, wanted, before, found);
  return found;
}

double frequency(double lambda) { return std::copysign(std::sqrt(std::abs(lambda)), lambda) / (2 * std::numbers::pi); }

bool ModalAnalysis::look(const State& state, double h, int wanted, Workspace& work) {
  system_.assemble(state.x, h, {}, work);
  if (!system_.factor_for_modes()) return false;
  modes_ = lowest_modes(system_, wanted, &modes_);
  model_.gradient(state.x, gradient_, work);
  const Vector v = modes_.answers().transpose() * system_.scaled_motion(state.v);
  const Vector f = modes_.answers().transpose() * system_.scaled_force(gradient_);
  energies_.assign(static_cast<std::size_t>(modes_.count), {});
  for (int i = 0; i < modes_.count; ++i) {
    ModeEnergy& energy = energies_[static_cast<std::size_t>(i)];
    energy.kinetic = 0.5 * v[i] * v[i];
    if (modes_.lambda[i] * h * h > kFree) energy.potential = 0.5 * f[i] * f[i] / modes_.lambda[i];
  }
  return true;
}

}  // namespace rebound::sim
