// Small models that tests step by hand.
#pragma once

#include <random>

#include "mesh/shapes.hpp"
#include "sim/energy/arap_tets.hpp"
#include "sim/energy/gravity.hpp"
#include "sim/energy/springs.hpp"
#include "sim/integrate/integrator.hpp"
#include "sim/registry.hpp"

namespace rebound::test {

using namespace rebound::sim;

/// n vertices of 1 kg without any energy.
inline Model free_vertices(int n) {
  Model model;
  model.M = Vector::Ones(n);
  model.fixed.assign(static_cast<std::size_t>(n), 0);
  model.bodies.push_back({0, n});
  return model;
}

/// A 1 m ARAP cube of 1000 kg/m^3.
inline Model arap_cube(int divisions, double young, Points& rest) {
  const mesh::TetMesh box = mesh::box({1, 1, 1}, {divisions, divisions, divisions}, 6);
  rest = box.points;
  Model model = free_vertices(static_cast<int>(rest.rows()));
  model.M.setConstant(1000.0 / static_cast<double>(rest.rows()));
  const std::vector<double> mu(box.tetrahedra.size(), young / 2.6);
  model.energies.push_back(std::make_unique<ArapTets>(rest, box.tetrahedra, mu));
  return model;
}

/// L in full, n x n.
inline Eigen::MatrixXd dense_laplacian(const Model& model) {
  const Eigen::MatrixXd lower = model.laplacian();
  return lower.selfadjointView<Eigen::Lower>();
}

inline Points random_points(int n, unsigned seed, double size = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Points x(n, 3);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = size * normal(random);
  return x;
}

/// Steps a model by itself: no session, the ledger's target fixed at the start.
struct Stepper {
  Stepper(const Model& m, const char* id, double step, int iterations = 10, const char* solver_id = "local-global")
      : model(m), minimizer(find_solver(solver_id)->make(m)), integrator(find_integrator(id)->make()), h(step) {
    solver.iterations = iterations;
  }
  void start(State state) {
    history = {};
    history.now = std::move(state);
    ledger = Ledger(measure(model, history.now, work), 1e-9);
  }
  StepReport step() {
    const StepReport report = integrator->step(
        {model, *minimizer, work, history, ledger, h, solver, blend, unresolved, alpha, rho, modes, memory, damping},
        next);
    memory = {report.blend == 0.0, false, report.one_sided, report.modes};
    ledger.dissipate(Dissipated::unresolved, report.unresolved);
    std::swap(history.before, history.now);
    std::swap(history.now, next);
    history.has_before = true;
    ledger.observe(measure(model, history.now, work));
    return report;
  }
  double H() { return measure(model, history.now, work).total(); }

  const Model& model;
  Workspace work{1};
  std::unique_ptr<Minimizer> minimizer;
  std::unique_ptr<Integrator> integrator;
  double h;
  SolverSettings solver;
  BlendSettings blend;
  Unresolved unresolved = Unresolved::moving;
  AlphaSettings alpha;
  double rho = kUsualRho;
  int modes = kUsualModes;
  StepMemory memory;
  std::optional<LinearDamping> damping;
  History history;
  Ledger ledger;
  State next;
};

}  // namespace rebound::test
