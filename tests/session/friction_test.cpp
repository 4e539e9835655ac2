// Friction in a session: blocks on slopes, belts, and what the ledger says of them.
#include <gtest/gtest.h>

#include <numbers>

#include "contact_worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

struct SlopeCase {
  const char* solver;
  double h;
};
class OnASlope : public testing::TestWithParam<SlopeCase> {
 protected:
  scene::Description block(double friction) const { return block_on_slope(friction, GetParam().solver, GetParam().h); }
};

TEST_P(OnASlope, ABlockStaysWhereFrictionIsAboveItsTangent) {
  Session s = open(block(0.51));
  EXPECT_LT(std::abs(slides(s, 10)), 1e-3) << "backward Euler";
  // The change of integrators shakes it. Vibrations too small for the tolerance of the blend go on, and walk it
  // downhill by up to 0.3 mm a second, whatever the friction.
  Session settled = open(block(0.55));
  slides(settled, 3);
  settled.apply(SetIntegrator{"stabilized"});
  EXPECT_LT(std::abs(slides(settled, 10)), 3e-3) << "stabilized";
}

// There no force is left, neither to stop what the block has of a speed from settling, nor to make it any faster.
TEST_P(OnASlope, AtTheLimitABlockKeepsWhatLittleSpeedItHas) {
  for (const char* integrator : {"backward-euler", "stabilized"}) {
    auto d = block(kSlope);
    d.integrator.type = integrator;
    d.damping = {"rigid-preserving", 0.1, "frame"};
    Session s = open(d);
    slides(s, 2);
    const double first = slides(s, 5), second = slides(s, 5);
    EXPECT_LT(first, 0.02 * 5) << integrator;  // m: 2 cm a second
    EXPECT_NEAR(second, first, 0.01 * first) << integrator;
  }
}

TEST_P(OnASlope, ABlockSlidesAsCoulombSaysWhereItIsBelow) {
  const auto way = [](double friction, double t) {
    return 0.5 * kG * (kSlope - friction) / std::hypot(1, kSlope) * t * t;
  };
  for (const double friction : {0.49, 0.3}) {
    Session s = open(block(friction));
    EXPECT_NEAR(slides(s, 10), way(friction, 10), 0.02 * way(friction, 10)) << "backward Euler, " << friction;
    auto d = block(friction);
    d.integrator.type = "stabilized";
    d.damping = {"rigid-preserving", 0.1, "frame"};
    Session stabilized = open(d);
    EXPECT_NEAR(slides(stabilized, 10), way(friction, 10), 0.03 * way(friction, 10)) << "stabilized, " << friction;
  }
}

// A force enters each in its own way: BDF2's step gives two thirds of its impulse, and the steps after it the
// rest. What friction takes is what the way down, less what is left of it, had to give.
TEST_P(OnASlope, ABlockSlidesAsCoulombSaysWithMethodsThatLookBackToo) {
  constexpr double kFriction = 0.3, kSeconds = 4;
  const double a = kG * (kSlope - kFriction) / std::hypot(1, kSlope);
  for (const char* integrator : {"backward-euler", "bdf2"}) {
    auto d = block(kFriction);
    d.integrator.type = integrator;
    Session s = open(d);
    const double way = slides(s, kSeconds), coulomb = 0.5 * a * kSeconds * kSeconds;
    EXPECT_NEAR(way, coulomb, 0.02 * coulomb) << integrator;
    const double normal_force = 16 * kG / std::hypot(1, kSlope);
    EXPECT_NEAR(taken(s, sim::Dissipated::friction), kFriction * normal_force * way,
                0.03 * kFriction * normal_force * way)
        << integrator;
  }
}

TEST_P(OnASlope, WhatFrictionTakesOnlyGrowsAndIsWhatIsMissing) {
  auto d = block(0.3);
  d.integrator.type = "stabilized";
  d.damping = {"rigid-preserving", 0.1, "frame"};
  Session s = open(d);
  double before = 0;
  for (int frame = 0; frame < 150; ++frame) {
    ASSERT_TRUE(s.step());
    ASSERT_GE(taken(s, sim::Dissipated::friction), before);
    ASSERT_LT(std::abs(energy_error(s)), 0.0101) << frame;
    before = taken(s, sim::Dissipated::friction);
  }
  // mu N times the way.
  const double N = 16 * kG / std::hypot(1, kSlope), way = downhill(s);
  EXPECT_NEAR(before, 0.3 * N * way, 0.03 * 0.3 * N * way);
  EXPECT_EQ(booked(s, sim::Added::motion), 0);
}

