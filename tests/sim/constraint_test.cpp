// Obstacles as constraints of the optimisation integrator's solver [Gast15 Sec. 3.2, 5.1].
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "sim/contact/constraint_friction.hpp"
#include "sim/step/gast.hpp"
#include "support/material_cube.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

constexpr double kConstrainedFrame = 1.0 / 24;

struct NamedShape {
  const char* name;
  Shape shape;
  Pose pose;
};
void PrintTo(const NamedShape& s, std::ostream* out) { *out << s.name; }

Eigen::Matrix3d tilt(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

/// Below a cube about the origin.
std::vector<NamedShape> shapes_below() {
  const Vec3 low(0, -1.2, 0);
  return {{"plane", Plane{}, {Eigen::Matrix3d::Identity(), Vec3(0, -0.8, 0)}},
          {"slope", Plane{}, {tilt(0.4, {0, 0, 1}), Vec3(0, -1.2, 0)}},
          {"sphere", Sphere{0.5}, {Eigen::Matrix3d::Identity(), low}},
          {"box", Box{{0.3, 0.3, 0.3}}, {tilt(0.3, {1, 2, 3}), low}},
          {"capsule", Capsule{0.3, 0.4}, {tilt(1.2, {1, 0, 0.2}), low}},
          {"torus", Torus{0.5, 0.2}, {tilt(0.2, {0, 0, 1}), Vec3(0, -0.9, 0)}}};
}

double deepest(const Model& model, const Points& x) {
  double deepest = 0;
  for (const Obstacle& obstacle : model.obstacles)
    for (const BodyPoint& point : model.colliders)
      deepest = std::max(deepest, -nearest(obstacle, point.of(x)).distance);
  return deepest;
}

/// A cube that falls on an obstacle.
struct Falling {
  explicit Falling(const NamedShape& below, double young = 1e5, double friction = 0)
      : cube("fixed-corotated", young, 0.4, 4) {
    cube.model.g = {0, -9.81, 0};
    cube.fall();
    for (int v = 0; v < cube.model.vertices(); ++v) cube.model.colliders.push_back(BodyPoint::at_vertex(v));
    add(below, friction);
  }
  void add(const NamedShape& shape, double friction = 0) {
    Obstacle obstacle{shape.shape, shape.pose, shape.pose, 0, friction};
    obstacle.constraint = true;
    cube.model.obstacles.push_back(obstacle);
  }
  MaterialCube cube;
};

class ConstraintOfShape : public testing::TestWithParam<NamedShape> {};

TEST_P(ConstraintOfShape, CurvatureIsTheSlopeOfTheNormal) {
  const Shape& shape = GetParam().shape;
  if (std::holds_alternative<Box>(shape)) GTEST_SKIP() << "has none";
  for (const Vec3& p : {Vec3(0.3, 0.7, 0.2), Vec3(-0.6, 0.15, 0.5), Vec3(0.2, -0.3, -0.9)}) {
    Eigen::Matrix3d slope;
    const double e = 1e-6;
    for (int c = 0; c < 3; ++c)
      slope.col(c) =
          (nearest(shape, p + e * Vec3::Unit(c)).normal - nearest(shape, p - e * Vec3::Unit(c)).normal) / (2 * e);
    EXPECT_LT((curvature(shape, p) - slope).norm(), 1e-8);
  }
}

TEST_P(ConstraintOfShape, NoVertexIsInsideAfterAnyStep) {
  for (const auto& [integrator, solver] :
       {std::pair{"backward-euler", "gast"}, {"bdf2", "gast"}, {"backward-euler", "newton"}, {"bdf2", "newton"}}) {
    Falling falling(GetParam());
    Stepper stepper(falling.cube.model, integrator, kConstrainedFrame, 500, solver);
    stepper.start({falling.cube.rest, Points::Zero(falling.cube.rest.rows(), 3)});
    bool touched = false;
    int stalled = 0;
    for (int i = 0; i < 48; ++i) {
      const StepReport report = stepper.step();
      ASSERT_EQ(report.outcome, Outcome::done);
      stalled += !report.converged;
      ASSERT_LE(deepest(falling.cube.model, stepper.history.now.x), 1e-12) << i;
      touched = touched || deepest(falling.cube.model, stepper.history.now.x - Points::Constant(125, 3, 1e-9)) > 0;
    }
    EXPECT_TRUE(touched);
    EXPECT_EQ(stalled, 0) << solver << ' ' << integrator;
  }
}

// The solve ends where the obstacle pushes and never pulls, and all else is in balance.
TEST_P(ConstraintOfShape, EndsWhereObstaclesOnlyPush) {
  Falling falling(GetParam());
  History history;
  history.now = {falling.cube.rest, Points::Zero(falling.cube.rest.rows(), 3)};
  history.now.v.col(1).setConstant(-15);
  StepBuffers buffers;
  Workspace work(2);
  const StepObjective g(falling.cube.model, kBackwardEuler, kConstrainedFrame, history, buffers, work);
  Points x = g.y(), dg;
  Gast gast(falling.cube.model);
  double before = INFINITY;
  SolveTrace trace;
  gast.write_trace(&trace);
  ASSERT_TRUE(gast.minimize(g, 500, nullptr, x).converged);
  for (const SolveIterate& iterate : trace.iterates) {
    EXPECT_LE(iterate.objective, before + 1e-13 * std::abs(before));
    before = iterate.objective;
  }
  g.gradient(x, dg);
  EXPECT_GT(velocity_error(falling.cube.model, dg, kConstrainedFrame), 0.1) << "it is held";
  ASSERT_FALSE(gast.held().empty());
  for (const HeldVertex& at : gast.held()) {
    EXPECT_GE(at.push, 0);
    dg.row(at.vertex) -= at.push * at.n.transpose();
  }
  EXPECT_LE(velocity_error(falling.cube.model, dg, kConstrainedFrame), kVelocityTolerance);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ConstraintOfShape, testing::ValuesIn(shapes_below()),
                         [](const auto& of) { return std::string(of.param.name); });

// Newton and gast come to the same place where obstacles hold.
TEST_P(ConstraintOfShape, NewtonEndsWhereGastDoes) {
  Falling falling(GetParam());
  History history;
  history.now = {falling.cube.rest, Points::Zero(falling.cube.rest.rows(), 3)};
  history.now.v.col(1).setConstant(-12);
  StepBuffers buffers;
  Workspace work(2);
  const StepObjective g(falling.cube.model, kBackwardEuler, kConstrainedFrame, history, buffers, work);
  Points by_gast = g.y(), by_newton = g.y();
  const auto gast = find_solver("gast")->make(falling.cube.model),
             newton = find_solver("newton")->make(falling.cube.model);
  ASSERT_TRUE(gast->minimize(g, 500, nullptr, by_gast).converged);
  const SolveReport solved = newton->minimize(g, 500, nullptr, by_newton);
  ASSERT_TRUE(solved.converged);
  EXPECT_LT(solved.iterations, 60);
  ASSERT_FALSE(newton->held().empty());
  EXPECT_NEAR(g.value(by_newton), g.value(by_gast), 1e-9 * std::abs(g.value(by_gast)));
  EXPECT_LT((by_newton - by_gast).cwiseAbs().maxCoeff(), 1e-6);
}

// Between two planes and a sphere, at any angle.
TEST(ConstraintTest, NoVertexIsInsideWhereObstaclesMeet) {
  Falling falling({"left", Plane{}, {tilt(0.9, {0, 0, 1}), Vec3(0, -1.2, 0)}});
  falling.add({"right", Plane{}, {tilt(-0.7, {0, 0, 1}), Vec3(0, -1.2, 0)}});
  falling.add({"ball", Sphere{0.3}, {Eigen::Matrix3d::Identity(), Vec3(0.1, -0.9, 0)}});
  Stepper stepper(falling.cube.model, "backward-euler", kConstrainedFrame, 500, "gast");
  stepper.start({falling.cube.rest, Points::Zero(falling.cube.rest.rows(), 3)});
  for (int i = 0; i < 48; ++i) {
    ASSERT_EQ(stepper.step().outcome, Outcome::done);
    ASSERT_LE(deepest(falling.cube.model, stepper.history.now.x), 1e-12) << i;
  }
}

// A vertex in the corner of some planes, pressed anyhow: what is left is what no push can hold, and points away from
// all of them. Creases are acute and obtuse.
TEST(ConstraintTest, CreasesAndCornersHoldWhatTheyCanAndNoMore) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto any_vector = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  int held_by[4] = {};
  for (int i = 0; i < 2000; ++i) {
    Model model = free_vertices(1);
    model.colliders.push_back(BodyPoint::at_vertex(0));
    for (int k = 0; k < 2 + i % 3; ++k) {
      const Pose pose{Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), any_vector()).toRotationMatrix(), Vec3::Zero()};
      Obstacle plane{Plane{}, pose, pose};
      plane.constraint = true;
      model.obstacles.push_back(plane);
    }
    ObstacleConstraints constraints(model);
    constraints.begin();
    const Points x = Points::Zero(1, 3), gradient = any_vector().transpose();
    constraints.activate(x, gradient);
    Points left = gradient;
    constraints.make_tangential(left);
    Points by_pushes = gradient;
    for (const HeldVertex& at : constraints.held()) {
      EXPECT_GE(at.push, 0);
      by_pushes -= at.push * at.n.transpose();
    }
    EXPECT_LT((left - by_pushes).norm(), 1e-6 * gradient.norm());
    for (const Obstacle& plane : model.obstacles)
      EXPECT_LE(left.row(0).dot(plane.pose.R.col(1)), 1e-6) << "down the slope of E is out of the plane";
    ++held_by[constraints.held().size()];
  }
  for (const int count : held_by) EXPECT_GT(count, 50);
}

