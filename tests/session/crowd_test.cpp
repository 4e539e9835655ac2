// Friction where contacts crowd: sheets that lie on something with a thousand vertices.
#include <gtest/gtest.h>

#include "contact_worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

/// A sheet of a thousand vertices on a slope of tangent 0.5: more contacts than have dense rows.
scene::Description sheet_on_slope(double friction) {
  auto d = block_on_slope(friction, "local-global", 0.01);
  scene::Body& sheet = d.bodies[0];
  sheet.mesh = scene::ClothMesh{{1, 1}, {31, 31}};
  sheet.material = {};
  sheet.material.model = "springs";
  sheet.material.stiffness = 200;
  sheet.material.density = 0.5;
  d.obstacles[0].stiffness = 100;
  const double angle = std::atan(kSlope), depth = 0.5 / 1024 * kG * std::cos(angle) / 100;
  sheet.transform.translate = {-depth * std::sin(angle), -depth * std::cos(angle), 0};
  return d;
}

TEST(FrictionOfACrowd, ASheetStaysOrSlidesAsCoulombSays) {
  for (const char* integrator : {"backward-euler", "stabilized"}) {
    auto sticking = sheet_on_slope(0.51);
    sticking.integrator.type = integrator;
    Session stays = open(sticking);
    // The blend shakes what friction holds: it creeps by 0.9 to 1.8 mm, however many iterations are made.
    EXPECT_LT(std::abs(slides(stays, 3)), std::string(integrator) == "stabilized" ? 2e-3 : 1e-5) << integrator;
    EXPECT_TRUE(stays.model().contacts.crowded());

    auto slipping = sheet_on_slope(0.4);
    slipping.integrator.type = integrator;
    Session goes = open(slipping);
    const double way = 0.5 * kG * (kSlope - 0.4) / std::hypot(1, kSlope) * 9;
    EXPECT_NEAR(slides(goes, 3), way, 0.03 * way) << integrator;
    EXPECT_TRUE(goes.model().contacts.crowded());
    // What friction has taken: m g k_f cos times the way.
    EXPECT_NEAR(taken(goes, sim::Dissipated::friction), 0.5 * kG * 0.4 / std::hypot(1, kSlope) * way,
                0.05 * 0.5 * kG * 0.4 * way)
        << integrator;
  }
}

TEST(FrictionOfACrowd, ASheetThatFallsOnABallKeepsItsBooks) {
  auto d = sheet_on_slope(0.5);
  d.obstacles[0].shape = scene::PlaneShape{};
  d.obstacles.push_back(ball(0.2, {0.05, 0.2, 0}, 100));
  d.obstacles[1].friction = 0.5;
  d.bodies[0].mesh = scene::ClothMesh{{2, 2}, {60, 60}};
  d.bodies[0].transform.translate = {0, 0.45, 0};
  d.integrator.type = "stabilized";
  d.damping = {"rigid-preserving", 0.05, "frame"};
  Session s = open(d);
  double worst = 0, before = 0;
  bool crowded = false;
  for (int frame = 0; frame < 250; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    worst = std::max(worst, std::abs(energy_error(s)));
    crowded |= s.model().contacts.crowded();
    ASSERT_GE(taken(s, sim::Dissipated::friction), before);
    before = taken(s, sim::Dissipated::friction);
    ASSERT_GT(s.state().x.col(1).minCoeff(), -0.05);
  }
  EXPECT_TRUE(crowded);
  EXPECT_LT(worst, 0.011);
}

}  // namespace
}  // namespace rebound::test
