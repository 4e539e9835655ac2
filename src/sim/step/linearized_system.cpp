#include "sim/step/linearized_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/unrolled.hpp"

namespace rebound::sim {

LinearizedSystem::LinearizedSystem(const Model& model, std::shared_ptr<const ComponentAnalysis> known)
    : model_(model), tangent_(model, std::move(known)) {}

void LinearizedSystem::weigh() {
  root_mass_.resize(size());
  for (Eigen::Index i = 0; i < model_.M.size(); ++i) root_mass_.segment<3>(3 * i).setConstant(std::sqrt(model_.M[i]));
  scale_ = model_.M.cwiseSqrt().cwiseInverse();
}

void LinearizedSystem::assemble(const Points& x, double h, LinearDamping damping, Workspace& work) {
  workers_ = &work.workers;
  weigh();
  mass_factor_ = 1 + h * damping.a;
  stiffness_factor_ = h * damping.b + h * h;
  tangent_.choose_exact_pattern();
  HessianBlocks& S = tangent_.blocks();
  S.set_zero();
  model_.add_hessian(x, Curvature::exact, S, work);
  masses_ = mass_factor_ * model_.M;
  S.scale_and_add(stiffness_factor_, masses_, scale_, model_.fixed, *workers_);
}

void LinearizedSystem::add_drag(double h_c) {
  SparseMatrix& S = tangent_.blocks().matrix();
  for (Eigen::Index j = 0; j < S.cols(); ++j)
    if (!model_.fixed[static_cast<std::size_t>(j / 3)])
      S.valuePtr()[S.outerIndexPtr()[j]] += h_c * scale_[j / 3] * scale_[j / 3];
}

bool LinearizedSystem::factor() {
  sharpened_ = false;
  offset_ = 0;
  definite_ = tangent_.factor(*workers_);
  return definite_ || tangent_.factor_indefinite(*workers_);
}

bool LinearizedSystem::factor_for_modes() { return factor() && (definite_ || factor_enlarged()); }

// Factors S~ + mu; S~ stays what it is.
bool LinearizedSystem::factor_shifted(double mu) {
  SparseMatrix& S = tangent_.blocks().matrix();
  const int* column = S.outerIndexPtr();
  diagonal_.resize(S.cols());
  for (Eigen::Index j = 0; j < S.cols(); ++j) {
    double& entry = S.valuePtr()[column[j]];
    diagonal_[j] = entry;
    entry += mu;
  }
  const bool factored = tangent_.factor(*workers_);
  for (Eigen::Index j = 0; j < S.cols(); ++j) S.valuePtr()[column[j]] = diagonal_[j];
  offset_ = mu;
  return factored;
}

// The first mu that makes S~ + mu positive definite.
bool LinearizedSystem::factor_enlarged() {
  constexpr double kGrowth = 4, kMost = 1e12;
  for (double mu = 1; mu <= kMost; mu *= kGrowth)
    if (factor_shifted(mu)) return true;
  return false;
}

void LinearizedSystem::sharpen(double shift) {
  sharpened_ = true;
  // A pair below the shift has not been seen yet: then as before.
  if (!factor_shifted(-shift)) restore();
}

void LinearizedSystem::restore() {
  if (!std::exchange(sharpened_, false)) return;
  if (definite_) {
    offset_ = 0;
    tangent_.factor(*workers_);
  } else {
    factor_enlarged();
  }
}

void LinearizedSystem::assemble_stiffness(const Points& x, Workspace& work) {
  workers_ = &work.workers;
  weigh();
  mass_factor_ = 0;
  stiffness_factor_ = 1;
  tangent_.choose_exact_pattern();
  HessianBlocks& K = tangent_.blocks();
  K.set_zero();
  model_.add_hessian(x, Curvature::exact, K, work);
  masses_.setZero(model_.vertices());
  K.scale_and_add(1, masses_, scale_, model_.fixed, *workers_);
}

void LinearizedSystem::multiply(const Vector& from, Vector& to) {
  from_.resize(model_.vertices(), 3);
  Eigen::Map<Vector>(from_.data(), size()) = from;
  tangent_.blocks().multiply(from_, to_, *workers_);
  to = Eigen::Map<const Vector>(to_.data(), size());
}

void LinearizedSystem::multiply(const Eigen::MatrixXd& from, Eigen::MatrixXd& to) {
  constexpr int kAtOnce = HessianBlocks::kVectorsAtOnce;
  constexpr Eigen::Index kRowsATask = 512;
  using Panel = Eigen::Map<HessianBlocks::Panel>;
  const Eigen::Index rows = from.rows(), width = (from.cols() + kAtOnce - 1) / kAtOnce * kAtOnce;
  for (std::vector<double>* of : {&panel_, &panel_image_})
    if (static_cast<Eigen::Index>(of->size()) < rows * width) of->resize(static_cast<std::size_t>(rows * width));
  Panel panel(panel_.data(), rows, width), image(panel_image_.data(), rows, width);
  // visit(first column, rows [begin, end), how many columns), a few columns at a time: more would be more places in
  // memory than are read ahead.
  const auto each_block = [&](const auto& visit) {
    workers_->run(static_cast<int>((rows + kRowsATask - 1) / kRowsATask), [&](int task) {
      const Eigen::Index begin = task * kRowsATask, end = std::min(rows, begin + kRowsATask);
      for (Eigen::Index first = 0; first < from.cols(); first += kAtOnce)
        unrolled<kAtOnce>(static_cast<int>(std::min<Eigen::Index>(kAtOnce, from.cols() - first)),
                          [&](auto count) { visit(first, begin, end, count); });
    });
  };
  each_block([&](Eigen::Index first, Eigen::Index begin, Eigen::Index end, auto count) {
    const double* columns = from.data() + first * rows;
    for (Eigen::Index i = begin; i < end; ++i) {
      double* row = &panel(i, first);
      for (int c = 0; c < kAtOnce; ++c) row[c] = c < count ? columns[c * rows + i] : 0;
    }
  });
  tangent_.blocks().multiply(panel, image, *workers_);
  to.resize(rows, from.cols());
  each_block([&](Eigen::Index first, Eigen::Index begin, Eigen::Index end, auto count) {
    double* columns = to.data() + first * rows;
    for (Eigen::Index i = begin; i < end; ++i) {
      const double* row = &image(i, first);
      for (int c = 0; c < count; ++c) columns[c * rows + i] = row[c];
    }
  });
}

void LinearizedSystem::precondition(Eigen::Ref<Eigen::MatrixXd> b) { tangent_.solve(b, *workers_); }

void LinearizedSystem::solve_once(Vector& b) {
  if (definite_) {
    tangent_.solve(b, *workers_);
  } else {
    tangent_.solve_indefinite(b, *workers_);
  }
}

void LinearizedSystem::solve(Vector& b) {
  if (definite_) return solve_once(b);
  wanted_ = b;
  solve_once(b);
  // Without pivoting some digits may be lost; a second look finds them again.
  multiply(b, image_);
  wanted_ -= image_;
  solve_once(wanted_);
  b += wanted_;
}

void LinearizedSystem::solve(Eigen::MatrixXd& b) {
  if (definite_) return precondition(b);
  for (Eigen::Index j = 0; j < b.cols(); ++j) {
    column_ = b.col(j);
    solve(column_);
    b.col(j) = column_;
  }
}

void LinearizedSystem::restrict(Eigen::MatrixXd& columns) const {
  for (Eigen::Index i = 0; i < model_.M.size(); ++i)
    if (model_.fixed[static_cast<std::size_t>(i)]) columns.middleRows(3 * i, 3).setZero();
}

int LinearizedSystem::free() const {
  return 3 * static_cast<int>(std::count(model_.fixed.begin(), model_.fixed.end(), 0));
}

void LinearizedSystem::clear_fixed(Vector& scaled) const {
  for (Eigen::Index i = 0; i < model_.M.size(); ++i)
    if (model_.fixed[static_cast<std::size_t>(i)]) scaled.segment<3>(3 * i).setZero();
}

void LinearizedSystem::scale_motion(const Points& v, Vector& scaled) const {
  scaled = Eigen::Map<const Vector>(v.data(), v.size()).cwiseProduct(root_mass_);
  clear_fixed(scaled);
}

void LinearizedSystem::scale_force(const Points& f, Vector& scaled) const {
  scaled = Eigen::Map<const Vector>(f.data(), f.size()).cwiseQuotient(root_mass_);
  clear_fixed(scaled);
}

Vector LinearizedSystem::scaled_motion(const Points& v) const {
  Vector scaled;
  scale_motion(v, scaled);
  return scaled;
}

Vector LinearizedSystem::scaled_force(const Points& f) const {
  Vector scaled;
  scale_force(f, scaled);
  return scaled;
}

void LinearizedSystem::add_motion(const Vector& scaled, Points& at) const {
  Eigen::Map<Vector>(at.data(), at.size()) += scaled.cwiseQuotient(root_mass_);
}

Points LinearizedSystem::motion(const Vector& scaled) const {
  Points q = Points::Zero(model_.vertices(), 3);
  add_motion(scaled, q);
  return q;
}

}  // namespace rebound::sim
