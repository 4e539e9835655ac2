// Friction turns bodies: a torque stops a spin, and tips over what is tall.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "scene/build.hpp"
#include "scene/parse.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

Session on_a_floor(const std::string& integrator, double h, const std::string& material, const std::string& body,
                   double friction) {
  const std::string text = R"({"rebound": 1, "timeStep": )" + std::to_string(h) + R"(, "integrator": {"type": ")" +
                           integrator + R"("}, "solver": {"type": "newton"}, "damping": {"coefficient": 0},
    "obstacles": [{"plane": {}, "friction": )" +
                           std::to_string(friction) + R"(}],
    "bodies": [{"material": {"density": 1000, )" +
                           material + "}, " + body + "}]}";
  return Session(scene::load_world(scene::parse_scene(text, "block", ".")), 1);
}

struct TurnedMaterial {
  const char *name, *numbers;
};
constexpr TurnedMaterial kTurnedAffine{"affine", R"("model": "affine")"},
    kTurnedSoft{"soft", R"("model": "neo-hookean", "young": 1e6, "poisson": 0.3)"};

// A square plate of side a that spins about its axis at 5 rad/s. Were its pressure even, the torque would be
// mu m g 0.3826 a; an affine one stands on its corners, 0.707 a from the axis, and a soft one on all of its vertices.
TEST(TurningFriction, ATorqueStopsASpinAndTakesItsEnergy) {
  constexpr double a = 0.3, mu = 0.5, omega = 5;
  const std::string plate = R"("mesh": {"box": {"size": [0.3, 0.1, 0.3], "divisions": [3, 1, 3]}},
    "transform": {"translate": [0, 0.05, 0]}, "angularVelocity": [0, 5, 0])";
  for (const TurnedMaterial& material : {kTurnedAffine, kTurnedSoft})
    for (const char* integrator : {"backward-euler", "bdf2", "implicit-midpoint", "tr-bdf2", "stabilized", "rebound"}) {
      SCOPED_TRACE(std::string(material.name) + " " + integrator);
      Session s = on_a_floor(integrator, 0.01, material.numbers, plate, mu);
      const double spin = s.record().measured.l[1], K = s.record().measured.kinetic;
      double stopped = 0;
      for (int frame = 1; frame <= 60; ++frame) {
        ASSERT_TRUE(s.step()) << s.failure();
        if (s.record().measured.l[1] > 0.02 * spin) stopped = frame * 0.01;
      }
      const double inertia = spin / omega, weight = 0.3 * 0.1 * 0.3 * 1000 * 9.81;
      EXPECT_GT(stopped, 0.7 * omega * inertia / (mu * weight * 0.707 * a));
      EXPECT_LT(stopped, 1.5 * omega * inertia / (mu * weight * 0.3826 * a));
      const double taken = s.record().dissipated[static_cast<int>(sim::Dissipated::friction)];
      EXPECT_NEAR(taken, K, 0.1 * K);
      EXPECT_NEAR(s.record().measured.total(), s.record().target, 0.1 * K);
    }
}

// Three times as tall as it is wide, at 2 m/s: it falls over. In steps of 1 ms its angular momentum comes to 27 kg
// m^2/s; where it is slowed down on its foot it keeps the 14 that it began with, by its way over the origin.
TEST(TurningFriction, TipsOverWhatIsTall) {
  const std::string tower = R"("mesh": {"box": {"size": [0.2, 0.6, 0.2], "divisions": [2, 6, 2]}},
    "transform": {"translate": [0, 0.3, 0]}, "velocity": [2, 0, 0])";
  for (const char* integrator : {"backward-euler", "stabilized", "rebound"})
    for (const double h : {0.01, 0.033}) {
      SCOPED_TRACE(std::string(integrator) + " " + std::to_string(h));
      Session s = on_a_floor(integrator, h, kTurnedSoft.numbers, tower, 1);
      double most = 0;
      for (int frame = 0; frame * h < 0.8; ++frame) {
        ASSERT_TRUE(s.step()) << s.failure();
        most = std::max(most, std::abs(s.record().measured.l[2]));
      }
      EXPECT_GT(most, 24);
      EXPECT_LT(most, 34);
    }
}

}  // namespace
}  // namespace rebound::test
