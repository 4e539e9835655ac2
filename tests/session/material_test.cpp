// Materials while a world runs: what does not exist is refused, and every row of the table can be simulated.
#include <gtest/gtest.h>

#include "mesh/error.hpp"
#include "sim/registry.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

TEST(MaterialCommand, RefusesWhatDoesNotExistForTheBody) {
  Session s = open(spinning_cube(2));
  scene::Material material = s.description().bodies[0].material;
  material.model = "rubber";
  EXPECT_EQ(refusal(s, SetMaterial{0, material}).find("/bodies/0/material/model: there is no material 'rubber'"), 0u);
  material.model = "springs";
  EXPECT_EQ(refusal(s, SetMaterial{0, material}),
            "/bodies/0/material/model: 'springs' is for edges, and this mesh has tetrahedra; use 'arap'");
  material.model = "corotated";
  EXPECT_EQ(refusal(s, SetMaterial{0, material}),
            "/bodies/0/material/model: solver 'local-global' does not take 'corotated'; set /solver/type to "
            "\"quasi-newton\", \"newton\", \"newton-cg\" or \"gast\", or use 'arap'");
  EXPECT_TRUE(s.step());

  Session cloth = open(hanging_cloth(4, 50));
  material = cloth.description().bodies[0].material;
  material.law = "cubic";
  EXPECT_EQ(refusal(cloth, SetMaterial{0, material}),
            "/bodies/0/material/law: unknown law 'cubic' of 'springs'; use 'hookean' or 'squared'");
  material.law = "squared";
  EXPECT_EQ(refusal(cloth, SetMaterial{0, material}).find("/bodies/0/material/law: solver 'local-global' does not"),
            0u);
  material.law = "hookean";
  material.restLengths = {1, -1};
  EXPECT_EQ(refusal(cloth, SetMaterial{0, material}).find("/bodies/0/material/restLengths: -1 is not within"), 0u);
  EXPECT_TRUE(cloth.step());
}

TEST(SolverCommand, RefusesWhatABodysMaterialDoesNotTake) {
  auto d = spinning_cube(2, 1e4);
  d.bodies.push_back(d.bodies[0]);
  d.bodies[1].transform.translate = {3, 0, 0};
  d.bodies[1].material.model = "stable-neo-hookean";
  d.solver.type = "newton";
  Session s = open(d);
  scene::Solver solver = d.solver;
  solver.type = "local-global";
  EXPECT_EQ(refusal(s, SetSolver{solver}),
            "/bodies/1/material/model: solver 'local-global' does not take 'stable-neo-hookean'; set /solver/type to "
            "\"quasi-newton\", \"newton\", \"newton-cg\" or \"gast\", or use 'arap'");
  solver.type = "magic";
  EXPECT_NE(refusal(s, SetSolver{solver}).find("'magic' is not known"), std::string::npos);
  EXPECT_TRUE(s.step());
  s.apply(SetMaterial{1, d.bodies[0].material});
  solver.type = "local-global";
  s.apply(SetSolver{solver});
  EXPECT_TRUE(s.step());
}

