#include "papers/flat_body.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "sim/energy/curvature_filter.hpp"
#include "sim/linear/hessian.hpp"

namespace rebound::papers {
namespace {

using Eigen::Matrix2d;

Matrix2d cofactors(const Matrix2d& F) {
  Matrix2d C;
  C << F(1, 1), -F(1, 0), -F(0, 1), F(0, 0);
  return C;
}

/// What turns out of F: a, b and their size.
struct Turn {
  explicit Turn(const Matrix2d& F) : a(F(0, 0) + F(1, 1)), b(F(1, 0) - F(0, 1)), s(std::hypot(a, b)) {}
  Matrix2d R() const {
    Matrix2d R;
    if (s > 0)
      R << a / s, -b / s, b / s, a / s;
    else
      R.setIdentity();
    return R;
  }
  double a, b, s;
};

}  // namespace

FlatBody::FlatBody(const sim::Points& rest, std::vector<Triangle> triangles, double mu, double lambda)
    : mu_(mu), lambda_(lambda) {
  for (const Triangle& t : triangles) {
    Matrix2d D;
    for (int j = 0; j < 2; ++j) D.col(j) = (rest.row(t[j + 1]) - rest.row(t[0])).head<2>().transpose();
    Element element{t, 0.5 * D.determinant(), {}};
    element.b.bottomRows<2>() = D.inverse();
    element.b.row(0) = -element.b.bottomRows<2>().colwise().sum();
    elements_.push_back(element);
  }
}

Matrix2d FlatBody::stretch(const Element& element, const sim::Points& x) {
  Matrix2d F = Matrix2d::Zero();
  for (int j = 0; j < 3; ++j) F += x.row(element.vertices[j]).head<2>().transpose() * element.b.row(j);
  return F;
}

double FlatBody::value(const sim::Points& x, sim::Workspace&) const {
  double sum = 0;
  for (const Element& element : elements_) {
    const Matrix2d F = stretch(element, x);
    const double J = F.determinant();
    sum += element.area * (mu_ * (F.squaredNorm() - 2 * Turn(F).s + 2) + 0.5 * lambda_ * (J - 1) * (J - 1));
  }
  return sum;
}

double FlatBody::add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const {
  for (const Element& element : elements_) {
    const Matrix2d F = stretch(element, x);
    const Matrix2d P = 2 * mu_ * (F - Turn(F).R()) + lambda_ * (F.determinant() - 1) * cofactors(F);
    for (int j = 0; j < 3; ++j)
      gradient.row(element.vertices[j]).head<2>() += element.area * (P * element.b.row(j).transpose()).transpose();
  }
  return value(x, work);
}

void FlatBody::add_laplacian(sim::Triplets& L) const {
  for (const Element& element : elements_)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        if (element.vertices[j] >= element.vertices[k])
          L.emplace_back(element.vertices[j], element.vertices[k],
                         element.area * (2 * mu_ + lambda_) * element.b.row(j).dot(element.b.row(k)));
}

// With F by columns: d2|F|^2 = 2 I, d2s = (t t^T) / s with t the way in which R turns, d2J a constant.
void FlatBody::add_hessian(const sim::Points& x, sim::Curvature curvature, sim::HessianBlocks& H,
                           sim::Workspace&) const {
  using Matrix4 = Eigen::Matrix4d;
  Matrix4 dC = Matrix4::Zero();
  dC(0, 3) = dC(3, 0) = 1, dC(1, 2) = dC(2, 1) = -1;
  for (const Element& element : elements_) {
    const Matrix2d F = stretch(element, x), C = cofactors(F);
    const Turn turn(F);
    Matrix4 d2W = 2 * mu_ * Matrix4::Identity() + lambda_ * (F.determinant() - 1) * dC;
    if (turn.s > 0) {
      const Eigen::Vector4d t = Eigen::Vector4d(-turn.b, turn.a, -turn.a, -turn.b) / turn.s;
      d2W -= 2 * mu_ / turn.s * t * t.transpose();
    }
    const Eigen::Map<const Eigen::Vector4d> c(C.data());
    d2W += lambda_ * c * c.transpose();
    d2W = sim::counted(d2W, curvature);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        if (element.vertices[j] < element.vertices[k]) continue;
        Eigen::Matrix3d block = Eigen::Matrix3d::Zero();
        for (int p = 0; p < 2; ++p)
          for (int q = 0; q < 2; ++q)
            block.topLeftCorner<2, 2>() += element.b(j, p) * element.b(k, q) * d2W.block<2, 2>(2 * p, 2 * q);
        H.add(element.vertices[j], element.vertices[k], element.area * block);
      }
  }
}

}  // namespace rebound::papers
