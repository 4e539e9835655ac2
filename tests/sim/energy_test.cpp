// Every energy: its gradient against finite differences, the symmetries that mechanics demands of it, and L.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "support/models.hpp"

namespace rebound::test {
namespace {

struct Case {
  std::string name;
  std::function<std::unique_ptr<Energy>(const Points& rest)> make;
  bool internal;  ///< no outside force: sums of force and torque vanish, rotations change nothing
};

const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {"arap",
       [](const Points& rest) {
         const auto tets = mesh::box({1, 1, 1}, {2, 2, 2}, 6).tetrahedra;
         return std::make_unique<ArapTets>(rest, tets, std::vector<double>(tets.size(), 500.0));
       },
       true},
      {"springs",
       [](const Points& rest) {
         std::vector<std::array<int, 2>> edges;
         for (int i = 0; i + 1 < rest.rows(); ++i) edges.push_back({i, i + 1});
         for (int i = 0; i + 5 < rest.rows(); ++i) edges.push_back({i + 5, i});
         const std::vector<double> lengths(edges.size(), 0.6), stiffness(edges.size(), 300.0);
         return std::make_unique<Springs>(rest, edges, lengths, stiffness);
       },
       true},
      {"squared_springs",
       [](const Points& rest) {
         std::vector<std::array<int, 2>> edges;
         for (int i = 0; i + 1 < rest.rows(); ++i) edges.push_back({i, i + 1});
         const std::vector<double> lengths(edges.size(), 0.6), stiffness(edges.size(), 300.0);
         return std::make_unique<Springs>(rest, edges, lengths, stiffness, SpringLaw::squared);
       },
       true},
      {"attachments",
       [](const Points&) {
         auto attachments = std::make_unique<Attachments>();
         attachments->items.push_back({{{0, 1, 4, 13}, {0.1, 0.2, 0.3, 0.4}}, 200, {1, 2, 3}});
         attachments->items.push_back({BodyPoint::at_vertex(2), 100, {0, 1, 0}});
         return attachments;
       },
       false},
      {"gravity",
       [](const Points& rest) {
         return std::make_unique<Gravity>(Vector::LinSpaced(rest.rows(), 1, 2), Vec3(1, -9.8, 2));
       },
       false},
  };
  return list;
}

std::vector<std::pair<std::string, Points>> configurations(const Points& rest) {
  Points stretched = rest, inverted = rest;
  stretched.col(0) *= 1.7;
  stretched.col(1) *= 0.6;
  inverted.col(2) *= -0.8;
  const int n = static_cast<int>(rest.rows());
  return {{"rest", rest},
          {"stretched", stretched + random_points(n, 1, 0.01)},
          {"inverted", inverted + random_points(n, 2, 0.01)},
          {"randomised", random_points(n, 3, 0.7)}};
}

Points rest_shape() { return mesh::box({1, 1, 1}, {2, 2, 2}, 6).points; }

class EnergyTest : public testing::TestWithParam<std::size_t> {
 protected:
  const Case& c() const { return cases()[GetParam()]; }
  Workspace work{2};
};

TEST_P(EnergyTest, GradientMatchesFiniteDifferences) {
  const Points rest = rest_shape();
  const auto energy = c().make(rest);
  for (const auto& [name, at] : configurations(rest)) {
    Points gradient = Points::Zero(rest.rows(), 3);
    EXPECT_DOUBLE_EQ(energy->add_gradient(at, gradient, work), energy->value(at, work)) << name;
    // Fourth-order differences: the error is far below the bound unless the gradient is wrong.
    const double e = 1e-4, scale = 1 + gradient.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < at.size(); ++i) {
      const auto value_at = [&](double offset) {
        Points x = at;
        x.data()[i] += offset;
        return energy->value(x, work);
      };
      const double slope = (8 * (value_at(e) - value_at(-e)) - (value_at(2 * e) - value_at(-2 * e))) / (12 * e);
      ASSERT_NEAR(gradient.data()[i], slope, 1e-7 * scale) << c().name << " " << name << " coordinate " << i;
    }
  }
}

TEST_P(EnergyTest, HessianMatchesFiniteDifferencesOfTheGradient) {
  const Points rest = rest_shape();
  Model model = free_vertices(static_cast<int>(rest.rows()));
  model.energies.push_back(c().make(rest));
  for (const auto& [name, at] : configurations(rest)) {
    HessianBlocks blocks(model.laplacian());
    model.add_hessian(at, false, blocks);
    const Eigen::MatrixXd lower = blocks.matrix();
    const Eigen::MatrixXd H = lower.selfadjointView<Eigen::Lower>();
    const double e = 1e-5, scale = 1 + H.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < at.size(); ++i) {
      const auto gradient_at = [&](double offset) {
        Points x = at, gradient;
        x.data()[i] += offset;
        model.gradient(x, gradient, work);
        return gradient;
      };
      const Points column = (gradient_at(e) - gradient_at(-e)) / (2 * e);
      const Eigen::Map<const Vector> expected(column.data(), column.size());
      ASSERT_LT((H.col(i) - expected).cwiseAbs().maxCoeff(), 1e-5 * scale) << c().name << " " << name << " " << i;
    }
  }
}

