// The laws of sheets, one deformation at a time: W, P and dP/dF are read off the energy of a triangle whose edges are
// two axes, so that F = [x1 - x0, x2 - x0]. Then whole sheets: drums, solvers, floats.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "support/sheets.hpp"

namespace rebound::test {
namespace {

using Matrix32 = Eigen::Matrix<double, 3, 2>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr double kThickness = 0.02, kTriangleVolume = 0.5 * kThickness;
constexpr int kRandomGradientsOfSheets = 200;

Vector6 as_six(const Matrix32& F) { return Eigen::Map<const Vector6>(F.data()); }
Matrix32 as_gradient(const Vector6& v) { return Eigen::Map<const Matrix32>(v.data()); }
Matrix32 at_rest() { return Matrix32::Identity(); }

struct SheetCase {
  const char* law;
  double poisson;
};
void PrintTo(const SheetCase& c, std::ostream* out) { *out << c.law << ", Poisson's ratio " << c.poisson; }

class SheetLaw {
 public:
  SheetLaw(const SheetCase& of, double young) {
    MaterialValues values;
    values.young = young;
    values.poisson = of.poisson;
    values.thickness = kThickness;
    const Points rest = corners(at_rest());
    const Elements triangles = std::vector<std::array<int, 3>>{{0, 1, 2}};
    model_ = free_vertices(3);
    for (auto& energy : find_material("membrane")->find_law(of.law)->make({rest, triangles, {&values, 1}, {}, {}}))
      model_.energies.push_back(std::move(energy));
  }

  double psi(const Matrix32& F) { return model_.energy(corners(F), work_) / kTriangleVolume; }
  Matrix32 P(const Matrix32& F) {
    Points gradient;
    model_.gradient(corners(F), gradient, work_);
    return gradient.bottomRows<2>().transpose() / kTriangleVolume;
  }
  Matrix6 dPdF(const Matrix32& F, Curvature curvature = Curvature::exact) {
    HessianBlocks H(model_.laplacian());
    model_.add_hessian(corners(F), curvature, H, work_);
    const Eigen::MatrixXd lower = H.matrix();
    return Eigen::MatrixXd(lower.selfadjointView<Eigen::Lower>()).bottomRightCorner<6, 6>() / kTriangleVolume;
  }
  double rest_stiffness() { return dense_laplacian(model_)(1, 1) / kTriangleVolume; }
  double largest_step(const Matrix32& F, const Matrix32& dF) {
    return model_.largest_step(corners(F), corners(dF), work_);
  }
  bool has_barrier() const { return model_.has_barrier(); }

 private:
  static Points corners(const Matrix32& F) {
    Points x = Points::Zero(3, 3);
    x.bottomRows<2>() = F.transpose();
    return x;
  }

  Model model_;
  Workspace work_{1};
};

Eigen::Matrix3d random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized()
      .toRotationMatrix();
}

Eigen::Matrix2d random_turn_in_plane(std::mt19937& random) {
  return Eigen::Rotation2Dd(std::uniform_real_distribution<double>(-3, 3)(random)).toRotationMatrix();
}

class MembraneTest : public testing::TestWithParam<SheetCase> {
 protected:
  static constexpr double kYoung = 1000;
  double nu() const { return GetParam().poisson; }

  /// Turned, and stretched or pressed by up to a factor of three.
  void each_random_F(const std::function<void(const Matrix32& F)>& visit) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> stretch(0.35, 2);
    for (int i = 0; i < kRandomGradientsOfSheets; ++i) {
      Matrix32 S = Matrix32::Zero();
      S(0, 0) = stretch(random);
      S(1, 1) = stretch(random);
      const Matrix32 F = random_turn(random) * S * random_turn_in_plane(random);
      SCOPED_TRACE("F = " + testing::PrintToString(as_six(F).transpose()));
      visit(F);
    }
  }

  SheetLaw law{GetParam(), kYoung};
};

TEST_P(MembraneTest, StressIsTheSlopeOfTheEnergy) {
  each_random_F([&](const Matrix32& F) {
    const Matrix32 P = law.P(F);
    const double e = 1e-3, scale = kYoung + P.cwiseAbs().maxCoeff();
    for (int i = 0; i < 6; ++i) {
      const auto at = [&](double offset) { return law.psi(F + offset * as_gradient(Vector6::Unit(i))); };
      const double slope = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
      ASSERT_NEAR(as_six(P)[i], slope, 1e-7 * scale) << i;
    }
  });
}

