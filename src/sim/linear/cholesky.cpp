#include "sim/linear/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/aligned_buffer.hpp"
#include "sim/base/memory.hpp"
#include "sim/base/run_tasks.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/linear/cholmod_support.hpp"
#include "sim/linear/panel_solve_kernel.hpp"
#include "sim/linear/sparse_pattern.hpp"
#include "sim/linear/supernodal_factor.hpp"
#include "sim/linear/supernodal_solve.hpp"

namespace rebound::sim {

struct CholeskyAnalysis::Symbolic {
  Symbolic(const SparseMatrix& of, const SparseMatrix* vertices, std::vector<int> vertex_order);
  ~Symbolic() { cholmod_free_factor(&factor, &workspace.common); }

  /// Of a factor, in both of the forms that it has.
  double bytes() const;
  /// Of a supernodal factor; made when first wanted, of any matrix of the pattern.
  const SupernodalPlan& plan(const SparseMatrix& of) const;

  std::optional<SparsePattern> pattern;  ///< not of one of blocks
  CholmodWorkspace workspace;
  cholmod_factor* factor = nullptr;

 private:
  mutable std::once_flag planned_;
  mutable std::optional<SupernodalPlan> plan_;
};

const SupernodalPlan& CholeskyAnalysis::Symbolic::plan(const SparseMatrix& of) const {
  std::call_once(planned_, [&] { plan_.emplace(*factor, of); });
  return *plan_;
}

double CholeskyAnalysis::Symbolic::bytes() const {
  const int* of_column = static_cast<const int*>(factor->ColCount);
  const double entries = std::accumulate(of_column, of_column + factor->n, 0.0);
  const double dense = factor->is_super ? static_cast<double>(factor->xsize + factor->maxcsize) * sizeof(double) : 0;
  return dense + entries * (sizeof(double) + sizeof(int));
}

CholeskyAnalysis::Symbolic::Symbolic(const SparseMatrix& of, const SparseMatrix* vertices,
                                     std::vector<int> vertex_order) {
  std::vector<int> order;
  if (vertices == nullptr) {
    pattern.emplace(of);
  } else {
    workspace.common.supernodal = CHOLMOD_SIMPLICIAL;
    if (!vertex_order.empty()) workspace.common.method[0].ordering = CHOLMOD_GIVEN;
    cholmod_factor* ordered = analyze(*vertices, vertex_order.empty() ? nullptr : vertex_order.data(), workspace);
    const int* vertex = static_cast<const int*>(ordered->Perm);
    for (std::size_t k = 0; k < ordered->n; ++k)
      for (int c = 0; c < 3; ++c) order.push_back(3 * vertex[k] + c);
    cholmod_free_factor(&ordered, &workspace.common);
    workspace.common.method[0].ordering = CHOLMOD_GIVEN;
    workspace.common.postorder = false;  // it is one already
  }
  workspace.common.supernodal = CHOLMOD_AUTO;
  factor = analyze(of, order.empty() ? nullptr : order.data(), workspace);
}

bool CholeskyAnalysis::is_of(const SparseMatrix& A) const { return symbolic_->pattern && symbolic_->pattern->is_of(A); }

CholeskyAnalysis::CholeskyAnalysis(const SparseMatrix& pattern)
    : symbolic_(std::make_shared<Symbolic>(pattern, nullptr, std::vector<int>())) {}

CholeskyAnalysis::CholeskyAnalysis(const SparseMatrix& pattern, const SparseMatrix& vertices)
    : CholeskyAnalysis(pattern, vertices, {}) {}

CholeskyAnalysis::CholeskyAnalysis(const SparseMatrix& pattern, const SparseMatrix& vertices, std::vector<int> order)
    : symbolic_(std::make_shared<Symbolic>(pattern, &vertices, std::move(order))) {}

std::vector<int> CholeskyAnalysis::vertex_order() const {
  const int* coordinate = static_cast<const int*>(symbolic_->factor->Perm);
  std::vector<int> order(symbolic_->factor->n / 3);
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = coordinate[3 * k] / 3;
  return order;
}

CholeskyAnalysis::~CholeskyAnalysis() = default;

namespace {

// What cholmod_solve2 writes to, kept between solves.
struct SolveSpace {
  ~SolveSpace() {
    for (cholmod_dense** dense : {&X, &Y, &E}) cholmod_free_dense(dense, &workspace.common);
  }

