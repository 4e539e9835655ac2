// A wished energy: the target does as it was asked to, the ledger explains it, and the methods that follow do follow.
#include <gtest/gtest.h>

#include <cmath>

#include "mesh/error.hpp"
#include "scene/method_settings.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

double wished(const FrameRecord& r) { return r.added[static_cast<std::size_t>(sim::Added::wish)]; }

scene::Description spun(const char* integrator) {
  scene::Description d = spinning_cube(3, 2e4);
  d.integrator.type = integrator;
  return d;
}

TEST(EnergyWish, FoldsTheTargetDownToItsGround) {
  scene::Description d = spun("stabilized");
  const double H = open(d).record().target, ground = 0.2 * H;
  d.energy = {{0, 0.95, {}, ground, {}}, {0.5, 1, 2.0, ground, {}}};
  Session s = open(d);
  for (int i = 0; i < 90; ++i) ASSERT_TRUE(s.step());
  const double t = s.record().time;
  const double expected = ground + 0.95 * (H - ground) * std::exp(-(t - 0.5) / 2.0);
  EXPECT_NEAR(s.record().target, expected, 1e-9 * H);
  EXPECT_NEAR(wished(s.record()), expected - H, 1e-9 * H) << "and it is booked as a wish, alone";
  EXPECT_NEAR(s.record().target, s.record().initial + s.record().added_total() - s.record().dissipated_total(),
              1e-9 * H);
}

// Moments of frames are sums, and may be a little before or behind the piece's.
TEST(EnergyWish, TakesItsFactorOnce) {
  for (const double h : {0.01, 0.02, 0.033, 1 / 30.0, 0.05, 0.1})
    for (int from = 0; from <= 60; ++from) {
      const std::vector<scene::EnergyPiece> energy{{from * h, 0.5, {}, 0.0, {}}};
      double t = 0, kept = 1;
      for (int frame = 0; frame < 65; ++frame, t += h) {
        kept *= scene::wish(energy, t, h, 0).keep;
        EXPECT_EQ(kept, frame < from ? 1 : 0.5) << from << " frames of " << h << " s, in frame " << frame;
      }
    }
}

TEST(EnergyWish, MayBeALineFromTargetToTarget) {
  scene::Description d = spun("stabilized");
  const double H = open(d).record().target;
  d.energy = {{0.2, 1, {}, {}, 0.9 * H}, {1.2, 1, {}, {}, 0.4 * H}};
  Session s = open(d);
  while (s.record().time < 0.69) ASSERT_TRUE(s.step());
  EXPECT_NEAR(s.record().target, H * (0.9 - 0.5 * (s.record().time - 0.2)), 1e-9 * H);
  while (s.record().time < 1.5) ASSERT_TRUE(s.step());
  EXPECT_NEAR(s.record().target, 0.4 * H, 1e-9 * H) << "then it stays";
}

// A cube that falls cannot give up at once what is asked for. That is no energy out of nowhere.
TEST(EnergyWish, ThatCannotBeMetAtOnceIsNoExplosion) {
  scene::Description d;
  d.bodies.push_back(cube_body(2, 1e6));
  d.integrator.type = "stabilized";
  const double H = open(d).record().target;
  d.energy = {{0, 1, 0.5, H - 3e4, {}}};
  Session s = open(d);
  double most_off = 0;
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(s.step()) << s.failure();
    const FrameRecord& r = s.record();
    most_off = std::max(most_off, (r.measured.total() - r.target) / r.reference);
    EXPECT_LT(r.times_its_target(), 1.1) << i;
  }
  EXPECT_GT(most_off, kRunsAway);
}

// Of a cube that is let go stretched: nothing falls and nothing spins, so that all of the energy can be taken.
TEST(EnergyWish, IsFollowedByTheMethodsThatTrackTheEnergy) {
  for (const char* id : {"stabilized", "energy-budget", "a-search", "rebound"}) {
    scene::Description d = spun(id);
    d.bodies[0].angularVelocity = {0, 0, 0};
    d.bodies[0].start = scene::StretchedStart{{1.3, 1, 1}};
    d.energy = {{0, 1, 2.0, 0.0, {}}};
    Session s = open(d);
    const double H = s.record().target;
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(s.step()) << id;
    const double expected = H * std::exp(-s.record().time / 2);
    EXPECT_LE(s.record().target, 1.0001 * expected) << id << ": what is dissipated besides goes faster";
    EXPECT_GT(s.record().target, 0.5 * expected) << id;
    EXPECT_NEAR(s.record().measured.total(), s.record().target, 0.1 * H) << id;
    EXPECT_LT(s.record().measured.total(), 0.5 * H) << id;
  }
}

