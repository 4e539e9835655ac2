// Wind against closed forms: a sheet, a ball, and what the ledger says of it.
#include <gtest/gtest.h>

#include "sim/model/wind.hpp"
#include "sim/stepper.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

// Points that are vertices.
SkinTriangle triangle(int a, int b, int c, bool closed) {
  SkinTriangle t{};
  t.closed = closed;
  for (std::size_t k = 0; const int v : {a, b, c}) {
    t.vertices[k] = {v, v, v, v};
    t.weights[k++] = {1, 0, 0, 0};
  }
  return t;
}

// 1/2 rho C A u^2 where mass is plenty, on either side of a sheet, and not at all along it.
TEST(Wind, PushesAtASheetAsTheSquareOfItsSpeed) {
  Model model = free_vertices(3);
  model.M.setConstant(1e6);
  State state{Points(3, 3), Points::Zero(3, 3)};
  state.x << 0, 0, 0, 1, 0, 0, 0, 1, 0;
  const std::array skin{triangle(0, 1, 2, false)};
  Points force;
  for (const double speed : {-4.0, 2.0, 8.0}) {
    push_by_air(model, skin, {{7, -3, speed}, 1.2, 1.2}, 0.01, state, Points::Zero(model.vertices(), 3), force);
    const Vec3 F = force.colwise().sum();
    EXPECT_NEAR(F.z(), 0.5 * 1.2 * 1.2 * 0.5 * speed * std::abs(speed), 1e-5 * std::abs(F.z()));
    EXPECT_EQ(F.x(), 0);
    EXPECT_EQ(F.y(), 0);
  }
}

// However light it is and however long the step: it goes with the air, not against it.
TEST(Wind, NeverThrowsATriangleFasterThanItself) {
  Model model = free_vertices(3);
  model.M.setConstant(1e-6);
  State state{Points(3, 3), Points::Zero(3, 3)};
  state.x << 0, 0, 0, 1, 0, 0, 0, 1, 0;
  const std::array skin{triangle(0, 1, 2, false)};
  Points force;
  push_by_air(model, skin, {{0, 0, 10}}, 1, state, Points::Zero(model.vertices(), 3), force);
  EXPECT_GT(force.col(2).minCoeff(), 0);
  EXPECT_LE(force.col(2).maxCoeff() / 1e-6, 10);
  model.fixed[0] = 1;
  push_by_air(model, skin, {{0, 0, 10}}, 1, state, Points::Zero(model.vertices(), 3), force);
  EXPECT_EQ(force.row(0).norm(), 0);
}

// A cube whose one face meets the wind is pushed by that face alone, and air that goes with a body leaves it alone.
TEST(Wind, MeetsAClosedBodyInFrontOnly) {
  const mesh::TetMesh box = mesh::box({1, 1, 1}, {3, 3, 3}, 5);
  const mesh::Boundary boundary = mesh::boundary_of(box);
  Model model = free_vertices(static_cast<int>(box.points.rows()));
  model.M.setConstant(1000);
  std::vector<SkinTriangle> skin;
  for (const auto& t : boundary.surface.triangles)
    skin.push_back(triangle(boundary.vertex_of[static_cast<std::size_t>(t[0])],
                            boundary.vertex_of[static_cast<std::size_t>(t[1])],
                            boundary.vertex_of[static_cast<std::size_t>(t[2])], true));
  State state{box.points, Points::Zero(box.points.rows(), 3)};
  Points force;
  push_by_air(model, skin, {{5, 0, 0}}, 0.01, state, Points::Zero(model.vertices(), 3), force);
  const Vec3 F = force.colwise().sum();
  EXPECT_NEAR(F.x(), 0.5 * 1.2 * 1.2 * 1 * 25, 1e-4 * F.x());
  EXPECT_NEAR(F.y(), 0, 1e-13);
  state.v.rowwise() = Eigen::RowVector3d(5, 0, 0);
  push_by_air(model, skin, {{5, 0, 0}}, 0.01, state, Points::Zero(model.vertices(), 3), force);
  EXPECT_EQ(force.norm(), 0);
}

