#include "bench/suite.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "bench/bodies.hpp"
#include "bench/gap.hpp"
#include "bench/interleave.hpp"
#include "bench/newton_reference.hpp"
#include "bench/parts.hpp"
#include "mesh/error.hpp"
#include "scene/method_settings.hpp"
#include "scene/wording.hpp"
#include "sim/registry.hpp"

namespace rebound::bench {
namespace {

using sim::Points;

struct Part {
  const char* name;
  bool of_newton = false;  ///< for solids alone, and only where it is named
};
constexpr Part kParts[] = {{"local"}, {"global"}, {"frame"}, {"assembly", true}, {"newton", true}};
// Frames after which a body starts anew: midpoint alone does not live for ever.
constexpr int kTrajectory = 3 * kInARow;
constexpr int kSampled[] = {4, 14, 24};  // frames of a trajectory whose gap is taken
constexpr int kWarmUp = 10;              // frames before the state that the parts of an iteration are measured at
// What Newton's method is measured with.
constexpr const char* kRubber = "stable-neo-hookean";
constexpr double kRubberPoisson = 0.4, kNewtonTolerance = 1e-3;
constexpr int kNewtonWarmUp = 3;

std::string name_of(std::string_view part, std::string_view body) {
  std::string name(part);
  name.append("/").append(body);
  return name;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// What the process holds in memory, MB.
double resident_mb() {
  malloc_trim(0);  // what is free must not serve the next that asks, unseen
  long size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

std::optional<double> in_mb(const std::optional<double>& bytes) {
  return bytes ? std::optional(*bytes / 1e6) : std::nullopt;
}

double relative_error(const Points& x, const Points& reference) { return (x - reference).norm() / reference.norm(); }

class BodyBench {
 public:
  BodyBench(const BodyInfo& body, const Settings& settings, const Listener& listener)
      : settings_(settings), listener_(listener) {
    tell("making the body", body.name);
    world_ = swinging_world(body, settings.scene, settings.seed);
    const auto& geometry = world_.bodies[0];
    base_.body = body.name;
    base_.vertices = geometry.vertices();
    base_.elements = static_cast<int>(geometry.element_count());
  }

  void run(const std::string& part) {
    if (part == "local") local();
    if (part == "global") global();
    if (part == "assembly") assembly();
    if (part == "newton") newton();
    if (part == "frame")
      for (const std::string& integrator : settings_.integrators) frames(integrator);
  }

  std::vector<Row> rows;

 private:
  void tell(const std::string& what, std::string_view name) const {
    if (listener_.working) listener_.working(std::string(name) + ": " + what);
  }

  Row row(const char* part, const std::string& integrator) const {
    Row row = base_;
    row.name = name_of(part, base_.body);
    row.integrator = integrator;
    row.solver = "local-global";
    return row;
  }

  /// A row a number of threads; iterations: of local/global in each of ours, or of the part of one that is measured.
  void report(const Row& common, const Interleaved& times, const std::vector<double>& iterations) {
    for (std::size_t i = 0; i < times.ours.size(); ++i) {
      Row row = common;
      row.threads = settings_.threads[i];
      row.median_ms = times.ours[i].median();
      row.max_ms = times.ours[i].max();
      row.repetitions = times.ours[i].count();
      row.reference_repetitions = times.reference.count();
      if (times.reference.count() > 0) row.reference_ms = times.reference.median();
      if (row.moved_mb) row.reached_gb_per_s = *row.moved_mb * iterations[i] / row.median_ms;
      rows.push_back(row);
      if (listener_.measured) listener_.measured(row);
    }
  }

  std::unique_ptr<session::Session> session(const std::string& integrator, int threads) const {
    scene::World world = world_;
    world.description.integrator.type = integrator;
    return std::make_unique<session::Session>(std::move(world), threads);
  }

  static void advance(session::Session& session) {
    if (!session.step()) throw std::runtime_error(session.description().bodies[0].name + ": " + session.failure());
  }

  /// A swinging body in backward Euler's next step: where the parts of an iteration are measured.
  std::unique_ptr<session::Session> swinging() const {
    auto swinging = session("backward-euler", 1);
    while (swinging->frame() < kWarmUp) advance(*swinging);
    return swinging;
  }

  sim::StepObjective objective(const session::Session& at, sim::StepBuffers& buffers, sim::Workspace& work) const {
    const auto& d = at.description();
    return {at.model(), sim::kBackwardEuler, d.timeStep / d.substeps, at.history(), buffers, work};
  }

  void local() {
    tell("local step", base_.body);
    const auto at = swinging();
    sim::StepBuffers buffers;
    sim::Workspace alone(1);
    const Points x = objective(*at, buffers, alone).y();

    std::vector<std::unique_ptr<LocalStep>> steps;
    std::vector<Timed> ours;
    for (const int threads : settings_.threads) {
      steps.push_back(std::make_unique<LocalStep>(at->model(), threads));
      ours.push_back([&step = *steps.back(), &x] { return step.run(x); });
    }
    const sim::Model plain = plain_model(world_);
    Points forces;
    const Interleaved times = interleave(ours, [&] {
      forces.setZero(x.rows(), 3);
      const Clock clock;
      add_elastic_gradient(plain, x, forces, alone);
      return clock.milliseconds();
    });
    Row common = row("local", "backward-euler");
    common.gap = relative_error(steps[0]->forces(), forces);
    common.moved_mb = in_mb(steps[0]->bytes_moved());
    report(common, times, std::vector<double>(steps.size(), 1));
  }

  void global() {
    tell("global step", base_.body);
    const auto at = swinging();
    sim::StepBuffers buffers;
    sim::Workspace alone(1);
    const sim::StepObjective g = objective(*at, buffers, alone);
    const double coefficient = g.scheme().stiffness_factor(g.h());
    Points b;
    g.gradient(g.y(), b);

    std::vector<std::unique_ptr<GlobalStep>> steps;
    std::vector<Timed> ours;
    for (const int threads : settings_.threads) {
      steps.push_back(std::make_unique<GlobalStep>(at->model(), coefficient, threads));
      ours.push_back([&step = *steps.back(), &b] { return step.run(b); });
    }
    const sim::Model plain = plain_model(world_);
    PlainLocalGlobal reference(plain);
    Points solution = reference.solve(coefficient, b);  // the first one factors
    const Interleaved times = interleave(ours, [&] {
      const Clock clock;
      solution = reference.solve(coefficient, b);
      return clock.milliseconds();
    });
    Row common = row("global", "backward-euler");
    common.gap = relative_error(steps[0]->solution(), solution);
    common.moved_mb = in_mb(steps[0]->bytes_moved());
    report(common, times, std::vector<double>(steps.size(), 1));
  }

  void frames(const std::string& integrator) {
    tell("frames of " + integrator, base_.body);
    std::vector<std::unique_ptr<session::Session>> sessions;
    const double before_mb = resident_mb();
    for (const int threads : settings_.threads) sessions.push_back(session(integrator, threads));
    const auto& d = sessions[0]->description();
    const bool has_reference = d.solver.type == "local-global";

    Row common = row("frame", integrator);
    common.solver = d.solver.type;
    common.iterations = scene::solver_settings(d).iterations;
    for (const auto& session : sessions) advance(*session);
    common.memory_mb = (resident_mb() - before_mb) / static_cast<double>(sessions.size());
    common.gap = warm_up(sessions);
    if (has_reference) common.moved_mb = in_mb(bytes_of_an_iteration(*sessions[0]));

    std::vector<Timed> ours;
    std::vector<std::vector<double>> iterations(sessions.size());
    for (std::size_t i = 0; i < sessions.size(); ++i)
      ours.push_back([&session = *sessions[i], &counts = iterations[i]] {
        if (session.frame() == kTrajectory) session.apply(session::Reset{});
        advance(session);
        counts.push_back(session.record().iterations);
        return session.record().step_ms;
      });
    ReferenceFrames reference(world_);
    if (has_reference) reference.step(*sessions[0]);  // the first one factors
    const Interleaved times =
        interleave(ours, has_reference ? Timed([&] { return reference.step(*sessions[0]); }) : Timed());
    std::vector<double> typical;
    for (auto& counts : iterations) typical.push_back(median(std::move(counts)));
    report(common, times, typical);
  }

  /// What is measured of Newton's method: the next step of backward Euler, of rubber that swings.
  struct NewtonStep {
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

  NewtonStep newton_step() const {
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

  Row newton_row(const char* part) const {
    Row common = row(part, "backward-euler");
    common.solver = "newton";
    return common;
  }

  void assembly() {
    tell("assembly of d2g", base_.body);
    NewtonStep step = newton_step();
    const Points x = step.at->state().x;
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

  void newton() {
    tell("Newton's method", base_.body);
    NewtonStep step = newton_step();
    sim::SolveEffort effort(sim::find_solver("newton")->iterations);
    effort.tolerance = kNewtonTolerance;
    std::vector<Points> found(step.works.size());
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
    Points plain;
    int plain_iterations = 0;
    const Interleaved times = in_turn(ours, [&] {
      const sim::StepObjective g = step.plain_objective();
      plain = g.y();
      const Clock clock;
      plain_iterations = step.plain.minimize(g, kNewtonTolerance, plain);
      return clock.milliseconds();
    });
    Row common = newton_row("newton");
    common.iterations = static_cast<int>(iterations[0]);
    common.gap = relative_error(found[0], plain);
    report(common, times, iterations);
  }

  /// Of local/global; vectors that both halves read are counted in each. The same for every integrator.
  std::optional<double> bytes_of_an_iteration(const session::Session& at) {
    if (!bytes_of_an_iteration_) {
      const auto& d = at.description();
      const double coefficient = sim::kBackwardEuler.stiffness_factor(d.timeStep / d.substeps);
      const auto local = LocalStep(at.model(), 1).bytes_moved();
      const auto global = GlobalStep(at.model(), coefficient, 1).bytes_moved();
      bytes_of_an_iteration_ = local && global ? std::optional(*local + *global) : std::nullopt;
    }
    return *bytes_of_an_iteration_;
  }

  /// Goes through a trajectory, so that every factor is made, and takes gaps on the way. Ends at its start.
  std::optional<double> warm_up(const std::vector<std::unique_ptr<session::Session>>& sessions) const {
    for (const auto& session : sessions) session->apply(session::Reset{});
    std::vector<double> gaps;
    GapSampler sampler(*sessions[0], settings_.threads.back());
    for (int frame = 0; frame < kTrajectory; ++frame) {
      if (std::find(std::begin(kSampled), std::end(kSampled), frame) != std::end(kSampled))
        if (const auto gap = sampler.sample(*sessions[0])) gaps.push_back(*gap);
      for (const auto& session : sessions) advance(*session);
    }
    for (const auto& session : sessions) session->apply(session::Reset{});
    return gaps.empty() ? std::nullopt : std::optional(median(gaps));
  }

  const Settings& settings_;
  const Listener& listener_;
  scene::World world_;
  Row base_;
  std::optional<std::optional<double>> bytes_of_an_iteration_;  ///< empty: not looked for yet
};

struct Benchmark {
  std::string name;
  const BodyInfo* body;
  const Part* part;
};

/// Body by body.
std::vector<Benchmark> all_benchmarks() {
  std::vector<Benchmark> all;
  for (const BodyInfo& body : bodies())
    for (const Part& part : kParts)
      if (!part.of_newton || !body.springs) all.push_back({name_of(part.name, body.name), &body, &part});
  return all;
}

}  // namespace

std::vector<std::string> benchmarks() {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : all_benchmarks()) names.push_back(benchmark.name);
  return names;
}

std::vector<std::string> chosen(const std::vector<std::string>& names) {
  const std::vector<Benchmark> all = all_benchmarks();
  std::vector<bool> wanted(all.size());
  for (const std::string& name : names.empty() ? std::vector<std::string>{""} : names) {
    const bool exact = std::any_of(all.begin(), all.end(), [&](const Benchmark& b) { return b.name == name; });
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [whole, body, part] = all[i];
      const bool asked_for = (!body->growth || name.size() > name_of(part->name, "").size()) &&
                             (!part->of_newton || name.starts_with(part->name));
      if (exact ? whole == name : whole.starts_with(name) && asked_for) found = wanted[i] = true;
    }
    if (found) continue;
    if (const std::string guess = scene::did_you_mean(name, benchmarks()); !guess.empty())
      throw InputError("bench: no benchmark is called '" + name + "'" + guess);
    std::string known;
    for (const BodyInfo& body : bodies()) known += (known.empty() ? "" : ", ") + std::string(body.name);
    throw InputError("bench: no benchmark is called '" + name +
                     "'; there are local/BODY, global/BODY, frame/BODY, assembly/BODY and newton/BODY, BODY being one of " +
                     known);
  }
  std::vector<std::string> result;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (wanted[i]) result.push_back(all[i].name);
  return result;
}

std::vector<Row> run(const std::vector<std::string>& names, const Settings& settings, const Listener& listener) {
  std::vector<Row> rows;
  std::optional<BodyBench> bench;
  const BodyInfo* made = nullptr;
  for (const auto& [name, body, part] : all_benchmarks()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    if (made != body) bench.emplace(*body, settings, listener);
    made = body;
    bench->rows.clear();
    bench->run(part->name);
    rows.insert(rows.end(), bench->rows.begin(), bench->rows.end());
  }
  return rows;
}

}  // namespace rebound::bench