// In small steps backward Euler takes next to nothing: what is asked for has to go another way.
TEST(EnergyWish, IsFollowedDownInStepsOfAnyLength) {
  for (const char* id : {"stabilized", "a-search", "rebound"})
    for (const double h : {0.033, 0.01, 0.004}) {
      scene::Description d;
      d.bodies.push_back(cube_body(3, 2e4));
      d.bodies[0].fixed = scene::BoxRegion{{-9, -9, -9}, {-0.49, 9, 9}};
      d.gravity = {0, -9.81, 0};
      d.integrator.type = id;
      d.timeStep = h;
      d.energy = {{0.2, 1, 0.4, {}, {}}};
      Session s = open(d);
      const double fall = s.record().initial - s.rest()->energy;
      double behind = 0;
      while (s.record().time < 3) {
        ASSERT_TRUE(s.step()) << id;
        behind = std::max(behind, s.record().measured.total() - s.record().target);
      }
      EXPECT_LT(behind, 0.2 * fall) << id << ", steps of " << h;
      EXPECT_NEAR(s.record().measured.total(), s.record().target, 0.02 * fall) << id << ", steps of " << h;
    }
}

// One end of the window's slider: all that backward Euler takes, and no more.
TEST(EnergyWish, ThatIsShorterThanTheStepIsBackwardEuler) {
  scene::Description d;
  d.bodies.push_back(cube_body(3, 2e4));
  d.bodies[0].fixed = scene::BoxRegion{{-9, -9, -9}, {-0.49, 9, 9}};
  d.gravity = {0, -9.81, 0};
  d.timeStep = 0.01;
  d.solver.type = "newton";
  d.integrator.type = "backward-euler";
  Session euler = open(d);
  d.integrator.type = "stabilized";
  d.energy = {{0, 1, 0.001, {}, {}}};
  Session s = open(d);
  const double fall = s.record().initial - s.rest()->energy;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(s.step() && euler.step());
    EXPECT_NEAR(s.record().measured.total(), euler.record().measured.total(), 1e-3 * fall) << i;
  }
}

// What has all but come to rest is asked for more than a return can give: what it gives up was never in the body, and
// is no heat.
TEST(EnergyWish, ThatIsNotGrantedIsNoHeat) {
  scene::Description d = spun("rebound");
  d.bodies[0].fixed = scene::BoxRegion{{-9, 0.45, -9}, {9, 9, 9}};
  d.bodies[0].angularVelocity = {0, 0, 0};
  d.gravity = {0, -9.81, 0};
  d.damping.coefficient = 0.1;
  Session s = open(d);
  while (s.record().time < 4) ASSERT_TRUE(s.step());
  const auto heat = [&] { return s.record().dissipated[static_cast<std::size_t>(sim::Dissipated::unresolved)]; };
  const double H = s.record().measured.total(), scale = s.record().scale, before = heat();
  s.apply(SetEnergy{{{0, 1, {}, {}, H + 0.5 * scale}, {60, 1, {}, {}, H + 0.5 * scale}}});
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(s.step());
  const FrameRecord& r = s.record();
  EXPECT_LT(heat() - before, 0.01 * scale);
  EXPECT_NEAR(r.target, r.initial + r.added_total() - r.dissipated_total(), 1e-9 * scale);
}

TEST(EnergyWish, FallsToTheRestThatNewtonFinds) {
  scene::Description d = hanging_cloth(4, 50);
  d.energy = {{0, 1, 0.2, {}, {}}};
  Session s = open(d);
  ASSERT_NE(s.rest(), nullptr);
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(s.step());
  const double fall = s.record().initial - s.rest()->energy;
  EXPECT_GT(fall, 0);
  EXPECT_NEAR(s.record().target, s.rest()->energy, 1e-6 * fall);
  EXPECT_NEAR(s.record().measured.total(), s.rest()->energy, 0.02 * fall) << "and there it hangs still";
  EXPECT_GE(s.record().measured.total(), s.rest()->energy - 1e-6 * fall) << "nothing lies lower";
  EXPECT_EQ(s.record().added[static_cast<std::size_t>(sim::Added::guard)], 0);
}

TEST(EnergyWish, IsACommandThatCanBeTakenBackAndReplayed) {
  Session s = open(spun("stabilized")), twin = open(spun("stabilized"));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(s.step() && twin.step());
  const SetEnergy wish{{{0, 1, 1.0, 0.0, {}}}};
  const Command back = *s.inverse(wish);
  s.apply(wish);
  EXPECT_EQ(s.record().target, twin.record().target) << "nothing is asked for before time goes on";
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(s.step());
  EXPECT_LT(s.record().target, 0.8 * s.record().initial);
  const double kept = s.record().target;
  s.apply(back);
  EXPECT_TRUE(s.description() == twin.description());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(s.step());
  EXPECT_EQ(s.record().target, kept);
}

TEST(EnergyWish, IsRefusedWhereThereIsNoRest) {
  scene::Description d = spinning_cube(2, 2e4);
  d.gravity = {0, -9.81, 0};
  Session s = open(d);
  try {
    s.apply(SetEnergy{{{0, 1, 2.0, {}, {}}}});
    FAIL() << "it falls for ever";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("give \"ground\" in joules"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(s.description().energy.empty());
  EXPECT_THROW(s.apply(SetEnergy{{{2, 1, {}, 0.0, {}}, {1, 1, {}, 0.0, {}}}}), InputError) << "not in order";
}

}  // namespace
}  // namespace rebound::test
