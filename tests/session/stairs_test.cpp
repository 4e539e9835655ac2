// A scanned body falls down stairs: nothing explodes, and the ledger explains every joule for as long as it lasts.
#include <gtest/gtest.h>

#include <filesystem>

#include "contact_worlds.hpp"

namespace rebound::test {
namespace {

scene::Description bunny_above_stairs(const std::filesystem::path& file) {
  constexpr double kStiffness = 1e4, kFriction = 0.4;
  scene::Description d;
  scene::Body bunny;
  bunny.name = "bunny";
  scene::FileMesh mesh;
  mesh.file = file;
  mesh.tetrahedralize.tets = 3000;
  bunny.mesh = mesh;
  bunny.autoScale = true;
  bunny.transform = {{0, 4.2, 0}, {{0.3, 0, 1}, 40}, 1};
  bunny.velocity = {1, 0, 0};
  d.bodies.push_back(bunny);
  for (int stair = 0; stair < 6; ++stair) {
    scene::Obstacle step = ground(kStiffness, kFriction);
    step.shape = scene::BoxShape{{1, 0.5, 4}};
    step.transform.translate = {1.0 * stair, 2.5 - 0.5 * stair, 0};
    d.obstacles.push_back(step);
  }
  d.obstacles.push_back(ground(kStiffness, kFriction));
  d.obstacles.back().shape = scene::PlaneShape{{0, 1, 0}, -0.25};
  d.damping = {"rigid-preserving", 0.1, "second"};
  return d;
}

TEST(Stairs, ABunnyComesDownInOnePiece) {
  const auto file = std::filesystem::path(REBOUND_SOURCE_DIR) / ".." / "shared" / "meshes" / "stanford-bunny.obj";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not here";
  session::Session s = open(bunny_above_stairs(file), 2);
  const double H = s.record().measured.total(), high = middle(s).y();
  std::size_t most = 0;
  for (int frame = 0; frame < 3000; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    ASSERT_TRUE(s.state().finite());
    ASSERT_LT(std::abs(energy_error(s)), 0.0101) << frame;
    ASSERT_LT(s.record().measured.kinetic, H) << "that is all there is";
    most = std::max(most, s.contacts().size());
  }
  const auto& r = s.record();
  EXPECT_GT(most, 50u);
  EXPECT_LT(middle(s).y(), high - 3);
  EXPECT_GT(middle(s).y(), -0.25);
  EXPECT_LT(r.measured.kinetic, 1e-3 * H) << "it lies";
  EXPECT_NEAR(r.target, H + r.added_total() - r.dissipated_total(), 1e-9 * H);
  EXPECT_GT(r.dissipated[static_cast<int>(sim::Dissipated::friction)], 0.3 * H);
}

}  // namespace
}  // namespace rebound::test
