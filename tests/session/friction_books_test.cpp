// What friction takes of a sliding point, what a belt gives it and what a lift does, against closed forms: by every
// kind of contact, and by methods that add a force's impulse at once, over several steps, or in part from x_n.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "scene/parse.hpp"
#include "sim/registry.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

constexpr double kMu = 0.3, kGravity = 9.81, kSpeed = 3;  // of 1 kg

struct Method {
  const char *integrator, *settings, *solver;
};

/// A vertex of 1 kg that stands on what is there.
Session point_on(const std::string& meets, const Method& method, double speed, const std::string& obstacle) {
  // Where its weight has pressed it to: stiffness 1e5 of springs, k d sqrt(d) of the cubic potential.
  const char* depth = meets == "springs" ? "-9.81e-05" : meets == "cubic" ? "-0.00018083141320025125" : "0";
  std::string text = R"({"rebound": 1, "timeStep": 0.0165,
    "integrator": {"type": "INTEGRATOR"SETTINGS}, "solver": {"type": "SOLVER"}, "damping": {"coefficient": 0},
    "bodies": [{"mesh": {"vertices": [[0, DEPTH, 0]], "edges": []}, "masses": [1], "velocities": [[SPEED, 0, 0]],
                "material": {"model": "springs"}}],
    "obstacles": [{OBSTACLE, "friction": 0.3, "meets": "MEETS"}]})";
  const auto fill = [&](const std::string& what, const std::string& with) {
    text.replace(text.find(what), what.size(), with);
  };
  fill("INTEGRATOR", method.integrator);
  fill("SETTINGS", method.settings);
  fill("SOLVER", method.solver);
  fill("DEPTH", depth);
  fill("SPEED", std::to_string(speed));
  fill("OBSTACLE", obstacle);
  fill("MEETS", meets);
  if (meets == "springs") text.replace(text.find(R"(, "meets": "springs")"), 20, "");
  return Session(scene::load_world(scene::parse_scene(text, "point", ".")), 1);
}

constexpr std::array<Method, 6> kMethods{{{"backward-euler", "", "newton"},
                                          {"bdf2", "", "newton"},
                                          {"implicit-midpoint", "", "newton"},
                                          {"newmark", "", "newton"},
                                          {"generalized-alpha", "", "newton"},
                                          {"generalized-alpha", R"(, "rho": 0)", "newton"}}};
constexpr std::array kKinds{"springs", "cubic", "constraint"};

bool takes(const Method& method, const std::string& meets) {
  return meets != "constraint" || std::string(method.integrator) != "generalized-alpha";
}

double friction_of(const Session& s) {
  return s.record().dissipated[static_cast<std::size_t>(sim::Dissipated::friction)];
}

TEST(FrictionBooks, APointSlidesAsFarAsItsEnergyGoes) {
  const double K = 0.5 * kSpeed * kSpeed, way = K / (kMu * kGravity);
  for (const char* meets : kKinds)
    for (const Method& method : kMethods) {
      if (!takes(method, meets)) continue;
      const std::string name = std::string(method.integrator) + method.settings + " on " + meets;
      Session s = point_on(meets, method, kSpeed, R"("plane": {})");
      while (s.record().time < 1.5) ASSERT_TRUE(s.step()) << name << s.failure();
      EXPECT_NEAR(s.state().x(0, 0), way, 0.03 * way) << name;
      EXPECT_NEAR(friction_of(s), K, 0.03 * K) << name;
      EXPECT_NEAR(s.record().target, s.record().measured.total(), 0.03 * K) << name;
    }
}

// The belt gives twice what the point has in the end; friction takes the other half.
TEST(FrictionBooks, ABeltTakesAPointAlong) {
  const double K = 0.5 * kSpeed * kSpeed;
  for (const char* meets : kKinds)
    for (const Method& method : kMethods) {
      if (!takes(method, meets)) continue;
      const std::string name = std::string(method.integrator) + method.settings + " on " + meets;
      Session s =
          point_on(meets, method, 0, R"("box": {"size": [40, 0.2, 40]}, "transform": {"translate": [0, -0.1, 0]},
          "motion": [{"time": 0}, {"time": 10, "offset": [30, 0, 0]}])");
      while (s.record().time < 1.5) ASSERT_TRUE(s.step()) << name << s.failure();
      EXPECT_NEAR(s.state().v(0, 0), kSpeed, 1e-2) << name;
      EXPECT_NEAR(s.record().added_total(), 2 * K, 0.06 * K) << name;
      EXPECT_NEAR(friction_of(s), K, 0.04 * K) << name;
    }
}

