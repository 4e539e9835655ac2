// [Dinev18 Fig. 7]: an elastic bar let go under gravity bounces back to its start again and again with the blend (which
// here never blends), and ever less with backward Euler.
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace rebound::test {
namespace {

// How far back up the lower end comes in the last second of `frames`, as a share of the first fall.
double comes_back(const char* integrator, int frames) {
  scene::Description d;
  scene::Body bar = cube_body(1, 6e4);
  bar.mesh = scene::BoxMesh{{0.3, 1.2, 0.3}, {3, 12, 3}, 5};
  bar.fixed = scene::BoxRegion{{-1, 0.59, -1}, {1, 1, 1}};
  d.bodies.push_back(bar);
  d.integrator.type = integrator;
  session::Session s = open(d, 2);
  const auto lowest = [&] { return s.state().x.col(1).minCoeff(); };
  const double start = lowest();
  double deepest = start, highest_late = -1e9;
  for (int frame = 0; frame < frames; ++frame) {
    EXPECT_TRUE(s.step());
    if (frame < frames / 2) deepest = std::min(deepest, lowest());
    if (frame >= frames - 45) highest_late = std::max(highest_late, lowest());
  }
  return (highest_late - deepest) / (start - deepest);
}

TEST(Figure7, TheBarComesBackWithTheBlendAndNotWithBackwardEuler) {
  EXPECT_GT(comes_back("stabilized", 400), 0.95);
  EXPECT_LT(comes_back("stabilized", 400), 1.02);
  EXPECT_LT(comes_back("backward-euler", 400), 0.60);
}

}  // namespace
}  // namespace rebound::test