// A solid takes all of itself along, however light its skin is: a finer mesh feels no less of the wind. In a long step
// it gets no faster than the air.
TEST(Wind, PushesAtALightSolidWhateverItsMesh) {
  for (const int divisions : {2, 6}) {
    SCOPED_TRACE(divisions);
    const mesh::TetMesh box = mesh::box({1, 1, 1}, {divisions, divisions, divisions}, 5);
    const mesh::Boundary boundary = mesh::boundary_of(box);
    const auto n = static_cast<int>(box.points.rows());
    Model model = free_vertices(n);
    model.bodies = {{0, n}};
    constexpr double kMass = 30;
    model.M.setConstant(kMass / n);
    std::vector<SkinTriangle> skin;
    for (const auto& t : boundary.surface.triangles)
      skin.push_back(triangle(boundary.vertex_of[static_cast<std::size_t>(t[0])],
                              boundary.vertex_of[static_cast<std::size_t>(t[1])],
                              boundary.vertex_of[static_cast<std::size_t>(t[2])], true));
    const State state{box.points, Points::Zero(n, 3)};
    const double c = 0.5 * 1.2 * 1.2 * 30;
    for (const double h : {1e-4, 0.033, 100.0}) {
      Points force;
      push_by_air(model, skin, {{30, 0, 0}}, h, state, Points::Zero(model.vertices(), 3), force);
      EXPECT_NEAR(force.col(0).sum(), c * 30 / (1 + h * c / kMass), 1e-9) << h;
    }
  }
}

// What pushes back leaves the air all of its force, whatever the mass and the length of the step; what falls as fast as
// its weight wants, too. Half of it that pushes back leaves half of what the implicit step takes.
TEST(Wind, PushesWithAllOfItsForceAtWhatIsHeld) {
  Model model = free_vertices(4);
  State state{Points(4, 3), Points::Zero(4, 3)};
  state.x << 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0;
  // Two triangles, which share two vertices.
  const std::array skin{triangle(0, 1, 2, false), triangle(1, 3, 2, false)};
  const double c = 0.5 * 1.2 * 1.2 * 0.5 * 10;
  for (const double m : {1e-3, 0.1, 10.0})
    for (const double h : {1e-3, 0.033, 1.0}) {
      model.M.setConstant(m);
      Points dE = Points::Zero(4, 3), force;
      dE.col(2) << c * 10 / 3, 2 * c * 10 / 3, 2 * c * 10 / 3, c * 10 / 3;
      push_by_air(model, skin, {{0, 0, 10}}, h, state, dE, force);
      EXPECT_LT((force - dE).norm(), 1e-12 * dE.norm()) << m << ", " << h;
      Points half;
      push_by_air(model, skin, {{0, 0, 10}}, h, state, 0.5 * dE, half);
      push_by_air(model, skin, {{0, 0, 10}}, h, state, Points::Zero(4, 3), force);
      EXPECT_LT((half - 0.5 * (dE + force)).norm(), 1e-12 * dE.norm()) << m << ", " << h;
      // It pulls at nothing, and pushes with no more than it has.
      push_by_air(model, skin, {{0, 0, 10}}, h, state, -1e6 * dE, force);
      EXPECT_EQ(force.norm(), 0);
      push_by_air(model, skin, {{0, 0, 10}}, h, state, 1e6 * dE, force);
      EXPECT_LT((force - dE).norm(), 1e-12 * dE.norm());
    }
}

class Blower final : public Motion {
 public:
  bool push(const Model& model, const State&, double, Points& force) override {
    force.setZero(model.vertices(), 3);
    force.col(0) = kForce * model.M;
    return true;
  }
  static constexpr double kForce = 3;  // a unit of mass
};

// A constant push a unit of mass is an acceleration, for every integrator: also for those that look back two steps.
TEST(Wind, AcceleratesAllMethodsAlike) {
  for (const IntegratorInfo& info : integrators()) {
    Points rest;
    Model model = arap_cube(2, 1e4, rest);
    Workspace work(1);
    rebound::sim::Stepper stepper(model, work, info.id, "newton");
    History history;
    history.now = {rest, Points::Zero(rest.rows(), 3)};
    Ledger ledger = stepper.ledger(history.now, 0.01);
    Blower blower;
    constexpr int kSteps = 60;
    constexpr double h = 0.01;
    for (int step = 0; step < kSteps; ++step)
      ASSERT_EQ(stepper.step(history, ledger, h, blower).outcome, Outcome::done);
    const double v = history.now.v.col(0).mean(), x = (history.now.x - rest).col(0).mean();
    EXPECT_NEAR(v, kSteps * h * Blower::kForce, 0.02 * v) << info.id;
    EXPECT_NEAR(x, 0.5 * Blower::kForce * std::pow(kSteps * h, 2), 0.05 * x) << info.id;
    const double W = ledger.added(Added::wind);
    EXPECT_NEAR(W, 0.5 * model.M.sum() * v * v, 0.04 * W) << info.id;
  }
}

}  // namespace
}  // namespace rebound::test
