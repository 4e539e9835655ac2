// Bending of sheets by hinges: derivatives, rest, and what it comes to beside a plate.
#include "sim/energy/hinges.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "support/sheets.hpp"

namespace rebound::test {
namespace {

const std::vector<std::array<int, 3>> kTwoTriangles{{0, 1, 2}, {1, 0, 3}};

MaterialValues stiff_sheet() {
  MaterialValues values;
  values.young = 2.4e7;
  values.poisson = 0;
  values.thickness = 0.1;  // kappa = 1000 J
  return values;
}

/// One hinge whose rest shape is folded by an angle.
struct OneHinge {
  explicit OneHinge(double angle) {
    rest.resize(4, 3);
    rest << 0, 0, 0, 1, 0.1, 0, 0.4, 1.1, 0, 0.6, -std::cos(angle), std::sin(angle);
    model = free_vertices(4);
    const std::vector<MaterialValues> values(2, stiff_sheet());
    model.energies.push_back(std::make_unique<Hinges>(rest, kTwoTriangles, values));
  }
  double value(const Points& x) { return model.energies.front()->value(x, work); }
  Points gradient(const Points& x) {
    Points g = Points::Zero(4, 3);
    model.energies.front()->add_gradient(x, g, work);
    return g;
  }
  Eigen::MatrixXd hessian(const Points& x, Curvature curvature) {
    HessianBlocks H(model.laplacian());
    model.add_hessian(x, curvature, H, work);
    const Eigen::MatrixXd lower = H.matrix();
    return lower.selfadjointView<Eigen::Lower>();
  }

