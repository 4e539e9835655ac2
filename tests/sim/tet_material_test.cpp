// Every material of tetrahedra in the table, one deformation at a time: a new row is tested without a new test. W, P
// and dP/dF are read off the energy of a tetrahedron whose edges are the axes, so that F = [x1 - x0, x2 - x0, x3 - x0].
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <set>

#include "sim/base/first_root.hpp"
#include "sim/energy/float_batch.hpp"
#include "sim/registry.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

using Matrix3 = Eigen::Matrix3d;
using Matrix9 = Eigen::Matrix<double, 9, 9>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

constexpr double kTetVolume = 1.0 / 6;
constexpr int kRandomGradients = 200;

Vector9 as_nine(const Matrix3& F) { return Eigen::Map<const Vector9>(F.data()); }
Matrix3 as_square(const Vector9& v) { return Eigen::Map<const Matrix3>(v.data()); }

/// The material's law at any F.
class Law {
 public:
  Law(const MaterialInfo& info, const MaterialValues& values) {
    Points rest = Points::Zero(4, 3);
    rest.bottomRows<3>().setIdentity();
    const std::vector<std::array<int, 4>> tets{{0, 1, 2, 3}};
    const std::vector<double> fill{1.0};
    model_ = free_vertices(4);
    for (auto& energy : info.laws.front().make({rest, tets, {&values, 1}, fill, {}}))
      model_.energies.push_back(std::move(energy));
  }

  double psi(const Matrix3& F) { return model_.energy(corners(F), work_) / kTetVolume; }
  Matrix3 P(const Matrix3& F) {
    Points gradient;
    model_.gradient(corners(F), gradient, work_);
    return gradient.bottomRows<3>().transpose() / kTetVolume;
  }
  Matrix9 dPdF(const Matrix3& F, Curvature curvature = Curvature::exact) {
    HessianBlocks H(model_.laplacian());
    model_.add_hessian(corners(F), curvature, H, work_);
    const Eigen::MatrixXd lower = H.matrix();
    return Eigen::MatrixXd(lower.selfadjointView<Eigen::Lower>()).bottomRightCorner<9, 9>() / kTetVolume;
  }
  double rest_stiffness() { return dense_laplacian(model_)(1, 1) / kTetVolume; }
  double largest_step(const Matrix3& F, const Matrix3& dF) {
    return model_.energies.front()->largest_step(corners(F), corners(dF), work_);
  }

 private:
  static Points corners(const Matrix3& F) {
    Points x = Points::Zero(4, 3);
    x.bottomRows<3>() = F.transpose();
    return x;
  }

  Model model_;
  Workspace work_{1};
};

struct MaterialCase {
  const MaterialInfo* info;
  MaterialValues values;
};

std::vector<MaterialCase> material_cases() {
  std::vector<MaterialCase> list;
  for (const MaterialInfo& info : materials()) {
    if (info.kind != ElementKind::tetrahedra) continue;
    for (const double poisson : {0.0, 0.3, 0.45}) {
      MaterialValues values;
      values.young = 1000;
      values.poisson = poisson;
      // Its mu is 4 kappa, and it has no lambda.
      values.rigidity = values.young / 8;
      if (info.is_whole && poisson != 0) continue;
      list.push_back({&info, values});
    }
  }
  return list;
}

void PrintTo(const MaterialCase& c, std::ostream* out) {
  *out << c.info->id << ", Poisson's ratio " << c.values.poisson;
}

Matrix3 random_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized()
      .toRotationMatrix();
}

class TetMaterialTest : public testing::TestWithParam<MaterialCase> {
 protected:
  double mu() const { return values.young / (2 * (1 + values.poisson)); }
  // Of arap the second constant is no part.
  double lambda() const {
    const double nu = values.poisson;
    return GetParam().info->id == "arap" ? 0 : values.young * nu / ((1 + nu) * (1 - 2 * nu));
  }