TEST_P(MembraneTest, StiffnessIsTheSlopeOfTheStressAndSymmetric) {
  each_random_F([&](const Matrix32& F) {
    const Matrix6 H = law.dPdF(F);
    const double e = 1e-3, scale = kYoung + H.cwiseAbs().maxCoeff();
    for (int i = 0; i < 6; ++i) {
      const auto at = [&](double offset) { return as_six(law.P(F + offset * as_gradient(Vector6::Unit(i)))); };
      const Vector6 slope = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
      ASSERT_LT((H.col(i) - slope).cwiseAbs().maxCoeff(), 1e-6 * scale) << i;
      ASSERT_LT((H.row(i).transpose() - slope).cwiseAbs().maxCoeff(), 1e-6 * scale) << "not symmetric, " << i;
    }
  });
}

TEST_P(MembraneTest, NothingChangesWhenTheWorldTurns) {
  std::mt19937 random(3);
  each_random_F([&](const Matrix32& F) {
    const Eigen::Matrix3d Q = random_turn(random);
    const Matrix32 P = law.P(F);
    Matrix6 turn = Matrix6::Zero();
    turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() = Q;
    const Matrix6 H = law.dPdF(F);
    ASSERT_NEAR(law.psi(Q * F), law.psi(F), 1e-11 * (kYoung + law.psi(F)));
    ASSERT_LT((law.P(Q * F) - Q * P).norm(), 1e-11 * (kYoung + P.norm()));
    ASSERT_LT((law.dPdF(Q * F) - turn * H * turn.transpose()).norm(), 1e-10 * (kYoung + H.norm()));
  });
}

TEST_P(MembraneTest, NoDirectionOfTheSheetIsSpecial) {
  std::mt19937 random(5);
  each_random_F([&](const Matrix32& F) {
    const Eigen::Matrix2d Q = random_turn_in_plane(random);
    const Matrix32 P = law.P(F);
    ASSERT_NEAR(law.psi(F * Q), law.psi(F), 1e-11 * (kYoung + law.psi(F)));
    ASSERT_LT((law.P(F * Q) - P * Q).norm(), 1e-11 * (kYoung + P.norm()));
  });
}

// Under plane stress sigma = E/(1 - nu^2) ((1 - nu) epsilon + nu tr(epsilon) 1); what leaves the plane meets nothing.
TEST_P(MembraneTest, IsLinearElasticityUnderPlaneStressNearRest) {
  const Matrix6 H = law.dPdF(at_rest());
  EXPECT_LT(law.P(at_rest()).norm(), 1e-12 * kYoung);
  EXPECT_NEAR(law.psi(at_rest()), 0, 1e-13 * kYoung);
  std::mt19937 random(13);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20; ++i) {
    Matrix32 dF;
    for (double& entry : dF.reshaped()) entry = normal(random);
    const Eigen::Matrix2d in_plane = dF.topRows<2>(), strain = 0.5 * (in_plane + in_plane.transpose());
    Matrix32 expected = Matrix32::Zero();
    expected.topRows<2>() =
        kYoung / (1 - nu() * nu()) * ((1 - nu()) * strain + nu() * strain.trace() * Eigen::Matrix2d::Identity());
    EXPECT_LT((as_gradient(H * as_six(dF)) - expected).norm(), 1e-11 * (expected.norm() + kYoung));
  }
  EXPECT_NEAR(law.rest_stiffness(), kYoung / (1 - nu() * nu()), 1e-11 * kYoung);
}

TEST_P(MembraneTest, NegativeEigenvaluesAreClampedOrTakenByTheirSizeAndNoOthers) {
  int indefinite = 0;
  each_random_F([&](const Matrix32& F) {
    const Matrix6 exact = law.dPdF(F), clamped = law.dPdF(F, Curvature::clamped),
                  absolute = law.dPdF(F, Curvature::absolute);
    const double scale = kYoung + exact.norm();
    const Eigen::SelfAdjointEigenSolver<Matrix6> eigen(exact);
    const auto with = [&](const auto& eigenvalues) -> Matrix6 {
      return eigen.eigenvectors() * eigenvalues.asDiagonal() * eigen.eigenvectors().transpose();
    };
    ASSERT_LT((clamped - with(eigen.eigenvalues().cwiseMax(0))).norm(), 1e-10 * scale);
    ASSERT_LT((absolute - with(eigen.eigenvalues().cwiseAbs())).norm(), 1e-10 * scale);
    indefinite += eigen.eigenvalues()[0] < -1e-6 * scale;
  });
  EXPECT_GT(indefinite, kRandomGradientsOfSheets / 4) << "too few of them had anything to clamp";
}