// Up by a metre, at a speed that begins and ends at once.
TEST(FrictionBooks, ALiftDoesTheWorkOfItsWay) {
  for (const Method& method : kMethods) {
    if (!takes(method, "constraint")) continue;
    const std::string name = std::string(method.integrator) + method.settings;
    Session s =
        point_on("constraint", method, 0, R"("box": {"size": [40, 0.2, 40]}, "transform": {"translate": [0, -0.1, 0]},
        "motion": [{"time": 0.33}, {"time": 1.32, "offset": [0, 1, 0]}])");
    while (s.record().time < 1.2) ASSERT_TRUE(s.step()) << name << s.failure();
    const double height = s.state().x(0, 1), speed = s.state().v(0, 1);
    EXPECT_NEAR(s.record().added_total(), kGravity * height + 0.5 * speed * speed, 0.1 * kGravity * height) << name;
  }
}

// As deep in the lift as it began, and with the work that its weight takes.
void expect_to_ride(Session& s, double depth, const std::string& id) {
  double off = 0;
  while (s.record().time < 1.5) {
    ASSERT_TRUE(s.step()) << id << s.failure();
    off = std::max(off, std::abs(s.state().x(0, 1) - kSpeed * s.record().time + depth));
  }
  EXPECT_LT(off, 1e-2 * depth) << id;
  const double way = kSpeed * s.record().time;
  EXPECT_NEAR(s.record().added_total(), kGravity * way, 1e-3 * kGravity * way) << id;
  EXPECT_NEAR(s.record().target, s.record().measured.total(), 1e-3 * kGravity * way) << id;
}

// Where the springs carry its weight, at the lift's speed, it has nothing to do but to ride: whatever has its forces at
// the beginning of a step, within it or at its end.
TEST(FrictionBooks, APointRidesALiftOnSprings) {
  constexpr double stiffness = 5e3, depth = kGravity / stiffness;
  for (const auto& info : sim::integrators()) {
    // The first is unstable at any step; the others take forces as if the lift had jumped (docs/methods/siere.md).
    if (info.id == "forward-euler" || info.id == "siere" || info.id == "exponential") continue;
    scene::Description d = scene::parse_scene(R"({"rebound": 1, "timeStep": 0.0165,
      "solver": {"type": "newton"}, "damping": {"coefficient": 0},
      "bodies": [{"mesh": {"vertices": [[0, 0, 0]], "edges": []}, "masses": [1], "velocities": [[0, 3, 0]],
                  "material": {"model": "springs"}}],
      "obstacles": [{"box": {"size": [40, 0.2, 40]}, "transform": {"translate": [0, -0.1, 0]}, "stiffness": 5000,
                     "motion": [{"time": 0}, {"time": 10, "offset": [0, 30, 0]}]}]})",
                                              "lift", ".");
    d.integrator.type = info.id;
    d.bodies[0].transform.translate = {0, -depth, 0};
    Session s(scene::load_world(d), 1);
    expect_to_ride(s, depth, std::string(info.id));
    if (HasFatalFailure()) return;
  }
}

// The same where the lift meets by an energy of the third power, 3 k phi^2 = m g.
TEST(FrictionBooks, APointRidesALiftOnThirdPowers) {
  constexpr double k = 1e5;
  const double depth = std::sqrt(kGravity / (3 * k));
  int methods = 0;
  for (const auto& info : sim::integrators()) {
    scene::Description d = scene::parse_scene(R"({"rebound": 1, "timeStep": 0.01,
      "solver": {"type": "newton"}, "damping": {"coefficient": 0},
      "bodies": [{"mesh": {"vertices": [[0, 0, 0]], "edges": []}, "masses": [1], "velocities": [[0, 3, 0]],
                  "material": {"model": "springs"}}],
      "obstacles": [{"box": {"size": [40, 0.2, 40]}, "transform": {"translate": [0, -0.1, 0]}, "meets": "cubic",
                     "cubicStiffness": 1e5, "motion": [{"time": 0}, {"time": 10, "offset": [0, 30, 0]}]}]})",
                                              "lift", ".");
    d.integrator.type = info.id;
    d.bodies[0].transform.translate = {0, -depth, 0};
    std::optional<scene::World> world;
    try {
      world.emplace(scene::load_world(d));
    } catch (const InputError&) {
      continue;  // it takes no contacts of that kind
    }
    Session s(std::move(*world), 1);
    ++methods;
    expect_to_ride(s, depth, std::string(info.id));
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(methods, 12);
}