  Points rest;
  Model model;
  Workspace work{1};
};

/// 200 shapes anywhere, but for those with a sliver and those whose fold is about to jump from one half turn to the
/// other.
template <class Visit>
void each_random_shape(OneHinge& hinge, const Visit& visit) {
  int visited = 0;
  for (unsigned seed = 1; visited < 200; ++seed) {
    const Points x = random_points(4, seed, 0.7);
    const auto at = [&](int v) { return Vec3(x.row(v).transpose()); };
    const Vec3 e = at(1) - at(0), u = at(2) - at(0), v = at(3) - at(0), N1 = e.cross(u), N2 = v.cross(e);
    if (e.norm() < 0.4 || N1.norm() < 0.4 * e.norm() || N2.norm() < 0.4 * e.norm()) continue;
    const double k = 1000 * 1.01 / (0.5 * 1.1 + 0.5);
    const double off = std::sqrt(hinge.value(x) / k);
    if (off > 2.6) continue;
    SCOPED_TRACE(seed);
    visit(x);
    ++visited;
  }
}

TEST(Hinges, ForcesAreTheSlopeOfTheEnergyAndTheHessianThatOfTheForces) {
  for (const double angle : {0.0, 0.8, -1.5}) {
    OneHinge hinge(angle);
    each_random_shape(hinge, [&](const Points& x) {
      const Points g = hinge.gradient(x);
      const Eigen::MatrixXd H = hinge.hessian(x, Curvature::exact);
      const double e = 2e-4;
      for (int i = 0; i < 12; ++i) {
        const auto moved = [&](double by) {
          Points at = x;
          at.data()[i] += by;
          return at;
        };
        const double slope = (8 * (hinge.value(moved(e)) - hinge.value(moved(-e))) -
                              (hinge.value(moved(2 * e)) - hinge.value(moved(-2 * e)))) /
                             (12 * e);
        ASSERT_NEAR(g.data()[i], slope, 1e-7 * (1000 + g.norm())) << i;
        const Points column = (8 * (hinge.gradient(moved(e)) - hinge.gradient(moved(-e))) -
                               (hinge.gradient(moved(2 * e)) - hinge.gradient(moved(-2 * e)))) /
                              (12 * e);
        ASSERT_LT((H.col(i) - Eigen::Map<const Vector>(column.data(), 12)).norm(), 1e-7 * (1000 + H.norm())) << i;
      }
    });
  }
}

TEST(Hinges, TheProjectedHessianIsNeverNegative) {
  OneHinge hinge(0.3);
  int indefinite = 0;
  each_random_shape(hinge, [&](const Points& x) {
    const Eigen::MatrixXd H = hinge.hessian(x, Curvature::clamped);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(H), exact(hinge.hessian(x, Curvature::exact));
    ASSERT_GT(eigen.eigenvalues()[0], -1e-10 * H.norm());
    indefinite += exact.eigenvalues()[0] < -1e-3 * H.norm();
  });
  EXPECT_GT(indefinite, 100);
}

TEST(Hinges, RestHasNoEnergyWhereverItIs) {
  for (const double angle : {0.0, 1.0, -2.0, 3.0}) {
    OneHinge hinge(angle);
    const Eigen::Matrix3d R = Eigen::AngleAxisd(1.2, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    const Points x = (2.5 * hinge.rest * R.transpose()).rowwise() + Eigen::RowVector3d(3, -1, 2);
    EXPECT_NEAR(hinge.value(x), 0, 1e-20 * 1000) << angle;
    EXPECT_LT(hinge.gradient(x).norm(), 1e-10) << angle;
    EXPECT_LT((hinge.hessian(x, Curvature::exact) * Eigen::VectorXd::LinSpaced(12, 1, 1)).norm(), 1e-9)
        << "moved as a whole";
  }
}

// L is the Hessian along the normal of a flat sheet.
TEST(Hinges, LIsTheStiffnessOfAFlatSheetAcross) {
  OneHinge hinge(0);
  const Eigen::MatrixXd L = dense_laplacian(hinge.model), H = hinge.hessian(hinge.rest, Curvature::exact);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(L(i, j), H(3 * i + 2, 3 * j + 2), 1e-9 * L.norm());
}

TEST(Hinges, CollapsedTrianglesHaveNoAngleAndNumbersAllTheSame) {
  OneHinge hinge(0.5);
  for (const int collapsed : {0, 1, 2, 3}) {
    Points x = hinge.rest;
    x.row(collapsed) = x.row((collapsed + 1) % 4);
    EXPECT_TRUE(std::isfinite(hinge.value(x)));
    EXPECT_TRUE(hinge.gradient(x).allFinite());
    EXPECT_TRUE(hinge.hessian(x, Curvature::exact).allFinite());
  }
  EXPECT_EQ(hinge.value(Points::Zero(4, 3)), 0);
}

/// Equilateral triangles.
mesh::Surface equilateral_patch(int cells) {
  mesh::Surface patch = flat_grid(1, std::sqrt(3) / 2, cells, cells);
  patch.triangles.clear();
  for (int k = 0; k <= cells; ++k)
    for (int i = 0; i <= cells; ++i) patch.points(k * (cells + 1) + i, 0) += 0.5 * k / cells;
  for (int k = 0; k < cells; ++k)
    for (int i = 0; i < cells; ++i) {
      const int a = k * (cells + 1) + i, b = a + 1, d = a + cells + 1, c = d + 1;
      patch.triangles.push_back({a, d, b});
      patch.triangles.push_back({b, d, c});
    }
  return patch;
}

/// The energy of a patch bent to a cylinder whose axis is turned by an angle, over kappa c^2 times the area that its
/// hinges stand for, a third of each triangle's a side.
double share_of_plate(const mesh::Surface& patch, double degrees) {
  constexpr double curvature = 0.5;
  const double a = degrees * std::numbers::pi / 180;
  Points x = patch.points;
  for (Eigen::Index v = 0; v < x.rows(); ++v) {
    const double along = std::cos(a) * x(v, 0) + std::sin(a) * x(v, 2),
                 beside = -std::sin(a) * x(v, 0) + std::cos(a) * x(v, 2);
    const double bent = std::sin(curvature * along) / curvature;
    x.row(v) << std::cos(a) * bent - std::sin(a) * beside, (1 - std::cos(curvature * along)) / curvature,
        std::sin(a) * bent + std::cos(a) * beside;
  }
  const std::vector<MaterialValues> values(patch.triangles.size(), stiff_sheet());
  const Hinges hinges(patch.points, patch.triangles, values);
  Workspace work(1);
  const Vec3 u = (patch.points.row(patch.triangles[0][1]) - patch.points.row(patch.triangles[0][0])).transpose(),
             v = (patch.points.row(patch.triangles[0][2]) - patch.points.row(patch.triangles[0][0])).transpose();
  const double area = static_cast<double>(hinges.size()) * u.cross(v).norm() / 3;
  return hinges.value(x, work) / (1000 * curvature * curvature * area);
}

// E t^3 / (24 (1 - nu^2)) c^2 A, in the limit exactly on equilateral triangles in all directions, and on a grid along
// its edges. Along a grid's diagonals there is half as much again.
TEST(Hinges, ACylinderHasTheEnergyOfAPlate) {
  for (const double degrees : {0.0, 15.0, 30.0, 45.0, 90.0}) {
    const double coarse = share_of_plate(equilateral_patch(12), degrees),
                 fine = share_of_plate(equilateral_patch(48), degrees);
    RecordProperty("equilateral_" + std::to_string(static_cast<int>(degrees)), std::to_string(fine));
    EXPECT_NEAR(fine, 1, 0.02) << degrees;
    EXPECT_LT(std::abs(fine - 1), 0.5 * std::abs(coarse - 1) + 1e-3) << degrees;
  }
  for (const double degrees : {0.0, 90.0})
    EXPECT_NEAR(share_of_plate(flat_grid(1, 1, 48, 48), degrees), 1, 0.02) << degrees;
  EXPECT_NEAR(share_of_plate(flat_grid(1, 1, 48, 48), 45), 1.5, 0.02) << "a fact of the weights, not a wish";
}

}  // namespace
}  // namespace rebound::test