// A law of infinite energy cannot begin where it is infinite: which element, and what would work.
TEST(MaterialCommand, RefusesABarrierWhereElementsAreInsideOut) {
  auto d = spinning_cube(2);
  d.solver.type = "quasi-newton";
  d.bodies[0].material.model = "neo-hookean";
  d.bodies[0].start = scene::StretchedStart{{1, -1, 1}};
  const auto refused = [](const scene::Description& scene) {
    try {
      open(scene);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(
      refused(d),
      "/bodies/0/start: tetrahedron 0, and 39 more, are inside out or flat, where 'neo-hookean' has no finite energy; begin with "
      "all of them upright, or use 'arap', 'corotated', 'fixed-corotated', 'stvk' or 'stable-neo-hookean'");
  d.bodies[0].start = scene::PointStart{};
  EXPECT_NE(refused(d), "no error");
  d.bodies[0].material.model = "stvk";
  d.bodies[0].start = scene::StretchedStart{{1, -1, 1}};
  d.bodies[0].regions = {{std::vector<int>{5, 7}, "neo-hookean", {}}};
  EXPECT_EQ(refused(d).find("/bodies/0/start: tetrahedron 5, and 1 more, are inside out"), 0u) << refused(d);
  d.bodies[0].regions.clear();

  // While it runs it goes on as it was.
  Session s = open(d);
  scene::Material material = s.description().bodies[0].material;
  material.model = "neo-hookean";
  EXPECT_EQ(refusal(s, SetMaterial{0, material}).find("/bodies/0/material: tetrahedron 0, and 39 more, are inside out"),
            0u);
  EXPECT_EQ(s.description().bodies[0].material.model, "stvk");
  EXPECT_TRUE(s.step());
  material.model = "stable-neo-hookean";
  s.apply(SetMaterial{0, material});
  EXPECT_TRUE(s.step());
}

TEST(MaterialCommand, RefusesAWorldThatCannotBe) {
  auto d = spinning_cube(2);
  d.bodies[0].material.model = "stvk";
  EXPECT_THROW(open(d), InputError);
}

// A soft cube, stretched and spun, at a step that its waves need several of to cross it.
scene::Description lively_cube(const sim::MaterialInfo& info) {
  auto d = spinning_cube(3, 2e4);
  d.bodies[0].material.model = info.id;
  d.bodies[0].material.rigidity = 2e4 / 8;
  d.bodies[0].start = scene::StretchedStart{{1.3, 0.9, 0.95}};
  d.bodies[0].angularVelocity = {0, 4, 0};
  d.solver.type = "newton";
  d.solver.iterations = 30;
  d.timeStep = 0.01;
  return d;
}

class EveryMaterial : public testing::TestWithParam<const sim::MaterialInfo*> {};

TEST_P(EveryMaterial, RunsWithEveryImplicitIntegrator) {
  for (const sim::IntegratorInfo& integrator : sim::integrators()) {
    if (integrator.schemes.empty()) continue;
    SCOPED_TRACE(integrator.id);
    auto d = lively_cube(*GetParam());
    d.integrator.type = integrator.id;
    Session s = open(d);
    const double start = s.record().measured.total();
    for (int frame = 0; frame < 60; ++frame) {
      ASSERT_TRUE(s.step()) << s.failure();
      ASSERT_LT(s.record().measured.total(), 1.2 * start) << frame;
    }
    EXPECT_GT(s.record().measured.total(), 0.05 * start);
  }
}

TEST_P(EveryMaterial, KeepsItsEnergyWhenStabilized) {
  Session s = open(lively_cube(*GetParam()), 2);
  for (int frame = 0; frame < 100; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    ASSERT_LT(std::abs(energy_error(s)), 0.011) << frame;
  }
}

TEST_P(EveryMaterial, IsChosenWhileTheWorldRunsAndBooked) {
  auto d = lively_cube(*sim::usual_material(GetParam()->kind));
  Session s = open(d);
  for (int frame = 0; frame < 5; ++frame) ASSERT_TRUE(s.step());
  const double H = s.record().measured.total();
  scene::Material material = d.bodies[0].material;
  material.model = GetParam()->id;
  s.apply(SetMaterial{0, material});
  const double booked = s.record().added[static_cast<int>(sim::Added::edit)];
  EXPECT_NEAR(booked, s.record().measured.total() - H, 1e-9 * H);
  for (int frame = 0; frame < 5; ++frame) ASSERT_TRUE(s.step());
  EXPECT_LT(std::abs(energy_error(s)), 0.011);
}

std::vector<const sim::MaterialInfo*> solids() {
  std::vector<const sim::MaterialInfo*> list;
  for (const sim::MaterialInfo& info : sim::materials())
    if (info.kind == sim::ElementKind::tetrahedra) list.push_back(&info);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMaterial, testing::ValuesIn(solids()), [](const auto& parameter) {
  std::string name(parameter.param->id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace rebound::test