/// A vertex that may collide, and planes through random places; those that leave no room are possible, but rare.
Model point_among_planes(int planes, const std::function<Vec3()>& any_vector) {
  Model model = free_vertices(1);
  model.colliders.push_back(BodyPoint::at_vertex(0));
  for (int k = 0; k < planes; ++k) {
    const Vec3 normal = any_vector().normalized();
    const Pose pose{Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), normal).toRotationMatrix(), 0.3 * any_vector()};
    Obstacle plane{Plane{}, pose, pose};
    plane.constraint = true;
    model.obstacles.push_back(plane);
  }
  return model;
}

// No wall is passed, and what has pushed the vertex there are walls that it touches: so it is the nearest such place.
// To go from one wall to another until none is passed ends elsewhere, as the last lines see to.
TEST(ConstraintTest, AVertexIsPutToTheNearestPlaceInFrontOfAllWalls) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto any_vector = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  int pushed_by[4] = {}, elsewhere = 0;
  for (int i = 0; i < 3000; ++i) {
    const Model model = point_among_planes(1 + i % 4, any_vector);
    ObstacleConstraints constraints(model);
    constraints.begin();
    const Points from = any_vector().transpose();
    Points x = from;
    constraints.project(x);
    if (deepest(model, x) > 1e-9) continue;  // no room
    constraints.activate(x, x - from);
    Points left = x - from;
    constraints.make_tangential(left);
    ASSERT_LT(left.norm(), 1e-9) << i;
    ++pushed_by[constraints.held().size()];
    Points to_and_fro = from;
    for (int round = 0; round < 1000 && deepest(model, to_and_fro) > 1e-12; ++round)
      for (const Obstacle& plane : model.obstacles)
        if (const Nearest there = nearest(plane, to_and_fro.row(0).transpose()); there.distance < 0)
          to_and_fro.row(0) = there.point.transpose();
    elsewhere += (to_and_fro - x).norm() > 1e-6;
  }
  for (const int count : pushed_by) EXPECT_GT(count, 50);
  EXPECT_GT(elsewhere, 200);
}

