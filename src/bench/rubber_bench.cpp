// The fast solver on rubber beside local/global on ARAP, each with as many iterations as bring a step of backward Euler
// within the same gap of its minimum.
#include <algorithm>
#include <stdexcept>

#include "bench/body_bench.hpp"
#include "bench/gap.hpp"
#include "scene/method_settings.hpp"

namespace rebound::bench {
namespace {

using sim::Points;

constexpr double kWantedGap = 1e-4;
constexpr int kMostIterationsToIt = 60;

/// The least number of iterations that brings the median of the sampled frames of backward Euler within the gap.
int iterations_to_gap(const scene::World& world, int threads) {
  session::Session at(world, threads);
  const scene::Description& d = at.description();
  const double h = d.timeStep / d.substeps;
  const sim::Model plain = plain_model(at.world());
  PlainLocalGlobal preconditioner(plain);
  const auto solver = sim::find_solver(d.solver.type)->make(at.model());
  sim::SolveEffort effort(1, 0, scene::solver_settings(d).accelerated);
  sim::StepBuffers buffers;
  sim::Workspace work(threads);
  std::vector<int> needed;
  for (const int frame : kSampledFrames) {
    while (at.frame() < frame) advance(at);
    const sim::StepObjective g(at.model(), sim::kBackwardEuler, h, at.history(), buffers, work);
    const double guess = g.value(g.y()), least = least_value(g, g.y(), preconditioner);
    for (effort.iterations = 1;; ++effort.iterations) {
      Points x = g.y();
      solver->minimize(g, effort, nullptr, x);
      if (g.value(x) - least <= kWantedGap * (guess - least)) break;
      if (effort.iterations == kMostIterationsToIt)
        throw std::runtime_error(std::string(d.solver.type) + " does not come within a gap of 1e-4 in 60 iterations");
    }
    needed.push_back(effort.iterations);
  }
  std::sort(needed.begin(), needed.end());
  return needed[needed.size() / 2];
}

}  // namespace

void BodyBench::rubber() {
  struct Contender {
    std::vector<std::unique_ptr<session::Session>> sessions;
    std::optional<double> gap;
  };
  const auto contender = [&](const char* solver, const char* model) {
    tell("iterations that " + std::string(model) + " needs", base_.body);
    scene::World world = world_;
    scene::Description& d = world.description;
    d.integrator.type = "backward-euler";
    d.solver.type = solver;
    d.solver.acceleration = true;  // where the solver has any
    d.bodies[0].material.model = model;
    d.bodies[0].material.poisson = kRubberPoisson;
    // Its own course, step by step as near as that, may want one more.
    Contender made;
    for (int iterations = iterations_to_gap(world, settings_.threads.back()); iterations <= kMostIterationsToIt;
         ++iterations) {
      d.solver.iterations = iterations;
      made.sessions.clear();
      for (const int threads : settings_.threads)
        made.sessions.push_back(std::make_unique<session::Session>(world, threads));
      made.gap = warm_up(made.sessions);
      if (made.gap.value_or(0) <= kWantedGap) break;
    }
    return made;
  };
  const auto [fast, gap] = contender("quasi-newton", kRubber);
  const auto [arap, reference_gap] = contender("local-global", "arap");
  tell("frames", base_.body);
  Row common = row("rubber", "backward-euler");
  common.solver = "quasi-newton";
  common.iterations = *fast[0]->description().solver.iterations;
  common.reference_iterations = *arap[0]->description().solver.iterations;
  common.gap = gap;
  common.reference_gap = reference_gap;
  std::vector<Timed> in_turn;
  for (std::size_t i = 0; i < fast.size(); ++i)
    for (session::Session* each : {fast[i].get(), arap[i].get()})
      in_turn.push_back([each] { return next_frame(*each); });
  const Interleaved times = interleave(in_turn, {});
  for (std::size_t i = 0; i < fast.size(); ++i)
    report(common, settings_.threads[i], times.ours[2 * i], times.ours[2 * i + 1]);
}

}  // namespace rebound::bench
