// What the window says of motion that nobody sees, and of the modes that SIERE takes: where they are no help, and
// nothing where they are.
#include "app/seen.hpp"

#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace rebound::app {
namespace {

session::Snapshot after(scene::Description d, const char* integrator, int modes, int frames) {
  d.integrator.type = integrator;
  d.integrator.modes = modes;
  d.solver.type = "newton";
  d.bodies[0].material.model = "stable-neo-hookean";
  session::Session s = test::open(std::move(d));
  for (int i = 0; i < frames; ++i) EXPECT_TRUE(s.step()) << s.failure();
  session::Snapshot moment;
  moment.record = s.record();
  moment.description = s.description();
  return moment;
}

// Held at a face.
scene::Description held_cube() {
  scene::Description d = test::spinning_cube(4, 1e5);
  d.bodies[0].transform.rotate = {};
  d.bodies[0].angularVelocity = {0, 0, 0};
  d.bodies[0].fixed = scene::BoxRegion{{-1, -1, -1}, {-0.49, 1, 1}};
  d.timeStep = 0.01;
  return d;
}

// A vibration stores what it moves with; what tumbles too fast to be seen stores nothing.
TEST(UnseenShare, IsNoMoreThanThereIs) {
  session::Snapshot moment;
  moment.record.scale = 20;
  EXPECT_EQ(unseen_share(moment), 0);
  moment.record.seen = sim::SeenMotion{2, 8, 0.8};
  EXPECT_EQ(unseen_share(moment), 0) << "what has shaken within the last second lies still";
  moment.record.measured.kinetic = 10;
  EXPECT_DOUBLE_EQ(unseen_share(moment), 8.0 / 20);
  moment.record.measured.elastic = 2;
  moment.record.measured.contact = 1;
  EXPECT_DOUBLE_EQ(unseen_share(moment), 11.0 / 20);
  moment.record.measured.elastic = 50;
  EXPECT_DOUBLE_EQ(unseen_share(moment), 16.0 / 20);
}

TEST(ModesAdvice, AFreeBodyWantsTwelve) {
  const scene::Description d = test::spinning_cube(3, 1e5);
  const std::string few = modes_advice(after(d, "siere", 5, 2));
  EXPECT_NE(few.find("fewer than 12"), std::string::npos) << few;
  EXPECT_EQ(modes_advice(after(d, "siere", 12, 2)).find("rigid"), std::string::npos);
  EXPECT_EQ(modes_advice(after(d, "semi-implicit", 5, 2)), "");
  EXPECT_EQ(modes_advice(after(d, "stabilized", 5, 2)), "");
}

TEST(ModesAdvice, WhatMovesMayBeAboveThem) {
  // Bent slowly, it is in the first modes; hit at its far end by a wave along it, it is not.
  scene::Description slow = held_cube();
  slow.gravity = {0, -9.81, 0};
  EXPECT_EQ(modes_advice(after(slow, "siere", 5, 20)), "");
  scene::Description fast = held_cube();
  fast.bodies[0].velocity = {3, 0, 0};
  const std::string said = modes_advice(after(fast, "siere", 1, 3));
  EXPECT_NE(said.find("above these modes"), std::string::npos) << said;
}

}  // namespace
}  // namespace rebound::app