// On a face in the middle of a search it stays on the face, and beyond the face's edge it is free.
TEST(ConstraintTest, AVertexGetsOffAFaceAtItsEdge) {
  Model model = free_vertices(1);
  model.colliders.push_back(BodyPoint::at_vertex(0));
  const Pose pose{tilt(0.4, {1, 2, 3}), Vec3(0.1, 0.2, 0.3)};
  Obstacle box{Box{{0.5, 0.2, 0.3}}, pose, pose};
  box.constraint = true;
  model.obstacles.push_back(box);
  ObstacleConstraints constraints(model);
  const auto row = [&](const Vec3& p) -> Points { return pose.apply(p).transpose(); };
  constraints.begin();
  const Points on = row({0.45, 0.2, 0.1}), pressed = (pose.R * Vec3(0.3, 1, 0)).transpose();
  constraints.activate(on, pressed);
  ASSERT_EQ(constraints.held().size(), 1u);
  Points x = row({0.4, 0.25, 0.05});
  constraints.project(x);
  EXPECT_LT((x - row({0.4, 0.2, 0.05})).norm(), 1e-14) << "what is active comes down to the face";
  for (const Vec3& beyond : {Vec3(0.55, 0.2, 0.1), Vec3(0.45, 0.2, 0.35), Vec3(0.7, 0.2, -0.4)}) {
    x = row(beyond);
    constraints.project(x);
    EXPECT_LT((x - row(beyond)).norm(), 1e-14);
  }
}

