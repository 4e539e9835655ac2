// Stress, strain and energy density of elements, which the window colours bodies by, against closed forms.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "sim/energy/pull.hpp"
#include "support/material_cube.hpp"
#include "support/sheets.hpp"

namespace rebound::test {
namespace {

using Matrix3 = Eigen::Matrix3d;
constexpr double kYoung = 1e5, kPoisson = 0.3;

std::vector<ElementField> fields_of(const Model& model, const Points& x) {
  std::vector<ElementField> fields;
  Workspace work(2);
  model.element_fields(x, fields, work);
  return fields;
}

Matrix3 some_turn() { return Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix(); }

double elastic_energy(const Model& model, const Points& x) {
  Workspace work(1);
  return model.energy_by_kind(x, work)[static_cast<int>(EnergyKind::elastic)];
}

double energy_of(const std::vector<ElementField>& fields) {
  double sum = 0;
  for (const ElementField& field : fields) sum += field.volume * field.energy;
  return sum;
}

class SolidFieldTest : public testing::TestWithParam<const char*> {
 protected:
  MaterialCube cube{GetParam(), kYoung, kPoisson, 3};
  std::vector<ElementField> at(const Matrix3& F) const { return fields_of(cube.model, cube.rest * F.transpose()); }
};

// The sides are free, so that force over the present cross-section is all the stress there is.
TEST_P(SolidFieldTest, OfABarThatIsPulledTheStressIsItsTension) {
  MaterialValues values;
  values.young = kYoung;
  values.poisson = kPoisson;
  const MaterialInfo& info = *find_material(GetParam());
  for (const double stretch : {0.9, 1.02, 1.4}) {
    const double P = pull_stress(info, values, {&stretch, 1}).front();
    // The width at which there is no stress across: where the cube's energy is least.
    double low = 0.3, high = 2.5;
    for (int i = 0; i < 60; ++i) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      const auto energy = [&](double t) {
        return elastic_energy(cube.model, cube.rest * Vec3(stretch, t, t).asDiagonal());
      };
      (energy(a) < energy(b) ? high : low) = energy(a) < energy(b) ? b : a;
    }
    const double expected = std::abs(P) / (low * low);
    const double green = 0.5 * std::max(std::abs(stretch * stretch - 1), std::abs(low * low - 1));
    for (const ElementField& field : at(some_turn() * Vec3(stretch, low, low).asDiagonal())) {
      EXPECT_NEAR(field.stress, expected, 1e-5 * kYoung) << stretch;
      EXPECT_NEAR(field.strain, green, 1e-9) << stretch;
    }
  }
}

TEST_P(SolidFieldTest, ATurnGivesNothing) {
  for (const ElementField& field : at(some_turn())) {
    EXPECT_NEAR(field.stress, 0, 1e-9 * kYoung);
    EXPECT_NEAR(field.strain, 0, 1e-12);
    EXPECT_NEAR(field.energy, 0, 1e-9 * kYoung);
  }
}

TEST_P(SolidFieldTest, PressureFromAllSidesIsNoVonMisesStressButEnergy) {
  for (const double s : {0.8, 1.25})
    for (const ElementField& field : at(s * some_turn())) {
      EXPECT_NEAR(field.stress, 0, 1e-9 * kYoung) << s;
      EXPECT_NEAR(field.strain, 0.5 * std::abs(s * s - 1), 1e-12) << s;
      EXPECT_GT(field.energy, 1e-2 * kYoung) << s;
    }
}

TEST_P(SolidFieldTest, EnergyDensityTimesVolumeIsTheEnergyAndVolumeIsThatOfTheBody) {
  Points x = cube.rest;
  for (Eigen::Index v = 0; v < x.rows(); ++v)
    x.row(v) += 0.05 * Vec3(std::sin(5 * x(v, 1)), std::cos(4 * x(v, 2)), std::sin(3 * x(v, 0))).transpose();
  const auto fields = fields_of(cube.model, x);
  EXPECT_EQ(fields.size(), cube.tetrahedra.size());
  EXPECT_NEAR(energy_of(fields), elastic_energy(cube.model, x), 1e-10 * energy_of(fields));
  double volume = 0;
  for (const ElementField& field : fields) volume += field.volume;
  EXPECT_NEAR(volume, 1, 1e-12);
}

// Half a tetrahedron of material has the stress of the material in it, not half of it.
TEST_P(SolidFieldTest, OfAnElementThatIsPartlyFilledTheStressIsThatOfTheMaterial) {
  MaterialValues values;
  values.young = kYoung;
  values.poisson = kPoisson;
  const Elements elements = cube.tetrahedra;
  const std::vector<MaterialValues> all(cube.tetrahedra.size(), values);
  const std::vector<double> half(cube.tetrahedra.size(), 0.5);
  Model partly = free_vertices(static_cast<int>(cube.rest.rows()));
  for (auto& energy : find_material(GetParam())->laws.front().make({cube.rest, elements, all, half, {}}))
    partly.energies.push_back(std::move(energy));
  const Points x = cube.rest * Vec3(1.2, 0.9, 1.0).asDiagonal();
  const auto full = fields_of(cube.model, x), fields = fields_of(partly, x);
  EXPECT_NEAR(fields.front().stress, full.front().stress, 1e-9 * kYoung);
  EXPECT_NEAR(fields.front().energy, full.front().energy, 1e-9 * kYoung);
  EXPECT_NEAR(fields.front().volume, 0.5 * full.front().volume, 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Laws, SolidFieldTest, testing::ValuesIn(solid_materials()),
                         [](const auto& of) { return test_name(of.param); });

TEST(ElementField, WhatIsPressedFlatHasFiniteStress) {
  MaterialCube cube("stable-neo-hookean", kYoung, kPoisson, 1);
  for (const ElementField& field : fields_of(cube.model, cube.rest * Vec3(1, 1, 0).asDiagonal()))
    EXPECT_TRUE(std::isfinite(field.stress) && field.stress > 0) << field.stress;
}

class SheetFieldTest : public testing::TestWithParam<const char*> {
 protected:
  static MaterialValues values() {
    MaterialValues values;
    values.young = kYoung;
    values.poisson = kPoisson;
    values.thickness = 0.01;
    return values;
  }
  Sheet sheet{flat_grid(1, 0.5, 4, 2), GetParam(), values()};
  std::vector<ElementField> at(const Matrix3& F) const { return fields_of(sheet.model, sheet.rest * F.transpose()); }
};

// A strip that may become narrower: Young's modulus, for a small pull.
TEST_P(SheetFieldTest, OfAStripThatIsPulledTheStressIsItsTension) {
  constexpr double kStrain = 1e-5;
  const Vec3 along = (sheet.rest.row(sheet.triangles[0][1]) - sheet.rest.row(sheet.triangles[0][0])).transpose();
  const Vec3 n =
      along.cross((sheet.rest.row(sheet.triangles[0][2]) - sheet.rest.row(sheet.triangles[0][0])).transpose())
          .normalized();
  const Vec3 pull = Vec3::UnitX(), across = n.cross(pull);
  const Matrix3 F =
      Matrix3::Identity() + kStrain * pull * pull.transpose() - kPoisson * kStrain * across * across.transpose();
  for (const ElementField& field : at(some_turn() * F)) {
    EXPECT_NEAR(field.stress, kYoung * kStrain, 1e-4 * kYoung * kStrain);
    EXPECT_NEAR(field.strain, kStrain, 1e-4 * kStrain);
  }
}

TEST_P(SheetFieldTest, ATurnGivesNothing) {
  for (const ElementField& field : at(some_turn())) {
    EXPECT_NEAR(field.stress, 0, 1e-9 * kYoung);
    EXPECT_NEAR(field.strain, 0, 1e-12);
    EXPECT_NEAR(field.energy, 0, 1e-9 * kYoung);
  }
}

TEST_P(SheetFieldTest, EnergyDensityTimesVolumeIsTheEnergyOfAFlatSheet) {
  const Matrix3 F = some_turn() * Vec3(1.2, 0.9, 1.1).asDiagonal();
  const auto fields = at(F);
  EXPECT_EQ(fields.size(), sheet.triangles.size());
  EXPECT_NEAR(energy_of(fields), elastic_energy(sheet.model, sheet.rest * F.transpose()), 1e-9 * energy_of(fields));
}

INSTANTIATE_TEST_SUITE_P(Laws, SheetFieldTest, testing::Values("stvk", "neo-hookean"),
                         [](const auto& of) { return test_name(of.param); });

TEST(ElementField, ASpringHasStrainAlone) {
  Points x = Points::Zero(3, 3);
  x(1, 0) = 1;
  x(2, 1) = 2;
  const std::vector<std::array<int, 2>> edges{{0, 1}, {0, 2}};
  const std::vector<double> lengths{0.8, 2.5}, stiffness{10, 10};
  Model model = free_vertices(3);
  model.energies.push_back(std::make_unique<Springs>(x, edges, lengths, stiffness));
  const auto fields = fields_of(model, x);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_NEAR(fields[0].strain, 0.25, 1e-15);
  EXPECT_NEAR(fields[1].strain, 0.2, 1e-15);
  EXPECT_TRUE(std::isnan(fields[0].stress) && std::isnan(fields[0].energy));
}

}  // namespace
}  // namespace rebound::test