INSTANTIATE_TEST_SUITE_P(Blocks, OnASlope,
                         testing::Values(SlopeCase{"local-global", 0.01}, SlopeCase{"local-global", 0.033},
                                         SlopeCase{"newton", 0.01}, SlopeCase{"newton", 0.033}),
                         [](const auto& slope) {
                           return std::string(slope.param.solver).substr(0, 5) == "local"
                                      ? (slope.param.h < 0.02 ? "LocalGlobalShort" : "LocalGlobalLong")
                                      : (slope.param.h < 0.02 ? "NewtonShort" : "NewtonLong");
                         });

// Its stages know the friction of the step before: without that they let go of what it strains, and friction puts that
// back as energy that nobody had.
TEST(Friction, UnderReboundASoftSlabSlidesAsInSmallSteps) {
  scene::Description d;
  d.timeStep = 0.02;
  d.integrator.type = "rebound";
  scene::Body slab;
  slab.name = "slab";
  slab.mesh = scene::BoxMesh{{0.6, 0.2, 0.4}, {6, 3, 4}, 5};
  slab.material.young = 2e4;
  slab.transform.translate = {0, 0.1, 0};
  slab.velocity = {1.5, 0, 0};
  d.bodies.push_back(slab);
  scene::Obstacle floor;
  floor.shape = scene::PlaneShape{};
  floor.friction = 0.4;
  d.obstacles.push_back(floor);
  const auto after = [&](const char* integrator, int substeps) {
    scene::Description of = d;
    of.integrator.type = integrator;
    of.substeps = substeps;
    Session s = open(of);
    double braked = 0;
    for (int frame = 0; frame < 10; ++frame) {
      EXPECT_TRUE(s.step()) << s.failure();
      braked += s.record().blend.value_or(0) != 0;
    }
    return std::array{s.record().dissipated_total(), s.record().measured.kinetic, braked};
  };
  const auto [lost, kinetic, braked] = after("rebound", 1);
  const auto [truly_lost, truly_kinetic, braked_there] = after("tr-bdf2", 32);
  EXPECT_NEAR(lost, truly_lost, 0.015 * truly_lost);
  EXPECT_NEAR(kinetic, truly_kinetic, 0.01 * truly_kinetic);
  EXPECT_EQ(braked, 0);
}

// It begins undeformed, so its weight sets it swinging, faster than a step can show. What shakes creeps down the slope.
// In steps of half a millisecond it has gone 28 mm in 3 s, and stays there.
TEST(Friction, UnderReboundABlockThatShakesComesToRestOnASlope) {
  const double angle = std::atan(0.5), size = 0.2;
  const sim::Vec3 up(-std::sin(angle), std::cos(angle), 0), down(-std::cos(angle), -std::sin(angle), 0);
  for (const double h : {0.033, 0.0165, 0.004}) {
    scene::Description d;
    d.timeStep = h;
    d.integrator.type = "rebound";
    d.damping = {.type = "rigid-preserving", .coefficient = 0.45, .per = "second"};
    scene::Body block;
    block.name = "block";
    block.mesh = scene::BoxMesh{{size, size, size}, {3, 3, 3}, 5};
    block.material.young = 1e5;
    block.transform.rotate = scene::Rotation{{0, 0, 1}, angle * 180 / std::numbers::pi};
    const sim::Vec3 centre = (0.5 * size - 9e-5) * up;
    block.transform.translate = {centre.x(), centre.y(), centre.z()};
    d.bodies.push_back(block);
    scene::Obstacle slope;
    slope.shape = scene::PlaneShape{{up.x(), up.y(), up.z()}, 0};
    slope.friction = 0.8;
    d.obstacles.push_back(slope);
    Session s = open(d);
    const auto way_after = [&](double seconds) {
      while (s.record().time < seconds && s.step()) {
      }
      EXPECT_EQ(s.failure(), "");
      const sim::Vec3 at = s.state().x.transpose() * s.model().M / s.model().M.sum();
      return (at - centre).dot(down);
    };
    const double before = way_after(4), after = way_after(8);
    EXPECT_LT(before, 0.045) << h;
    EXPECT_LT(std::abs(after - before), 0.003) << h;
  }
}