/// A step without its past, so that a solve can only begin where it is told to.
class BegunAnywhere final : public Objective {
 public:
  explicit BegunAnywhere(const StepObjective& g) : g_(g) {}
  const Model& model() const override { return g_.model(); }
  Workspace& work() const override { return g_.work(); }
  double h() const override { return g_.h(); }
  double value(const Points& x) const override { return g_.value(x); }
  double value_from(const Points& x, double E) const override { return g_.value_from(x, E); }
  double gradient(const Points& x, Points& out) const override { return g_.gradient(x, out); }
  void hessian(const Points& x, Curvature curvature, HessianBlocks& H) const override { g_.hessian(x, curvature, H); }
  double frozen_coefficient() const override { return g_.frozen_coefficient(); }
  double largest_step(const Points& x, const Points& d) const override { return g_.largest_step(x, d); }
  void contact_heights(const Points& x, std::vector<double>& heights) const override { g_.contact_heights(x, heights); }

 private:
  const StepObjective& g_;
};

/// A ball of a metre between 32 cubes that come in from all sides, and overlap [Gast15 Fig. 13].
struct PressedBall {
  explicit PressedBall(double young) : ball("fixed-corotated", young, 0.4, mesh::sphere(0.5, 6)) {
    for (int v = 0; v < ball.model.vertices(); ++v) ball.model.colliders.push_back(BodyPoint::at_vertex(v));
    for (int k = 0; k < 32; ++k) {
      const double y = 1 - (2 * k + 1) / 32.0, round = std::sqrt(1 - y * y), angle = 2.399963 * k;
      const Vec3 out(round * std::cos(angle), y, round * std::sin(angle));
      const Pose pose{Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), out).toRotationMatrix(), 1.05 * out};
      Obstacle cube{Box{Vec3::Constant(0.17)}, pose, pose};
      cube.constraint = true;
      ball.model.obstacles.push_back(cube);
    }
    history.now = {ball.rest, Points::Zero(ball.rest.rows(), 3)};
  }
  /// In within 0.6 s.
  void move_cubes(double time) {
    for (Obstacle& cube : ball.model.obstacles)
      cube.move_to({cube.pose.R, 1.05 * (1 - 1.1 * time) * cube.pose.t.normalized()});
  }
  MaterialCube ball;
  History history;
};

// Pressed from all sides a body has many minima. Whichever is found, E there is no more than where the body stands, put
// in front of what has come in: what is stored is no more than all the energy that there was. From where inertia alone
// would go it may be more.
TEST(ConstraintTest, NeverStoresMoreThanThereIs) {
  int too_much = 0;
  SolveEffort effort(1000);
  effort.tolerance = 1e-3;
  for (const double young : {5e4, 1e5, 2e5}) {
    PressedBall pressed(young);
    const Model& model = pressed.ball.model;
    for (int frame = 1; frame <= 15; ++frame) {
      pressed.move_cubes(frame * kConstrainedFrame);
      StepBuffers buffers;
      Workspace work(2);
      const StepObjective g(model, kBackwardEuler, kConstrainedFrame, pressed.history, buffers, work);
      ObstacleConstraints constraints(model);
      constraints.begin();
      Points stands = pressed.history.now.x, x = g.y(), by_inertia = g.y();
      constraints.project(stands);
      ASSERT_TRUE(Gast(model).minimize(g, effort, nullptr, x).converged) << young << ' ' << frame;
      EXPECT_LE(g.value(x), g.value(stands)) << young << ' ' << frame;
      Gast(model).minimize(BegunAnywhere(g), effort, nullptr, by_inertia);
      too_much += g.value(by_inertia) > g.value(stands);
      State next{x, {}};
      g.velocity(x, next.v);
      pressed.history.now = next;
    }
  }
  EXPECT_GT(too_much, 0) << "none of these starts is hard";
}

