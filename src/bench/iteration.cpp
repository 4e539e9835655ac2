#include "bench/iteration.hpp"

#include <algorithm>
#include <array>

#include "bench/interleave.hpp"
#include "sim/base/float_quads.hpp"
#include "sim/energy/float_kernel.hpp"
#include "sim/step/local_global.hpp"

namespace rebound::bench {
namespace {

using sim::quads;

constexpr double kSlot = 16;  // bytes
constexpr int kTimes = 15;

/// When the last of some tasks ends that cores take in order.
double makespan(const std::vector<double>& tasks, int cores) {
  std::vector<double> free_at(static_cast<std::size_t>(cores), 0.0);
  for (const double task : tasks) *std::min_element(free_at.begin(), free_at.end()) += task;
  return *std::max_element(free_at.begin(), free_at.end());
}

double typical(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace

std::optional<Iteration> Iteration::of(const sim::Model& model, double coefficient) {
  if (!sim::LocalGlobal(model).single_precision()) return {};
  Iteration made;
  const sim::SparseMatrix L = model.laplacian();
  made.plan_ = std::make_unique<const sim::EliminationPlan>(L);
  made.inverse_ = std::make_unique<const sim::BlockInverse>(
      *made.plan_, sim::system_matrix(model.M, model.fixed, L, coefficient));
  if (!made.inverse_->ok()) return {};
  const sim::PartTree& tree = made.plan_->tree();
  for (const auto& energy : model.energies)
    if (!energy->has_constant_gradient())
      made.batches_.push_back(energy->float_batch(made.plan_->position(), tree, sim::float_kernel()));
  for (auto* array : {&made.start_, &made.w_, &made.z_, &made.d_, &made.mass_})
    *array = sim::AlignedBuffer<float>(4 * static_cast<std::size_t>(tree.slots()));
  for (int s = 0; s < tree.vertices(); ++s) {
    const auto m = static_cast<float>(model.M[made.plan_->order()[s]]);
    quads(made.mass_)[s] = sim::Quad{m, m, m, 0};
  }
  return made;
}

// H; d is read and written, w as well, z0 is read and z written; the halo of d is taken.
double Iteration::bytes_down(int part) const {
  const sim::PartTree::Part& own = plan_->tree().part(part);
  return static_cast<double>(inverse_->backward_bytes(part)) + kSlot * (6.0 * own.size() + 2.0 * own.halo.size());
}

// H and S, elements; mass, w and z are read, d is written; the halo of z is taken, that of d summed up.
double Iteration::bytes_up(int part) const {
  const sim::PartTree::Part& own = plan_->tree().part(part);
  double sum = static_cast<double>(inverse_->forward_bytes(part)) + kSlot * (4.0 * own.size() + 4.0 * own.halo.size());
  for (const auto& batch : batches_) sum += static_cast<double>(batch->bytes(part));
  return sum;
}

IterationBytes Iteration::bytes() const {
  const sim::PartTree& tree = plan_->tree();
  IterationBytes bytes;
  for (int part = 0; part < tree.count(); ++part) bytes.in_two_passes += bytes_down(part) + bytes_up(part);
  bytes.moved = bytes.in_two_passes;
  for (const int leaf : tree.leaves()) {
    ++bytes.leaves;
    // H is there already when the way up begins, and so are w, z and d.
    const sim::PartTree::Part& own = tree.part(leaf);
    const double twice = static_cast<double>(inverse_->backward_bytes(leaf)) + kSlot * 3.0 * own.size();
    bytes.moved -= twice;
    bytes.largest_leaf = std::max(bytes.largest_leaf, bytes_down(leaf) + bytes_up(leaf) - twice);
  }
  return bytes;
}

void Iteration::go_down(int part) {
  const sim::PartTree& tree = plan_->tree();
  const sim::PartTree::Part& own = tree.part(part);
  if (part != tree.top_index()) {
    tree.take(part, d_.data());
    inverse_->backward(part, d_.data());
  }
  for (int s = own.begin; s < own.end; ++s) {
    quads(w_)[s] -= quads(d_)[s];
    quads(z_)[s] = quads(start_)[s] + quads(w_)[s];
  }
}

void Iteration::go_up(int part) {
  const sim::PartTree& tree = plan_->tree();
  const sim::PartTree::Part& own = tree.part(part);
  tree.take(part, z_.data());
  tree.clear_halo(part, d_.data());
  for (int s = own.begin; s < own.end; ++s) quads(d_)[s] = quads(mass_)[s] * quads(w_)[s];
  for (const auto& batch : batches_) batch->add_gradient(part, z_.data(), 1, d_.data());
  tree.collect(part, d_.data());
  if (part != tree.top_index()) inverse_->forward(part, d_.data());
}

IterationTimes Iteration::times(const sim::Points& x) {
  const sim::PartTree& tree = plan_->tree();
  const Eigen::RowVector3d middle = x.colwise().mean();
  for (int s = 0; s < tree.vertices(); ++s)
    for (int k = 0; k < 3; ++k) start_[4 * s + k] = static_cast<float>(x(plan_->order()[s], k) - middle[k]);
  std::fill_n(w_.data(), w_.size(), 0.0f);
  std::fill_n(d_.data(), d_.size(), 0.0f);
  sim::Workers alone(1);
  const auto parts = static_cast<std::size_t>(tree.count());
  std::vector<std::vector<double>> down(parts), up(parts);
  std::vector<double> dense;
  const auto timed = [](std::vector<double>& times, const auto& work) {
    const Clock clock;
    work();
    times.push_back(clock.milliseconds());
  };
  for (int time = 0; time < kTimes; ++time) {
    timed(dense, [&] { inverse_->solve_top(d_.data(), alone); });
    const auto go = [&](int part, auto& times, const auto& way) {
      timed(times[static_cast<std::size_t>(part)], [&] { way(part); });
    };
    const auto both = [&](int part) { go(part, down, [&](int p) { go_down(p); }); };
    const auto back = [&](int part) { go(part, up, [&](int p) { go_up(p); }); };
    both(tree.top_index());
    tree.down_and_up(alone, both, back);
    back(tree.top_index());
  }
  // The rows of the top's inverse are shared by all cores.
  const double top = typical(dense), at_top = typical(down.back()) + typical(up.back());
  const auto on = [&](int cores) {
    double path = top / cores + at_top;
    const auto level = [&](std::span<const int> level_parts, bool with_down, bool with_up) {
      std::vector<double> tasks;
      for (const int part : level_parts) {
        const auto p = static_cast<std::size_t>(part);
        tasks.push_back((with_down ? typical(down[p]) : 0) + (with_up ? typical(up[p]) : 0));
      }
      path += makespan(tasks, cores);
    };
    for (const auto& between : tree.between()) {
      level(between, true, false);
      level(between, false, true);
    }
    level(tree.leaves(), true, true);
    return path;
  };
  return {on(1), on(4), on(8), on(16)};
}

}  // namespace rebound::bench