  /// Turned, stretched and pressed by up to a factor of three, half of them inside out where the law is defined there;
  /// away from where two singular values cancel, as there some laws have a kink.
  void each_random_F(const std::function<void(const Matrix3& F)>& visit) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> stretch(0.35, 2);
    int inverted = 0;
    for (int i = 0; i < kRandomGradients; ++i) {
      Vec3 s;
      do {
        for (int c = 0; c < 3; ++c) s[c] = stretch(random);
        if (i % 2 == 1) s[2] *= -1;
      } while (s[2] < 0 && std::min(s[0], s[1]) + s[2] < 0.3);
      const Matrix3 F = random_rotation(random) * s.asDiagonal() * random_rotation(random);
      if (i % 2 == 1 && !std::isfinite(law.psi(F))) continue;
      inverted += i % 2;
      SCOPED_TRACE("F = " + testing::PrintToString(as_nine(F).transpose()));
      visit(F);
    }
    const bool has_barrier = std::isinf(law.psi(-Matrix3::Identity()));
    EXPECT_EQ(inverted, has_barrier ? 0 : kRandomGradients / 2);
  }

  /// An orthogonal change of F, as it acts on 9-vectors.
  static Matrix9 acting(const Matrix3& left, const Matrix3& right) {
    Matrix9 A;
    for (int i = 0; i < 9; ++i) A.col(i) = as_nine(left * as_square(Vector9::Unit(i)) * right);
    return A;
  }

  const MaterialValues values = GetParam().values;
  Law law{*GetParam().info, values};
};

TEST_P(TetMaterialTest, StressIsTheSlopeOfTheEnergy) {
  each_random_F([&](const Matrix3& F) {
    const Matrix3 P = law.P(F);
    const double e = 1e-3, scale = values.young + P.cwiseAbs().maxCoeff();
    for (int i = 0; i < 9; ++i) {
      const auto at = [&](double offset) { return law.psi(F + offset * as_square(Vector9::Unit(i))); };
      const double slope = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
      ASSERT_NEAR(as_nine(P)[i], slope, 1e-7 * scale) << i;
    }
  });
}

TEST_P(TetMaterialTest, StiffnessIsTheSlopeOfTheStress) {
  each_random_F([&](const Matrix3& F) {
    const Matrix9 H = law.dPdF(F);
    const double e = 1e-3, scale = values.young + H.cwiseAbs().maxCoeff();
    for (int i = 0; i < 9; ++i) {
      const auto at = [&](double offset) { return as_nine(law.P(F + offset * as_square(Vector9::Unit(i)))); };
      const Vector9 slope = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
      ASSERT_LT((H.col(i) - slope).cwiseAbs().maxCoeff(), 1e-6 * scale) << i;
    }
  });
}

TEST_P(TetMaterialTest, NothingChangesWhenTheWorldTurns) {
  std::mt19937 random(3);
  each_random_F([&](const Matrix3& F) {
    const Matrix3 Q = random_rotation(random), P = law.P(F);
    const Matrix9 H = law.dPdF(F), turn = acting(Q, Matrix3::Identity());
    ASSERT_NEAR(law.psi(Q * F), law.psi(F), 1e-11 * (values.young + law.psi(F)));
    ASSERT_LT((law.P(Q * F) - Q * P).norm(), 1e-11 * (values.young + P.norm()));
    ASSERT_LT((law.dPdF(Q * F) - turn * H * turn.transpose()).norm(), 1e-10 * (values.young + H.norm()));
  });
}

TEST_P(TetMaterialTest, NoDirectionOfTheMaterialIsSpecial) {
  std::mt19937 random(5);
  each_random_F([&](const Matrix3& F) {
    const Matrix3 Q = random_rotation(random), P = law.P(F);
    const Matrix9 H = law.dPdF(F), turn = acting(Matrix3::Identity(), Q);
    ASSERT_NEAR(law.psi(F * Q), law.psi(F), 1e-11 * (values.young + law.psi(F)));
    ASSERT_LT((law.P(F * Q) - P * Q).norm(), 1e-11 * (values.young + P.norm()));
    ASSERT_LT((law.dPdF(F * Q) - turn * H * turn.transpose()).norm(), 1e-10 * (values.young + H.norm()));
  });
}

TEST_P(TetMaterialTest, RestHasNoEnergyAndNoStressHoweverItIsTurned) {
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    const Matrix3 R = random_rotation(random);
    EXPECT_NEAR(law.psi(R), 0, 1e-13 * values.young / (1 - 2 * values.poisson));
    EXPECT_LT(law.P(R).norm(), 1e-13 * values.young / (1 - 2 * values.poisson));
  }
}

