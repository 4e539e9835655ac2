// Affine bodies in whole worlds: as a rigid body moves, by the books, and to be made rigid and soft again.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <sstream>

#include "mesh/error.hpp"
#include "mesh/shapes.hpp"
#include "session/saved_state.hpp"
#include "session/tables.hpp"
#include "session/timeline.hpp"
#include "sim/energy/signed_svd.hpp"
#include "sim/model/rigid_motion.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using sim::Vec3;

constexpr std::array<double, 3> kSize{1, 0.5, 0.2};

/// A free box of three different sides that spins about the middle one, a little off.
scene::Description tumbling_box(const char* integrator, double h, double stiffness) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.timeStep = h;
  d.integrator.type = integrator;
  d.solver.type = "newton";
  scene::Body body;
  body.name = "box";
  body.mesh = scene::BoxMesh{{kSize[0], kSize[1], kSize[2]}, {4, 2, 1}, 5};
  body.material.model = "affine";
  body.material.rigidity = stiffness;
  body.angularVelocity = {0.02, 6, 0.02};
  d.bodies.push_back(body);
  return d;
}

/// R of F = R S of the whole body, from rest.
Eigen::Matrix3d turn_of(const Session& s, std::size_t body = 0) {
  const auto [first, count] = s.model().bodies[body];
  const sim::Points& rest = s.world().bodies[body].rest;
  Eigen::Matrix3d now, then;
  for (int k = 0; k < 3; ++k) {
    now.col(k) = (s.state().x.row(first + k + 1) - s.state().x.row(first)).transpose();
    then.col(k) = (rest.row(k + 1) - rest.row(0)).transpose();
  }
  const sim::SignedSvd svd = sim::signed_svd(now * then.inverse());
  return svd.U * svd.V.transpose();
}

Vec3 spin_in_the_body(const Session& s) {
  return turn_of(s).transpose() * sim::fit_rigid_motion(s.model(), s.model().bodies[0], s.state()).omega;
}

/// Euler's equations I dw/dt = (I w) x w of the same box, by Runge and Kutta's method in steps of 0.1 ms.
class EulersBox {
 public:
  explicit EulersBox(const Vec3& omega) : omega_(omega) {
    const double m = 1000 * kSize[0] * kSize[1] * kSize[2];
    for (int c = 0; c < 3; ++c) {
      const double a = kSize[static_cast<std::size_t>((c + 1) % 3)], b = kSize[static_cast<std::size_t>((c + 2) % 3)];
      inertia_[c] = m * (a * a + b * b) / 12;
    }
  }
  const Vec3& to(double time) {
    constexpr double kStep = 1e-4;
    const auto steps = static_cast<std::int64_t>(std::llround(time / kStep));
    for (; done_ < steps; ++done_) {
      const Vec3 a = rate(omega_), b = rate(omega_ + kStep / 2 * a), c = rate(omega_ + kStep / 2 * b),
                 d = rate(omega_ + kStep * c);
      omega_ += kStep / 6 * (a + 2 * b + 2 * c + d);
    }
    return omega_;
  }

 private:
  Vec3 rate(const Vec3& w) const { return inertia_.cwiseProduct(w).cross(w).cwiseQuotient(inertia_); }

  Vec3 omega_, inertia_;
  std::int64_t done_ = 0;
};

/// The largest distance from Euler's equations until well after the box has turned over, as a share of the spin.
struct Tumble {
  double off = 0;
  double flip = 0, eulers_flip = 0;         ///< s, when the spin about the middle axis goes through zero
  double energy_off = 0, momentum_off = 0;  ///< shares
};
Tumble tumble(const char* integrator, double h, double stiffness) {
  Session s = open(tumbling_box(integrator, h, stiffness));
  EulersBox euler(Vec3(0.02, 6, 0.02));
  Tumble result;
  const Vec3 l = s.record().measured.l;
  const double H = s.record().measured.total();
  double before = 6, eulers_before = 6;
  while (s.record().time < 5) {
    EXPECT_TRUE(s.step()) << s.failure();
    const double time = s.record().time;
    const Vec3 spin = spin_in_the_body(s), eulers = euler.to(time);
    result.off = std::max(result.off, (spin - eulers).norm() / 6);
    if (spin.y() * before < 0) result.flip = time - h * spin.y() / (spin.y() - before);
    if (eulers.y() * eulers_before < 0) result.eulers_flip = time - h * eulers.y() / (eulers.y() - eulers_before);
    before = spin.y();
    eulers_before = eulers.y();
    result.energy_off = std::max(result.energy_off, std::abs(s.record().measured.total() / H - 1));
    result.momentum_off = std::max(result.momentum_off, (s.record().measured.l - l).norm() / l.norm());
  }
  return result;
}

