#include "sim/linear/supernodal_factor.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "sim/base/run_tasks.hpp"
#include "sim/linear/cholmod_support.hpp"
#include "sim/linear/dense_blas.hpp"

namespace rebound::sim {
namespace {

// Of a supernode whose updates, and whose own factor, are left to our kernel; a BLAS is faster at what is larger.
constexpr int kKernelInner = 96, kKernelColumns = 96;
// Columns of a supernode that are worked out at a time.
constexpr int kColumnsAtOnce = 192;
// Rows of a supernode above the cut that are one task.
constexpr int kStrip = 128;
// Numbers that are set to zero by one task.
constexpr std::size_t kZerosATask = std::size_t{1} << 17;
// Of a diagonal block that is worked out without the BLAS.
constexpr int kSmall = 24;

/// The lower half of A, n x n, becomes L of A = L L^T. False where a pivot is not positive.
template <class Number>
bool factor_dense(int n, Number* A, int lda) {
  if (n > kSmall) {
    const int half = n / 2, rest = n - half;
    Number *below = A + half, *right = below + static_cast<std::ptrdiff_t>(half) * lda;
    if (!factor_dense(half, A, lda)) return false;
    divide_right(Transposed::yes, rest, half, 1, A, lda, below, lda);
    square(Transposed::no, rest, half, -1, below, lda, 1, right, lda);
    return factor_dense(rest, right, lda);
  }
  for (int j = 0; j < n; ++j) {
    Number* column = A + static_cast<std::ptrdiff_t>(j) * lda;
    for (int k = 0; k < j; ++k) {
      const Number* left = A + static_cast<std::ptrdiff_t>(k) * lda;
      const Number factor = left[j];
      for (int i = j; i < n; ++i) column[i] -= factor * left[i];
    }
    if (!(column[j] > 0)) return false;
    const Number pivot = std::sqrt(column[j]), inverse = 1 / pivot;
    column[j] = pivot;
    for (int i = j + 1; i < n; ++i) column[i] *= inverse;
  }
  return true;
}

/// runs := `count` rows of A, as rows of the supernode at hand. Returns their end.
RowRun* find_runs(const int* rows, int count, const int* local, RowRun* runs) {
  RowRun* last = runs;
  *last = {0, local[rows[0]], 1};
  for (int r = 1; r < count; ++r) {
    const int to = local[rows[r]];
    if (to == last->to + last->count) {
      ++last->count;
    } else {
      *++last = {r, to, 1};
    }
  }
  return last + 1;
}

}  // namespace

template <class Number>
class SupernodalFactoring<Number>::Lease {
 public:
  explicit Lease(SupernodalFactoring& of) : of_(of) {
    const std::lock_guard lock(of_.mutex_);
    which_ = of_.free_.back();
    of_.free_.pop_back();
  }
  ~Lease() {
    const std::lock_guard lock(of_.mutex_);
    of_.free_.push_back(which_);
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Scratch& scratch() { return of_.scratch_[which_]; }

 private:
  SupernodalFactoring& of_;
  std::size_t which_;
};

// The top is cleared in pieces: memory that nobody has touched yet takes longer than to factor it.
template <class Number>
SupernodalFactoring<Number>::SupernodalFactoring(const SupernodalPlan& plan) : plan_(plan) {
  for (const int s : plan_.top())
    for (std::size_t i = 0, count = size_of(s); i < count; i += kZerosATask)
      top_.push_back({static_cast<std::size_t>(plan_.values_begin(s)) + i, std::min(kZerosATask, count - i)});
}

template <class Number>
bool SupernodalFactoring<Number>::run(const SparseMatrix& A, Number* values, Workers* workers) {
  const BlasRoom room(workers != nullptr ? workers->threads() : 1);
  const auto threads = static_cast<std::size_t>(room.threads());
  // Where the BLAS has no room for all of them.
  if (workers != nullptr && static_cast<int>(threads) < workers->threads()) workers = nullptr;
  workers_ = workers;
  const auto n = static_cast<std::size_t>(A.rows());
  while (scratch_.size() < threads) {
    free_.reserve(threads);
    free_.push_back(scratch_.size());
    scratch_.push_back({std::vector<Number>(plan_.largest_update()), std::vector<int>(n),
                        std::vector<RowRun>(static_cast<std::size_t>(plan_.largest_height()))});
  }
  local_.resize(n);
  pause();
  std::atomic<bool> good{true};
  run_tasks(workers, static_cast<int>(plan_.subtrees().size()), [&](int task) {
    if (good.load(std::memory_order_relaxed) &&
        !factor_subtree(plan_.subtrees()[static_cast<std::size_t>(task)], A.valuePtr(), values))
      good.store(false, std::memory_order_relaxed);
  });
  if (!good) return false;
  clear_top(values);
  run_tasks(workers, static_cast<int>(plan_.top().size()),
            [&](int i) { read(plan_.top()[static_cast<std::size_t>(i)], A.valuePtr(), values); });
  return std::all_of(plan_.top().begin(), plan_.top().end(), [&](int s) { return factor_top(s, values, workers); });
}

template <class Number>
void SupernodalFactoring<Number>::clear_top(Number* values) {
  run_tasks(workers_, static_cast<int>(top_.size()), [&](int i) {
    const Stretch& stretch = top_[static_cast<std::size_t>(i)];
    std::fill_n(values + stretch.begin, stretch.count, Number{0});
  });
}

// Supernode s, which is zero, becomes what A has there.
template <class Number>
void SupernodalFactoring<Number>::read(int s, const double* A, Number* values) const {
  for (const SupernodeEntry* e = plan_.entries_begin(s); e != plan_.entries_end(s); ++e)
    values[e->to] = static_cast<Number>(A[e->from]);
}

template <class Number>
bool SupernodalFactoring<Number>::factor_subtree(const std::vector<int>& supernodes, const double* A, Number* values) {
  Lease lease(*this);
  Scratch& scratch = lease.scratch();
  for (const int s : supernodes) {
    pause();
    std::fill_n(values + plan_.values_begin(s), size_of(s), Number{0});
    read(s, A, values);
    for (int r = 0; r < plan_.row_count(s); ++r) scratch.local[static_cast<std::size_t>(plan_.rows(s)[r])] = r;
    update(s, 0, plan_.row_count(s), scratch.local.data(), values, scratch);
    if (!factor_own(s, plan_.row_count(s), values, nullptr)) return false;
  }
  return true;
}

template <class Number>
bool SupernodalFactoring<Number>::factor_top(int s, Number* values, Workers* workers) {
  const int rows = plan_.row_count(s);
  for (int r = 0; r < rows; ++r) local_[static_cast<std::size_t>(plan_.rows(s)[r])] = r;
  run_tasks(workers, (rows + kStrip - 1) / kStrip, [&](int strip) {
    Lease lease(*this);
    update(s, strip * kStrip, std::min(rows, (strip + 1) * kStrip), local_.data(), values, lease.scratch());
  });
  return factor_own(s, kStrip, values, workers);
}

// Rows [first_row, last_row) of supernode s, less what those below it take from them.
template <class Number>
void SupernodalFactoring<Number>::update(int s, int first_row, int last_row, const int* local, Number* values,
                                         Scratch& scratch) const {
  const SupernodeKernel<Number>& kernel = supernode_kernel<Number>();
  Number* product = scratch.product.data();
  const int *rows = plan_.rows(s), stride = plan_.row_count(s), first_column = plan_.first_column(s);
  Number* own = values + plan_.values_begin(s);
  for (const SupernodeUpdate* u = plan_.updates_begin(s); u != plan_.updates_end(s); ++u) {
    const int d = u->from, k = plan_.columns(d), height = plan_.row_count(d);
    const int* d_rows = plan_.rows(d);
    const Number* L = values + plan_.values_begin(d);
    const auto row_at = [&](int row) {
      if (row >= stride) return height;
      return static_cast<int>(std::lower_bound(d_rows + u->begin, d_rows + height, rows[row]) - d_rows);
    };
    const int begin = first_row == 0 ? u->begin : row_at(first_row), end = row_at(last_row);
    if (begin >= end) continue;
    pause();
    // Of the part above the diagonal nothing is wanted.
    const int columns_end = std::min(u->end, end), columns = columns_end - u->begin, m = end - begin;
    if (k <= kKernelInner) {
      kernel.multiply(m, columns, k, begin - u->begin, L + begin, L + u->begin, height, product);
    } else if (begin == u->begin) {
      square(Transposed::no, columns, k, 1, L + begin, height, 0, product, m);
      multiply(m - columns, columns, k, 1, L + columns_end, height, L + begin, height, 0, product + columns, m);
    } else {
      multiply(m, columns, k, 1, L + begin, height, L + u->begin, height, 0, product, m);
    }
    RowRun* run = scratch.runs.data();
    RowRun* const runs_end = find_runs(d_rows + begin, m, local, run);
    for (int c = 0; c < columns; ++c) {
      if (u->begin + c > begin && --run->count == 0) {
        ++run;
      } else if (u->begin + c > begin) {
        ++run->from, ++run->to;
      }
      kernel.subtract(product + static_cast<std::ptrdiff_t>(c) * m, run, static_cast<int>(runs_end - run),
                      own + static_cast<std::ptrdiff_t>(d_rows[u->begin + c] - first_column) * stride);
    }
  }
}

// What is left of the columns of s becomes L, so many rows a task.
template <class Number>
bool SupernodalFactoring<Number>::factor_own(int s, int strip, Number* values, Workers* workers) const {
  const int columns = plan_.columns(s), rows = plan_.row_count(s);
  Number* own = values + plan_.values_begin(s);
  if (strip >= rows && columns <= kKernelColumns) return supernode_kernel<Number>().factor(rows, columns, own);
  const auto column = [&](int c) { return own + static_cast<std::ptrdiff_t>(c) * rows; };
  const auto strips = [&](int first, const auto& visit) {
    run_tasks(workers, (rows - first + strip - 1) / strip,
              [&](int task) { visit(first + task * strip, std::min(rows, first + (task + 1) * strip)); });
  };
  for (int p = 0; p < columns; p += kColumnsAtOnce) {
    const int width = std::min(kColumnsAtOnce, columns - p);
    pause();
    if (p > 0)
      strips(p, [&](int begin, int end) {
        multiply(end - begin, width, p, -1, own + begin, rows, own + p, rows, 1, column(p) + begin, rows);
      });
    pause();
    if (!factor_dense(width, column(p) + p, rows)) return false;
    pause();
    strips(p + width, [&](int begin, int end) {
      divide_right(Transposed::yes, end - begin, width, 1, column(p) + p, rows, column(p) + begin, rows);
    });
  }
  return true;
}

template class SupernodalFactoring<double>;
template class SupernodalFactoring<float>;

}  // namespace rebound::sim
