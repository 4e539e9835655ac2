// Newton goes on with the last step's factor where that will do: the same motion, gone back to the same bytes.
#include <gtest/gtest.h>

#include <set>

#include "session/journal.hpp"
#include "session/saved_state.hpp"
#include "support/runs.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

/// A block that is stretched a little and flies: it swings, and turns by so much a second.
scene::Description flying_block(double turns) {
  auto d = spinning_cube(4, 1e5);
  d.timeStep = 1.0 / 120;
  d.gravity = {0, -9.81, 0};
  d.bodies[0].material.model = "neo-hookean";
  d.bodies[0].angularVelocity = {0, turns, 0};
  d.bodies[0].start = scene::StretchedStart{{1.02, 1, 1}};
  d.integrator.type = "backward-euler";
  d.solver.type = "newton";
  d.solver.tolerance = 1e-6;
  return d;
}

const sim::FactoredHessian* factor_of(const Session& session) {
  return session.save().memory->method.factor.factored.get();
}

TEST(CarriedFactor, OneLastsAsLongAsABodyHardlyChanges) {
  Session session = open(flying_block(0));
  ASSERT_TRUE(session.step());
  std::set<const sim::FactoredHessian*> factors;
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(session.step());
    EXPECT_TRUE(session.record().converged);
    factors.insert(factor_of(session));
  }
  EXPECT_FALSE(factors.contains(nullptr));
  EXPECT_LE(factors.size(), 4u) << "of forty steps";
}

// Whatever the directions, the steps end where Newton's own do.
TEST(CarriedFactor, ChangesNoStepByMoreThanTheTolerance) {
  for (const double turns : {0.0, 2.0, 40.0}) {
    const auto d = flying_block(turns);
    Session session = open(d);
    for (int i = 0; i < 30; ++i) {
      const SavedState before = session.save();
      // A new session has no factor, and this state remembers none.
      SavedState fresh = before;
      auto memory = std::make_shared<sim::Stepper::Memory>(*before.memory);
      memory->method.factor = {};
      fresh.memory = memory;
      Session other = open(d);
      other.restore(fresh);
      ASSERT_TRUE(other.step());
      ASSERT_TRUE(session.step());
      EXPECT_LE((session.state().v - other.state().v).cwiseAbs().maxCoeff(), 1e-5) << turns << ", step " << i;
    }
  }
}

TEST(CarriedFactor, LeavesABodyAloneThatTurnsTooFast) {
  Session session = open(flying_block(60));
  int longest = 0, iterations = 0;
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(session.step());
    longest = std::max(longest, session.save().memory->method.factor.pause);
    iterations += session.record().iterations;
  }
  EXPECT_GE(longest, 7) << "it is seldom tried";
  EXPECT_LE(iterations, 60 * 6);
}

TEST(CarriedFactor, AMotionGoneBackToGoesOnToTheSameBytes) {
  for (const double turns : {0.0, 3.0, 40.0}) {
    const auto d = flying_block(turns);
    Session session = open(d);
    std::vector<SavedState> saved;
    std::vector<std::uint64_t> sums;
    for (int i = 0; i < 24; ++i) {
      saved.push_back(session.save());
      ASSERT_TRUE(session.step());
      sums.push_back(checksum(session));
    }
    Session other = open(d);
    for (const std::size_t from : {20u, 3u, 11u}) {
      session.restore(saved[from]);
      other.restore(saved[from]);
      for (std::size_t i = from; i < sums.size(); ++i) {
        ASSERT_TRUE(session.step());
        ASSERT_TRUE(other.step());
        EXPECT_EQ(checksum(session), sums[i]) << turns << ", " << from << " to " << i;
        EXPECT_EQ(checksum(other), sums[i]) << turns << ", " << from << " to " << i << ", of another";
      }
    }
  }
}

// A hand takes hold, pulls and lets go: its springs are in the factor.
TEST(CarriedFactor, KnowsAHandThatComesAndGoes) {
  const auto d = flying_block(0);
  Session session = open(d);
  std::vector<SavedState> saved;
  std::vector<std::uint64_t> sums;
  const auto at = [](int i) { return sim::Vec3(0.7, 0.4 + 0.01 * i, 0.5); };
  const auto act = [&](Session& s, int i) {
    if (i == 4) s.apply(Grab{{0, 0}, at(4), 1});
    if (i > 4 && i < 12) s.apply(MoveGrab{at(i)});
    if (i == 12) s.apply(Release{});
  };
  for (int i = 0; i < 20; ++i) {
    saved.push_back(session.save());
    act(session, i);
    ASSERT_TRUE(session.step());
    EXPECT_TRUE(session.record().converged);
    sums.push_back(checksum(session));
  }
  for (const int from : {2, 4, 5, 8, 12, 13}) {
    Session other = open(d);
    other.restore(saved[static_cast<std::size_t>(from)]);
    for (int i = from; i < 20; ++i) {
      act(other, i);
      ASSERT_TRUE(other.step());
      EXPECT_EQ(checksum(other), sums[static_cast<std::size_t>(i)]) << from << " to " << i;
    }
  }
}

}  // namespace
}  // namespace rebound::test
