#include "sim/linear/supernodal_solve.hpp"

#include <algorithm>

#include "sim/base/run_tasks.hpp"
#include "sim/linear/supernode_kernel.hpp"

namespace rebound::sim {

template <class Number>
SupernodalSolve<Number>::SupernodalSolve(const SupernodalPlan& plan) : plan_(plan) {
  place_above_.assign(static_cast<std::size_t>(plan.size()), -1);
  for (const int s : plan.top())
    for (int c = plan.first_column(s); c < plan.first_column(s) + plan.columns(s); ++c) {
      place_above_[static_cast<std::size_t>(c)] = static_cast<int>(above_columns_.size());
      above_columns_.push_back(c);
    }
  const auto height = static_cast<std::size_t>(plan.largest_height());
  subtrees_.assign(plan.subtrees().size(), {std::vector<Number>(height), std::vector<Number>(above_columns_.size())});
  top_below_.resize(height);
}

template <class Number>
void SupernodalSolve<Number>::run(const Number* values, Number* x, Workers* workers) {
  const auto of = [&](int task) -> const std::vector<int>& { return plan_.subtrees()[static_cast<std::size_t>(task)]; };
  const int tasks = static_cast<int>(plan_.subtrees().size());
  run_tasks(workers, tasks, [&](int task) {
    auto& [below, above] = subtrees_[static_cast<std::size_t>(task)];
    std::fill(above.begin(), above.end(), Number{0});
    for (const int s : of(task)) {
      forward(s, values, x, below.data(), nullptr);
      const int *rows = plan_.rows(s) + plan_.columns(s), count = plan_.row_count(s) - plan_.columns(s);
      for (int r = 0; r < count; ++r) {
        const int place = place_above_[static_cast<std::size_t>(rows[r])];
        (place < 0 ? x[rows[r]] : above[static_cast<std::size_t>(place)]) += below[static_cast<std::size_t>(r)];
      }
    }
  });
  for (const Room& room : subtrees_)
    for (std::size_t k = 0; k < above_columns_.size(); ++k) x[above_columns_[k]] += room.above[k];
  for (const int s : plan_.top()) {
    forward(s, values, x, top_below_.data(), workers);
    const int *rows = plan_.rows(s) + plan_.columns(s), count = plan_.row_count(s) - plan_.columns(s);
    for (int r = 0; r < count; ++r) x[rows[r]] += top_below_[static_cast<std::size_t>(r)];
  }
  for (auto s = plan_.top().rbegin(); s != plan_.top().rend(); ++s) backward(*s, values, x, top_below_.data(), workers);
  run_tasks(workers, tasks, [&](int task) {
    std::vector<Number>& below = subtrees_[static_cast<std::size_t>(task)].below;
    for (auto s = of(task).rbegin(); s != of(task).rend(); ++s) backward(*s, values, x, below.data(), nullptr);
  });
}

// The columns of s become those of L^-1 b; below := what is to be added to the rows below them.
template <class Number>
void SupernodalSolve<Number>::forward(int s, const Number* values, Number* x, Number* below, Workers* workers) const {
  const SupernodeKernel<Number>& kernel = supernode_kernel<Number>();
  const int columns = plan_.columns(s), rows = plan_.row_count(s);
  const Number* L = values + plan_.values_begin(s);
  Number* own = x + plan_.first_column(s);
  std::fill_n(below, rows - columns, Number{0});
  for (int p = 0; p < columns; p += kColumnsAtOnce) {
    const int width = std::min(kColumnsAtOnce, columns - p), after = p + width;
    const Number* block = L + static_cast<std::ptrdiff_t>(p) * rows;
    kernel.solve_lower(width, block + p, rows, own + p);
    run_tasks(workers, (rows - after + kRowsATask - 1) / kRowsATask, [&](int task) {
      const int begin = after + task * kRowsATask, end = std::min(rows, begin + kRowsATask);
      const int between = std::clamp(columns, begin, end);
      kernel.subtract_product(between - begin, width, block + begin, rows, own + p, own + begin);
      kernel.subtract_product(end - between, width, block + between, rows, own + p, below + between - columns);
    });
  }
}

template <class Number>
void SupernodalSolve<Number>::backward(int s, const Number* values, Number* x, Number* below, Workers* workers) const {
  const SupernodeKernel<Number>& kernel = supernode_kernel<Number>();
  const int columns = plan_.columns(s), rows = plan_.row_count(s);
  const Number* L = values + plan_.values_begin(s);
  Number* own = x + plan_.first_column(s);
  for (int r = columns; r < rows; ++r) below[r - columns] = x[plan_.rows(s)[r]];
  for (int p = (columns - 1) / kColumnsAtOnce * kColumnsAtOnce; p >= 0; p -= kColumnsAtOnce) {
    const int width = std::min(kColumnsAtOnce, columns - p), after = p + width;
    run_tasks(workers, (width + kColumnsATask - 1) / kColumnsATask, [&](int task) {
      const int first = p + task * kColumnsATask, count = std::min(kColumnsATask, after - first);
      const Number* strip = L + static_cast<std::ptrdiff_t>(first) * rows;
      kernel.subtract_transposed(rows - columns, count, strip + columns, rows, below, own + first);
      kernel.subtract_transposed(columns - after, count, strip + after, rows, own + after, own + first);
    });
    kernel.solve_upper(width, L + static_cast<std::ptrdiff_t>(p) * rows + p, rows, own + p);
  }
}

template class SupernodalSolve<double>;
template class SupernodalSolve<float>;

}  // namespace rebound::sim
