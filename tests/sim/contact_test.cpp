// Contacts with obstacles: the energy, what is found, the work of moving surfaces.
#include <gtest/gtest.h>

#include "contacts.hpp"
#include "sim/contact/detect.hpp"

namespace rebound::test {
namespace {

// ---- the energy ----

TEST(Contacts, EnergyIsTheSumOfSpringsThatOnlyPush) {
  const Bumping body(3);
  Workspace work(1);
  Contacts contacts;
  contacts.items = body.contacts(40, 1);
  double sum = 0;
  int pressed = 0;
  Vec3 force = Vec3::Zero();
  for (const Contact& c : contacts.items) {
    const double depth = (c.x_s - c.point.of(body.rest)).dot(c.n);
    if (depth <= 0) continue;
    ++pressed;
    sum += 0.5 * c.stiffness * depth * depth;
    force += c.stiffness * depth * c.n;
  }
  EXPECT_GT(pressed, 10);
  EXPECT_LT(pressed, 40);
  Points gradient = Points::Zero(body.rest.rows(), 3);
  EXPECT_NEAR(contacts.value(body.rest, work), sum, 1e-12 * sum);
  EXPECT_NEAR(contacts.add_gradient(body.rest, gradient, work), sum, 1e-12 * sum);
  EXPECT_LT((gradient.colwise().sum().transpose() + force).norm(), 1e-12 * force.norm());
}

TEST(Contacts, GradientAndHessianMatchFiniteDifferences) {
  Bumping body(2);
  Workspace work(1);
  body.model.energies.clear();
  body.model.contacts.items = body.contacts(25, 2);
  Triplets pairs;
  for (int i = 0; i < body.model.vertices(); ++i)
    for (int j = 0; j <= i; ++j) pairs.emplace_back(i, j, 0.0);
  SparseMatrix pattern(body.model.vertices(), body.model.vertices());
  pattern.setFromTriplets(pairs.begin(), pairs.end());
  // A contact between two surfaces is one too: a difference of points, and many vertices.
  BodyRow difference;
  for (int v = 0; v < 16; ++v) difference.add(v, v < 4 ? 0.25 : -1.0 / 12);
  body.model.contacts.items.push_back({difference, Vec3(0.3, 0.2, 0.1), Vec3(2, 3, 6) / 7, 500, 0, 0, Vec3::Zero()});

  const Points x = body.rest + random_points(body.model.vertices(), 8, 0.01);
  int pressed = 0;
  for (const Contact& c : body.model.contacts.items) {
    ASSERT_GT(std::abs(c.height(x)), 1e-4) << "no spring may begin or end within the differences";
    pressed += c.height(x) < 0;
  }
  ASSERT_GT(pressed, 8);
  Points gradient;
  body.model.gradient(x, gradient, work);
  HessianBlocks blocks(pattern);
  Workspace alone(1);
  body.model.contacts.add_hessian(x, Curvature::exact, blocks, alone);
  const Eigen::MatrixXd lower = blocks.matrix(), H = lower.selfadjointView<Eigen::Lower>();
  constexpr double kStep = 1e-5;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Points ahead = x, behind = x, gradient_ahead, gradient_behind;
    ahead.data()[i] += kStep;
    behind.data()[i] -= kStep;
    const double E_ahead = body.model.gradient(ahead, gradient_ahead, work);
    const double E_behind = body.model.gradient(behind, gradient_behind, work);
    // Quadratic where it is not zero: the differences are exact but for rounding.
    EXPECT_NEAR(gradient.data()[i], (E_ahead - E_behind) / (2 * kStep), 1e-9 * gradient.cwiseAbs().maxCoeff());
    const Points column = (gradient_ahead - gradient_behind) / (2 * kStep);
    EXPECT_LT((H.col(i) - Eigen::Map<const Vector>(column.data(), column.size())).cwiseAbs().maxCoeff(),
              1e-9 * H.cwiseAbs().maxCoeff());
  }
  // What local/global freezes is never less than the curvature, in any direction, pressed or not.
  Triplets entries;
  body.model.contacts.add_laplacian(entries);
  SparseMatrix L(x.rows(), x.rows());
  L.setFromTriplets(entries.begin(), entries.end());
  const Eigen::MatrixXd L_lower = L, L_full = L_lower.selfadjointView<Eigen::Lower>();
  Eigen::MatrixXd frozen = Eigen::MatrixXd::Zero(x.size(), x.size());
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index j = 0; j < x.rows(); ++j)
      frozen.block<3, 3>(3 * i, 3 * j) = L_full(i, j) * Eigen::Matrix3d::Identity();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> left(frozen - H);
  EXPECT_GT(left.eigenvalues()[0], -1e-9 * H.cwiseAbs().maxCoeff());
}

// ---- what is found ----

struct Dropped : Bumping {
  Dropped() : Bumping(12) {
    for (int v = 0; v < model.vertices(); ++v) model.colliders.push_back(BodyPoint::at_vertex(v));
    for (const double x : {-0.8, 0.0, 0.6}) {
      Obstacle ball{Sphere{0.5}, {}, {}, 1e4, 0.3};
      ball.pose.t = ball.before.t = Vec3(x, -0.7, 0.1);
      model.obstacles.push_back(ball);
    }
    model.g = Vec3(0, -9.81, 0);
    state.v.setZero();
    state.v.col(1).setConstant(-3);
  }
};