// The body is strained by its spin, by about rho w^2 l^2 / (8 kappa), and the step turns it by O(h^2) too little.
TEST(AffineBox, TurnsOverAsEulersEquationsSayTheBetterTheStifferAndTheShorterTheStep) {
  const auto bounded = [](double h, double stiffness, double off, double flip_off) {
    for (const char* integrator : {"implicit-midpoint", "stabilized"}) {
      SCOPED_TRACE(std::string(integrator) + " h " + std::to_string(h) + " kappa " + std::to_string(stiffness));
      const Tumble t = tumble(integrator, h, stiffness);
      EXPECT_LT(t.off, off);
      EXPECT_NEAR(t.flip, t.eulers_flip, flip_off);
      EXPECT_NEAR(t.eulers_flip, 2.348, 1e-3);
      EXPECT_LT(t.momentum_off, 1e-10);
      EXPECT_LT(t.energy_off, 0.01);
    }
  };
  bounded(0.005, 1e6, 0.02, 0.01);
  bounded(0.0025, 1e7, 0.003, 0.002);
  bounded(0.00125, 1e8, 0.0008, 0.0005);
}

// What its stages are late by is made up for: what is left is the strain, however long the step.
TEST(AffineBox, TurnsOverUnderReboundAsEulersEquationsSayInLongStepsToo) {
  for (const double h : {0.03125, 0.01, 0.005}) {
    SCOPED_TRACE(h);
    const Tumble t = tumble("rebound", h, 1e8);
    EXPECT_LT(t.off, 42 * h * h + 0.0004);
    EXPECT_NEAR(t.flip, t.eulers_flip, 2e-4);
    EXPECT_LT(t.momentum_off, 1e-10);
    EXPECT_LT(t.energy_off, 1e-4);
  }
}

TEST(AffineBox, KeepsItsEnergyAndItsMomentaByTheBooks) {
  for (const char* integrator : {"implicit-midpoint", "stabilized", "rebound", "bdf2", "backward-euler"})
    for (const char* solver : {"newton", "newton-cg"}) {
      scene::Description d = tumbling_box(integrator, 0.002, 1e7);
      d.solver.type = solver;
      Session s = open(d);
      const Vec3 p = s.record().measured.p, l = s.record().measured.l;
      for (int frame = 0; frame < 500; ++frame) ASSERT_TRUE(s.step()) << s.failure();
      const FrameRecord& r = s.record();
      constexpr double kMomentum = 100 * 6 * 0.5;  // kg m/s, of one half of it
      EXPECT_LT((r.measured.p - p).norm(), 1e-9 * kMomentum) << integrator;
      EXPECT_NEAR(r.target, r.initial + r.added_total() - r.dissipated_total(), 1e-12 * r.initial);
      EXPECT_NEAR(r.target, r.initial, 1e-4 * r.initial);
      const bool dissipates = std::string(integrator) == "backward-euler" || std::string(integrator) == "bdf2";
      if (dissipates) continue;
      EXPECT_LT((r.measured.l - l).norm(), 1e-9 * l.norm()) << integrator << ' ' << solver;
      EXPECT_NEAR(r.measured.total(), r.initial, 1e-3 * r.initial) << integrator << ' ' << solver;
    }
}

// ---- what acts on it ----

scene::Description falling_box() {
  scene::Description d = tumbling_box("stabilized", 0.005, 1e7);
  d.gravity = {0, -9.81, 0};
  d.bodies[0].angularVelocity = {0, 0, 0};
  return d;
}

/// Its mean velocity.
Vec3 velocity_of(const Session& s, std::size_t body = 0) {
  const auto [first, count] = s.model().bodies[body];
  return s.state().v.middleRows(first, count).colwise().mean();
}