TEST_P(TetMaterialTest, IsLinearElasticityNearRest) {
  const Matrix9 H = law.dPdF(Matrix3::Identity());
  std::mt19937 random(13);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20; ++i) {
    Matrix3 dF;
    for (double& entry : dF.reshaped()) entry = normal(random);
    const Matrix3 expected = mu() * (dF + dF.transpose()) + lambda() * dF.trace() * Matrix3::Identity();
    EXPECT_LT((as_square(H * as_nine(dF)) - expected).norm(), 1e-11 * (expected.norm() + values.young));
  }
}

// A wave along x moves things by u(x): the stiffest one, along itself, has the modulus lambda + 2 mu.
TEST_P(TetMaterialTest, LHasTheStiffnessOfTheFastestWave) {
  EXPECT_NEAR(law.rest_stiffness(), lambda() + 2 * mu(), 1e-11 * values.young);
}

TEST_P(TetMaterialTest, NegativeEigenvaluesAreClampedOrTakenByTheirSizeAndNoOthers) {
  int indefinite = 0;
  const auto check = [&](const Matrix3& F) {
    const Matrix9 exact = law.dPdF(F), clamped = law.dPdF(F, Curvature::clamped),
                  absolute = law.dPdF(F, Curvature::absolute);
    const double scale = values.young + exact.norm();
    const Eigen::SelfAdjointEigenSolver<Matrix9> eigen(exact);
    const auto with = [&](const auto& eigenvalues) -> Matrix9 {
      return eigen.eigenvectors() * eigenvalues.asDiagonal() * eigen.eigenvectors().transpose();
    };
    ASSERT_LT((clamped - with(eigen.eigenvalues().cwiseMax(0))).norm(), 1e-10 * scale);
    ASSERT_LT((absolute - with(eigen.eigenvalues().cwiseAbs())).norm(), 1e-10 * scale);
    indefinite += eigen.eigenvalues()[0] < -1e-6 * scale;
    if (eigen.eigenvalues()[0] >= 1e-9 * scale) {
      ASSERT_LT((clamped - exact).norm(), 1e-12 * scale);
      ASSERT_LT((absolute - exact).norm(), 1e-12 * scale);
    }
  };
  each_random_F(check);
  EXPECT_GT(indefinite, kRandomGradients / 20) << "too few of them had anything to clamp";
}

// Flat, inside out, collapsed to a line or a point, and far away from all that is reasonable.
TEST_P(TetMaterialTest, AnyDeformationHasNumbersForAnAnswer) {
  std::mt19937 random(17);
  for (const Vec3& s : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(1, 1, -1), Vec3(1, 1, 1), Vec3(2, 2, 2),
                        Vec3(1, 1e-9, -1e-9), Vec3(1, 1, 1e-17), Vec3(1, 1e-200, 1e-200), Vec3(1e-300, 1e-300, 1e-310),
                        Vec3(-1, -1, -1), Vec3(1e6, 1e-6, 1), Vec3(1e6, 1e6, -1e6), Vec3(1e20, 1, 1)})
    for (const bool turned : {false, true}) {
      const Matrix3 A = turned ? random_rotation(random) : Matrix3::Identity(),
                    B = turned ? random_rotation(random) : Matrix3::Identity();
      const Matrix3 F = A * s.asDiagonal() * B;
      SCOPED_TRACE(testing::PrintToString(s.transpose()) + (turned ? " turned" : ""));
      const double psi = law.psi(F);
      EXPECT_FALSE(std::isnan(psi));
      if (std::isinf(psi)) {
        EXPECT_GT(psi, 0);
        EXPECT_LE(F.determinant(), 1e-15 * std::pow(F.norm(), 3)) << "infinite only where there is no volume";
      }
      EXPECT_TRUE(law.P(F).allFinite());
      EXPECT_TRUE(law.dPdF(F).allFinite());
      EXPECT_TRUE(law.dPdF(F, Curvature::absolute).allFinite());
    }
}

