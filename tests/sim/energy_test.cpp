// Every energy: its gradient against finite differences, the symmetries that mechanics demands of it, and L.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "sim/energy/materials.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

struct EnergyCase {
  std::string name;
  /// For the box's vertices and tetrahedra; what is outside the body is turned by R, and moved by t.
  std::function<std::unique_ptr<Energy>(const mesh::TetMesh& rest, const Eigen::Matrix3d& R, const Vec3& t)> make;
  bool internal;  ///< no outside force: sums of force and torque vanish
};

std::unique_ptr<Energy> springs(const mesh::TetMesh& rest, SpringLaw law) {
  std::vector<std::array<int, 2>> edges;
  for (int i = 0; i + 1 < rest.points.rows(); ++i) edges.push_back({i, i + 1});
  for (int i = 0; i + 5 < rest.points.rows(); ++i) edges.push_back({i + 5, i});
  const std::vector<double> lengths(edges.size(), 0.6), stiffness(edges.size(), 300.0);
  return std::make_unique<Springs>(rest.points, edges, lengths, stiffness, law);
}

/// Of all materials of tetrahedra in the table.
std::vector<EnergyCase> solid_energies() {
  std::vector<EnergyCase> list;
  for (const MaterialInfo& info : materials()) {
    if (info.kind != ElementKind::tetrahedra) continue;
    std::string name(info.id);
    std::replace(name.begin(), name.end(), '-', '_');
    list.push_back({name,
                    [&info](const mesh::TetMesh& rest, const Eigen::Matrix3d&, const Vec3&) {
                      MaterialValues values;
                      values.young = 1300;
                      values.rigidity = 1300.0 / 8;
                      const std::vector<MaterialValues> each(rest.tetrahedra.size(), values);
                      const std::vector<double> full(rest.tetrahedra.size(), 1.0);
                      return std::move(info.laws.front().make({rest.points, rest.tetrahedra, each, full, {}}).front());
                    },
                    true});
  }
  return list;
}

std::vector<EnergyCase> all_cases() {
  using Rotation = Eigen::Matrix3d;
  std::vector<EnergyCase> list = {
      {"springs",
       [](const mesh::TetMesh& rest, const Rotation&, const Vec3&) { return springs(rest, SpringLaw::hookean); }, true},
      {"squared_springs",
       [](const mesh::TetMesh& rest, const Rotation&, const Vec3&) { return springs(rest, SpringLaw::squared); }, true},
      {"attachments",
       [](const mesh::TetMesh&, const Rotation& R, const Vec3& t) {
         auto attachments = std::make_unique<Attachments>();
         attachments->items.push_back({{{0, 1, 4, 13}, {0.1, 0.2, 0.3, 0.4}}, 200, R * Vec3(1, 2, 3) + t});
         attachments->items.push_back({BodyPoint::at_vertex(2), 100, R * Vec3(0, 1, 0) + t});
         return attachments;
       },
       false},
      {"gravity",
       [](const mesh::TetMesh& rest, const Rotation& R, const Vec3&) {
         return std::make_unique<Gravity>(Vector::LinSpaced(rest.points.rows(), 1, 2), R * Vec3(1, -9.8, 2));
       },
       false},
  };
  for (EnergyCase& solid : solid_energies()) list.push_back(std::move(solid));
  return list;
}

const std::vector<EnergyCase>& energy_cases() {
  static const std::vector<EnergyCase> list = all_cases();
  return list;
}

/// Those in which the energy is a number.
std::vector<std::pair<std::string, Points>> configurations(const Points& rest, const Energy& energy) {
  Points stretched = rest, inverted = rest;
  stretched.col(0) *= 1.7;
  stretched.col(1) *= 0.6;
  inverted.col(2) *= -0.8;
  const int n = static_cast<int>(rest.rows());
  std::vector<std::pair<std::string, Points>> all = {{"rest", rest},
                                                     {"stretched", stretched + random_points(n, 1, 0.01)},
                                                     {"inverted", inverted + random_points(n, 2, 0.01)},
                                                     {"randomised", random_points(n, 3, 0.7)}};
  Workspace work(1);
  std::erase_if(all, [&](const auto& named) { return !std::isfinite(energy.value(named.second, work)); });
  return all;
}