TEST(AffineBox, SlidesToAStopByCoulombsLaw) {
  scene::Description d = falling_box();
  scene::Obstacle floor;
  floor.shape = scene::PlaneShape{};
  floor.friction = 0.3;
  d.obstacles = {floor};
  d.bodies[0].transform.translate = {0, kSize[1] / 2, 0};
  d.bodies[0].velocity = {3, 0, 0};
  d.damping.coefficient = 0.05;
  Session s = open(d);
  for (int frame = 0; frame < 100; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  EXPECT_NEAR(velocity_of(s).x(), 3 - 0.3 * 9.81 * 0.5, 0.03 * 3);
  EXPECT_GT(s.record().dissipated[static_cast<std::size_t>(sim::Dissipated::friction)], 0);
  for (int frame = 0; frame < 300; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  EXPECT_LT(std::abs(velocity_of(s).x()), 0.02);
  // It lies on the floor, not in it, and not on the corners of its tetrahedron.
  const double lowest = s.surface(0).col(1).minCoeff();
  EXPECT_GT(lowest, -0.01);
  EXPECT_LT(lowest, 1e-3);
}

// Down a slope of tan 0.5, which is gravity that leans: it neither rattles nor creeps.
TEST(AffineBox, SlidesBehindABarrierAsCoulombSays) {
  const double angle = std::atan(0.5), down = 9.81 * std::sin(angle), in = 9.81 * std::cos(angle), h = 0.005;
  for (const char* integrator : {"backward-euler", "bdf2", "rebound"})
    for (const double mu : {0.3, 0.49, 0.51}) {
      SCOPED_TRACE(std::string(integrator) + " " + std::to_string(mu));
      scene::Description d = tumbling_box(integrator, h, 1e7);
      d.gravity = {down, -in, 0};
      d.solver.tolerance = 1e-8;
      d.contact.type = "barrier";
      d.contact.distance = 1e-3;
      d.contact.friction = mu;
      d.contact.slip = 1e-4;
      d.bodies[0].angularVelocity = {0, 0, 0};
      d.bodies[0].mesh = scene::BoxMesh{{0.1, 0.04, 0.1}, {3, 1, 3}, 5};
      d.bodies[0].transform.translate = {0, 0.0209993, 0};  // as the barrier holds it
      scene::Obstacle floor;
      floor.shape = scene::PlaneShape{};
      d.obstacles = {floor};
      Session s = open(d);
      for (int frame = 0; frame < 100; ++frame) ASSERT_TRUE(s.step()) << s.failure();
      const double before = velocity_of(s).x();
      for (int frame = 0; frame < 100; ++frame) ASSERT_TRUE(s.step()) << s.failure();
      if (mu < 0.5) {
        EXPECT_NEAR((velocity_of(s).x() - before) / (100 * h), down - mu * in, 0.01 * (down - mu * in));
      } else {
        EXPECT_LT(std::abs(velocity_of(s).x()), 1e-4);
      }
    }
}

TEST(AffineBox, IsDraggedByTheHandAndTheWorkIsBooked) {
  scene::Description d = tumbling_box("stabilized", 0.005, 1e7);
  d.bodies[0].angularVelocity = {0, 0, 0};
  Session s = open(d);
  const SurfacePoint corner{0, 0};
  const Vec3 at = body_point(s, corner).of(s.state().x);
  s.apply(Grab{corner, at, 1});
  for (int frame = 0; frame < 60; ++frame) {
    s.apply(MoveGrab{at + Vec3(0.5 * std::min(1.0, frame / 30.0), 0, 0)});
    ASSERT_TRUE(s.step()) << s.failure();
    EXPECT_LT(std::abs(energy_error(s)), 0.011);
  }
  EXPECT_GT(s.record().added[static_cast<std::size_t>(sim::Added::user)], 0);
  EXPECT_GT(velocity_of(s).x(), 0.1);
  s.apply(Release{});
  const Vec3 l = s.record().measured.l;
  const double scale = s.record().measured.p.norm();
  for (int frame = 0; frame < 50; ++frame) ASSERT_TRUE(s.step());
  EXPECT_LT((s.record().measured.l - l).norm(), 1e-2 * scale);
}

TEST(AffineBox, IsHeldAsAWholeByAPinAndByFixedVerticesBesideAPlane) {
  scene::Description d = falling_box();
  Session s = open(d);
  s.apply(Pin{{{0, 7}}});
  const mesh::Points before = s.surface(0);
  for (int frame = 0; frame < 20; ++frame) ASSERT_TRUE(s.step());
  EXPECT_EQ(s.surface(0), before);
  s.apply(Unpin{{{0, 7}}});
  for (int frame = 0; frame < 20; ++frame) ASSERT_TRUE(s.step());
  EXPECT_NEAR(velocity_of(s).y(), -9.81 * 0.1, 0.05);

  d.bodies[0].fixed = std::vector<int>{0, 1, 5, 15};  // a corner and its three neighbours
  Session held = open(d);
  for (int frame = 0; frame < 20; ++frame) ASSERT_TRUE(held.step());
  EXPECT_EQ(held.record().measured.kinetic, 0);
}

// A pendulum: held by one corner it swings, and a stiff spring there hardly gives.
TEST(AffineBox, HangsByAnAttachment) {
  scene::Description d = falling_box();
  d.bodies[0].attachments.push_back({std::vector<int>{0}, 1e6, {}});
  Session s = open(d);
  const Vec3 hook = s.model().attachments.items[0].target;
  for (int frame = 0; frame < 200; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    EXPECT_LT((s.model().attachments.items[0].point.of(s.state().x) - hook).norm(), 0.01);
    EXPECT_LT(std::abs(energy_error(s)), 0.011);
  }
}

TEST(AffineBox, StatesAreThoseOfTheVerticesOfItsMesh) {
  scene::Description d = tumbling_box("stabilized", 0.005, 1e8);
  Session s = open(d);
  for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step());
  const std::string rows = states_rows(s);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 5 * 3 * 2);
  std::istringstream lines(rows);
  std::string line;
  const mesh::TetMesh box = mesh::box(kSize, {4, 2, 1}, 5);
  const Eigen::Matrix3d R = turn_of(s);
  for (int vertex = 0; std::getline(lines, line); ++vertex) {
    long long frame = 0;
    int body = 0, number = 0;
    Vec3 x, v;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lld,%d,%d,%lf,%lf,%lf,%lf,%lf,%lf", &frame, &body, &number, &x[0], &x[1],
                          &x[2], &v[0], &v[1], &v[2]),
              9);
    EXPECT_EQ(number, vertex);
    EXPECT_LT((x - R * box.points.row(vertex).transpose()).norm(), 1e-3);
  }
}