// Seen from the lift, a point that bounces on it has the energy with which it began, whatever part of the frames is
// blended: what a blend books is what both of its methods did, blended.
TEST(FrictionBooks, APointBouncesOnALiftAsOnTheFloor) {
  for (const double stiffness : {3e2, 5e3, 2e4, 1e5}) {
    scene::Description d = scene::parse_scene(R"({"rebound": 1, "timeStep": 0.0165,
      "integrator": {"type": "stabilized", "tolerance": 1e-3}, "damping": {"coefficient": 0},
      "bodies": [{"mesh": {"vertices": [[0, 0, 0]], "edges": []}, "masses": [1], "material": {"model": "springs"}}],
      "obstacles": [{"box": {"size": [40, 0.2, 40]}, "transform": {"translate": [0, -0.1, 0]},
                     "motion": [{"time": 0}, {"time": 10, "offset": [0, 30, 0]}]}]})",
                                              "lift", ".");
    d.bodies[0].transform.translate = {0, 0.5, 0};
    d.obstacles[0].stiffness = stiffness;
    Session s(scene::load_world(d), 1);
    const double E_0 = 0.5 * kSpeed * kSpeed + 0.5 * kGravity;
    int blended = 0;
    while (s.record().time < 5) {
      ASSERT_TRUE(s.step()) << stiffness << s.failure();
      const double v = s.state().v(0, 1) - kSpeed, y = s.state().x(0, 1) - kSpeed * s.record().time;
      EXPECT_NEAR(0.5 * v * v + kGravity * y + s.record().measured.contact, E_0, 0.02 * E_0)
          << stiffness << " N/m, " << s.record().time << " s";
      blended += std::abs(s.record().blend.value_or(0)) > 0.1 ? 1 : 0;
    }
    EXPECT_GT(blended, 3) << "there is something to book";
  }
}

// A point of 1 kg thrown flat at a stiff floor: what it loses along the floor is mu times what the floor pushes in all,
// by every kind of contact and in one solve a step or two. A method that solves by the springs that are pressed when a
// step begins has no friction in the step that meets the floor, and less in all.
TEST(FrictionBooks, AnImpactRubsAsHardAsItPushes) {
  struct Case {
    const char *integrator, *meets;
    double least, most;  ///< of mu times the push
  };
  // Of a spring that the body has left a linear system makes one that pulls.
  constexpr Case kCases[] = {{"backward-euler", "spring", 0.99, 1.01}, {"tr-bdf2", "spring", 0.98, 1.01},
                             {"backward-euler", "cubic", 0.99, 1.01},  {"implicit-midpoint", "cubic", 0.99, 1.01},
                             {"sdirk2", "cubic", 0.95, 1.05},          {"tr-bdf2", "cubic", 0.95, 1.05},
                             {"rebound", "cubic", 0.9, 1.05},          {"semi-implicit", "spring", 0.3, 1.1}};
  for (const Case& c : kCases) {
    std::string text = R"({"rebound": 1, "timeStep": 0.033, "integrator": {"type": "INTEGRATOR"},
      "solver": {"type": "newton"}, "damping": {"coefficient": 0},
      "bodies": [{"mesh": {"vertices": [[0, 0.05, 0]], "edges": []}, "masses": [1], "velocities": [[20, -2, 0]],
                  "material": {"model": "springs"}}],
      "obstacles": [{"plane": {}, "friction": 0.3, "meets": "MEETS", "cubicStiffness": 1e7}]})";
    text.replace(text.find("INTEGRATOR"), 10, c.integrator);
    text.replace(text.find("MEETS"), 5, c.meets);
    Session s(scene::load_world(scene::parse_scene(text, "point", ".")), 1);
    constexpr int kFrames = 12;
    for (int frame = 0; frame < kFrames; ++frame) ASSERT_TRUE(s.step()) << s.failure();
    const sim::Vec3 p = s.record().measured.p;
    const double pushed = p.y() + 2 + kGravity * kFrames * 0.033, rubbed = 20 - p.x();
    ASSERT_GT(pushed, 1) << c.integrator;
    EXPECT_LT(rubbed, c.most * kMu * pushed) << c.integrator << " " << c.meets;
    EXPECT_GT(rubbed, c.least * kMu * pushed) << c.integrator << " " << c.meets;
  }
}

}  // namespace
}  // namespace rebound::test