  /// b := A^-1 b, column by column.
  void solve(cholmod_factor* L, double* column_major, int columns) {
    cholmod_dense b{};
    b.nrow = b.d = L->n;
    b.ncol = static_cast<std::size_t>(columns);
    b.nzmax = b.nrow * b.ncol;
    b.x = column_major;
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    cholmod_solve2(CHOLMOD_A, L, &b, nullptr, &X, nullptr, &Y, &E, &workspace.common);
    check_memory(workspace.common);
    const double* x = static_cast<const double*>(X->x);
    std::copy(x, x + b.nzmax, column_major);
  }

  CholmodWorkspace workspace;
  cholmod_dense *X = nullptr, *Y = nullptr, *E = nullptr;
};

}  // namespace

// Everything that CHOLMOD writes to.
struct CholmodFactor {
  ~CholmodFactor() { cholmod_free_factor(&L, &workspace.common); }

  /// b := A^-1 b, column by column.
  void solve(double* column_major, int columns) { space.solve(L, column_major, columns); }
  /// The same for several columns of a supernodal factor, a panel of them each task.
  void solve_panels(double* column_major, int columns, Workers* workers);
  /// And for one.
  void solve_alone(double* b, Workers* workers);

  CholmodWorkspace workspace;
  cholmod_factor* L = nullptr;
  SolveSpace space;
  std::optional<SupernodalFactoring<double>> numbers;  ///< of a supernodal factor that is made anew and anew
  std::optional<SupernodalSolve<double>> alone;
  std::vector<std::vector<double>> panels;
  std::vector<double> ordered;
};

// Of each panel: as many as go at once, and as many in each thread's.
int panel_columns(int columns, int threads) {
  const auto parts = [](int whole, int part) { return (whole + part - 1) / part; };
  const int narrow = parts(columns, kPanelColumns), panels = parts(columns, kMostPanelColumns);
  const int even = std::min(narrow, parts(panels, threads) * threads);
  return parts(narrow, even) * kPanelColumns;
}

void CholmodFactor::solve_panels(double* column_major, int columns, Workers* workers) {
  const auto n = static_cast<Eigen::Index>(L->n);
  const SupernodalFactor supernodal{static_cast<int>(L->nsuper),    static_cast<const int*>(L->super),
                                    static_cast<const int*>(L->pi), static_cast<const int*>(L->px),
                                    static_cast<const int*>(L->s),  static_cast<const double*>(L->x)};
  const int* order = static_cast<const int*>(L->Perm);
  const int threads = workers != nullptr ? workers->threads() : 1;
  const int stride = panel_columns(columns, threads), tasks = (columns + stride - 1) / stride;
  if (static_cast<int>(panels.size()) < tasks) panels.resize(static_cast<std::size_t>(tasks));
  const auto solve_one = [&](int task) {
    const int first = task * stride, own_columns = std::min(stride, columns - first);
    const int width = (own_columns + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
    std::vector<double>& panel = panels[static_cast<std::size_t>(task)];
    const auto entries = static_cast<std::size_t>(n * width);
    if (panel.size() < entries) panel.resize(entries);
    double* own = column_major + first * n;
    // More columns at a time would be more places in memory than are read ahead.
    for (int c = 0; c < width; c += kPanelColumns) {
      const double* from = own + c * n;
      unrolled<kPanelColumns>(std::min(kPanelColumns, own_columns - c), [&](auto count) {
        for (Eigen::Index k = 0; k < n; ++k) {
          double* row = panel.data() + k * width + c;
          for (int j = 0; j < kPanelColumns; ++j) row[j] = j < count ? from[j * n + order[k]] : 0;
        }
      });
    }
    panel_solve_kernel().solve(supernodal, panel.data(), width);
    for (int c = 0; c < width; c += kPanelColumns) {
      double* to = own + c * n;
      unrolled<kPanelColumns>(std::min(kPanelColumns, own_columns - c), [&](auto count) {
        for (Eigen::Index k = 0; k < n; ++k) {
          const double* row = panel.data() + k * width + c;
          for (int j = 0; j < count; ++j) to[j * n + order[k]] = row[j];
        }
      });
    }
  };
  run_tasks(workers, tasks, solve_one);
}

void CholmodFactor::solve_alone(double* b, Workers* workers) {
  const auto n = static_cast<Eigen::Index>(L->n);
  const int* order = static_cast<const int*>(L->Perm);
  if (!alone) alone.emplace(numbers->plan());
  ordered.resize(L->n);
  for (Eigen::Index k = 0; k < n; ++k) ordered[static_cast<std::size_t>(k)] = b[order[k]];
  alone->run(static_cast<const double*>(L->x), ordered.data(), workers);
  for (Eigen::Index k = 0; k < n; ++k) b[order[k]] = ordered[static_cast<std::size_t>(k)];
}

Cholesky::Cholesky(const CholeskyAnalysis& analysis, const SparseMatrix& A)
    : factor_(std::make_unique<CholmodFactor>()) {
  cholmod_common& common = factor_->workspace.common;
  if (!all_finite(A)) return;

  // The buffer first: it is part of what is taken.
  const BlasRoom room;
  require_memory(analysis.symbolic_->bytes(),
                 "the factor of a system matrix with " + std::to_string(A.rows()) + " rows");
  auto matrix = cholmod_view(A);
  factor_->L = cholmod_copy_factor(analysis.symbolic_->factor, &common);
  if (factor_->L == nullptr) throw std::bad_alloc();
  common.supernodal = CHOLMOD_AUTO;
  common.final_ll = 1;
  cholmod_factorize(&matrix, factor_->L, &common);
  check_memory(common);
  if (common.status != CHOLMOD_OK || factor_->L->minor < factor_->L->n) return;
  // Whatever factored it, the simplicial form solves faster for three right-hand sides.
  cholmod_change_factor(CHOLMOD_REAL, 1, 0, 1, 1, factor_->L, &common);
  check_memory(common);
  nonzeros_ = static_cast<double>(factor_->L->nzmax);
  ok_ = test_residual(A) < 1e-8;
}

Cholesky::~Cholesky() = default;

// |A A^-1 b - b| / |b| for a b without structure.
double Cholesky::test_residual(const SparseMatrix& A) const {
  Vector b(A.rows());
  for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = std::sin(0.37 * static_cast<double>(i + 1));
  Vector x = b;
  solve(x);
  const Vector residual = A.selfadjointView<Eigen::Lower>() * x - b;
  return residual.norm() / b.norm();
}

void Cholesky::solve(Points& b) const {
  columns_.resize(static_cast<std::size_t>(b.size()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, 3>> columns(columns_.data(), b.rows(), 3);
  columns = b;
  factor_->solve(columns_.data(), 3);
  b = columns;
}

void Cholesky::solve(Vector& b) const { factor_->solve(b.data(), 1); }

RepeatedCholesky::RepeatedCholesky(std::shared_ptr<const CholeskyAnalysis> analysis) : analysis_(std::move(analysis)) {}

RepeatedCholesky::~RepeatedCholesky() = default;

// The analysed pattern, to be filled.
CholmodFactor& RepeatedCholesky::fresh(std::unique_ptr<CholmodFactor>& factor) {
  if (!factor) factor = std::make_unique<CholmodFactor>();
  if (factor->L == nullptr) {
    require_memory(analysis_->symbolic_->bytes(),
                   "the factor of a system matrix with " + std::to_string(analysis_->symbolic_->factor->n) + " rows");
    factor->L = cholmod_copy_factor(analysis_->symbolic_->factor, &factor->workspace.common);
    if (factor->L == nullptr) throw std::bad_alloc();
  }
  return *factor;
}

bool RepeatedCholesky::factor(const SparseMatrix& A, Workers* workers) {
  is_single_ = false;
  if (!all_finite(A)) return false;
  CholmodFactor& factor = fresh(factor_);
  cholmod_common& common = factor.workspace.common;
  if (factor.L->is_super) {
    if (factor.L->xtype == CHOLMOD_PATTERN) cholmod_change_factor(CHOLMOD_REAL, 1, 1, 1, 1, factor.L, &common);
    check_memory(common);
    if (!factor.numbers) factor.numbers.emplace(analysis_->symbolic_->plan(A));
    return factor.numbers->run(A, static_cast<double*>(factor.L->x), workers);
  }
  auto matrix = cholmod_view(A);
  common.supernodal = CHOLMOD_SIMPLICIAL;
  common.final_ll = 1;
  common.quick_return_if_not_posdef = 1;
  cholmod_factorize(&matrix, factor.L, &common);
  check_memory(common);
  return common.status == CHOLMOD_OK && factor.L->minor == factor.L->n;
}

// L in single precision, and what is needed to make it and to solve with it.
struct SingleFactor {
  SingleFactor(const SupernodalPlan& plan, const cholmod_factor& symbolic)
      : order(static_cast<const int*>(symbolic.Perm)),
        L(plan.values()),
        numbers(plan),
        alone(plan),
        ordered(static_cast<std::size_t>(plan.size())) {}

  const int* order;
  AlignedBuffer<float> L;
  SupernodalFactoring<float> numbers;
  SupernodalSolve<float> alone;
  std::vector<float> ordered;
};

bool RepeatedCholesky::factor_single(const SparseMatrix& A, Workers* workers) {
  const CholeskyAnalysis::Symbolic& symbolic = *analysis_->symbolic_;
  if (!symbolic.factor->is_super) return factor(A, workers);
  is_single_ = true;
  if (!all_finite(A)) return false;
  if (!single_) {
    require_memory(static_cast<double>(symbolic.plan(A).values()) * sizeof(float),
                   "the factor of a system matrix with " + std::to_string(A.rows()) + " rows");
    single_ = std::make_unique<SingleFactor>(symbolic.plan(A), *symbolic.factor);
  }
  return single_->numbers.run(A, single_->L.data(), workers);
}

void RepeatedCholesky::solve_single(Eigen::Ref<Eigen::MatrixXd> b, Workers* workers) {
  auto& [order, L, numbers, alone, ordered] = *single_;
  for (Eigen::Index column = 0; column < b.cols(); ++column) {
    for (std::size_t k = 0; k < ordered.size(); ++k) ordered[k] = static_cast<float>(b(order[k], column));
    alone.run(L.data(), ordered.data(), workers);
    for (std::size_t k = 0; k < ordered.size(); ++k) b(order[k], column) = ordered[k];
  }
}

// The supernodal form is for positive definite matrices alone.
bool RepeatedCholesky::factor_indefinite(const SparseMatrix& A) {
  if (!all_finite(A)) return false;
  CholmodFactor& factor = fresh(indefinite_);
  cholmod_common& common = factor.workspace.common;
  if (factor.L->is_super) cholmod_change_factor(CHOLMOD_PATTERN, 0, 0, 1, 1, factor.L, &common);
  auto matrix = cholmod_view(A);
  common.supernodal = CHOLMOD_SIMPLICIAL;
  common.final_ll = 0;
  cholmod_factorize(&matrix, factor.L, &common);
  check_memory(common);
  return common.status == CHOLMOD_OK && factor.L->minor == factor.L->n;
}

void RepeatedCholesky::solve_indefinite(Eigen::Ref<Eigen::MatrixXd> b) {
  indefinite_->solve(b.data(), static_cast<int>(b.cols()));
}

void RepeatedCholesky::solve(Eigen::Ref<Eigen::MatrixXd> b, Workers* workers) {
  if (is_single_) return solve_single(b, workers);
  if (!factor_->L->is_super) return factor_->solve(b.data(), static_cast<int>(b.cols()));
  if (b.cols() == 1) return factor_->solve_alone(b.data(), workers);
  factor_->solve_panels(b.data(), static_cast<int>(b.cols()), workers);
}

double RepeatedCholesky::nonzeros() const {
  if (single_) return static_cast<double>(single_->L.size());
  if (!factor_ || factor_->L == nullptr) return 0;
  return static_cast<double>(factor_->L->is_super ? factor_->L->xsize : factor_->L->nzmax);
}

}  // namespace rebound::sim