// ---- bodies that meet ----

scene::Body ball(const char* model, const scene::Vec3& at, const scene::Vec3& velocity) {
  scene::Body body;
  body.name = model;
  body.mesh = scene::SphereMesh{0.3, 8};
  body.material.model = model;
  body.transform.translate = at;
  body.velocity = velocity;
  return body;
}

TEST(AffineBodies, PushEachOtherAndSoftOnesAwayAndMomentumStays) {
  for (const char* other : {"affine", "arap"})
    for (const char* integrator : {"stabilized", "backward-euler", "rebound"}) {
      SCOPED_TRACE(std::string(other) + ' ' + integrator);
      scene::Description d;
      d.gravity = {0, 0, 0};
      d.timeStep = 0.005;
      d.solver.type = "newton";
      d.integrator.type = integrator;
      d.bodies = {ball("affine", {-0.5, 0, 0}, {1.5, 0, 0}), ball(other, {0.5, 0.2, 0}, {-1.5, 0, 0})};
      Session s = open(d, 2);
      const double scale = 2 * 1000 * 0.113 * 1.5;
      const Vec3 p = s.record().measured.p;
      double least = 1;
      for (int frame = 0; frame < 160; ++frame) {
        ASSERT_TRUE(s.step()) << s.failure();
        ASSERT_LT((s.record().measured.p - p).norm(), 1e-9 * scale) << frame;
        const Vec3 apart = s.surface(0).colwise().mean() - s.surface(1).colwise().mean();
        least = std::min(least, apart.norm());
      }
      EXPECT_GT(least, std::string(other) == "affine" ? 0.5 : 0.4);  // rigid ones sink in a little, soft ones give way
      EXPECT_LT(velocity_of(s, 0).y(), -0.3);
      EXPECT_GT(velocity_of(s, 1).y(), 0.3);
    }
}

