// What a hand that moves is booked with under `rebound`, which lets it go along with the step.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scene/build.hpp"
#include "scene/parse.hpp"
#include "session/session.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using sim::Vec3;

constexpr double kSpeed = 2;       // m/s, of the handles
constexpr double kStiffness = 10;  // N/m, of the handle; on 1 kg

/// Two masses, each led by its own handle; the spring between them has nothing to do.
double work_of_handles(const char* integrator, int steps, double seconds) {
  const std::string text = R"({"rebound": 1, "gravity": [0, 0, 0], "timeStep": )" + std::to_string(seconds / steps) +
                           R"(, "integrator": {"type": ")" + integrator + R"("}, "solver": {"iterations": 60},
    "bodies": [{"name": "pair", "mesh": {"vertices": [[0, 0, 0], [1, 0, 0]], "edges": [[0, 1]]}, "masses": [1, 1],
    "material": {"model": "springs", "stiffness": 50}, "attachments": [{"vertices": [0, 1], "stiffness": 10,
    "motion": [{"time": 0, "offset": [0, 0, 0]}, {"time": 5, "offset": [0, 10, 0]}]}]}]})";
  Session s(scene::load_world(scene::parse_scene(text, "pair", ".")), 1);
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(s.step()) << s.failure();
  return s.record().added[static_cast<std::size_t>(sim::Added::motion)];
}

// m x'' = k (u t - x) from rest: x = u t - u/w sin w t, and the hand's work is the integral of k (u t - x) u.
TEST(HandWork, OfAHandleThatMovesEvenlyIsThatOfItsForce) {
  const double w = std::sqrt(kStiffness), seconds = 1.2;
  const double exact = 2 * kSpeed * kSpeed * (1 - std::cos(w * seconds));
  const double coarse = std::abs(work_of_handles("rebound", 36, seconds) - exact);
  const double fine = std::abs(work_of_handles("rebound", 72, seconds) - exact);
  EXPECT_LT(coarse, 2e-3 * exact);
  EXPECT_GT(std::log2(coarse / fine), 1.7) << "second order";
  EXPECT_GT(std::abs(work_of_handles("bdf2", 36, seconds) - exact), 2e-2 * exact) << "what jumps does more";
}

double work_of_a_drag(const char* integrator, int steps) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.integrator.type = integrator;
  d.timeStep = 1.0 / steps;
  scene::Body body;
  body.name = "cube";
  body.mesh = scene::BoxMesh{{1, 1, 1}, {4, 4, 4}, 5};
  body.material.young = 2e4;
  body.material.density = 500;
  d.bodies.push_back(body);
  Session s(scene::load_world(std::move(d)), 1);
  Eigen::Index corner = 0;
  s.surface(0).rowwise().sum().maxCoeff(&corner);
  const Vec3 at = s.surface(0).row(corner).transpose();
  s.apply(Grab{{0, static_cast<int>(corner)}, at, 1});
  for (int i = 1; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    s.apply(MoveGrab{at + Vec3(0.5, 0.2, 0) * (1 - std::cos(std::numbers::pi * t)) / 2});
    EXPECT_TRUE(s.step()) << s.failure();
  }
  return s.record().added[static_cast<std::size_t>(sim::Added::user)];
}

TEST(HandWork, OfADragIsThatOfTheSameDragInSmallSteps) {
  const double truly = work_of_a_drag("rebound", 960);
  const double ours = work_of_a_drag("rebound", 30), jumping = work_of_a_drag("bdf2", 30);
  EXPECT_NEAR(work_of_a_drag("tr-bdf2", 960), truly, 0.03 * std::abs(truly)) << "then it is the same for all";
  EXPECT_NEAR(ours, truly, 0.05 * std::abs(truly));
  EXPECT_GT(std::abs(jumping - truly), 0.2 * std::abs(truly));
}

// Damped cloth, one corner of which is moved: what is in ripples and what is there are what should be there.
TEST(HandWork, TheTargetIsWhatIsThereAndWhatIsInRipples) {
  const std::string text = R"({"rebound": 1, "integrator": {"type": "rebound"}, "damping": {"coefficient": 0.01},
    "bodies": [{"name": "cloth", "mesh": {"cloth": {"size": [1, 1], "divisions": [12, 12]}},
    "material": {"model": "springs", "stiffness": 200, "density": 0.3}, "attachments": [
    {"vertices": [0], "stiffness": 300, "motion": [{"time": 0, "offset": [0, 0, 0]}, {"time": 0.5, "offset": [0, 0.2, 0]},
    {"time": 1, "offset": [0.1, -0.2, 0]}]}, {"vertices": [12], "stiffness": 300}]}]})";
  Session s(scene::load_world(scene::parse_scene(text, "cloth", ".")), 1);
  double most = 0;
  int without = 0;
  for (int i = 0; i < 90; ++i) {
    ASSERT_TRUE(s.step()) << s.failure();
    const double there = s.record().measured.total() + s.record().in_ripples;
    most = std::max(most, s.record().in_ripples);
    // Where nothing is missing, there may be too much, within the tolerance.
    if (s.record().in_ripples == 0) {
      ++without;
      continue;
    }
    ASSERT_NEAR(there, s.record().target, 1e-9 * s.record().scale) << i;
  }
  EXPECT_GT(most, 0.02 * s.record().scale);
  EXPECT_LT(without, 15);
}

// A drag that is taken back and done again is the same to the last bit: where the hand came from is part of a state.
TEST(HandWork, IsTheSameAfterGoingBack) {
  scene::Description d;
  d.integrator.type = "rebound";
  scene::Body body;
  body.name = "cube";
  body.mesh = scene::BoxMesh{{1, 1, 1}, {3, 3, 3}, 5};
  d.bodies.push_back(body);
  Session s(scene::load_world(std::move(d)), 1);
  const Vec3 at = s.surface(0).row(0).transpose();
  s.apply(Grab{{0, 0}, at, 1});
  s.step();
  s.apply(MoveGrab{at + Vec3(0.1, 0.2, 0)});
  const SavedState moved = s.save();
  s.step();
  const FrameRecord once = s.record();
  s.restore(moved);
  s.step();
  EXPECT_EQ(s.record().target, once.target);
  EXPECT_EQ(s.record().measured.total(), once.measured.total());
}

}  // namespace
}  // namespace rebound::test
