#include "bench/body_bench.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "bench/gap.hpp"
#include "bench/parts.hpp"
#include "scene/method_settings.hpp"

namespace rebound::bench {
namespace {

using sim::Points;

constexpr int kCores[] = {2, 4, 8, 16};
constexpr int kWarmUp = 10;  // frames before the state that the parts of an iteration are measured at

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

sim::StepObjective objective(const session::Session& at, sim::StepBuffers& buffers, sim::Workspace& work) {
  const auto& d = at.description();
  return {at.model(), sim::kBackwardEuler, d.timeStep / d.substeps, at.history(), buffers, work};
}

/// Backward Euler's next step.
struct NextStep {
  explicit NextStep(std::unique_ptr<session::Session> swinging)
      : at(std::move(swinging)), g(objective(*at, buffers, alone)) {}

  std::unique_ptr<session::Session> at;
  sim::StepBuffers buffers;
  sim::Workspace alone{1};
  sim::StepObjective g;
};

}  // namespace

std::string name_of(std::string_view part, std::string_view body) {
  std::string name(part);
  name.append("/").append(body);
  return name;
}

void advance(session::Session& session) {
  if (!session.step()) throw std::runtime_error(session.description().bodies[0].name + ": " + session.failure());
}

double next_frame(session::Session& session) {
  if (session.frame() == kTrajectory) session.apply(session::Reset{});
  advance(session);
  return session.record().step_ms;
}

double relative_error(const Points& x, const Points& reference) { return (x - reference).norm() / reference.norm(); }

BodyBench::BodyBench(const BodyInfo& body, const Settings& settings, const Listener& listener)
    : settings_(settings), listener_(listener) {
  tell("making the body", body.name);
  world_ = swinging_world(body, settings.scene, settings.seed);
  const auto& geometry = world_.bodies[0];
  base_.body = body.name;
  base_.vertices = geometry.vertices();
  base_.elements = static_cast<int>(geometry.element_count());
}

void BodyBench::run(const std::string& part) {
  if (part == "local") local();
  if (part == "global") global();
  if (part == "cores") cores();
  if (part == "rubber") rubber();
  if (part == "assembly") assembly();
  if (part == "newton") newton();
  if (part == "frame")
    for (const std::string& integrator : settings_.integrators) frames(integrator);
}

void BodyBench::tell(const std::string& what, std::string_view name) const {
  if (listener_.working) listener_.working(std::string(name) + ": " + what);
}

Row BodyBench::row(const char* part, const std::string& integrator) const {
  Row row = base_;
  row.name = name_of(part, base_.body);
  row.integrator = integrator;
  row.solver = "local-global";
  return row;
}

void BodyBench::report(const Row& common, const Interleaved& times, const std::vector<double>& iterations) {
  for (std::size_t i = 0; i < times.ours.size(); ++i)
    report(common, settings_.threads[i], times.ours[i], times.reference, iterations[i]);
}

void BodyBench::report(Row row, int threads, const Times& ours, const Times& reference, double iterations) {
  row.threads = threads;
  row.median_ms = ours.median();
  row.max_ms = ours.max();
  row.repetitions = ours.count();
  row.reference_repetitions = reference.count();
  if (reference.count() > 0) row.reference_ms = reference.median();
  if (row.moved_mb) row.reached_gb_per_s = *row.moved_mb * iterations / row.median_ms;
  rows.push_back(row);
  if (listener_.measured) listener_.measured(row);
}

std::unique_ptr<session::Session> BodyBench::session(const std::string& integrator, int threads) const {
  scene::World world = world_;
  world.description.integrator.type = integrator;
  return std::make_unique<session::Session>(std::move(world), threads);
}

std::unique_ptr<session::Session> BodyBench::swinging() const {
  auto swinging = session("backward-euler", 1);
  while (swinging->frame() < kWarmUp) advance(*swinging);
  return swinging;
}

// ---- local/global ----

void BodyBench::local() {
  tell("local step", base_.body);
  NextStep next(swinging());
  const Points x = next.g.y();

  std::vector<std::unique_ptr<LocalStep>> steps;
  std::vector<Timed> ours;
  for (const int threads : settings_.threads) {
    steps.push_back(std::make_unique<LocalStep>(next.at->model(), threads));
    ours.push_back([&step = *steps.back(), &x] { return step.run(x); });
  }
  const sim::Model plain = plain_model(world_);
  Points forces;
  const Interleaved times = interleave(ours, [&] {
    forces.setZero(x.rows(), 3);
    const Clock clock;
    add_elastic_gradient(plain, x, forces, next.alone);
    return clock.milliseconds();
  });
  Row common = row("local", "backward-euler");
  common.gap = relative_error(steps[0]->forces(), forces);
  common.moved_mb = in_mb(steps[0]->bytes_moved());
  report(common, times, std::vector<double>(steps.size(), 1));
}

void BodyBench::global() {
  tell("global step", base_.body);
  const NextStep next(swinging());
  const double coefficient = next.g.scheme().stiffness_factor(next.g.h());
  Points b;
  next.g.gradient(next.g.y(), b);

  std::vector<std::unique_ptr<GlobalStep>> steps;
  std::vector<Timed> ours;
  for (const int threads : settings_.threads) {
    steps.push_back(std::make_unique<GlobalStep>(next.at->model(), coefficient, threads));
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

// What cannot be measured here: the reference is the same iteration on one thread.
void BodyBench::cores() {
  tell("parts of an iteration", base_.body);
  const NextStep next(swinging());
  if (!in_single_precision(next.at->model()))
    throw std::runtime_error(base_.body + " is too small for single precision");
  PartTimes times(next.at->model(), next.g.scheme().stiffness_factor(next.g.h()));
  times.run(next.g.y());
  for (const int threads : kCores) {
    Row row = this->row("cores", "backward-euler");
    row.threads = threads;
    row.median_ms = row.max_ms = times.longest_way(threads);
    row.reference_ms = times.longest_way(1);
    rows.push_back(row);
    if (listener_.measured) listener_.measured(row);
  }
}

void BodyBench::frames(const std::string& integrator) {
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
      const double ms = next_frame(session);
      counts.push_back(session.record().iterations);
      return ms;
    });
  ReferenceFrames reference(world_);
  if (has_reference) reference.step(*sessions[0]);  // the first one factors
  const Interleaved times =
      interleave(ours, has_reference ? Timed([&] { return reference.step(*sessions[0]); }) : Timed());
  std::vector<double> typical;
  for (auto& counts : iterations) typical.push_back(median(std::move(counts)));
  // What is asked of a solver that goes to its tolerance is a cap.
  if (scene::solver_settings(d).to_tolerance) common.iterations = static_cast<int>(typical.front());
  report(common, times, typical);
}

std::optional<double> BodyBench::bytes_of_an_iteration(const session::Session& at) {
  if (!bytes_of_an_iteration_) {
    const auto& d = at.description();
    const double coefficient = sim::kBackwardEuler.stiffness_factor(d.timeStep / d.substeps);
    const auto local = LocalStep(at.model(), 1).bytes_moved();
    const auto global = GlobalStep(at.model(), coefficient, 1).bytes_moved();
    bytes_of_an_iteration_ = local && global ? std::optional(*local + *global) : std::nullopt;
  }
  return *bytes_of_an_iteration_;
}

std::optional<double> BodyBench::warm_up(const std::vector<std::unique_ptr<session::Session>>& sessions) const {
  for (const auto& session : sessions) session->apply(session::Reset{});
  std::vector<double> gaps;
  GapSampler sampler(*sessions[0], settings_.threads.back());
  for (int frame = 0; frame < kTrajectory; ++frame) {
    if (std::find(std::begin(kSampledFrames), std::end(kSampledFrames), frame) != std::end(kSampledFrames))
      if (const auto gap = sampler.sample(*sessions[0])) gaps.push_back(*gap);
    for (const auto& session : sessions) advance(*session);
  }
  for (const auto& session : sessions) session->apply(session::Reset{});
  return gaps.empty() ? std::nullopt : std::optional(median(gaps));
}

}  // namespace rebound::bench