// A sheet so light that it hops, thrown along a floor. What the floor pushes in all is its weight, so friction stops it
// at v/(mu g); and where there is none, no shiver that comes back speeds it up.
TEST(Friction, StopsWhatHopsInTimeAndNothingSpeedsItUp) {
  for (const double mu : {0.0, 0.3})
    for (const auto& [integrator, substeps] : {std::pair("rebound", 1), {"rebound", 16}, {"tr-bdf2", 16}}) {
      scene::Description d;
      d.timeStep = 0.02;
      d.substeps = substeps;
      d.integrator.type = integrator;
      scene::Body sheet;
      sheet.name = "sheet";
      sheet.mesh = scene::ClothMesh{{1, 1}, {10, 10}};
      sheet.material.model = "springs";
      sheet.material.stiffness = 1000;
      sheet.material.density = 0.3;
      sheet.transform.translate = {0, 0.01, 0};
      sheet.velocity = {1, 0, 0};
      d.bodies.push_back(sheet);
      d.obstacles.push_back({});
      d.obstacles[0].friction = mu;
      Session s = open(d);
      const double start = s.record().measured.p.x();
      for (int frame = 0; frame < 25; ++frame) {
        ASSERT_TRUE(s.step()) << s.failure();
        ASSERT_LE(s.record().measured.p.x(), start * (1 + 1e-9)) << mu << ' ' << integrator << ' ' << frame;
      }
      EXPECT_NEAR(s.record().measured.p.x(), mu > 0 ? 0 : start, 2e-3 * start)
          << mu << ' ' << integrator << ' ' << substeps;
    }
}

TEST(Friction, NoneLeavesTheMomentumAlongAPlaneAlone) {
  for (const char* solver : {"local-global", "newton"})
    for (const char* integrator : {"stabilized", "backward-euler", "bdf2"}) {
      auto d = falling_cube(3, 0.2, ground(1e5));
      d.bodies[0].velocity = {1, 0, -0.5};
      d.bodies[0].angularVelocity = {1, 2, 3};
      d.integrator.type = integrator;
      d.solver.type = solver;
      Session s = open(d);
      const sim::Vec3 at_start = momentum(s);
      bool touched = false;
      for (int frame = 0; frame < 100; ++frame) {
        ASSERT_TRUE(s.step());
        touched |= s.record().measured.total() > 0 && !s.contacts().empty();
        const sim::Vec3 change = momentum(s) - at_start;
        ASSERT_LT(std::hypot(change.x(), change.z()), 1e-10 * at_start.norm()) << solver << " " << integrator;
      }
      EXPECT_TRUE(touched);
    }
}

// A belt of speed V gives a body m V^2: half is its motion, half is heat.
TEST(Friction, OfABeltIsBookedAsItsWorkAndAsHeat) {
  constexpr double kV = 0.8, kMass = 1;
  for (const char* integrator : {"backward-euler", "stabilized"}) {
    auto d = falling_point(-1 * kG / 1e4, ground(1e4, 0.4));
    d.obstacles[0].motion = {{0, {0, 0, 0}, {}}, {10, {10 * kV, 0, 0}, {}}};
    d.integrator.type = integrator;
    d.timeStep = 0.005;
    Session s = open(d);
    for (int frame = 0; frame < 400; ++frame) ASSERT_TRUE(s.step());
    EXPECT_NEAR(s.state().v(0, 0), kV, 1e-9) << integrator;
    const double KE = 0.5 * kMass * kV * kV;
    EXPECT_NEAR(booked(s, sim::Added::motion), 2 * KE, 0.03 * KE) << integrator;
    EXPECT_NEAR(taken(s, sim::Dissipated::friction), KE, 0.03 * KE) << integrator;
  }
}

