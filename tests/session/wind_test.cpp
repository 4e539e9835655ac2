// Wind in a session: a sheet that falls through still air, and one that is held against a wind, against the law of
// drag.
#include <gtest/gtest.h>

#include <cmath>

#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

constexpr double kRho = 1.2, kDrag = 1.2;

scene::Description sheet(const char* integrator, double h, int divisions, double density) {
  scene::Description d;
  d.integrator.type = integrator;
  d.solver.type = "newton";
  d.timeStep = h;
  scene::Body body;
  body.mesh = scene::ClothMesh{{1, 1}, {divisions, divisions}, true};
  body.material.model = "membrane";
  body.material.law = "stvk";
  body.material.young = 1e6;
  body.material.density = density / body.material.thickness;
  d.bodies = {body};
  d.wind.emplace();
  return d;
}

// m g = 1/2 rho C A u^2. Relative to the air: it is the wind that blows up here, since air at rest is none.
TEST(WindOnASheet, LetsItFallAsFastAsItsWeightWants) {
  for (const char* integrator : {"backward-euler", "stabilized", "rebound", "bdf2", "tr-bdf2"})
    for (const double h : {0.033, 0.005}) {
      constexpr double kDensity = 0.3, kUp = 1e-3;
      scene::Description d = sheet(integrator, h, 3, kDensity);
      d.wind->velocity = {0, kUp, 0};
      Session s = open(d);
      while (s.record().time < 3) ASSERT_TRUE(s.step());
      const double g = -s.model().g.y(), expected = kUp - std::sqrt(kDensity * g / (0.5 * kRho * kDrag));
      EXPECT_NEAR(s.state().v.col(1).mean(), expected, 1e-3 * std::abs(expected)) << integrator << " " << h;
    }
}

// The springs that hold it feel 1/2 rho C A u^2, whatever its mesh and its mass.
TEST(WindOnASheet, PushesWithAllOfItsForceAtOneThatIsHeld) {
  for (const int divisions : {1, 4})
    for (const double density : {0.1, 3.0})
      for (const double h : {0.033, 0.004}) {
        constexpr double kSpeed = 10;
        scene::Description d = sheet("backward-euler", h, divisions, density);
        d.gravity = {0, 0, 0};
        d.wind->velocity = {0, kSpeed, 0};
        d.damping = {"drag", 0.5, "second"};
        scene::Attachment all;
        std::vector<int> vertices((divisions + 1) * (divisions + 1));
        for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = static_cast<int>(i);
        all.vertices = vertices;
        all.stiffness = 1e6;
        d.bodies[0].attachments = {all};
        Session s = open(d);
        while (s.record().time < 2) ASSERT_TRUE(s.step());
        double force = 0;
        for (const sim::Attachment& a : s.model().attachments.items)
          force += a.stiffness * (a.point.of(s.state().x) - a.target).y();
        const double expected = 0.5 * kRho * kDrag * kSpeed * kSpeed;
        EXPECT_NEAR(force, expected, 1e-3 * expected) << divisions << " " << density << " " << h;
      }
}

}  // namespace
}  // namespace rebound::test