// Side lies on side: what touches is far outside of either's tetrahedron.
TEST(AffineBodies, LieOnOneAnother) {
  scene::Description d = falling_box();
  d.damping.coefficient = 0.05;
  d.contact.stiffness = 2e4;
  d.contact.friction = 0.5;
  d.obstacles = {scene::Obstacle{}};
  d.obstacles[0].friction = 0.5;
  d.bodies[0].transform.translate = {0, kSize[1] / 2, 0};
  d.bodies.push_back(d.bodies[0]);
  d.bodies[1].transform.translate = {0.1, 1.5 * kSize[1] + 0.01, 0};
  d.bodies[1].mesh = scene::BoxMesh{{0.6, kSize[1], 0.16}, {4, 3, 2}, 5};
  Session s = open(d);
  for (int frame = 0; frame < 400; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  const double top = s.surface(0).col(1).maxCoeff(), bottom = s.surface(1).col(1).minCoeff();
  EXPECT_LT(bottom, top + 1e-3);
  EXPECT_GT(bottom, top - 0.03);
  EXPECT_LT(s.record().measured.kinetic, 1e-3);
}

// ---- rigid and soft ----

scene::Description soft_box(const char* solver = "newton") {
  scene::Description d = tumbling_box("stabilized", 0.005, 1e7);
  d.solver.type = solver;
  d.bodies[0].material.model = "stable-neo-hookean";
  d.bodies[0].material.young = 1e5;
  d.bodies[0].velocity = {1, 2, 3};
  d.bodies[0].angularVelocity = {1, 6, 2};
  d.bodies[0].traces = {{3, {}}};
  return d;
}

SetMaterial made_rigid(const Session& s) {
  SetMaterial set{0, s.description().bodies[0].material};
  set.material.model = "affine";
  return set;
}

/// The centre, momenta and turn of a body.
void expect_goes_on(const sim::Measurement& before, const Session& s, const mesh::Points& surface, double near) {
  const sim::Measurement& now = s.record().measured;
  EXPECT_LT((now.p - before.p).norm(), 1e-11 * before.p.norm());
  EXPECT_LT((now.l - before.l).norm(), 1e-11 * before.l.norm());
  EXPECT_LT((s.surface(0) - surface).rowwise().norm().maxCoeff(), near);
}

TEST(MakeRigid, KeepsPlaceAndMomentaAndBackAgain) {
  Session s = open(soft_box(), 2);
  for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step());
  const int soft_vertices = s.model().vertices();
  sim::Measurement before = s.record().measured;
  mesh::Points surface = s.surface(0);
  s.apply(made_rigid(s));
  EXPECT_EQ(s.model().vertices(), 4);
  expect_goes_on(before, s, surface, 0.08);  // as far as it was deformed
  EXPECT_NEAR(s.record().measured.elastic, 0, 1e-9 * before.kinetic);
  EXPECT_NEAR(s.record().added[static_cast<std::size_t>(sim::Added::edit)],
              s.record().measured.total() - before.total(), 1e-9 * before.kinetic);
  EXPECT_LT(std::abs(energy_error(s)), 0.011);
  for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  EXPECT_LT(std::abs(energy_error(s)), 0.011);

  before = s.record().measured;
  surface = s.surface(0);
  SetMaterial soft{0, soft_box().bodies[0].material};
  s.apply(soft);
  EXPECT_EQ(s.model().vertices(), soft_vertices);
  expect_goes_on(before, s, surface, 1e-4);
  for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  EXPECT_LT(std::abs(energy_error(s)), 0.011);
  EXPECT_EQ(s.traces()[0].points.size(), 121u);
}

TEST(MakeRigid, BeginsRigidAndIsMadeSoft) {
  scene::Description d = soft_box();
  d.bodies[0].material.model = "affine";
  Session s = open(d);
  for (int frame = 0; frame < 10; ++frame) ASSERT_TRUE(s.step());
  const sim::Measurement before = s.record().measured;
  const mesh::Points surface = s.surface(0);
  s.apply(SetMaterial{0, soft_box().bodies[0].material});
  EXPECT_EQ(s.model().vertices(), 5 * 3 * 2);
  expect_goes_on(before, s, surface, 1e-3);
  ASSERT_TRUE(s.step()) << s.failure();
}

