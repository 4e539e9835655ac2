#include "sim/integrate/two_stage.hpp"

#include <cmath>

#include "sim/base/row_passes.hpp"
#include "sim/integrate/blend.hpp"

namespace rebound::sim {
namespace {

// x = from.x + time from.v.
void drift(const State& from, double time, Points& x, Workers& workers) {
  x.resize(from.x.rows(), 3);
  each_rows(workers, x.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    x.middleRows(first, rows).noalias() = from.x.middleRows(first, rows) + time * from.v.middleRows(first, rows);
  });
}

}  // namespace

StepReport TwoStage::step(const StepInput& input, State& next) {
  StepReport report = solve(input, next, input.push);
  if (report.outcome != Outcome::done) return report;
  report.energy = forces_.energy_by_kind(input.model, next.x, input.work);
  report.jumps = jumps(input, next.x);
  return report;
}

WorkOfJumps TwoStage::jumps(const StepInput& input, const Points& x) {
  if (!input.moving || !input.moving->any_hands()) return {};
  const Points& x_n = input.history.now.x;
  mean_ = scheme_.of_middle * (middle_.x - x_n) + scheme_.of_end * (x - x_n);
  return {input.model.attachments.work_of_jumps(mean_), input.model.grabs.work_of_jumps(mean_)};
}

StepReport TwoStage::solve(const StepInput& input, State& next, const Points* push) {
  Workers& workers = input.work.workers;
  drift(input.history.now, scheme_.first.span * input.h, middle_.x, workers);
  begin_work_of_movers(input);
  return solve_both(input, next, push, [&] { drift(middle_, (1 - scheme_.first.span) * input.h, next.x, workers); });
}

StepReport TwoStage::go_on(const StepInput& input, State& next, const Points* push) {
  return solve_both(input, next, push, [] {});
}

template <class Guess>
StepReport TwoStage::solve_both(const StepInput& input, State& next, const Points* push, const Guess& guess_end) {
  buffers_.forces = &forces_;
  buffers_.push = push;
  StepReport report;
  report.forces = forces(input.h);
  report.movers = {work_from_start_, {}};
  solve(scheme_.first, input, input.history, {0, scheme_.first.span}, report, middle_);
  if (report.outcome != Outcome::done) return report;
  const bool keeps = scheme_.first.keeps_at_end && !input.model.shapes.empty();
  const double before_end = 1 - scheme_.of_end;
  input.put_surfaces(scheme_.first.span);
  add_work_of_movers(input, middle_.x, keeps ? before_end : scheme_.of_middle, before_end, report);
  input.put_surfaces(1);
  guess_end();
  solve(scheme_.second, input, {middle_, &input.history.now}, {scheme_.first.span, 1}, report, next);
  if (report.outcome == Outcome::done) add_work_of_movers(input, next.x, scheme_.of_end, scheme_.of_end, report);
  return report;
}

// Before the solves take what moves along.
void TwoStage::begin_work_of_movers(const StepInput& input) {
  const Model& model = input.model;
  work_from_start_.reset();
  if (!has_movers(model)) return;
  work_from_start_ = 0;
  if (scheme_.first.keeps_at_end && !model.shapes.empty()) return;
  const double of_now = 1 - scheme_.of_middle - scheme_.of_end;
  input.put_surfaces(0);
  for (const auto& e : model.step_energies) *work_from_start_ += of_now * e->work_of_movers(input.history.now.x);
  input.put_surfaces(1);
}

void TwoStage::add_work_of_movers(const StepInput& input, const Points& x, double lasting, double passing,
                                  StepReport& report) {
  if (!report.movers.by_terms) return;
  for (const auto& e : input.model.step_energies) *report.movers.by_terms += lasting * e->work_of_movers(x);
  for (const auto& e : input.model.step_losses) *report.movers.by_terms += passing * e->work_of_movers(x);
}

// From next.x. A better guess than the inertial one, with the forces in it, makes every scheme of
// few iterations shiver.
void TwoStage::solve(const Scheme& stage, const StepInput& input, const Past& past, const Span& of_step,
                     StepReport& report, State& next) {
  const auto put = [&](double share) {
    if (input.moving == nullptr) return;
    input.moving->put_hands(share);
    input.put_surfaces(share);
  };
  put(of_step.begin);
  const StepObjective g(input.model, stage, input.h, past, buffers_, input.work, of_step.end);
  put(of_step.end);
  // A number of iterations is the step's; a cap of one that converges is every solve's.
  const SolverSettings& solver = input.solver;
  const int most = solver.to_tolerance ? solver.iterations : (solver.iterations + 1) / 2;
  const SolveReport solved = input.minimizer.minimize(g, solver.effort(most), nullptr, next.x);
  report.add(solved);
  report.outcome = solved.outcome;
  put(1);
  const double K = g.velocity(next.x, next.v);
  if (report.outcome == Outcome::done && !std::isfinite(K)) report.outcome = Outcome::not_finite;
}

}  // namespace rebound::sim