// What rides a disk that turns goes where the spot under it goes: round, in steps of any length, and rubs nowhere.
TEST(Friction, ATurntableCarriesABlockRound) {
  constexpr double kOmega = std::numbers::pi / 6, kRadius = 0.5;
  for (const char* integrator : {"backward-euler", "bdf2", "stabilized", "rebound", "tr-bdf2"})
    for (const double h : {0.033, 0.01}) {
      scene::Description d;
      d.solver.type = "newton";
      d.integrator.type = integrator;
      d.timeStep = h;
      scene::Body block;
      block.mesh = scene::BoxMesh{{0.2, 0.1, 0.2}, {2, 1, 2}};
      block.material.young = 1e6;
      // As deep as it lies.
      block.transform.translate = {kRadius, 0.05 + 0.05 - 4e-5, 0};
      block.velocity = {0, 0, -kRadius * kOmega};
      block.angularVelocity = {0, kOmega, 0};
      d.bodies = {block};
      scene::Obstacle disk;
      disk.shape = scene::BoxShape{{2, 0.1, 2}};
      disk.friction = 0.8;
      disk.stiffness = 1e5;
      disk.motion = {{0, {0, 0, 0}, {}}, {36, {0, 0, 0}, {{0, 1, 0}, 1080}}};
      d.obstacles = {disk};
      Session s = open(d);
      const double period = 2 * std::numbers::pi / kOmega;
      while (s.record().time < period) ASSERT_TRUE(s.step());
      const Eigen::RowVector3d centre = s.state().x.colwise().mean();
      const double r = std::hypot(centre.x(), centre.z()), angle = std::atan2(-centre.z(), centre.x());
      EXPECT_NEAR(r, kRadius, 1e-3 * kRadius) << integrator << " " << h;
      EXPECT_NEAR(angle, kOmega * (s.record().time - period), 0.005) << integrator << " " << h;
      const double K = s.record().measured.kinetic;
      EXPECT_LT(taken(s, sim::Dissipated::friction), 0.3 * K) << integrator << " " << h;
    }
}

// Midpoint of a point that slides until it stops: not a digit is lost between H and the books.
TEST(Friction, TakesFromASlidingPointExactlyWhatItBooks) {
  for (const char* integrator : {"implicit-midpoint", "newmark", "stabilized"}) {
    auto d = falling_point(-1 * kG / 1e4, ground(1e4, 0.4));
    d.bodies[0].velocity = {0.7, 0, -0.3};
    d.integrator.type = integrator;
    d.timeStep = 0.033;
    Session s = open(d);
    for (int frame = 0; frame < 20; ++frame) {
      ASSERT_TRUE(s.step());
      EXPECT_LT(std::abs(energy_error(s)), 1e-9) << integrator << " " << frame;
    }
    EXPECT_LT(s.record().measured.kinetic, 1e-12) << integrator;
    EXPECT_NEAR(taken(s, sim::Dissipated::friction), 0.5 * 0.58, 1e-9) << integrator;
  }
}

struct TumblingCase {
  const char* solver;
  double young, h;
};
class Tumbling : public testing::TestWithParam<TumblingCase> {};

// Stiff bodies in long steps, which friction tips over, slides and stops: the answer of the step's matrix to its
// impulses is furthest from that of the body, and once friction is there the blend has to hold the energy all the same.
TEST_P(Tumbling, MakesNoEnergy) {
  const auto& [solver, young, h] = GetParam();
  auto d = falling_cube(4, 0.3, ground(1e4, 0.8));
  d.bodies[0].material.young = young;
  d.bodies[0].velocity = {2, 0, 0.5};
  d.bodies[0].angularVelocity = {1, 2, -3};
  d.solver.type = solver;
  d.solver.iterations = std::string(solver) == "newton" ? 50 : 10;
  d.timeStep = h;
  Session s = open(d);
  double before = 0;
  for (int frame = 0; frame < 300; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    ASSERT_LT(std::abs(energy_error(s)), 0.0101) << frame;
    ASSERT_GE(taken(s, sim::Dissipated::friction), before) << frame;
    before = taken(s, sim::Dissipated::friction);
  }
  EXPECT_GT(before, 0.1 * s.record().initial);
}

INSTANTIATE_TEST_SUITE_P(Cubes, Tumbling,
                         testing::Values(TumblingCase{"local-global", 1e5, 0.033},
                                         TumblingCase{"local-global", 1e6, 0.01},
                                         TumblingCase{"local-global", 1e6, 0.033}, TumblingCase{"newton", 1e5, 0.033},
                                         TumblingCase{"newton", 1e6, 0.01}, TumblingCase{"newton", 1e6, 0.033}),
                         [](const auto& cube) {
                           return std::string(cube.param.solver).substr(0, 5) +
                                  (cube.param.young > 5e5 ? "Stiff" : "Soft") +
                                  (cube.param.h < 0.02 ? "Short" : "Long");
                         });

}  // namespace
}  // namespace rebound::test
