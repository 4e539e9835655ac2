// What repulsion springs do in a step: their impulse, their friction, and the work of surfaces that move.
#include "sim/contact/force_in_step.hpp"

#include <gtest/gtest.h>

#include "contacts.hpp"
#include "sim/registry.hpp"
#include "sim/stepper.hpp"

namespace rebound::test {
namespace {

// One point, thrown at a floor.
struct HoppingPoint {
  HoppingPoint(const char* integrator, double k, double mu) : model(free_vertices(1)) {
    model.M[0] = m;
    model.g = {0, -10, 0};
    model.energies.push_back(std::make_shared<Gravity>(model.M, model.g));
    model.colliders.push_back(BodyPoint::at_vertex(0));
    model.obstacles.push_back({Plane{}, {}, {}, k, mu});
    stepper.emplace(model, work, integrator, "newton");
    stepper->settings.solver.tolerance = 1e-12;
    history.now = {Points{{0.0, 0.02, 0.0}}, Points{{3.0, -1.0, -4.0}}};
    ledger = stepper->ledger(history.now, h);
  }
  StepReport step() { return stepper->step(history, ledger, h); }

  static constexpr double h = 0.01, m = 2;
  Model model;
  Workspace work{1};
  std::optional<sim::Stepper> stepper;
  History history;
  Ledger ledger;
};

// Springs so stiff that the point is in and out again within a step, and such as take several.
TEST(ForceInStep, IsTheImpulseThatAStepHasOfASpring) {
  for (const char* integrator : {"backward-euler", "implicit-midpoint", "newmark", "tr-bdf2", "sdirk2"})
    for (const double k : {3e2, 1e4, 1e6}) {
      HoppingPoint point(integrator, k, 0);
      int pressed = 0;
      for (int i = 0; i < 60; ++i) {
        const State before = point.history.now;
        const StepReport report = point.step();
        ASSERT_EQ(report.outcome, Outcome::done) << integrator << " " << k;
        const State& next = point.history.now;
        double force = 0;
        for (const Contact& c : point.model.contacts.items) force += force_in_step(c, before.x, next.x, report.forces);
        pressed += force > 0;
        const double gained = point.m * (next.v(0, 1) - before.v(0, 1) - point.h * point.model.g.y());
        ASSERT_NEAR(gained, report.forces.impulse * point.h * force, 1e-9) << integrator << " " << k << " " << i;
      }
      EXPECT_GT(pressed, 3) << integrator << " " << k;
    }
}

// mu times what the floor has pushed, whenever in a step that was: as long as the point slides. The search for impulses
// ends at 1e-7 of the speed, each step; what `rebound` returns to the way up, no floor has pushed.
TEST(ForceInStep, BoundsFrictionByAllThatTheFloorPushes) {
  constexpr double mu = 0.2;
  for (const char* integrator : {"backward-euler", "implicit-midpoint", "newmark", "tr-bdf2", "sdirk2", "rebound"})
    for (const double k : {3e2, 1e4, 1e6}) {
      HoppingPoint point(integrator, k, mu);
      const Vec3 v_0 = point.history.now.v.row(0);
      for (int i = 0; i < 60; ++i) ASSERT_EQ(point.step().outcome, Outcome::done) << integrator << " " << k;
      const Vec3 v = point.history.now.v.row(0);
      const double pushed = v.y() - v_0.y() - 60 * point.h * point.model.g.y();
      const double speed_0 = std::hypot(v_0.x(), v_0.z()), speed = std::hypot(v.x(), v.z());
      ASSERT_GT(pushed, 3) << integrator << " " << k;
      const double within = std::string(integrator) == "rebound" ? 0.01 * mu * pushed : 60 * 1e-7 * speed_0;
      EXPECT_NEAR(speed_0 - speed, mu * pushed, within) << integrator << " " << k;
      EXPECT_NEAR(v.x() * v_0.z(), v.z() * v_0.x(), 1e-9) << "straight on";
    }
}

TEST(SurfaceWork, IsWhatTheEnergyGainsAsSurfacesMove) {
  Bumping body(3);
  Contacts contacts;
  contacts.items = body.contacts(30, 9);
  Random random(1);
  for (std::size_t c = 0; c < contacts.items.size(); ++c)
    if (c % 4 != 0) contacts.items[c].moved = 0.01 * random_direction(random);
  Workspace work(1);
  const int n = body.model.vertices();
  const Points x_n = body.rest, end = x_n + random_points(n, 1, 0.01);
  for (const double gamma : {0.5, 0.8, 1.0}) {
    const Points at = x_n + gamma * (end - x_n);
    const auto moved_energy = [&](double share) {
      Contacts moved = contacts;
      for (Contact& c : moved.items) c.x_s += (share - (1 - gamma)) * c.moved;
      return moved.value(at, work);
    };
    constexpr double kStep = 1e-5;
    const double expected = (moved_energy(kStep) - moved_energy(-kStep)) / (2 * kStep);
    ASSERT_GT(std::abs(expected), 1e-3);
    double booked = 0;
    for (const Contact& c : contacts.items) booked += surface_work(c, x_n, end, {.at = gamma});
    EXPECT_NEAR(booked, expected, 1e-6 * std::abs(expected)) << gamma;
  }
}

// A point pressed against a piston: what the piston is booked with over the whole way is the integral of force dx. At
// the end of each step that is of first order, half way it is exact.
TEST(SurfaceWork, AddsUpToTheIntegralOfForceAndWay) {
  constexpr double k = 300, depth = 0.1;
  const auto booked = [&](int steps, double at) {
    double total = 0;
    const Points x{{0.0, 0.0, 0.0}};
    for (int i = 1; i <= steps; ++i) {
      Contacts contacts;
      contacts.items = {
          {BodyPoint::at_vertex(0), Vec3(0, depth * i / steps, 0), Vec3::UnitY(), k, 0, 0, Vec3(0, depth / steps, 0)}};
      total += surface_work(contacts.items.front(), x, x, {.at = at});
    }
    return total;
  };
  constexpr double whole = 0.5 * k * depth * depth;
  for (const int steps : {10, 40, 160}) {
    EXPECT_NEAR(booked(steps, 1) - whole, whole / steps, 1e-12);
    EXPECT_NEAR(booked(steps, 0.5), whole, 1e-12);
  }
}

}  // namespace
}  // namespace rebound::test
