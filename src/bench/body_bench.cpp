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

// Frames after which a body starts anew: midpoint alone does not live for ever.
constexpr int kTrajectory = 3 * kInARow;
constexpr int kSampled[] = {4, 14, 24};  // frames of a trajectory whose gap is taken
constexpr int kWarmUp = 10;              // frames before the state that the parts of an iteration are measured at

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

}  // namespace

std::string name_of(std::string_view part, std::string_view body) {
  std::string name(part);
  name.append("/").append(body);
  return name;
}

void advance(session::Session& session) {
  if (!session.step()) throw std::runtime_error(session.description().bodies[0].name + ": " + session.failure());
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
  for (std::size_t i = 0; i < times.ours.size(); ++i) {
    Row row = common;
    row.threads = settings_.threads[i];
    row.median_ms = times.ours[i].median();
    row.max_ms = times.ours[i].max();
    row.repetitions = times.ours[i].count();
    row.reference_repetitions = times.reference.count();
    if (times.reference.count() > 0) row.reference_ms = times.reference.median();
    if (const double rate = memory_rate(settings_.rates, row.threads); rate > 0) row.memory_gb_per_s = rate;
    if (const double rate = cache_rate(settings_.rates, row.threads); rate > 0) row.cache_gb_per_s = rate;
    if (row.moved_mb) row.reached_gb_per_s = *row.moved_mb * iterations[i] / row.median_ms;
    rows.push_back(row);
    if (listener_.measured) listener_.measured(row);
  }
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

void BodyBench::global() {
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
  if (has_reference) add_iteration(*sessions[0], common);

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

void BodyBench::add_iteration(const session::Session& at, Row& row) {
  if (!of_an_iteration_) {
    const auto& d = at.description();
    const double coefficient = sim::kBackwardEuler.stiffness_factor(d.timeStep / d.substeps);
    of_an_iteration_.emplace();
    if (auto iteration = Iteration::of(at.model(), coefficient)) {
      of_an_iteration_->bytes = iteration->bytes();
      of_an_iteration_->times = iteration->times(at.history().now.x);
    }
  }
  row.iteration_bytes = of_an_iteration_->bytes;
  row.iteration_times = of_an_iteration_->times;
  if (row.iteration_bytes) row.moved_mb = row.iteration_bytes->moved / 1e6;
}

std::optional<double> BodyBench::warm_up(const std::vector<std::unique_ptr<session::Session>>& sessions) const {
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

}  // namespace rebound::bench
