#include "app/gizmo.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace rebound::app {
namespace {

/// Looked at from the front, a little from above and aside.
class GizmoTest : public testing::Test {
 protected:
  GizmoTest() {
    camera.resize(800, 600);
    camera.set_pose({centre, 0.5f, 0.4f, 5});
  }
  Vec2 pixel(const Vec3& at) const { return camera.project(at).pixel; }

  const Vec3 centre{1, 2, -0.5f};
  render::Camera camera;
};

TEST_F(GizmoTest, ItsPartsAreUnderTheirLines) {
  const Gizmo gizmo(camera, centre, 1);
  for (const GizmoPart& part : kGizmoParts) {
    if (part.turns) continue;
    const auto line = gizmo.line(part);
    EXPECT_EQ(gizmo.pick(line.back()), part) << part.axis;
  }
  // Each ring somewhere: where others cross it, those may be nearer.
  for (const GizmoPart& part : kGizmoParts) {
    int found = 0;
    for (const Vec2& corner : gizmo.line(part)) found += gizmo.pick(corner) == part;
    EXPECT_GT(found, part.turns ? 20 : 0) << part.axis;
  }
  EXPECT_FALSE(gizmo.pick(pixel(centre)));
  EXPECT_FALSE(gizmo.pick({5, 5}));
}

TEST_F(GizmoTest, ADragAlongAnArrowMovesByWhatIsSeen) {
  const Gizmo gizmo(camera, centre, 1);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec2 from = pixel(centre + 0.2f * Vec3::Unit(axis)), to = pixel(centre + 0.9f * Vec3::Unit(axis));
    EXPECT_NEAR(gizmo.moved(axis, from, to), 0.7, 1e-3) << axis;
    EXPECT_NEAR(gizmo.moved(axis, to, from), -0.7, 1e-3) << axis;
  }
}

TEST_F(GizmoTest, WhereOneLooksAlongAnAxisNothingMoves) {
  camera.set_pose({centre, 0, 0, 5});
  EXPECT_EQ(Gizmo(camera, centre, 1).moved(2, {400, 300}, {500, 320}), 0);
}

TEST_F(GizmoTest, ADragRoundARingTurnsByTheRightHand) {
  const Gizmo gizmo(camera, centre, 1);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 from = 0.5f * Vec3::Unit((axis + 1) % 3), to = 0.5f * Vec3::Unit((axis + 2) % 3);
    const double quarter = std::numbers::pi / 2;
    EXPECT_NEAR(gizmo.turned(axis, pixel(centre + from), pixel(centre + to)), quarter, 1e-3) << axis;
    EXPECT_NEAR(gizmo.turned(axis, pixel(centre + to), pixel(centre + from)), -quarter, 1e-3) << axis;
  }
}

TEST_F(GizmoTest, ARingSeenFromItsEdgeRolls) {
  camera.set_pose({centre, 0, 0, 5});
  const Gizmo gizmo(camera, centre, 1);
  // About the vertical, seen from the front: what is near goes to the right.
  EXPECT_GT(gizmo.turned(1, {400, 300}, {420, 300}), 0.1);
  EXPECT_LT(gizmo.turned(1, {400, 300}, {380, 300}), -0.1);
  EXPECT_NEAR(gizmo.turned(1, {400, 300}, {400, 340}), 0, 1e-3);
}

}  // namespace
}  // namespace rebound::app
