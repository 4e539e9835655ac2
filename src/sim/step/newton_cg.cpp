#include "sim/step/newton_cg.hpp"

#include <cmath>

namespace rebound::sim {

SolveReport NewtonCg::minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) {
  first_gradient_ = 0;
  products_ = 0;
  return Newton::minimize(g, effort, stop, x);
}

bool NewtonCg::find_direction(const Objective& g, const Points& x) {
  Workers& workers = g.work().workers;
  HessianBlocks& H = hessian_.blocks();
  // Where it curves down the equations end: there is no second try.
  g.hessian(x, curvatures(projection_).front(), H);
  invert_blocks(workers);

  const double size = std::sqrt(dot(gradient_, gradient_, workers));
  if (first_gradient_ == 0) first_gradient_ = size;
  const double enough = std::min(0.5, std::sqrt(size / first_gradient_)) * size;
  negative_ = -gradient_;
  const auto multiply = [&](const Points& p, Points& Hp) { H.multiply(p, Hp, workers); };
  const auto scale = [&](const Points& r, Points& z) { precondition(r, z, workers); };
  products_ += equations_.solve(negative_, enough, multiply, scale, d_, workers).products;
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
