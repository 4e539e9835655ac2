#include "sim/energy/derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>

namespace rebound::sim {
namespace {

class Inspection {
 public:
  Inspection(const Energy& energy, const Points& x, Workspace& work, double enough)
      : energy_(energy), x_(x), work_(work), enough_(enough), n_(static_cast<int>(x.rows())) {
    const double size = n_ > 0 ? (x.colwise().maxCoeff() - x.colwise().minCoeff()).norm() : 0;
    step_ = 1e-6 * (size > 0 ? size : 1);
  }

  std::vector<std::string> run() {
    const double E = energy_.value(x_, work_);
    if (!std::isfinite(E)) {
      say() << "value() is " << E << " at x: take another x";
      return std::move(faults_);
    }
    Points g = Points::Zero(n_, 3);
    const double with_gradient = energy_.add_gradient(x_, g, work_);
    if (!(std::abs(with_gradient - E) <= 1e-9 * std::max(1.0, std::abs(E))))
      say() << "add_gradient() returns " << with_gradient << " J, and value() " << E << " J";
    find_places();
    inspect_gradient(g);
    inspect_hessian();
    return std::move(faults_);
  }

 private:
  std::ostringstream& say() {
    finish();
    said_.emplace();
    return *said_;
  }
  void finish() {
    if (said_) faults_.push_back(said_->str());
    said_.reset();
  }
  static std::string name(Eigen::Index coordinate) {
    return "vertex " + std::to_string(coordinate / 3) + " " + "xyz"[coordinate % 3];
  }
  Points moved(Eigen::Index coordinate, double by) const {
    Points x = x_;
    x(coordinate / 3, coordinate % 3) += by;
    return x;
  }

  void find_places() {
    Triplets L;
    energy_.add_laplacian(L);
    for (const auto& entry : L) {
      const int i = entry.row(), j = entry.col();
      if (i < 0 || j < 0 || i >= n_ || j >= n_)
        say() << "add_laplacian() names vertices " << i << " and " << j << "; x has " << n_;
      else if (i < j)
        say() << "add_laplacian() gives row " << i << ", column " << j << ": only rows from the diagonal down are read";
      else
        linked_.insert({i, j});
      finish();
    }
    std::vector<std::pair<int, int>> links;
    energy_.add_pattern(links);
    linked_.insert(links.begin(), links.end());
  }

  void inspect_gradient(const Points& g) {
    Vector by_differences(3 * n_);
    for (Eigen::Index c = 0; c < 3 * n_; ++c)
      by_differences[c] =
          (energy_.value(moved(c, step_), work_) - energy_.value(moved(c, -step_), work_)) / (2 * step_);
    const Vector said = Eigen::Map<const Vector>(g.data(), g.size());
    Eigen::Index worst = 0;
    const double off = (said - by_differences).cwiseAbs().maxCoeff(&worst);
    const double largest = std::max(said.cwiseAbs().maxCoeff(), by_differences.cwiseAbs().maxCoeff());
    if (!(off <= enough_ * largest))
      say() << "dE of " << name(worst) << " is " << said[worst] << " N by add_gradient(), and " << by_differences[worst]
            << " N by differences of value()";
    finish();
  }

  // H has a place for everything, so that nothing that is written is lost.
  void inspect_hessian() {
    Triplets all;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j <= i; ++j) all.emplace_back(i, j, 1.0);
    SparseMatrix pattern(n_, n_);
    pattern.setFromTriplets(all.begin(), all.end());
    HessianBlocks H(pattern);
    energy_.add_hessian(x_, Curvature::exact, H, work_);
    const Eigen::MatrixXd lower = H.matrix();
    const Eigen::MatrixXd said = lower.selfadjointView<Eigen::Lower>();
    Eigen::MatrixXd by_differences(3 * n_, 3 * n_);
    for (Eigen::Index c = 0; c < 3 * n_; ++c) {
      Points ahead = Points::Zero(n_, 3), behind = ahead;
      energy_.add_gradient(moved(c, step_), ahead, work_);
      energy_.add_gradient(moved(c, -step_), behind, work_);
      const Points column = (ahead - behind) / (2 * step_);
      by_differences.col(c) = Eigen::Map<const Vector>(column.data(), column.size());
    }
    const double largest = std::max(said.cwiseAbs().maxCoeff(), by_differences.cwiseAbs().maxCoeff());
    Eigen::Index i = 0, j = 0;
    const double off = (said - by_differences).cwiseAbs().maxCoeff(&i, &j);
    if (!(off <= enough_ * largest))
      say() << "d2E of " << name(i) << " and " << name(j) << " is " << said(i, j) << " N/m by add_hessian(), and "
            << by_differences(i, j) << " N/m by differences of add_gradient()";
    finish();
    for (int v = 0; v < n_; ++v)
      for (int w = 0; w < v; ++w)
        if (!said.block<3, 3>(3 * v, 3 * w).isZero(0) && linked_.count({v, w}) == 0) {
          say() << "add_hessian() links vertices " << v << " and " << w
                << ", which add_laplacian() and add_pattern() do not";
          return finish();
        }
  }

  const Energy& energy_;
  const Points& x_;
  Workspace& work_;
  double enough_;
  int n_;
  double step_ = 0;  ///< m, of the differences
  std::set<std::pair<int, int>> linked_;
  std::optional<std::ostringstream> said_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> faults_of_derivatives(const Energy& energy, const Points& x, Workspace& work, double enough) {
  if (x.rows() > kMostInspected)
    throw std::invalid_argument("derivatives of " + std::to_string(x.rows()) + " vertices; at most " +
                                std::to_string(kMostInspected) + " can be looked at one by one");
  return Inspection(energy, x, work, enough).run();
}

}  // namespace rebound::sim
