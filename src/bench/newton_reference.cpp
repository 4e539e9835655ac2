#include "bench/newton_reference.hpp"

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <stdexcept>

#include "sim/linear/small_pairs.hpp"
#include "sim/step/line_search.hpp"

namespace rebound::bench {
namespace {

using Eigen::Matrix3d;
using sim::Points;
using sim::Vec3;
using Matrix9 = Eigen::Matrix<double, 9, 9>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

constexpr int kMostPlainIterations = 100, kMostPlainCuts = 40;

Matrix3d cross_matrix(const Vec3& v) {
  Matrix3d A;
  A << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return A;
}

// dJ/dF: its columns are f1 x f2, f2 x f0, f0 x f1.
Matrix3d cofactors(const Matrix3d& F) {
  Matrix3d C;
  for (int c = 0; c < 3; ++c) C.col(c) = Vec3(F.col((c + 1) % 3)).cross(Vec3(F.col((c + 2) % 3)));
  return C;
}

// d2J/dF2, F by columns.
Matrix9 cofactor_slopes(const Matrix3d& F) {
  Matrix9 S = Matrix9::Zero();
  for (int c = 0; c < 3; ++c) {
    const int d = (c + 1) % 3, e = (c + 2) % 3;
    S.block<3, 3>(3 * c, 3 * d) = -cross_matrix(F.col(e));
    S.block<3, 3>(3 * c, 3 * e) = cross_matrix(F.col(d));
  }
  return S;
}

}  // namespace

PlainRubber::PlainRubber(const Points& rest, std::span<const std::array<int, 4>> tets, double young, double poisson)
    : mu_(young / (2 * (1 + poisson))), l_(young * poisson / ((1 + poisson) * (1 - 2 * poisson)) + mu_) {
  for (const auto& tet : tets) {
    Matrix3d Dm;
    for (int k = 0; k < 3; ++k)
      Dm.col(k) = (rest.row(tet[static_cast<std::size_t>(k) + 1]) - rest.row(tet[0])).transpose();
    Element element{tet, {}, Dm.determinant() / 6};
    element.G.bottomRows<3>() = Dm.inverse();
    element.G.row(0) = -element.G.bottomRows<3>().colwise().sum();
    elements_.push_back(element);
  }
}

Matrix3d PlainRubber::deformation(const Element& element, const Points& x) {
  Matrix3d F = Matrix3d::Zero();
  for (int k = 0; k < 4; ++k) F += x.row(element.vertices[static_cast<std::size_t>(k)]).transpose() * element.G.row(k);
  return F;
}

double PlainRubber::value(const Points& x, sim::Workspace&) const {
  double E = 0;
  for (const Element& element : elements_) {
    const Matrix3d F = deformation(element, x);
    const double swelling = F.determinant() - 1;
    E += element.volume * (0.5 * mu_ * (F.squaredNorm() - 3) - mu_ * swelling + 0.5 * l_ * swelling * swelling);
  }
  return E;
}

double PlainRubber::add_gradient(const Points& x, Points& gradient, sim::Workspace& work) const {
  for (const Element& element : elements_) {
    const Matrix3d F = deformation(element, x);
    const Matrix3d P = mu_ * F + (l_ * (F.determinant() - 1) - mu_) * cofactors(F);
    for (int k = 0; k < 4; ++k)
      gradient.row(element.vertices[static_cast<std::size_t>(k)]) +=
          element.volume * (P * element.G.row(k).transpose()).transpose();
  }
  return value(x, work);
}

void PlainRubber::add_hessian(const Points&, sim::Curvature, sim::HessianBlocks&, sim::Workspace&) const {
  throw std::logic_error("the reference has its Hessian as triplets");
}

void PlainRubber::add_hessian_triplets(const Points& x, double factor, bool clamped, sim::Triplets& entries) const {
  for (const Element& element : elements_) {
    const Matrix3d F = deformation(element, x), C = cofactors(F);
    const Eigen::Map<const Eigen::Matrix<double, 9, 1>> c(C.data());
    Matrix9 H = l_ * c * c.transpose() + (l_ * (F.determinant() - 1) - mu_) * cofactor_slopes(F);
    H.diagonal().array() += mu_;
    if (clamped) {
      const sim::SmallPairs eigen = sim::symmetric_pairs(sim::SmallMatrix(H));
      H = eigen.vectors * eigen.values.cwiseMax(0).asDiagonal() * eigen.vectors.transpose();
    }
    Eigen::Matrix<double, 9, 12> B = Eigen::Matrix<double, 9, 12>::Zero();
    for (int k = 0; k < 4; ++k)
      for (int column = 0; column < 3; ++column)
        B.block<3, 3>(3 * column, 3 * k).diagonal().setConstant(element.G(k, column));
    const Matrix12 block = factor * element.volume * B.transpose() * H * B;
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        entries.emplace_back(3 * element.vertices[static_cast<std::size_t>(i / 3)] + i % 3,
                             3 * element.vertices[static_cast<std::size_t>(j / 3)] + j % 3, block(i, j));
  }
}

PlainNewton::PlainNewton(const scene::WorldView& world) : model_(scene::build_model(world)) {
  const scene::Material& material = world.description.bodies[0].material;
  const scene::BodyGeometry& geometry = world.bodies[0];
  auto rubber = std::make_shared<PlainRubber>(geometry.rest, geometry.tetrahedra(), material.young, material.poisson);
  rubber_ = rubber.get();
  for (auto& energy : model_.energies)
    if (energy->kind() == sim::EnergyKind::elastic) energy = std::move(rubber);
}

sim::SparseMatrix PlainNewton::hessian(const sim::StepObjective& g, const Points& x, bool clamped) const {
  sim::Triplets entries;
  for (int i = 0; i < 3 * model_.vertices(); ++i) entries.emplace_back(i, i, model_.M[i / 3]);
  rubber_->add_hessian_triplets(g.evaluation_point(x), g.frozen_coefficient(), clamped, entries);
  sim::SparseMatrix H(3 * x.rows(), 3 * x.rows());
  H.setFromTriplets(entries.begin(), entries.end());
  return H;
}

int PlainNewton::minimize(const sim::StepObjective& g, double tolerance, Points& x) const {
  Points gradient;
  for (int iteration = 0; iteration < kMostPlainIterations; ++iteration) {
    const double value = g.value_from(x, g.gradient(x, gradient));
    if (sim::velocity_error(model_, gradient, g.h()) <= tolerance) return iteration;
    const Eigen::Map<const sim::Vector> right(gradient.data(), gradient.size());
    Eigen::SimplicialLLT<sim::SparseMatrix> factor(hessian(g, x, false));
    if (factor.info() != Eigen::Success) factor.compute(hessian(g, x, true));
    if (factor.info() != Eigen::Success) break;
    const sim::Vector solved = factor.solve(right);
    const Eigen::Map<const Points> d(solved.data(), x.rows(), 3);
    const double slope = right.dot(solved), rounding = 1e-13 * std::abs(value);
    double alpha = 1;
    for (int cut = 0; cut < kMostPlainCuts; ++cut, alpha *= 0.5)
      if (g.value(x - alpha * d) <= value - 1e-4 * alpha * slope + rounding) break;
    x -= alpha * d;
  }
  throw std::runtime_error("the plain Newton method does not converge");
}

}  // namespace rebound::bench