TEST_P(EnergyTest, ProjectedHessianHasNoNegativeCurvatureAndIsTheHessianWhereThatHasNone) {
  const Points rest = rest_shape();
  Model model = free_vertices(static_cast<int>(rest.rows()));
  model.energies.push_back(c().make(rest));
  for (const auto& [name, x] : configurations(rest)) {
    const auto dense = [&](bool project) {
      HessianBlocks blocks(model.laplacian());
      model.add_hessian(x, project, blocks);
      const Eigen::MatrixXd lower = blocks.matrix();
      return Eigen::MatrixXd(lower.selfadjointView<Eigen::Lower>());
    };
    const Eigen::MatrixXd projected = dense(true), exact = dense(false);
    const double scale = 1 + exact.cwiseAbs().maxCoeff();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(projected);
    EXPECT_GT(eigen.eigenvalues()[0], -1e-10 * scale) << name;
    // What was left out was negative.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> difference(projected - exact);
    EXPECT_GT(difference.eigenvalues()[0], -1e-10 * scale) << name;
    if (name == "rest" && c().name == "arap") {
      EXPECT_LT((projected - exact).cwiseAbs().maxCoeff(), 1e-8 * scale);
    }
  }
}

TEST_P(EnergyTest, InternalForcesSumToNothingAndTurnWithTheBody) {
  if (!c().internal) GTEST_SKIP() << "an outside force";
  const Points rest = rest_shape();
  const auto energy = c().make(rest);
  const Eigen::Matrix3d R = Eigen::AngleAxisd(1.1, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  for (const auto& [name, x] : configurations(rest)) {
    Points gradient = Points::Zero(rest.rows(), 3), turned_gradient = gradient;
    const double E = energy->add_gradient(x, gradient, work);
    const double scale = 1 + gradient.cwiseAbs().maxCoeff();
    Vec3 torque = Vec3::Zero();
    for (int i = 0; i < x.rows(); ++i) torque += Vec3(x.row(i)).cross(Vec3(gradient.row(i)));
    EXPECT_LT(gradient.colwise().sum().norm(), 1e-11 * scale) << name;
    EXPECT_LT(torque.norm(), 1e-11 * scale) << name;

    Points turned = x * R.transpose();
    turned.rowwise() += Eigen::RowVector3d(3, -1, 2);
    EXPECT_NEAR(energy->add_gradient(turned, turned_gradient, work), E, 1e-10 * (1 + E)) << name;
    EXPECT_LT((turned_gradient - gradient * R.transpose()).cwiseAbs().maxCoeff(), 1e-9 * scale) << name;
  }
}

TEST_P(EnergyTest, AnyNumberOfThreadsGivesTheSameBytes) {
  const mesh::TetMesh box = mesh::box({1, 1, 1}, {9, 9, 9}, 6);
  const ArapTets energy(box.points, box.tetrahedra, std::vector<double>(box.tetrahedra.size(), 500.0));
  const Points x = box.points + random_points(static_cast<int>(box.points.rows()), 5, 0.05);
  Points one = Points::Zero(x.rows(), 3), many = one;
  Workspace four(4);
  EXPECT_EQ(energy.add_gradient(x, one, work), energy.add_gradient(x, many, four));
  EXPECT_EQ(one, many);
}

INSTANTIATE_TEST_SUITE_P(All, EnergyTest, testing::Range<std::size_t>(0, cases().size()),
                         [](const auto& parameter) { return cases()[parameter.param].name; });

// For p held, the energy is a quadratic with Hessian L: E at a projection of itself is 1/2 x^T L x for G_i x = p_i +
// ... Moving all vertices by a linear map A of a springless cube changes F by A exactly, so L must give w/2 |A|^2.
TEST(Laplacian, OfArapMeasuresTheSquareOfTheDeformation) {
  Points rest;
  const Model model = arap_cube(2, 1e4, rest);
  const Eigen::MatrixXd L = dense_laplacian(model);
  Eigen::Matrix3d A;
  A << 1, 2, 3, -1, 0.5, 2, 0, 1, -2;
  const Points x = rest * A.transpose();
  const double energy = 0.5 * (x.transpose() * L * x).trace();
  EXPECT_NEAR(energy, 0.5 * (2 * 1e4 / 2.6) * 1.0 * A.squaredNorm(), 1e-8 * energy);  // w/2 |A|^2 with V = 1 m^3
  EXPECT_LT((L * Eigen::VectorXd::Ones(rest.rows())).norm(), 1e-8);
}

TEST(Laplacian, BoundsTheChangeOfTheGradient) {
  // Local/global converges because L is at least the Hessian of E: E(x + d) <= E(x) + dE.d + 1/2 d^T L d.
  Points rest;
  const Model model = arap_cube(2, 1e4, rest);
  const Eigen::MatrixXd L = dense_laplacian(model);
  Workspace work(1);
  for (unsigned seed = 0; seed < 200; ++seed) {
    const int n = static_cast<int>(rest.rows());
    const Points x = rest + random_points(n, seed, 0.3), d = random_points(n, seed + 1000, 0.3);
    Points gradient;
    const double E = model.gradient(x, gradient, work);
    const double bound = E + gradient.cwiseProduct(d).sum() + 0.5 * (d.transpose() * L * d).trace();
    EXPECT_LE(model.energy(x + d, work), bound * (1 + 1e-12)) << seed;
  }
}

TEST(Springs, HaveADirectionEvenWhenTheyHaveNoLength) {
  Points rest(2, 3);
  rest << 0, 0, 0, 0, 2, 0;
  const std::vector<std::array<int, 2>> edges{{0, 1}};
  const std::vector<double> length{2.0}, k{10.0};
  const Springs spring(rest, edges, length, k);
  Workspace work(1);
  Points gradient = Points::Zero(2, 3);
  EXPECT_DOUBLE_EQ(spring.add_gradient(Points::Zero(2, 3), gradient, work), 0.5 * 10 * 4);
  EXPECT_DOUBLE_EQ(gradient(0, 1), 20);  // pushed apart along the rest direction, x_a - x_b = -y
  EXPECT_DOUBLE_EQ(gradient(1, 1), -20);
}

}  // namespace
}  // namespace rebound::test
