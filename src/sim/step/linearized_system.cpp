#include "sim/step/linearized_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rebound::sim {

LinearizedSystem::LinearizedSystem(const Model& model, std::shared_ptr<const ComponentAnalysis> known)
    : model_(model), tangent_(model, std::move(known)) {}

void LinearizedSystem::weigh() {
  root_mass_.resize(size());
  for (Eigen::Index i = 0; i < model_.M.size(); ++i) root_mass_.segment<3>(3 * i).setConstant(std::sqrt(model_.M[i]));
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
  S.scale_and_add(stiffness_factor_, masses_, model_.fixed);
}

void LinearizedSystem::add_drag(double h_c) {
  SparseMatrix& S = tangent_.blocks().matrix();
  for (Eigen::Index j = 0; j < S.cols(); ++j)
    if (!model_.fixed[static_cast<std::size_t>(j / 3)]) S.valuePtr()[S.outerIndexPtr()[j]] += h_c;
}

bool LinearizedSystem::factor() {
  sharpened_ = false;
  offset_ = 0;
  definite_ = tangent_.factor(*workers_);
  return definite_ || tangent_.factor_indefinite(*workers_);
}

bool LinearizedSystem::factor_for_modes() { return factor() && (definite_ || factor_enlarged()); }

// Factors S + mu M; S stays what it is.
bool LinearizedSystem::factor_shifted(double mu) {
  SparseMatrix& S = tangent_.blocks().matrix();
  const int* column = S.outerIndexPtr();
  diagonal_.resize(S.cols());
  for (Eigen::Index j = 0; j < S.cols(); ++j) {
    double& entry = S.valuePtr()[column[j]];
    diagonal_[j] = entry;
    entry += mu * root_mass_[j] * root_mass_[j];
  }
  const bool factored = tangent_.factor(*workers_);
  for (Eigen::Index j = 0; j < S.cols(); ++j) S.valuePtr()[column[j]] = diagonal_[j];
  offset_ = mu;
  return factored;
}

// The first mu that makes S + mu M positive definite.
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
  K.scale_and_add(1, masses_, model_.fixed);
}

void LinearizedSystem::multiply(const Vector& from, Vector& to) {
  from_.resize(model_.vertices(), 3);
  Eigen::Map<Vector>(from_.data(), size()) = from.cwiseQuotient(root_mass_);
  tangent_.blocks().multiply(from_, to_, *workers_);
  to = Eigen::Map<const Vector>(to_.data(), size()).cwiseQuotient(root_mass_);
}

void LinearizedSystem::multiply(const Eigen::MatrixXd& from, Eigen::MatrixXd& to) {
  constexpr int kAtOnce = HessianBlocks::kVectorsAtOnce;
  constexpr Eigen::Index kRowsATask = 2048;
  const Eigen::Index rows = from.rows();
  const auto each_block = [&](const auto& visit) {
    workers_->run(static_cast<int>((rows + kRowsATask - 1) / kRowsATask), [&](int task) {
      const Eigen::Index begin = task * kRowsATask;
      visit(begin, std::min(kRowsATask, rows - begin));
    });
  };
  to.resize(rows, from.cols());
  for (Eigen::Index first = 0; first < from.cols(); first += kAtOnce) {
    const Eigen::Index count = std::min<Eigen::Index>(kAtOnce, from.cols() - first);
    panel_.resize(rows, kAtOnce);
    each_block([&](Eigen::Index begin, Eigen::Index height) {
      panel_.block(begin, count, height, kAtOnce - count).setZero();
      panel_.block(begin, 0, height, count) =
          from.block(begin, first, height, count).array().colwise() / root_mass_.segment(begin, height).array();
    });
    tangent_.blocks().multiply(panel_, panel_image_, *workers_);
    each_block([&](Eigen::Index begin, Eigen::Index height) {
      to.block(begin, first, height, count) =
          panel_image_.block(begin, 0, height, count).array().colwise() / root_mass_.segment(begin, height).array();
    });
  }
}

void LinearizedSystem::precondition(Eigen::Ref<Eigen::MatrixXd> b) {
  const auto weigh_columns = [&] {
    workers_->run(static_cast<int>(b.cols()), [&](int j) { b.col(j).array() *= root_mass_.array(); });
  };
  weigh_columns();
  tangent_.solve(b, *workers_);
  weigh_columns();
}

void LinearizedSystem::solve_once(Vector& b) {
  b = b.cwiseProduct(root_mass_);
  if (definite_) {
    tangent_.solve(b, *workers_);
  } else {
    tangent_.solve_indefinite(b, *workers_);
  }
  b = b.cwiseProduct(root_mass_);
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