TEST(FindContacts, FindsWhatIsInsideOrWouldBe) {
  Dropped body;
  body.model.fixed[5] = 1;
  constexpr double h = 0.02;
  Workers workers(1);
  const auto found = find_contacts(body.model, body.state, h, LastContacts({}), workers);
  std::size_t next = 0;
  for (int v = 0; v < body.model.vertices(); ++v)
    for (int o = 0; o < 3; ++o) {
      const Obstacle& obstacle = body.model.obstacles[static_cast<std::size_t>(o)];
      const Vec3 p = body.state.x.row(v).transpose();
      const Vec3 q = p + h * body.state.v.row(v).transpose() + h * h * body.model.g;
      const double before = (p - obstacle.pose.t).norm() - 0.5, after = (q - obstacle.pose.t).norm() - 0.5;
      if (v == 5 || (before >= 0 && after >= 0)) continue;
      ASSERT_LT(next, found.size());
      const Contact& c = found[next++];
      EXPECT_EQ(c.obstacle, o);
      EXPECT_EQ(c.point.vertices[0], v);
      EXPECT_EQ(c.stiffness, 1e4);
      EXPECT_EQ(c.friction, 0.3);
      EXPECT_NEAR((c.x_s - obstacle.pose.t).norm(), 0.5, 1e-15);
      // The curved surface is taken as flat, touching it where the point is or would be.
      EXPECT_LE(c.height(body.state.x), before + 1e-15);
      EXPECT_GE(c.height(body.state.x), before - (before < 0 ? 1e-15 : (q - p).squaredNorm() / (2 * 0.5)));
    }
  EXPECT_EQ(next, found.size());
  EXPECT_GT(next, 100u);
}

TEST(FindContacts, KeepsAFastPointOnTheSideThatItComesFrom) {
  Model model = free_vertices(1);
  model.colliders.push_back(BodyPoint::at_vertex(0));
  model.obstacles.push_back({Box{{1, 0.05, 1}}, {}, {}, 1e4, 0});
  Workers workers(1);
  // Down through the plate: to within it beyond its middle, and not when it is through already.
  for (const double end : {0.04, 0.01, -0.01, -0.04}) {
    const State state{Points{{0.2, 0.1, 0.3}}, Points{{0, (end - 0.1) / 0.01, 0}}};
    const auto found = find_contacts(model, state, 0.01, LastContacts({}), workers);
    ASSERT_EQ(found.size(), 1u) << end;
    EXPECT_GT(found[0].n.y(), 0.99) << end;
    EXPECT_NEAR(found[0].height(state.x), 0.05, 1e-12) << end;
  }
}

TEST(FindContacts, KeepsAPointThatHasJustLeftUntilItIsSomeWayOff) {
  Model model = free_vertices(2);
  model.extent = 1;
  model.colliders = {BodyPoint::at_vertex(0), BodyPoint::at_vertex(1)};
  model.obstacles.push_back({Box{{1, 0.05, 1}}, {}, {}, 1e4, 0});
  Workers workers(1);
  const auto at = [](double x, double height, const Vec3& v) {
    return State{Points{{x, 0.05 + height, 0.0}, {0.5, 0.0501, 0.0}}, Points{{v.x(), v.y(), v.z()}, {0.0, 0.0, 0.0}}};
  };
  const auto touching = find_contacts(model, at(0, -1e-4, Vec3::Zero()), 0.01, LastContacts({}), workers);
  ASSERT_EQ(touching.size(), 1u);
  const LastContacts last(touching);
  const auto found = [&](const State& state) { return find_contacts(model, state, 0.01, last, workers); };
  const auto stays = found(at(0, 1e-4, Vec3::Zero()));
  ASSERT_EQ(stays.size(), 1u) << "the other one was not there";
  EXPECT_EQ(stays[0].collider, 0);
  EXPECT_NEAR(stays[0].height(at(0, 1e-4, Vec3::Zero()).x), 1e-4, 1e-15);
  EXPECT_TRUE(found(at(0, 0.01, Vec3::Zero())).empty()) << "too far";
  EXPECT_TRUE(found(at(0, 1e-4, Vec3(0, 1, 0))).empty()) << "on its way";
  // Over the edge and down along the side, where the upper face is no obstacle.
  EXPECT_TRUE(found(at(1.0001, 1e-4, Vec3(0, -1, 0))).empty());
}

TEST(LastContacts, StayFirstInTheirOrder) {
  const auto contact = [](int collider, int obstacle) {
    Contact c;
    c.x_s = c.n = c.moved = Vec3::Zero();
    c.collider = collider;
    c.obstacle = obstacle;
    return c;
  };
  const std::vector<Contact> before{contact(7, 0), contact(2, 1), contact(2, 0), contact(5, -1)};
  const LastContacts last(before);
  EXPECT_EQ(last.find(2, 1), &before[1]);
  EXPECT_EQ(last.find(5, 0), nullptr);
  std::vector<Contact> now{contact(1, 0), contact(2, 0), contact(7, 0), contact(9, 1), contact(5, -1)};
  last.hand_on(now);
  std::vector<int> order;
  for (const Contact& c : now) order.push_back(c.collider);
  EXPECT_EQ(order, (std::vector<int>{7, 2, 5, 1, 9}));
}

TEST(FindContacts, IsTheSameForAnyNumberOfThreads) {
  const Dropped body;
  Workers alone(1);
  const auto expected = find_contacts(body.model, body.state, 0.02, LastContacts({}), alone);
  for (const int threads : {2, 3}) {
    Workers workers(threads);
    const auto found = find_contacts(body.model, body.state, 0.02, LastContacts({}), workers);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t c = 0; c < found.size(); ++c) {
      EXPECT_EQ(found[c].point, expected[c].point);
      EXPECT_EQ(found[c].x_s, expected[c].x_s);
      EXPECT_EQ(found[c].n, expected[c].n);
    }
  }
}

}  // namespace
}  // namespace rebound::test