class EnergyTest : public testing::TestWithParam<std::size_t> {
 protected:
  const EnergyCase& c() const { return energy_cases()[GetParam()]; }
  std::unique_ptr<Energy> make() const { return c().make(box, Eigen::Matrix3d::Identity(), Vec3::Zero()); }

  const mesh::TetMesh box = mesh::box({1, 1, 1}, {2, 2, 2}, 6);
  const Points& rest = box.points;
  Workspace work{2};
};

TEST_P(EnergyTest, GradientMatchesFiniteDifferences) {
  const auto energy = make();
  for (const auto& [name, at] : configurations(rest, *energy)) {
    Points gradient = Points::Zero(rest.rows(), 3);
    EXPECT_DOUBLE_EQ(energy->add_gradient(at, gradient, work), energy->value(at, work)) << name;
    // Fourth-order differences: the error is far below the bound unless the gradient is wrong.
    const double e = 1e-4, scale = 1 + gradient.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < at.size(); ++i) {
      const auto value_at = [&, at = at](double offset) {
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
  Model model = free_vertices(static_cast<int>(rest.rows()));
  model.energies.push_back(make());
  for (const auto& [name, at] : configurations(rest, *model.energies.front())) {
    HessianBlocks blocks(model.laplacian());
    model.add_hessian(at, Curvature::exact, blocks, work);
    const Eigen::MatrixXd lower = blocks.matrix();
    const Eigen::MatrixXd H = lower.selfadjointView<Eigen::Lower>();
    const double e = 1e-5, scale = 1 + H.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < at.size(); ++i) {
      const auto gradient_at = [&, at = at](double offset) {
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
  Model model = free_vertices(static_cast<int>(rest.rows()));
  model.energies.push_back(make());
  for (const auto& [name, x] : configurations(rest, *model.energies.front())) {
    const auto dense = [&, x = x](Curvature curvature) {
      HessianBlocks blocks(model.laplacian());
      model.add_hessian(x, curvature, blocks, work);
      const Eigen::MatrixXd lower = blocks.matrix();
      return Eigen::MatrixXd(lower.selfadjointView<Eigen::Lower>());
    };
    const Eigen::MatrixXd projected = dense(Curvature::clamped), exact = dense(Curvature::exact);
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

TEST_P(EnergyTest, InternalForcesSumToNothing) {
  if (!c().internal) GTEST_SKIP() << "an outside force";
  const auto energy = make();
  for (const auto& [name, x] : configurations(rest, *energy)) {
    Points gradient = Points::Zero(rest.rows(), 3);
    energy->add_gradient(x, gradient, work);
    const double scale = 1 + gradient.cwiseAbs().maxCoeff();
    Vec3 torque = Vec3::Zero();
    for (int i = 0; i < x.rows(); ++i) torque += Vec3(x.row(i)).cross(Vec3(gradient.row(i)));
    EXPECT_LT(gradient.colwise().sum().norm(), 1e-11 * scale) << name;
    EXPECT_LT(torque.norm(), 1e-11 * scale) << name;
  }
}

// The body, and what pulls at it from outside, turned and moved together.
TEST_P(EnergyTest, ForcesAndHessianTurnWithTheWorld) {
  const Eigen::Matrix3d R = Eigen::AngleAxisd(1.1, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Vec3 t(3, -1, 2);
  const auto here = make(), there = c().make(box, R, t);
  const auto dense_hessian = [&](const Energy& energy, const Points& x) {
    Triplets entries;
    for (int i = 0; i < rest.rows(); ++i) entries.emplace_back(i, i, 0.0);
    energy.add_laplacian(entries);
    SparseMatrix L(rest.rows(), rest.rows());
    L.setFromTriplets(entries.begin(), entries.end());
    HessianBlocks blocks(L);
    energy.add_hessian(x, Curvature::exact, blocks, work);
    const Eigen::MatrixXd lower = blocks.matrix();
    return Eigen::MatrixXd(lower.selfadjointView<Eigen::Lower>());
  };
  const auto n = static_cast<int>(rest.rows());
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i) turn.block<3, 3>(3 * i, 3 * i) = R;
  for (const auto& [name, x] : configurations(rest, *here)) {
    const Points turned = (x * R.transpose()).rowwise() + t.transpose();
    Points gradient = Points::Zero(n, 3), turned_gradient = gradient;
    const double E = here->add_gradient(x, gradient, work),
                 turned_E = there->add_gradient(turned, turned_gradient, work);
    const double scale = 1 + gradient.cwiseAbs().maxCoeff();
    // Gravity's zero of height does not move along.
    const double lowered = -gradient.colwise().sum().dot(t.transpose() * R);
    EXPECT_NEAR(turned_E, c().name == "gravity" ? E - lowered : E, 1e-10 * (1 + std::abs(E))) << name;
    EXPECT_LT((turned_gradient - gradient * R.transpose()).cwiseAbs().maxCoeff(), 1e-9 * scale) << name;
    const Eigen::MatrixXd H = dense_hessian(*here, x), turned_H = dense_hessian(*there, turned);
    EXPECT_LT((turned_H - turn * H * turn.transpose()).cwiseAbs().maxCoeff(), 1e-8 * (1 + H.cwiseAbs().maxCoeff()))
        << name;
  }
}

TEST_P(EnergyTest, AnyNumberOfThreadsGivesTheSameBytes) {
  const mesh::TetMesh large = mesh::box({1, 1, 1}, {9, 9, 9}, 6);
  const auto energy = c().make(large, Eigen::Matrix3d::Identity(), Vec3::Zero());
  const Points x = large.points + random_points(static_cast<int>(large.points.rows()), 5, 0.05);
  Points one = Points::Zero(x.rows(), 3), many = one;
  Workspace alone(1), four(4);
  EXPECT_EQ(energy->add_gradient(x, one, alone), energy->add_gradient(x, many, four));
  EXPECT_EQ(one, many);
  EXPECT_EQ(energy->value(x, alone), energy->value(x, four));
}

INSTANTIATE_TEST_SUITE_P(All, EnergyTest, testing::Range<std::size_t>(0, energy_cases().size()),
                         [](const auto& parameter) { return energy_cases()[parameter.param].name; });

// A box of 1 m^3 scaled along its axes by s: F = diag(s) in every tetrahedron. Where one s is negative the nearest
// rotation has to turn a second axis over, that of the smallest |s|, which is then |s| + 1 away from it.
TEST(ClosedForm, OfArapOnAScaledBoxIsTheDistanceToItsNearestRotation) {
  const mesh::TetMesh box = mesh::box({1, 1, 1}, {2, 2, 2}, 6);
  const double mu = 500;
  const ArapTets energy(box.points, box.tetrahedra, std::vector<double>(box.tetrahedra.size(), mu));
  Workspace work(1);
  const auto at = [&](double a, double b, double c) {
    return energy.value(box.points * Vec3(a, b, c).asDiagonal(), work);
  };
  const auto square = [](double a) { return a * a; };
  EXPECT_NEAR(at(1, 1, 1), 0, 1e-20);
  EXPECT_NEAR(at(1.7, 0.6, 1.2), mu * (square(0.7) + square(0.4) + square(0.2)), 1e-9);
  EXPECT_NEAR(at(-1.7, -0.6, 1.2), mu * (square(0.7) + square(0.4) + square(0.2)), 1e-9) << "two: half a turn";
  EXPECT_NEAR(at(1, 1, -0.8), mu * square(1.8), 1e-9) << "one: inverted";
  EXPECT_NEAR(at(-2, 1.5, 0.5), mu * (square(1) + square(0.5) + square(1.5)), 1e-9);
  EXPECT_NEAR(at(0, 0, 0), mu * 3, 1e-9) << "a point";
}

TEST(ClosedForm, OfOneSpringOfEitherLaw) {
  Points rest(2, 3), x(2, 3);
  rest << 0, 0, 0, 0, 2, 0;
  x << 1, 1, 1, 3, 2, 3;  // 3 m apart
  const std::vector<std::array<int, 2>> edges{{0, 1}};
  const std::vector<double> length{2.0}, k{10.0};
  Workspace work(1);
  EXPECT_NEAR(Springs(rest, edges, length, k).value(x, work), 5 * 1, 1e-12);
  EXPECT_NEAR(Springs(rest, edges, length, k, SpringLaw::squared).value(x, work), 5 * 25, 1e-12);
}

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