// What lies on a floor is carried by it: the pushes are its weight.
TEST(ConstraintTest, TheFloorCarriesTheWeight) {
  Falling falling({"floor", Plane{}, {Eigen::Matrix3d::Identity(), Vec3(0, -0.5, 0)}});
  Stepper stepper(falling.cube.model, "backward-euler", kConstrainedFrame, 500, "gast");
  stepper.start({falling.cube.rest, Points::Zero(falling.cube.rest.rows(), 3)});
  for (int i = 0; i < 200; ++i) stepper.step();
  double push = 0;
  for (const HeldVertex& at : stepper.minimizer->held()) push += at.push / (kConstrainedFrame * kConstrainedFrame);
  EXPECT_NEAR(push, 1000 * 9.81, 1);
}

// A start inside is thrown out with its depth over the step.
TEST(ConstraintTest, WhatBeginsInsideIsThrownOut) {
  Falling falling({"floor", Plane{}, {Eigen::Matrix3d::Identity(), Vec3(0, 0.5, 0)}}, 1e9);
  Stepper stepper(falling.cube.model, "backward-euler", kConstrainedFrame, 500, "gast");
  stepper.start({falling.cube.rest, Points::Zero(falling.cube.rest.rows(), 3)});
  ASSERT_EQ(stepper.step().outcome, Outcome::done);
  EXPECT_LE(deepest(falling.cube.model, stepper.history.now.x), 1e-12);
  EXPECT_GE(stepper.history.now.v.col(1).maxCoeff(), 1 / kConstrainedFrame) << "the bottom was 1 m deep";
}

// One vertex, by hand.
TEST(ConstraintFrictionTest, IsCoulombsOnTheVelocity) {
  Model model = free_vertices(1);
  model.M.setConstant(2);
  model.obstacles.push_back({Plane{}, {}, {}, 0, 0.5});
  const std::vector<HeldVertex> held{{0, 0, Vec3::UnitY(), 0.3}};
  const double h = 0.1;
  Points x = Points::Zero(1, 3), v(1, 3);
  v << 3, 0, -4;
  const ConstraintFriction slipping = rub(model, held, 1 / h, 1 / (h * h), h, x, v);  // dv_n = 0.3 / (2 * 0.1) = 1.5
  EXPECT_LT((v - Points(Eigen::RowVector3d(3, 0, -4) * (1 - 0.75 / 5))).norm(), 1e-14);
  EXPECT_NEAR(slipping.taken, 25 - 4.25 * 4.25, 1e-12);
  v << 0.3, 0, 0.4;
  const ConstraintFriction stopped = rub(model, held, 1 / h, 1 / (h * h), h, x, v);
  EXPECT_LT(v.norm(), 1e-15);
  EXPECT_NEAR(stopped.taken, 0.25, 1e-12);
}

// What moves along takes bodies with it, and that is booked as its work.
TEST(ConstraintFrictionTest, ABeltTakesThingsAlong) {
  Model model = free_vertices(1);
  model.M.setConstant(2);
  const double h = 0.1;
  model.obstacles.push_back({Plane{}, {}, {}, 0, 10});
  model.obstacles[0].pose.t.x() = 0.2;  // 2 m/s
  const std::vector<HeldVertex> held{{0, 0, Vec3::UnitY(), 0.3}};
  Points x = Points::Zero(1, 3), v = Points::Zero(1, 3);
  const ConstraintFriction rubbed = rub(model, held, 1 / h, 1 / (h * h), h, x, v);
  EXPECT_NEAR(v(0, 0), 2, 1e-14);
  EXPECT_NEAR(rubbed.by_surface[0] - rubbed.taken, 0.5 * 2 * 4, 1e-12) << "what K has gained";
}

}  // namespace
}  // namespace rebound::test