TEST_P(TetMaterialTest, StepsEndWhereTheEnergyWouldBeInfiniteAndNowhereElse) {
  const bool has_barrier = std::isinf(law.psi(-Matrix3::Identity()));
  std::mt19937 random(19);
  std::normal_distribution<double> normal;
  int stopped = 0;
  each_random_F([&](const Matrix3& F) {
    Matrix3 d;
    for (double& entry : d.reshaped()) entry = normal(random);
    const double step = law.largest_step(F, d);
    if (!has_barrier) {
      ASSERT_TRUE(std::isinf(step));
      return;
    }
    ASSERT_GT(step, 0);
    for (int i = 1; i <= 1000; ++i) ASSERT_TRUE(std::isfinite(law.psi(F + i * 1e-3 * step * d))) << i;
    if (step >= kShareOfTheWay * kFarthestStep) return;
    ++stopped;
    EXPECT_TRUE(std::isfinite(law.psi(F + (1 - 1e-9) / 0.9 * step * d)));
    EXPECT_TRUE(std::isinf(law.psi(F + (1 + 1e-9) / 0.9 * step * d)));
  });
  if (has_barrier) {
    EXPECT_GT(stopped, kRandomGradients / 4);
    EXPECT_EQ(law.largest_step(-Matrix3::Identity(), Matrix3::Identity()), 0) << "it is not admissible where it is";
  }
}

INSTANTIATE_TEST_SUITE_P(Table, TetMaterialTest, testing::ValuesIn(material_cases()), [](const auto& parameter) {
  std::string name = std::string(parameter.param.info->id) + "_" +
                     std::to_string(static_cast<int>(std::lround(100 * parameter.param.values.poisson)));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(MaterialTable, IsSound) {
  std::set<std::string_view> ids;
  for (const MaterialInfo& info : materials()) {
    SCOPED_TRACE(info.id);
    EXPECT_TRUE(ids.insert(info.id).second);
    EXPECT_EQ(find_material(info.id), &info);
    EXPECT_FALSE(info.title.empty() || info.what.empty() || info.parameters.empty());
    ASSERT_FALSE(info.laws.empty());
    EXPECT_NE(usual_material(info.kind), nullptr);
    for (const MaterialLaw& law : info.laws) {
      EXPECT_EQ(info.find_law(law.id), &law);
      EXPECT_EQ(law.id.empty(), !info.has_choice_of_law());
      EXPECT_EQ(law.what.empty(), !info.has_choice_of_law());
      int solvers_that_take_it = 0;
      for (const SolverInfo& solver : solvers()) solvers_that_take_it += solver.takes(law);
      EXPECT_GT(solvers_that_take_it, 0);
    }
    for (const MaterialParameter& parameter : info.parameters) EXPECT_TRUE(info.asks_for(parameter.key));
    EXPECT_FALSE(info.asks_for("colour"));
    if (info.has_choice_of_law()) {
      EXPECT_EQ(info.find_law("magic"), nullptr);
    }
  }
  EXPECT_EQ(find_material("magic"), nullptr);
  EXPECT_EQ(usual_material(ElementKind::tetrahedra)->id, "arap");
  EXPECT_EQ(usual_material(ElementKind::edges)->id, "springs");
}

// Stiffness and volume of an element are its own: a body of two materials, one of them half full.
TEST_P(TetMaterialTest, ElementsMayDiffer) {
  const mesh::TetMesh box = mesh::box({1, 1, 1}, {1, 1, 1}, 6);
  std::vector<MaterialValues> each(box.tetrahedra.size(), values);
  std::vector<double> fill(box.tetrahedra.size(), 1.0);
  each[2].young *= 7;
  each[2].rigidity *= 7;
  fill[4] = 0.5;
  const auto make = GetParam().info->laws.front().make;
  const Points x = box.points * Vec3(1.2, 0.9, 1.1).asDiagonal();
  Workspace work(1);
  const auto energy_of = [&](const Energies& energies) {
    double sum = 0;
    for (const auto& energy : energies) sum += energy->value(x, work);
    return sum;
  };
  double expected = 0;
  for (std::size_t t = 0; t < box.tetrahedra.size(); ++t) {
    const std::vector<std::array<int, 4>> one{box.tetrahedra[t]};
    const std::vector<double> full{1.0};
    expected += (t == 2 ? 7 : t == 4 ? 0.5 : 1) * energy_of(make({box.points, one, {&values, 1}, full, {}}));
  }
  EXPECT_NEAR(energy_of(make({box.points, box.tetrahedra, each, fill, {}})), expected, 1e-12 * expected);
}

}  // namespace
}  // namespace rebound::test
