// [Dinev18 Fig. 6]: every vertex thrown anywhere, damping 0.08 a frame. Within 200 frames the blend finds the rest
// shape again; midpoint does not.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "support/worlds.hpp"

namespace rebound::test {
namespace {

struct Recovery {
  double energy = 0;    ///< E / E_0 after the last frame
  double farthest = 0;  ///< m, of any vertex from where the best-fitting rigid motion of the rest shape has it
};

// Mirror images do not fit: the motion is a rotation and a translation.
double farthest_from_rest(const sim::Points& rest, const sim::Points& x) {
  const Eigen::Matrix4d motion = Eigen::umeyama(rest.transpose(), x.transpose(), false);
  const sim::Points placed = (rest * motion.topLeftCorner<3, 3>().transpose()).rowwise() +
                             Eigen::RowVector3d(motion.topRightCorner<3, 1>().transpose());
  return (x - placed).rowwise().norm().maxCoeff();
}

Recovery recover(const char* integrator, std::uint64_t seed) {
  auto d = spinning_cube(4, 1e6);
  d.integrator.type = integrator;
  d.bodies[0].angularVelocity = {0, 0, 0};
  d.bodies[0].start = scene::RandomizedStart{seed};
  d.damping.coefficient = 0.08;
  session::Session s = open(d, 2);
  const sim::Points& rest = s.world().bodies[0].rest;
  const double start = s.record().measured.elastic;
  EXPECT_GT(farthest_from_rest(rest, s.state().x), 0.3) << "the start must be far from rest";
  for (int frame = 0; frame < 200 && s.step(); ++frame) EXPECT_TRUE(s.state().finite());
  EXPECT_TRUE(s.failure().empty());
  return {s.record().measured.elastic / start, farthest_from_rest(rest, s.state().x)};
}

class RandomisedStart : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomisedStart, IsForgottenByTheBlendButNotByMidpoint) {
  const Recovery stabilized = recover("stabilized", GetParam());
  const Recovery midpoint = recover("implicit-midpoint", GetParam());
  EXPECT_LT(stabilized.energy, 1e-4);
  EXPECT_LT(stabilized.farthest, 0.01);
  EXPECT_GT(midpoint.energy, 1) << "it grows in spite of the damping";
  EXPECT_GT(midpoint.farthest, 0.5);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomisedStart, testing::Values(1, 2, 3, 4, 5));

}  // namespace
}  // namespace rebound::test