TEST_P(MembraneTest, AnyDeformationHasNumbersForAnAnswer) {
  std::mt19937 random(17);
  const std::vector<Eigen::Vector2d> stretches{{0, 0},     {1, 0},           {1, 1},      {1, 1e-9},
                                               {1, 1e-17}, {1e-200, 1e-200}, {1e6, 1e-6}, {1e20, 1}};
  for (const Eigen::Vector2d& s : stretches) {
    Matrix32 S = Matrix32::Zero();
    S(0, 0) = s[0];
    S(1, 1) = s[1];
    for (const Matrix32& F : {S, Matrix32(random_turn(random) * S * random_turn_in_plane(random))}) {
      const double psi = law.psi(F);
      EXPECT_FALSE(std::isnan(psi)) << s.transpose();
      if (std::isinf(psi)) {
        EXPECT_GT(psi, 0);
        EXPECT_LE(s.prod(), 1e-15 * s.squaredNorm()) << "infinite only where there is no area";
      }
      EXPECT_TRUE(law.P(F).allFinite()) << s.transpose();
      EXPECT_TRUE(law.dPdF(F).allFinite()) << s.transpose();
      EXPECT_TRUE(law.dPdF(F, Curvature::absolute).allFinite()) << s.transpose();
    }
  }
}

