#include "bench/parts.hpp"

#include <algorithm>
#include <stdexcept>

#include "bench/interleave.hpp"
#include "sim/energy/float_kernel.hpp"

namespace rebound::bench {
namespace {

using sim::Points;

constexpr int kTimings = 15;  // of each part, of which the shortest counts

/// Four floats a slot in the plan's order, less the middle m of x.
void to_slots(const Points& x, const Eigen::RowVector3d& m, const sim::EliminationPlan& plan, float* slots) {
  for (int s = 0; s < plan.vertices(); ++s)
    for (int k = 0; k < 3; ++k) slots[4 * s + k] = static_cast<float>(x(plan.order()[s], k) - m[k]);
}

Points from_slots(const float* slots, const sim::EliminationPlan& plan) {
  Points x(plan.vertices(), 3);
  for (int s = 0; s < plan.vertices(); ++s)
    for (int k = 0; k < 3; ++k) x(plan.order()[s], k) = static_cast<double>(slots[4 * s + k]);
  return x;
}

}  // namespace

bool in_single_precision(const sim::Model& model) { return sim::LocalGlobal(model).single_precision(); }

double add_elastic_gradient(const sim::Model& model, const Points& x, Points& forces, sim::Workspace& work) {
  double E = 0;
  for (const auto& energy : model.energies)
    if (!energy->has_constant_gradient()) E += energy->add_gradient(x, forces, work);
  return E;
}

LocalStep::LocalStep(const sim::Model& model, int threads) : model_(model), work_(threads) {
  if (!in_single_precision(model)) return;
  single_.emplace(Single{sim::EliminationPlan(model.laplacian()), {}, {}, {}, {}});
  const sim::EliminationPlan& plan = single_->plan;
  single_->partition = sim::partition_of(plan);
  for (const auto& energy : model.energies)
    if (!energy->has_constant_gradient())
      single_->batches.push_back(energy->float_batch(plan.position(), single_->partition, sim::float_kernel()));
  const auto slots = static_cast<std::size_t>(plan.slots());
  single_->x = sim::AlignedBuffer<float>(4 * slots);
  single_->forces = sim::AlignedBuffer<float>(4 * slots);
}

double LocalStep::run(const Points& x) {
  if (single_) return run_single(x);
  forces_.setZero(x.rows(), 3);
  const Clock clock;
  add_elastic_gradient(model_, x, forces_, work_);
  return clock.milliseconds();
}

double LocalStep::run_single(const Points& x) {
  Single& s = *single_;
  to_slots(x, x.colwise().mean(), s.plan, s.x.data());
  std::fill_n(s.forces.data(), s.forces.size(), 0.0f);
  const Clock clock;
  work_.workers.run(s.partition.count(), [&](int part) {
    s.partition.fill_area(part, s.x.data());
    for (const auto& batch : s.batches) batch->add_gradient(part, s.x.data(), 1, s.forces.data());
  });
  return clock.milliseconds();
}

Points LocalStep::forces() const {
  if (!single_) return forces_;
  const sim::EliminationPlan& plan = single_->plan;
  const float* slots = single_->forces.data();
  Points forces = from_slots(slots, plan);
  for (const sim::EliminationPlan::Part& part : plan.parts())
    for (int i = 0; i < part.area_size(); ++i)
      for (int k = 0; k < 3; ++k)
        forces(plan.order()[part.above[i]], k) += static_cast<double>(slots[4 * (part.area + i) + k]);
  return forces;
}

std::optional<double> LocalStep::bytes_moved() const {
  if (!single_) return {};
  // Positions are read, forces read and written.
  double sum = 3.0 * sizeof(float) * static_cast<double>(single_->x.size());
  for (const auto& batch : single_->batches) sum += static_cast<double>(batch->bytes());
  return sum;
}

GlobalStep::GlobalStep(const sim::Model& model, double coefficient, int threads) : workers_(threads) {
  if (in_single_precision(model)) {
    const sim::SparseMatrix L = model.laplacian();
    sim::EliminationPlan plan(L);
    sim::BlockInverse inverse(plan, sim::system_matrix(model.M, model.fixed, L, coefficient), &workers_);
    const std::size_t floats = 4 * static_cast<std::size_t>(inverse.slots());
    single_.emplace(Single{std::move(plan), std::move(inverse), sim::AlignedBuffer<float>(floats)});
    if (single_->inverse.ok()) return;
    single_.reset();
  }
  systems_.emplace(model, nullptr);
  matrix_ = systems_->find(coefficient, workers_);
  if (matrix_ == nullptr) throw std::runtime_error("the system matrix could not be factored");
}

double GlobalStep::run(const Points& b) {
  if (!single_) {
    solution_ = b;
    const Clock clock;
    matrix_->solve(solution_);
    return clock.milliseconds();
  }
  auto& slots = single_->right_hand_side;
  std::fill_n(slots.data(), slots.size(), 0.0f);
  to_slots(b, Eigen::RowVector3d::Zero(), single_->plan, slots.data());
  const Clock clock;
  single_->inverse.solve(slots.data(), workers_);
  return clock.milliseconds();
}

Points GlobalStep::solution() const {
  return single_ ? from_slots(single_->right_hand_side.data(), single_->plan) : solution_;
}

std::optional<double> GlobalStep::bytes_moved() const {
  if (!single_) return {};
  return static_cast<double>(single_->inverse.bytes_moved());
}

PartTimes::PartTimes(const sim::Model& model, double coefficient)
    : plan_(model.laplacian()),
      inverse_(plan_, sim::system_matrix(model.M, model.fixed, model.laplacian(), coefficient)),
      partition_(sim::partition_of(plan_)),
      x_(4 * static_cast<std::size_t>(plan_.slots())),
      d_(x_.size()),
      times_(static_cast<std::size_t>(partition_.count())) {
  if (!inverse_.ok()) throw std::runtime_error("the system matrix could not be factored in single precision");
  for (const auto& energy : model.energies)
    if (!energy->has_constant_gradient())
      batches_.push_back(energy->float_batch(plan_.position(), partition_, sim::float_kernel()));
}

void PartTimes::run(const Points& x) {
  to_slots(x, x.colwise().mean(), plan_, x_.data());
  for (int k = 0; k < kTimings; ++k) run_once(k == 0);
}

void PartTimes::run_once(bool first) {
  const int top = plan_.part_count();
  const auto keep = [&](double& shortest, const Clock& clock) {
    const double ms = clock.milliseconds();
    shortest = first ? ms : std::min(shortest, ms);
  };
  std::fill_n(d_.data(), d_.size(), 0.0f);
  for (int part = 0; part <= top; ++part) {
    Times& times = times_[static_cast<std::size_t>(part)];
    const Clock local;
    partition_.fill_area(part, x_.data());
    for (const auto& batch : batches_) batch->add_gradient(part, x_.data(), 1, d_.data());
    keep(times.local, local);
    const Clock up;
    part < top ? inverse_.forward(part, d_.data()) : inverse_.solve_top(d_.data(), alone_);
    keep(times.up, up);
  }
  for (int part = top; part-- > 0;) {
    const Clock down;
    inverse_.backward(part, d_.data());
    keep(times_[static_cast<std::size_t>(part)].down, down);
  }
}

double PartTimes::longest_way(int threads) const {
  const Times& top = times_.back();
  double way = top.up / threads + top.local;
  for (int first = 0; first < plan_.part_count();) {
    std::vector<double> down(static_cast<std::size_t>(threads)), up = down;
    int part = first;
    for (; part < plan_.part_count() && plan_.part(part).stage == plan_.part(first).stage; ++part) {
      const Times& times = times_[static_cast<std::size_t>(part)];
      // Where nothing lies below, a part turns round at once.
      const double turn = plan_.part(part).stage == 0 ? times.up : 0;
      *std::min_element(down.begin(), down.end()) += times.down + times.local + turn;
      *std::min_element(up.begin(), up.end()) += times.up - turn;
    }
    way += *std::max_element(down.begin(), down.end()) + *std::max_element(up.begin(), up.end());
    first = part;
  }
  return way;
}

}  // namespace rebound::bench
