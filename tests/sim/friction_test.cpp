// Friction at the contacts of one step: Coulomb's law, for points and for bodies.
#include "sim/contact/friction.hpp"

#include <gtest/gtest.h>

#include "contacts.hpp"
#include "sim/contact/friction_impulses.hpp"
#include "sim/step/local_global.hpp"

namespace rebound::test {
namespace {

// One point of mass m on a plane that moves along x, pressed by a force; it has reached `v` without friction.
struct SlidingPoint {
  SlidingPoint(double mu, double surface_speed) : model(free_vertices(1)) {
    model.M[0] = 2;
    model.contacts.items = {
        {BodyPoint::at_vertex(0), Vec3(0, 0, 0), Vec3::UnitY(), 1e4, mu, 0, Vec3(h * surface_speed, 0, 0)}};
  }
  /// pushed: by an impulse, kg m/s, which the step has answered already. Returns what the surface does, J.
  double apply(double depth, const Vec3& v, double at = 1, const Vec3& pushed = Vec3::Zero()) {
    now = {Points{{0.0, -depth, 0.0}}, Points{{v.x(), 0.0, v.z()}}};
    next = {now.x + h * now.v, now.v};
    model.contacts.items[0].friction_impulse = pushed;
    next.v.row(0) += pushed.transpose() / model.M[0];
    next.x.row(0) += at * h * pushed.transpose() / model.M[0];
    LocalGlobal minimizer(model);
    Workers workers(1);
    const std::vector<Vec3> last = last_impulses(model);
    const FrictionWork work = apply_friction(
        model, now, h, {h * h, at, at, 1}, *minimizer.contact_response(h * h, workers), workers, next, {nullptr, last});
    taken = work.taken;
    return work.by_surfaces.front();
  }
  Vec3 velocity() const { return next.v.row(0).transpose(); }

