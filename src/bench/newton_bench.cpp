// The parts of BodyBench that are Newton's method's.
#include <stdexcept>

#include "bench/body_bench.hpp"
#include "bench/newton_reference.hpp"
#include "sim/registry.hpp"

namespace rebound::bench {
namespace {

constexpr double kNewtonTolerance = 1e-3;
// Above this many tetrahedra the plain factor takes minutes an iteration.
constexpr int kMostForThePlain = 50'000;
constexpr int kNewtonWarmUp = 3;

}  // namespace

/// What is measured of Newton's method: the next step of backward Euler, of rubber that swings.
struct BodyBench::NewtonStep {
  explicit NewtonStep(std::unique_ptr<session::Session> session, const std::vector<int>& threads)
      : at(std::move(session)), plain(at->world()), h(at->description().timeStep / at->description().substeps) {
    for (const int count : threads) {
      works.push_back(std::make_unique<sim::Workspace>(count));
      buffers.push_back(std::make_unique<sim::StepBuffers>());
      solvers.push_back(sim::find_solver("newton")->make(at->model()));
    }
  }
  sim::StepObjective objective(std::size_t i) {
    return {at->model(), sim::kBackwardEuler, h, at->history(), *buffers[i], *works[i]};
  }
  sim::StepObjective plain_objective() {
    return {plain.model(), sim::kBackwardEuler, h, at->history(), plain_buffers, alone};
  }

  std::unique_ptr<session::Session> at;
  PlainNewton plain;
  double h;
  std::vector<std::unique_ptr<sim::Workspace>> works;
  std::vector<std::unique_ptr<sim::StepBuffers>> buffers;
  std::vector<std::unique_ptr<sim::Minimizer>> solvers;
  sim::StepBuffers plain_buffers;
  sim::Workspace alone{1};
};

BodyBench::NewtonStep BodyBench::newton_step() const {
  scene::World world = world_;
  scene::Description& d = world.description;
  d.integrator.type = "backward-euler";
  d.solver.type = "newton";
  d.solver.tolerance = kNewtonTolerance;
  d.bodies[0].material.model = kRubber;
  d.bodies[0].material.poisson = kRubberPoisson;
  auto session = std::make_unique<session::Session>(std::move(world), settings_.threads.back());
  while (session->frame() < kNewtonWarmUp) advance(*session);
  return NewtonStep(std::move(session), settings_.threads);
}

Row BodyBench::newton_row(const char* part) const {
  Row common = row(part, "backward-euler");
  common.solver = "newton";
  return common;
}

void BodyBench::assembly() {
  tell("assembly of d2g", base_.body);
  NewtonStep step = newton_step();
  const sim::Points x = step.at->state().x;
  std::vector<std::unique_ptr<sim::HessianBlocks>> matrices;
  std::vector<Timed> ours;
  for (std::size_t i = 0; i < step.works.size(); ++i) {
    matrices.push_back(std::make_unique<sim::HessianBlocks>(step.at->model().laplacian()));
    ours.push_back([&step, &x, i, &H = *matrices.back()] {
      const sim::StepObjective g = step.objective(i);
      const Clock clock;
      g.hessian(x, sim::Curvature::exact, H);
      return clock.milliseconds();
    });
    ours.back()();  // the first one learns the places
  }
  sim::SparseMatrix H;
  const Interleaved times = interleave(ours, [&] {
    const sim::StepObjective g = step.plain_objective();
    const Clock clock;
    H = step.plain.hessian(g, x, false);
    return clock.milliseconds();
  });
  Row common = newton_row("assembly");
  const sim::SparseMatrix lower = H.triangularView<Eigen::Lower>();
  common.gap = (lower - matrices[0]->matrix()).norm() / lower.norm();
  report(common, times, std::vector<double>(ours.size(), 1));
}

void BodyBench::newton() {
  tell("Newton's method", base_.body);
  NewtonStep step = newton_step();
  Row common = newton_row("newton");
  sim::SolveEffort effort(sim::find_solver("newton")->iterations);
  effort.tolerance = kNewtonTolerance;
  std::vector<sim::Points> found(step.works.size());
  std::vector<double> iterations(step.works.size());
  const auto solve = [&](std::size_t i) {
    const sim::StepObjective g = step.objective(i);
    found[i] = g.y();
    const Clock clock;
    const sim::SolveReport report = step.solvers[i]->minimize(g, effort, nullptr, found[i]);
    const double ms = clock.milliseconds();
    if (!report.converged) throw std::runtime_error(base_.body + ": Newton's method has not converged");
    iterations[i] = report.iterations;
    return ms;
  };
  std::vector<Timed> ours;
  for (std::size_t i = 0; i < step.works.size(); ++i) {
    ours.push_back([&solve, i] { return solve(i); });
    ours.back()();  // the first one analyses
  }
  sim::Points plain;
  const Timed reference = [&] {
    const sim::StepObjective g = step.plain_objective();
    plain = g.y();
    const Clock clock;
    common.reference_iterations = step.plain.minimize(g, kNewtonTolerance, plain);
    return clock.milliseconds();
  };
  const Interleaved times = in_turn(ours, base_.elements <= kMostForThePlain ? reference : Timed());
  common.iterations = static_cast<int>(iterations[0]);
  if (plain.rows() > 0) common.gap = relative_error(found[0], plain);
  report(common, times, iterations);
}

}  // namespace rebound::bench
