// An impact is the same seen from what moves: a body that flies at a wall, and a wall that comes at a body.
#include <gtest/gtest.h>

#include <string>

#include "scene/build.hpp"
#include "scene/parse.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

constexpr double kImpactSpeed = 2;  // m/s

struct Impact {
  const char* name;
  double h;
  const char *material, *contact, *solver;
};

struct Bounced {
  double speed = 0;    ///< m/s, away from the wall
  double impulse = 0;  ///< kg m/s
  double added = 0;    ///< J, by the wall's motion
};

// wall: how fast it goes up; the body goes down by the rest of the impact's speed.
Bounced bounce(const Impact& impact, const std::string& integrator, double wall) {
  const std::string motion =
      wall == 0 ? "" : R"(, "motion": [{"time": 0}, {"time": 100, "offset": [0, )" + std::to_string(100 * wall) + "]}]";
  const std::string text = R"({"rebound": 1, "gravity": [0, 0, 0], "timeStep": )" + std::to_string(impact.h) + R"(,
    "integrator": {"type": ")" +
                           integrator + R"("}, "solver": {"type": ")" + impact.solver +
                           R"("}, "damping": {"coefficient": 0},
    "contact": )" + impact.contact +
                           R"(,
    "obstacles": [{"box": {"size": [8, 0.5, 8]}, "transform": {"translate": [0, -0.25, 0]})" +
                           motion + R"(}],
    "bodies": [{"mesh": {"box": {"size": [0.6, 0.4, 0.5], "divisions": [4, 3, 3]}},
      "material": {"density": 300, )" +
                           impact.material + R"(}, "transform": {"translate": [0, 0.3037, 0]},
      "velocity": [0, )" + std::to_string(wall - kImpactSpeed) +
                           "]}]}";
  std::string with_zeros = text;
  for (const std::string open : {R"("offset": [0, )", R"("velocity": [0, )"}) {
    const std::size_t at = with_zeros.find(open);
    if (at != std::string::npos) with_zeros.insert(with_zeros.find(']', at), ", 0");
  }
  Session s(scene::load_world(scene::parse_scene(with_zeros, "impact", ".")), 1);
  const double mass = s.model().M.sum(), before = s.record().measured.p[1];
  while (s.record().time < 0.3) {
    if (!s.step()) {
      ADD_FAILURE() << s.failure();
      break;
    }
  }
  const auto& record = s.record();
  return {record.measured.p[1] / mass - wall, record.measured.p[1] - before, record.added_total()};
}

TEST(MovingImpact, IsTheSameFromAWallThatComesAndItsWorkIsBooked) {
  constexpr Impact kImpacts[] = {
      {"soft, barrier", 0.01, R"("model": "stable-neo-hookean", "young": 1e6)",
       R"({"type": "barrier", "distance": 0.005, "friction": 0})", "newton"},
      {"affine, barrier", 0.0025, R"("model": "affine", "stiffness": 1e8)",
       R"({"type": "barrier", "distance": 0.005, "friction": 0})", "newton"},
      {"soft, springs", 0.01, R"("model": "stable-neo-hookean", "young": 1e6)", "{}", "newton"}};
  for (const Impact& impact : kImpacts)
    for (const char* integrator : {"rebound", "tr-bdf2"}) {
      SCOPED_TRACE(std::string(impact.name) + " " + integrator);
      const Bounced flies = bounce(impact, integrator, 0), is_hit = bounce(impact, integrator, kImpactSpeed);
      EXPECT_GT(flies.speed, 0.3);
      EXPECT_EQ(flies.added, 0);
      EXPECT_NEAR(is_hit.speed, flies.speed, 0.03 * flies.speed);
      EXPECT_NEAR(is_hit.added, is_hit.impulse * kImpactSpeed, 0.015 * is_hit.added);
    }
}

}  // namespace
}  // namespace rebound::test