TEST(MakeRigid, TheHandHoldsOn) {
  Session s = open(soft_box());
  const SurfacePoint corner{0, 0};
  const Vec3 at = body_point(s, corner).of(s.state().x);
  s.apply(Grab{corner, at, 1});
  ASSERT_TRUE(s.step());
  s.apply(made_rigid(s));
  ASSERT_TRUE(s.grab().has_value());
  EXPECT_LT((s.grab()->springs.front().point.of(s.state().x) - s.surface(0).row(0).transpose()).norm(), 1e-12);
  s.apply(MoveGrab{at + Vec3(0.1, 0, 0)});
  for (int frame = 0; frame < 20; ++frame) ASSERT_TRUE(s.step()) << s.failure();
}

TEST(MakeRigid, IsRefusedWhereItIsPinnedInPartAndWhereTheSolverDoesNotTakeIt) {
  const auto refusal = [](Session& s) -> std::string {
    const int vertices = s.model().vertices();
    try {
      s.apply(made_rigid(s));
    } catch (const InputError& error) {
      EXPECT_EQ(s.model().vertices(), vertices);
      EXPECT_TRUE(s.step());
      return error.what();
    }
    return "done";
  };
  Session pinned = open(soft_box());
  pinned.apply(Pin{{{0, 0}, {0, 1}}});
  EXPECT_NE(refusal(pinned).find("is pinned in part"), std::string::npos);
  scene::Description d = soft_box("local-global");
  d.bodies[0].material.model = "arap";
  Session other_solver = open(d);
  EXPECT_NE(refusal(other_solver).find("set /solver/type to \"newton\""), std::string::npos);
  d = soft_box();
  d.bodies[0].masses.assign(30, 1.0);
  Session by_masses = open(d);
  EXPECT_NE(refusal(by_masses).find("/masses: "), std::string::npos);
}

/// Rigid at frame 10, soft at 20, taken back at 30 and again at 35.
void live(Timeline& timeline, int frames) {
  for (int frame = 0; frame < frames; ++frame) {
    const Session& s = timeline.ensemble().first();
    if (frame == 10) timeline.apply(Addressed{kAllPanes, made_rigid(s)});
    if (frame == 12) timeline.apply(AddPane{0, "rebound"});
    if (frame == 30) timeline.apply(Addressed{0, SetMaterial{0, soft_box().bodies[0].material}});
    if (frame == 50) timeline.apply(Undo{});
    timeline.step();
  }
}

TEST(MakeRigid, IsUndoneAndRewoundAndReplayedToTheLastBit) {
  Timeline timeline(std::make_unique<Session>(scene::load_world(soft_box()), 2));
  std::vector<sim::Points> surfaces;
  live(timeline, 60);
  const auto points = [&] { return timeline.ensemble().first().surface(0); };
  const mesh::Points end = points();
  EXPECT_EQ(timeline.ensemble().first().model().vertices(), 4);  // undone: rigid again
  timeline.go_to(40);
  EXPECT_EQ(timeline.ensemble().first().model().vertices(), 30);
  timeline.go_to(5);
  EXPECT_EQ(timeline.ensemble().first().model().vertices(), 30);
  timeline.go_to(25);
  EXPECT_EQ(timeline.ensemble().first().model().vertices(), 4);
  timeline.go_to(60);
  EXPECT_EQ(points(), end);

  const Journal& journal = timeline.journal();
  Timeline again(std::make_unique<Session>(scene::load_world(soft_box()), 1));
  again.follow(journal);
  for (int frame = 0; frame < 60; ++frame) again.step();
  EXPECT_EQ(again.divergence(), "");
  EXPECT_EQ(again.ensemble().first().surface(0), end);
}

TEST(MakeRigid, IsFoundAgainInAnotherSession) {
  Session s = open(soft_box());
  for (int frame = 0; frame < 5; ++frame) ASSERT_TRUE(s.step());
  s.apply(made_rigid(s));
  for (int frame = 0; frame < 5; ++frame) ASSERT_TRUE(s.step());
  const SavedState saved = s.save();
  Session fresh = open(soft_box());
  fresh.restore(saved);
  for (int frame = 0; frame < 20; ++frame) {
    ASSERT_TRUE(s.step());
    ASSERT_TRUE(fresh.step());
    ASSERT_EQ(s.state().x, fresh.state().x);
  }
  s.apply(Reset{});
  EXPECT_EQ(s.frame(), 0);
  EXPECT_EQ(s.model().vertices(), 4);
  ASSERT_TRUE(s.step());
}

}  // namespace
}  // namespace rebound::test
