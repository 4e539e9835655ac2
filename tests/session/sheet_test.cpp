// Sheets of triangles in a world: everything that a cloth of springs does, they do.
#include <gtest/gtest.h>

#include "mesh/error.hpp"
#include "scene/material.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

scene::Description sheet(const std::string& law, const std::string& solver, int divisions = 12) {
  scene::Description d;
  d.solver.type = solver;
  d.integrator.type = "backward-euler";
  scene::Body body;
  body.name = "sheet";
  body.mesh = scene::ClothMesh{{1, 1}, {divisions, divisions}, true};
  body.material = scene::default_material(body.mesh);
  body.material.law = law;
  body.material.young = 2e5;
  body.material.density = 300;
  body.transform.translate = {0, 1, 0};
  d.bodies.push_back(body);
  return d;
}

TEST(Sheet, WeighsItsDensityTimesItsThickness) {
  auto d = sheet("stvk", "newton");
  d.bodies[0].material.thickness = 2e-3;
  EXPECT_NEAR(open(d).model().M.sum(), 300 * 2e-3, 1e-12);
  d.bodies[0].transform.scale = 2;
  EXPECT_NEAR(open(d).model().M.sum(), 4 * 300 * 2e-3, 1e-12);
  d.bodies[0].material.pretension = 0.25;
  EXPECT_NEAR(open(d).model().M.sum(), 4 * 300 * 2e-3 / (1.25 * 1.25), 1e-12)
      << "it was smaller before it was stretched";
}

TEST(Sheet, IsHeldPulledPinnedAndRewoundAsAClothOfSpringsIs) {
  for (const char* law : {"stvk", "neo-hookean"})
    for (const char* solver : {"newton", "newton-cg", "quasi-newton", "gast"}) {
      auto d = sheet(law, solver);
      d.bodies[0].attachments.push_back({std::vector<int>{0, 12}, 1e3, {}});
      d.obstacles.push_back({"ball", scene::SphereShape{0.3}, {}, 200, 0.4});
      d.obstacles[0].transform.translate = {0, 0.6, 0};
      d.contact.self = true;
      d.contact.stiffness = 50;
      d.damping.coefficient = 0.02;
      Session s = open(d, 2);
      const double start = s.record().measured.total();
      for (int frame = 0; frame < 30; ++frame) {
        if (frame == 5) s.apply(Grab{{0, 100}, {0.3, 1.2, 0.2}, 1});
        if (frame == 10) s.apply(MoveGrab{{0.5, 1.5, 0.2}});
        if (frame == 12) s.apply(Pin{{{0, 100}}});
        if (frame == 15) s.apply(Release{});
        ASSERT_TRUE(s.step()) << law << " " << solver << " " << frame << ": " << s.failure();
      }
      EXPECT_LT(s.record().measured.total(), start + s.record().added_total() + 1e-6)
          << "backward Euler makes no energy";
      const int pinned = 100;
      const auto before = s.state().x.row(pinned).eval();
      ASSERT_TRUE(s.step());
      EXPECT_EQ(s.state().x.row(pinned), before);
    }
}

TEST(Sheet, ItsMaterialChangesWhileItRuns) {
  auto d = sheet("stvk", "quasi-newton");
  d.bodies[0].attachments.push_back({std::vector<int>{0, 12}, 1e3, {}});
  Session s = open(d);
  ASSERT_TRUE(s.step());
  scene::Material material = d.bodies[0].material;
  material.law = "neo-hookean";
  material.thickness = 3e-3;
  material.bending = 0;
  s.apply(SetMaterial{0, material});
  ASSERT_TRUE(s.step()) << s.failure();
  EXPECT_NEAR(s.model().M.sum(), 300 * 3e-3, 1e-12);
  const auto refused = [&](const auto& change, const char* what) {
    scene::Material wrong = material;
    change(wrong);
    try {
      s.apply(SetMaterial{0, wrong});
      ADD_FAILURE() << what;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refused([](auto& m) { m.thickness = 0; }, "/bodies/0/material/thickness: 0 is not within");
  refused([](auto& m) { m.poisson = 0.5; }, "/bodies/0/material/poisson: 0.5 is not within");
  refused([](auto& m) { m.model = "stvk"; }, "'stvk' is for tetrahedra, and this mesh has triangles; use 'membrane'");
  refused([](auto& m) { m.law = "hookean"; }, "unknown law 'hookean' of 'membrane'; use 'stvk' or 'neo-hookean'");
  scene::Solver solver = d.solver;
  solver.type = "local-global";
  try {
    s.apply(SetSolver{solver});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "/bodies/0/material/law: solver 'local-global' does not take law 'neo-hookean'; set /solver/type to "
              "\"quasi-newton\", \"newton\", \"newton-cg\" or \"gast\"");
  }
}

// What bends links vertices across edges: the pattern is another one then.
TEST(Sheet, BeginsToBendAndStopsAsOneThatAlwaysDid) {
  for (const char* solver : {"newton", "newton-cg", "quasi-newton", "gast"})
    for (const double first : {0.0, 1.0})
      for (const int cells : {6, 40}) {  // in double and in single precision
        auto d = sheet("stvk", solver, cells);
        d.bodies[0].attachments.push_back({std::vector<int>{0, 12}, 1e3, {}});
        d.bodies[0].material.bending = 1 - first;
        Session always = open(d);
        scene::Material material = d.bodies[0].material;
        d.bodies[0].material.bending = first;
        Session changed = open(d);
        changed.apply(SetMaterial{0, material});
        for (int frame = 0; frame < 3; ++frame) {
          ASSERT_TRUE(always.step()) << solver;
          ASSERT_TRUE(changed.step()) << solver << " " << first << ": " << changed.failure();
        }
        const double moved = (always.state().x - open(d).state().x).cwiseAbs().maxCoeff();
        EXPECT_LT((always.state().x - changed.state().x).cwiseAbs().maxCoeff(), 1e-4 * moved) << solver << " " << first;
      }
}

TEST(Sheet, ABorderIsHeldOnlyWhereThereIsOne) {
  auto d = sheet("stvk", "newton", 4);
  d.bodies[0].mesh = scene::DiskMesh{0.5, 3};
  d.bodies[0].fixed = scene::BorderSelection{};
  const Session s = open(d);
  int held = 0;
  for (int v = 0; v < s.model().vertices(); ++v) {
    const bool at_rim = s.world().bodies[0].rest.row(v).norm() > 0.4999;
    EXPECT_EQ(s.model().fixed[static_cast<std::size_t>(v)] != 0, at_rim) << v;
    held += at_rim;
  }
  EXPECT_EQ(held, 18);
  auto cube = spinning_cube(2);
  cube.bodies[0].fixed = scene::BorderSelection{};
  EXPECT_THROW(open(cube), InputError);
}

}  // namespace
}  // namespace rebound::test