TEST_P(MembraneTest, StepsEndBeforeATriangleCollapses) {
  std::mt19937 random(19);
  std::normal_distribution<double> normal;
  if (law.has_barrier()) {
    // Pressed flat in its own plane: at t = 1 it is a line, and beyond it would be whole again.
    Matrix32 press = Matrix32::Zero();
    press(1, 1) = -1;
    EXPECT_TRUE(std::isinf(law.psi(at_rest() + press)));
    EXPECT_NEAR(law.largest_step(at_rest(), press), 0.9, 1e-9);
    EXPECT_EQ(law.largest_step(at_rest() + press, -press), 0) << "it is not admissible where it is";
  }
  each_random_F([&](const Matrix32& F) {
    Matrix32 d;
    for (double& entry : d.reshaped()) entry = normal(random);
    const double step = law.largest_step(F, d);
    if (!law.has_barrier()) {
      ASSERT_TRUE(std::isinf(step));
      return;
    }
    ASSERT_GT(step, 0);
    const double end = std::isinf(step) ? 1e3 : step;
    const Vec3 N = F.col(0).cross(F.col(1));
    for (int i = 1; i <= 100; ++i) {
      const Matrix32 at = F + i * 1e-2 * end * d;
      ASSERT_TRUE(std::isfinite(law.psi(at)));
      ASSERT_GT(N.dot(at.col(0).cross(at.col(1))), 0) << "turned over";
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Laws, MembraneTest,
                         testing::Values(SheetCase{"stvk", 0}, SheetCase{"stvk", 0.3}, SheetCase{"stvk", 0.45},
                                         SheetCase{"neo-hookean", 0}, SheetCase{"neo-hookean", 0.3},
                                         SheetCase{"neo-hookean", 0.45}),
                         [](const auto& of) {
                           return (of.param.law[0] == 's' ? "stvk_" : "neo_hookean_") +
                                  std::to_string(static_cast<int>(std::lround(100 * of.param.poisson)));
                         });

/// Stiffness and masses of a flat sheet's free vertices across it, along y; there it has nothing to do with the rest.
struct Across {
  explicit Across(const Sheet& sheet) {
    Workspace work(1);
    const Eigen::MatrixXd lower = sheet.model.stiffness_matrix(sheet.rest, work);
    for (int v = 0; v < sheet.model.vertices(); ++v)
      if (!sheet.model.fixed[static_cast<std::size_t>(v)]) vertices.push_back(v);
    const auto n = static_cast<Eigen::Index>(vertices.size());
    K.resize(n, n);
    M = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      M(i, i) = sheet.model.M[vertices[static_cast<std::size_t>(i)]];
      for (Eigen::Index j = 0; j <= i; ++j)
        K(i, j) = K(j, i) =
            lower(3 * vertices[static_cast<std::size_t>(i)] + 1, 3 * vertices[static_cast<std::size_t>(j)] + 1);
    }
  }
  /// Of the motions that the columns of `way` are, Hz, ascending.
  std::vector<double> frequencies(const Eigen::MatrixXd& way) const {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(way.transpose() * K * way,
                                                                          way.transpose() * M * way);
    std::vector<double> all;
    for (const double value : eigen.eigenvalues())
      all.push_back(std::sqrt(std::max(value, 0.0)) / (2 * std::numbers::pi));
    return all;
  }
  std::vector<double> frequencies() const { return frequencies(Eigen::MatrixXd::Identity(K.rows(), K.rows())); }

  std::vector<int> vertices;
  Eigen::MatrixXd K, M;
};

// A drum's skin of tension T (N/m) and mass sigma (kg/m^2): f = j_mn / (2 pi a) sqrt(T / sigma), j_mn the zeros of
// Bessel's functions. Modes with m > 0 come in pairs.
TEST(Drum, SoundsAtBesselsZeros) {
  constexpr double radius = 0.3, density = 1200;
  constexpr double zeros[] = {2.404826, 3.831706, 3.831706, 5.135622, 5.135622, 5.520078};
  for (const char* law : {"stvk", "neo-hookean"}) {
    MaterialValues values;
    values.young = 1e6;
    values.poisson = 0.3;
    values.thickness = 1e-3;
    values.bending = 0;
    values.pretension = 0.05;
    const double s = 1 + values.pretension, nu = values.poisson, mu = values.young / (2 * (1 + nu)),
                 lambda = values.young * nu / (1 - nu * nu);
    const double slope = std::string(law) == "stvk" ? s * (mu + lambda) * (s * s - 1)
                                                    : mu * s + (2 * lambda * std::log(s) - mu) / s;  // W_i, Pa
    const double T = values.thickness * slope / s, sigma = density * values.thickness / (s * s);
    double before = 1;
    for (const int rings : {6, 12}) {
      Sheet drum(mesh::disk(radius, rings), law, values, density);
      drum.hold([](const Vec3& at) { return at.norm() > 0.999 * radius; });
      const auto found = Across(drum).frequencies();
      double worst = 0;
      for (int i = 0; i < 6; ++i) {
        const double expected = zeros[i] / (2 * std::numbers::pi * radius) * std::sqrt(T / sigma);
        const double off = found[static_cast<std::size_t>(i)] / expected - 1;
        RecordProperty(std::string(law) + "_" + std::to_string(rings) + "_" + std::to_string(i), std::to_string(off));
        worst = std::max(worst, std::abs(off));
      }
      EXPECT_LT(worst, rings == 6 ? 0.06 : 0.015) << law << " " << rings;
      EXPECT_LT(worst, 0.35 * before) << "second order: " << law << " " << rings;
      before = worst;
    }
  }
}

/// The frequencies of a strip on two supports over those of a plate, pi k^2 / (2 L^2) sqrt(D / (rho t)) with
/// D = E t^3 / (12 (1 - nu^2)), k = 1 and 2. tied: all of a row across the strip moves as one, as in a plate without
/// end.
std::array<double, 2> strip_beside_plate(const mesh::Surface& surface, bool tied) {
  constexpr double density = 1000;
  MaterialValues values;
  values.young = 1e9;
  values.poisson = 0.3;
  values.thickness = 5e-3;
  const double D = values.young * std::pow(values.thickness, 3) / (12 * (1 - values.poisson * values.poisson));
  Sheet strip(surface, "stvk", values, density);
  strip.hold([](const Vec3& at) { return std::abs(at.x()) > 0.499; });
  const Across across(strip);
  Eigen::MatrixXd way = Eigen::MatrixXd::Identity(across.K.rows(), across.K.rows());
  if (tied) {
    std::vector<double> rows;
    way.setZero();
    for (std::size_t i = 0; i < across.vertices.size(); ++i) {
      const double x = strip.rest(across.vertices[i], 0);
      std::size_t row = 0;
      while (row < rows.size() && std::abs(rows[row] - x) > 1e-9) ++row;
      if (row == rows.size()) rows.push_back(x);
      way(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(row)) = 1;
    }
    way.conservativeResize(Eigen::NoChange, static_cast<Eigen::Index>(rows.size()));
  }
  const auto found = across.frequencies(way);
  const double first = std::numbers::pi / 2 * std::sqrt(D / (density * values.thickness));
  return {found[0] / first, found[1] / (4 * first)};
}

/// The grid of a cloth with its diagonals all one way.
mesh::Surface combed(mesh::Surface grid) {
  for (std::size_t t = 0; t + 1 < grid.triangles.size(); t += 2) {
    std::array<int, 3>&one = grid.triangles[t], &other = grid.triangles[t + 1];
    std::vector<int> all{one[0], one[1], one[2], other[0], other[1], other[2]};
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());  // a, b below, d, c above
    one = {all[0], all[3], all[1]};
    other = {all[0], all[2], all[3]};
  }
  return grid;
}

TEST(PlateStrip, SoundsAsAPlateThatBendsOneWay) {
  for (const bool one_way : {false, true}) {
    double before = 1;
    for (const int along : {8, 16, 32}) {
      const mesh::Surface grid = flat_grid(1, 4.0 / along, along, 4);
      const auto share = strip_beside_plate(one_way ? combed(grid) : grid, true);
      const double worst = std::max(std::abs(share[0] - 1), std::abs(share[1] - 1));
      RecordProperty(std::to_string(one_way) + "_" + std::to_string(along), std::to_string(worst));
      EXPECT_LT(worst, along == 8 ? 0.06 : along == 16 ? 0.015 : 0.004) << along;
      EXPECT_LT(worst, 0.3 * before) << "second order: " << along;
      before = worst;
    }
  }
}

// Hinges are no plate. Where vertices may yield from triangle to triangle they do, and the sheet is softer than its
// cylinders say: these are the limits of refining a free strip of four cells' width.
TEST(PlateStrip, IsSofterWhereItsVerticesYield) {
  EXPECT_NEAR(strip_beside_plate(flat_grid(1, 4.0 / 32, 32, 4), false)[0], 0.894, 0.005) << "diagonals to and fro";
  EXPECT_NEAR(strip_beside_plate(combed(flat_grid(1, 4.0 / 32, 32, 4)), false)[0], 0.978, 0.005) << "all one way";
}

/// A cloth of triangles that hangs by a corner, crumpled a little.
struct HangingSheet : Sheet {
  HangingSheet(const char* law, int cells) : Sheet(flat_grid(1, 1, cells, cells), law, values(), 500) {
    fall();
    hold([](const Vec3& at) { return at.x() < -0.499 && at.z() < -0.499; });
    start = {rest + 0.1 / cells * random_points(static_cast<int>(rest.rows()), 1), Points::Zero(rest.rows(), 3)};
    for (Eigen::Index v = 0; v < rest.rows(); ++v)
      if (model.fixed[static_cast<std::size_t>(v)]) start.x.row(v) = rest.row(v);
  }
  static MaterialValues values() {
    MaterialValues values;
    values.young = 1e5;
    values.thickness = 2e-3;
    return values;
  }
  State start;
};

TEST(Membrane, EverySolverTakesItToTheSamePlace) {
  for (const char* law : {"stvk", "neo-hookean"}) {
    double H = 0;
    Vec3 p;
    Points x;
    for (const char* solver : {"newton", "newton-cg", "quasi-newton", "gast"}) {
      const HangingSheet of(law, 5);
      Stepper stepper(of.model, "backward-euler", 0.01, 2000, solver);
      stepper.start(of.start);
      for (int frame = 0; frame < 100; ++frame) {
        const StepReport report = stepper.step();
        ASSERT_EQ(report.outcome, Outcome::done) << law << " " << solver << " " << frame;
      }
      const Vec3 momentum = (of.model.M.asDiagonal() * stepper.history.now.v).colwise().sum().transpose();
      if (std::string(solver) == "newton") {
        H = stepper.H();
        p = momentum;
        x = stepper.history.now.x;
        EXPECT_GT(largest_coordinate(x - of.start.x), 0.1);
        continue;
      }
      EXPECT_NEAR(stepper.H(), H, 1e-6 * std::abs(H)) << law << " " << solver;
      EXPECT_LT((momentum - p).norm(), 1e-6 * p.norm()) << law << " " << solver;
      EXPECT_LT(largest_coordinate(stepper.history.now.x - x), 1e-5) << law << " " << solver;
    }
  }
}

// Pulled anywhere, hard, and let go: no triangle ever loses its area, and the energy stays a number.
TEST(Membrane, NeoHookeanNeverCollapsesHoweverItIsDragged) {
  for (const char* solver : {"newton", "newton-cg", "quasi-newton", "gast"}) {
    HangingSheet of("neo-hookean", 12);
    Stepper stepper(of.model, "backward-euler", 0.033, 60, solver);
    stepper.start(of.start);
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (int frame = 0; frame < 40; ++frame) {
      if (frame % 10 == 0) {
        const int held = static_cast<int>(random() % static_cast<unsigned>(of.rest.rows()));
        of.model.grabs.items = {
            {BodyPoint::at_vertex(held), 200, Vec3(normal(random), normal(random), normal(random))}};
      }
      if (frame % 10 == 7) of.model.grabs.items.clear();
      stepper.minimizer->factors().grabs_changed(stepper.work.workers);
      ASSERT_EQ(stepper.step().outcome, Outcome::done) << solver << " " << frame;
      ASSERT_TRUE(std::isfinite(stepper.H())) << solver << " " << frame;
    }
  }
}

}  // namespace
}  // namespace rebound::test
