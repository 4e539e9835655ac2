#include "sim/step/newton_cg.hpp"

#include <cmath>

#include "sim/base/row_passes.hpp"

namespace rebound::sim {
namespace {

double dot(const Points& a, const Points& b, Workers& workers) {
  return sum_rows<1>(workers, a.rows(), [&](Eigen::Index first, Eigen::Index rows, auto& sum) {
    sum[0] += a.middleRows(first, rows).cwiseProduct(b.middleRows(first, rows)).sum();
  })[0];
}

}  // namespace

SolveReport NewtonCg::minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  first_gradient_ = 0;
  products_ = 0;
  return Newton::minimize(g, effort, stop, x);
}

bool NewtonCg::find_direction(const Objective& g, const Points& x) {
  Workers& workers = g.work().workers;
  HessianBlocks& H = hessian_.blocks();
  g.hessian(x, false, H);
  invert_blocks(workers);

  const double size = std::sqrt(dot(gradient_, gradient_, workers));
  if (first_gradient_ == 0) first_gradient_ = size;
  const double enough = std::min(0.5, std::sqrt(size / first_gradient_)) * size;
  d_.setZero(x.rows(), 3);
  r_ = -gradient_;
  precondition(r_, z_, workers);
  p_ = z_;
  double rz = dot(r_, z_, workers);
  const Eigen::Index most = x.size();
  for (Eigen::Index i = 0; i < most && std::isfinite(rz); ++i) {
    H.multiply(p_, Hp_, workers);
    ++products_;
    const double curvature = dot(p_, Hp_, workers);
    if (!(curvature > 0)) {
      if (i == 0) d_ = p_;
      break;
    }
    const double step = rz / curvature;
    d_ += step * p_;
    r_ -= step * Hp_;
    if (std::sqrt(dot(r_, r_, workers)) <= enough) break;
    precondition(r_, z_, workers);
    const double next = dot(r_, z_, workers);
    p_ = z_ + (next / rz) * p_;
    rz = next;
  }
  return std::isfinite(d_.squaredNorm());
}

// A block that is not positive definite leaves its mass alone: any positive matrix will do.
void NewtonCg::invert_blocks(Workers& workers) {
  inverse_.resize(static_cast<std::size_t>(model_.vertices()));
  each_rows(workers, model_.vertices(), [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index i = first; i < first + rows; ++i) {
      const Eigen::Matrix3d block = hessian_.blocks().diagonal_block(static_cast<int>(i));
      const Eigen::LLT<Eigen::Matrix3d> factor(block);
      Eigen::Matrix3d& inverse = inverse_[static_cast<std::size_t>(i)];
      if (factor.info() == Eigen::Success) {
        inverse = factor.solve(Eigen::Matrix3d::Identity());
      } else {
        inverse = Eigen::Matrix3d::Identity() / model_.M[i];
      }
    }
  });
}

void NewtonCg::precondition(const Points& r, Points& z, Workers& workers) const {
  z.resize(r.rows(), 3);
  each_rows(workers, r.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index i = first; i < first + rows; ++i)
      z.row(i).noalias() = r.row(i) * inverse_[static_cast<std::size_t>(i)];
  });
}

}  // namespace rebound::sim