  static constexpr double h = 0.01;
  Model model;
  State now, next;
  double taken = 0;  ///< J
};

TEST(Friction, StopsAPointOrTakesWhatItsForceAllows) {
  constexpr double force = 10, m = 2;
  for (const double mu : {0.1, 0.5, 2.0})
    for (const double speed : {0.001, 0.02, 0.5}) {
      SlidingPoint point(mu, 0);
      const Vec3 v(0.6 * speed, 0, -0.8 * speed);
      EXPECT_EQ(point.apply(1e-3, v), 0);
      const double left = std::max(0.0, speed - mu * force * SlidingPoint::h / m);
      EXPECT_LT((point.velocity() - left / speed * v).norm(), 1e-12) << mu << " " << speed;
      const Vec3 way = (point.next.x - point.now.x).row(0).transpose();
      EXPECT_LT((way - SlidingPoint::h * point.velocity()).norm(), 1e-15) << "x goes along with v";
    }
}

// Of midpoint, a point that stays where it is has turned its velocity round; what is left of the bound takes that.
TEST(Friction, KeepsAPointInItsPlaceBeforeItTakesItsVelocity) {
  constexpr double speed = 0.01, m = 2, impulse = 1e-3 * 1e4 * SlidingPoint::h;  // kg m/s at mu = 1
  for (const double mu : {0.1, 0.3, 0.45, 0.55, 0.7, 2.0}) {
    SlidingPoint point(mu, 0);
    point.apply(1e-3, Vec3(speed, 0, 0), 0.5);
    const double taken = mu * impulse / m, way = point.next.x(0, 0) / SlidingPoint::h, v = point.velocity().x();
    EXPECT_NEAR(way, std::max(0.0, speed - taken / 2), 1e-14) << mu;
    EXPECT_NEAR(v, taken < 2 * speed ? speed - taken : std::min(0.0, taken - 3 * speed), 1e-14) << mu;
  }
  // A method whose forces do not move x in the step: they brake.
  SlidingPoint point(0.1, 0);
  point.apply(1e-3, Vec3(speed, 0, 0), 0);
  EXPECT_NEAR(point.velocity().x(), speed - 0.1 * impulse / m, 1e-14);
  EXPECT_EQ(point.next.x(0, 0), SlidingPoint::h * speed);
}

// Whether it helped, was too much, or went the wrong way; and where nothing is pressed any more, nothing of it is left.
TEST(Friction, CountsOnceWhatTheStepHasAnsweredAlready) {
  const Vec3 v(0.012, 0, -0.016);
  for (const double mu : {0.1, 0.3, 2.0})
    for (const double at : {0.5, 1.0})
      for (const double depth : {1e-3, -1e-6}) {
        SlidingPoint free(mu, 0.003);
        const double by_surface = free.apply(depth, v, at);
        for (const Vec3& push : {Vec3(-0.01, 0, 0.01), Vec3(-1, 0, 0.2), Vec3(0.02, 0, 0)}) {
          SlidingPoint pushed(mu, 0.003);
          EXPECT_NEAR(pushed.apply(depth, v, at, push), by_surface, 1e-12) << mu << ' ' << at << ' ' << push.x();
          EXPECT_LT((pushed.next.x - free.next.x).norm(), 1e-12);
          EXPECT_LT((pushed.velocity() - free.velocity()).norm(), 1e-10);
          EXPECT_NEAR(pushed.taken, free.taken, 1e-12);
        }
      }
}

TEST(Friction, IsTakenAlongByAMovingSurface) {
  SlidingPoint point(0.5, 0.3);
  point.apply(1e-3, Vec3(0.3, 0, 0));
  EXPECT_LT((point.velocity() - Vec3(0.3, 0, 0)).norm(), 1e-15) << "it moves along already";
  // The surface goes 3 mm against 5 N.
  EXPECT_NEAR(point.apply(1e-3, Vec3::Zero()), 5 * 0.3 * SlidingPoint::h, 1e-14);
  EXPECT_NEAR(point.velocity().x(), 5 * SlidingPoint::h / 2, 1e-14);
}

TEST(Friction, LeavesWhatIsNotPressedAlone) {
  SlidingPoint point(1, 0), smooth(0, 0);
  EXPECT_EQ(point.apply(-1e-6, Vec3(1, 0, 0)), 0);
  EXPECT_EQ(point.velocity(), Vec3(1, 0, 0));
  EXPECT_FALSE(has_friction(point.model, point.now, kBackwardEuler.forces(SlidingPoint::h), point.next));
  smooth.apply(1e-3, Vec3(1, 0, 0));
  EXPECT_EQ(smooth.velocity(), Vec3(1, 0, 0));
  EXPECT_FALSE(has_friction(smooth.model, smooth.now, kBackwardEuler.forces(SlidingPoint::h), smooth.next));
  point.apply(1e-3, Vec3(1, 0, 0));
  EXPECT_TRUE(has_friction(point.model, point.now, kBackwardEuler.forces(SlidingPoint::h), point.next));
}

// Of a point alone, what midpoint's friction takes and moving surfaces give is what K changes by, to rounding; backward
// Euler's way is that of its last velocity.
TEST(Friction, TakesTheWorkOfItsImpulses) {
  constexpr double m = 2;
  for (const double mu : {0.1, 0.3, 0.7, 2.0})
    for (const double surface : {0.0, 0.05})
      for (const double at : {0.0, 0.5, 1.0}) {
        SlidingPoint point(mu, surface);
        const Vec3 v(0.02, 0, -0.01);
        const double by_surface = point.apply(1e-3, v, at);
        const Vec3 changed = point.velocity() - v, way = point.velocity() - Vec3(surface, 0, 0);
        const double gained = 0.5 * m * (point.velocity().squaredNorm() - v.squaredNorm());
        const double taken = at == 1 ? -m * changed.dot(way) : by_surface - gained;
        EXPECT_NEAR(point.taken, taken, 1e-15) << mu << " " << surface << " " << at;
        EXPECT_GE(point.taken, 0);
      }
}

// A cube that slides on a floor, and sinks in; it has reached `next` without friction. held: at a corner of its top, so
// that A^-1 is all that it answers.
struct SlidingCube : Bumping {
  explicit SlidingCube(double mu, bool held = false) : Bumping(4), next{rest, 0.03 * state.v} {
    for (int v = 0; v < model.vertices(); ++v)
      if (rest(v, 1) < -0.49)
        model.contacts.items.push_back(
            {BodyPoint::at_vertex(v), Vec3(0, -0.498, 0), Vec3::UnitY(), 1e4 + 700.0 * v, mu, 0, Vec3::Zero()});
    next.v.col(0).array() += 0.01;
    if (held) {
      model.fixed.back() = 1;
      next.v.bottomRows<1>().setZero();
    }
    next.x += h * next.v;
  }
  static constexpr double h = 0.01;
  State next;
};

TEST(Friction, ComesToTheSameWhereverItsSearchBegins) {
  for (const double mu : {0.2, 3.0})
    for (const double at : {0.0, 0.5, 1.0}) {
      SlidingCube cube(mu);
      LocalGlobal minimizer(cube.model);
      Workers workers(1);
      ContactResponse& response = *minimizer.contact_response(cube.h * cube.h, workers);
      const auto with_friction = [&](const FrictionWork* like) {
        std::pair<State, FrictionWork> result{cube.next, {}};
        result.second = apply_friction(cube.model, cube.state, cube.h, {cube.h * cube.h, at, at, 1}, response, workers,
                                       result.first, {like});
        return result;
      };
      const auto [from_nothing, work] = with_friction(nullptr);
      ASSERT_EQ(work.impulses.size(), cube.model.contacts.items.size());
      const double changed = (from_nothing.v - cube.next.v).norm();
      ASSERT_GT(changed, 0);
      // From anywhere, off the surface and beyond what friction can do as well.
      Random random(3);
      for (Contact& contact : cube.model.contacts.items) contact.friction_impulse = 0.1 * random_direction(random);
      EXPECT_LT((with_friction(nullptr).first.v - from_nothing.v).norm(), 1e-4 * changed) << mu << " " << at;
      EXPECT_LT((with_friction(&work).first.v - from_nothing.v).norm(), 1e-4 * changed) << mu << " " << at;
    }
}

// What the step has answered already is not answered again: the same comes of it as where nothing was.
TEST(Friction, OfABodyCountsOnceWhatTheStepHasAnsweredAlready) {
  SlidingCube cube(3.0, true);
  LocalGlobal minimizer(cube.model);
  Workers workers(1);
  ContactResponse& response = *minimizer.contact_response(cube.h * cube.h, workers);
  const StepForces forces = kBackwardEuler.forces(cube.h);
  const auto without_friction = cube.next.v;
  State expected = cube.next;
  apply_friction(cube.model, cube.state, cube.h, forces, response, workers, expected);
  const double changed = (expected.v - without_friction).norm();
  Random random(5);
  Points push = Points::Zero(cube.model.vertices(), 3);
  for (Contact& contact : cube.model.contacts.items) {
    contact.friction_impulse = 0.05 * random_direction(random).cwiseProduct(Vec3(1, 0, 1));
    add_impulse(contact, contact.friction_impulse, push);
  }
  const std::vector<Vec3> last = last_impulses(cube.model);
  response.respond(push, workers);
  ASSERT_GT(push.norm(), 0.1 * changed);
  State next{cube.next.x + cube.h * push, cube.next.v + push};
  apply_friction(cube.model, cube.state, cube.h, forces, response, workers, next, {nullptr, last});
  EXPECT_LT((next.v - expected.v).norm(), 1e-4 * changed);
}

// Every impulse within its cone; every contact that is below its bound stands still, the others are braked as hard as
// can be, whatever the body: Coulomb's law, checked on what comes out.
TEST(Friction, ObeysCoulombsLawAtEveryContact) {
  for (const double mu : {0.2, 3.0}) {
    SlidingCube body(mu, true);
    constexpr double h = SlidingCube::h;
    State next = body.next;
    const Points v_before = next.v;
    LocalGlobal minimizer(body.model);
    Workers workers(1);
    ContactResponse& response = *minimizer.contact_response(h * h, workers);
    const FrictionWork friction =
        apply_friction(body.model, body.state, h, kBackwardEuler.forces(h), response, workers, next);
    for (const double work : friction.by_surfaces) EXPECT_EQ(work, 0);
    // A dv are the impulses.
    const double c = h * h;
    Contacts none;
    std::swap(none.items, body.model.contacts.items);
    const Points impulses = dense_product(dense_system(body.model, c), next.v - v_before);
    std::swap(none.items, body.model.contacts.items);
    std::vector<int> touching;
    int sticking = 0, sliding = 0;
    for (const Contact& contact : body.model.contacts.items) {
      const int v = contact.point.vertices[0];
      touching.push_back(v);
      const Vec3 lambda = impulses.row(v).transpose(), w = next.v.row(v).transpose();
      const Vec3 along(w.x(), 0, w.z());
      const double at_x = contact.height(body.rest + h * v_before);
      const double bound = mu * h * contact.force(at_x);
      EXPECT_NEAR(lambda.y(), 0, 1e-9);
      EXPECT_LE(lambda.norm(), bound * (1 + 1e-6) + 1e-9);
      if (lambda.norm() < 0.999 * bound) {
        ++sticking;
        EXPECT_LT(along.norm(), 1e-5);
      } else if (bound > 0) {
        ++sliding;
        EXPECT_LT(lambda.normalized().dot(along), -0.999 * along.norm() + 1e-5);
      }
    }
    for (int v = 0; v < body.model.vertices(); ++v)
      if (std::find(touching.begin(), touching.end(), v) == touching.end()) {
        EXPECT_LT(impulses.row(v).norm(), 1e-9);
      }
    EXPECT_GT(mu == 3.0 ? sticking : sliding, 5) << mu;
  }
}

}  // namespace
}  // namespace rebound::test
