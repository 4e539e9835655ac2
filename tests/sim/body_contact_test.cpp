// Contacts of bodies with one another and themselves, by hand: the search, its geometry, and what solvers make of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/contact/body_contacts.hpp"
#include "sim/step/local_global.hpp"
#include "sim/step/newton.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

constexpr double kTimeStep = 0.01;

BodyShape shape_of(const mesh::TetMesh& tets) {
  const mesh::Boundary boundary = mesh::boundary_of(tets);
  BodyShape shape{tets.points, tets.tetrahedra, std::vector<double>(tets.tetrahedra.size(), 1.0), {}, {}};
  for (const int v : boundary.vertex_of) shape.corners.push_back(BodyPoint::at_vertex(v));
  shape.faces = boundary.surface.triangles;
  return shape;
}

/// Two cubes of 1 m, one above the other, `gap` between them; the upper one is turned about y.
struct TwoCubesThatMeet {
  explicit TwoCubesThatMeet(double gap, int divisions = 3, double young = 1e4) {
    const mesh::TetMesh box = mesh::box({1, 1, 1}, {divisions, divisions, divisions}, 5);
    const auto n = static_cast<int>(box.points.rows());
    Points rest(2 * n, 3);
    rest << box.points, box.points;
    model = free_vertices(2 * n);
    model.bodies = {{0, n}, {n, n}};
    model.M.setConstant(1000.0 / n);
    auto tets = box.tetrahedra;
    for (auto tet : box.tetrahedra) {
      for (int& v : tet) v += n;
      tets.push_back(tet);
    }
    model.energies.push_back(std::make_shared<ArapTets>(rest, tets, std::vector<double>(tets.size(), young)));
    const auto body = std::make_shared<const ContactBody>(shape_of(box));
    model.contact_bodies = {body, body};
    for (int b = 0; b < 2; ++b)
      for (const int v : mesh::boundary_of(box).vertex_of) model.colliders.push_back(BodyPoint::at_vertex(b * n + v));
    model.body_contact = {true, false, 1e4, 0.3, 0};
    state = {rest, Points::Zero(2 * n, 3)};
    offset = {0.05, 1 + gap, 0.02};
    state.x.bottomRows(n) = (box.points * turn.transpose()).rowwise() + offset.transpose();
  }
  void find(int threads = 1) {
    Workers workers(threads);
    BodyContactSearch search(model);
    model.contacts.items.clear();
    search.find(model, state, kTimeStep, 0, workers, model.contacts.items);
  }
  Model model;
  State state;
  Eigen::Matrix3d turn = Eigen::AngleAxisd(0.4, Vec3::UnitY()).toRotationMatrix();
  Vec3 offset;
};

TEST(BoxTree, MeetsWhatEveryBoxByItselfMeets) {
  const Points centres = random_points(700, 1), sizes = random_points(700, 2, 0.1);
  std::vector<TreeBox> boxes;
  for (int i = 0; i < centres.rows(); ++i) {
    TreeBox box = TreeBox::around(centres.row(i).transpose());
    box.extend(TreeBox::around((centres.row(i) + sizes.row(i)).transpose()));
    boxes.push_back(box);
  }
  BoxTree tree(boxes);
  Workers workers(2);
  for (const double shift : {0.0, 3.0}) {
    // The same tree, fitted to boxes that have moved, each its own way.
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      boxes[i].low[0] += static_cast<float>(shift) * static_cast<float>(i % 7);
      boxes[i].high[0] += static_cast<float>(shift) * static_cast<float>(i % 7);
    }
    tree.fit(workers, [&](int item) { return boxes[static_cast<std::size_t>(item)]; });
    for (int q = 0; q < 50; ++q) {
      const TreeBox& asked = boxes[static_cast<std::size_t>(13 * q)];
      std::vector<int> met, expected;
      tree.visit(asked, [&](int item) { met.push_back(item); });
      for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
        if (boxes[static_cast<std::size_t>(i)].meets(asked)) expected.push_back(i);
      std::sort(met.begin(), met.end());
      ASSERT_EQ(met, expected);
    }
  }
}

// A cube's corner has three sides, a vertex in the middle of a side one.
TEST(ContactBody, KnowsFromWhereAPointCanBePressed) {
  const mesh::TetMesh box = mesh::box({1, 1, 1}, {2, 2, 2}, 5);
  const ContactBody body(shape_of(box));
  constexpr int first = 3;  // of the bodies' vertices
  Points x(first + box.points.rows(), 3);
  x << random_points(first, 1), box.points;
  const auto can_be_pressed = [&](const Vec3& at, const Vec3& n) {
    Eigen::Index v = 0;
    (x.rowwise() - at.transpose()).rowwise().squaredNorm().minCoeff(&v);
    return body.can_be_pressed(BodyPoint::at_vertex(static_cast<int>(v)), n, x, first);
  };
  const Vec3 top(0, 0.5, 0), edge(0.5, 0.5, 0), corner(0.5, 0.5, 0.5), X = Vec3::UnitX(), Y = Vec3::UnitY();
  EXPECT_TRUE(can_be_pressed(top, -Y));
  EXPECT_FALSE(can_be_pressed(top, Y));
  EXPECT_FALSE(can_be_pressed(top, X)) << "along it";
  EXPECT_FALSE(can_be_pressed(top, (X - 0.05 * Y).normalized())) << "and all but along it";
  EXPECT_TRUE(can_be_pressed(top, (X - 0.2 * Y).normalized()));
  EXPECT_TRUE(can_be_pressed(edge, -Y) && can_be_pressed(edge, -X));
  EXPECT_FALSE(can_be_pressed(edge, X) || can_be_pressed(edge, Vec3::UnitZ()));
  EXPECT_TRUE(can_be_pressed(corner, -X) && can_be_pressed(corner, -Y) && can_be_pressed(corner, -Vec3::UnitZ()));
  BodyPoint inside;
  inside.vertices = {first, first + 1, first + 2, first + 3};
  inside.weights = {0.25, 0.25, 0.25, 0.25};
  EXPECT_TRUE(body.can_be_pressed(inside, X, x, first)) << "no corner of the surface";
}

TEST(TrianglePoint, IsNearerThanEveryPointTried) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Points random = random_points(4, seed);
    if (seed % 10 == 0) random.row(2) = random.row(0) + 0.3 * (random.row(1) - random.row(0));  // without an area
    const Corners corners{random.row(0), random.row(1), random.row(2)};
    const Vec3 p = random.row(3);
    const TrianglePoint spot = nearest_in_triangle(corners, p);
    EXPECT_NEAR(spot.weights.sum(), 1, 1e-12);
    EXPECT_GE(spot.weights.minCoeff(), 0);
    const Vec3 at = spot.weights[0] * corners[0] + spot.weights[1] * corners[1] + spot.weights[2] * corners[2];
    EXPECT_NEAR((at - spot.at).norm(), 0, 1e-12);
    double least = INFINITY;
    constexpr int kSteps = 60;
    for (int a = 0; a <= kSteps; ++a)
      for (int b = 0; a + b <= kSteps; ++b)
        least =
            std::min(least, (p - (a * corners[0] + b * corners[1] + (kSteps - a - b) * corners[2]) / kSteps).norm());
    EXPECT_LE(std::sqrt(spot.squared_distance), least + 1e-12);
    EXPECT_GT(std::sqrt(spot.squared_distance), least - 0.1) << "the grid is that fine";
  }
}

TEST(BodyContacts, PointsGoOutByTheNearestSpotOfTheSurface) {
  TwoCubesThatMeet cubes(-0.04);
  cubes.find();
  ASSERT_FALSE(cubes.model.contacts.items.empty());
  const int n = cubes.model.bodies[0].count;
  for (const Contact& c : cubes.model.contacts.items) {
    double sum = 0;
    for (int j = 0; j < c.point.count; ++j) sum += c.point.weights[j];
    EXPECT_NEAR(sum, 0, 1e-14);
    // Each cube in its own frame is the unit cube about the origin.
    const bool of_upper = c.point.vertices[0] >= n;
    const Vec3 p = cubes.state.x.row(c.point.vertices[0]);
    const Vec3 inside = of_upper ? p : Vec3(cubes.turn.transpose() * (p - cubes.offset));
    int axis = 0;
    const double depth = 0.5 - inside.cwiseAbs().maxCoeff(&axis);
    const Vec3 out = (inside[axis] < 0 ? -1 : 1) * Vec3::Unit(axis);
    EXPECT_GT(depth, 0);
    EXPECT_NEAR(c.height(cubes.state.x), -depth, 1e-12);
    EXPECT_NEAR((c.n - (of_upper ? out : Vec3(cubes.turn * out))).norm(), 0, 1e-9);
  }
}

TEST(BodyContacts, AreFoundBeforeFastPointsAreInside) {
  TwoCubesThatMeet cubes(0.04);
  cubes.find();
  EXPECT_TRUE(cubes.model.contacts.items.empty());
  cubes.state.v.bottomRows(cubes.model.bodies[1].count).col(1).setConstant(-6);
  cubes.find();
  ASSERT_FALSE(cubes.model.contacts.items.empty());
  for (const Contact& c : cubes.model.contacts.items) {
    EXPECT_NEAR(c.height(cubes.state.x), 0.04, 1e-12);
    EXPECT_EQ(c.force(c.height(cubes.state.x)), 0);
  }
}

TEST(BodyContacts, BodiesThatOverlapWhenContactsBeginAreLeftAlone) {
  TwoCubesThatMeet cubes(-0.5);
  cubes.find();
  EXPECT_TRUE(cubes.model.contacts.items.empty());
}

TEST(BodyContacts, TheGradientIsThatOfTheEnergyAndTheHessianThatOfTheGradient) {
  TwoCubesThatMeet cubes(-0.04);
  cubes.find();
  Model& model = cubes.model;
  Workspace work(1);
  const Points x = cubes.state.x + random_points(model.vertices(), 5, 1e-3), d = random_points(model.vertices(), 6);
  const auto gradient_at = [&](const Points& at) {
    Points gradient = Points::Zero(at.rows(), 3);
    model.contacts.add_gradient(at, gradient, work);
    return gradient;
  };
  constexpr double kSmall = 1e-6;
  const double slope =
      (model.contacts.value(x + kSmall * d, work) - model.contacts.value(x - kSmall * d, work)) / (2 * kSmall);
  EXPECT_NEAR(gradient_at(x).cwiseProduct(d).sum(), slope, 1e-6 * std::abs(slope));

  Triplets places;
  for (int i = 0; i < model.vertices(); ++i)
    for (int j = 0; j <= i; ++j) places.emplace_back(i, j, 1.0);
  SparseMatrix all(model.vertices(), model.vertices());
  all.setFromTriplets(places.begin(), places.end());
  HessianBlocks H(all);
  Workspace alone(1);
  model.contacts.add_hessian(x, Curvature::exact, H, alone);
  const Points change = (gradient_at(x + kSmall * d) - gradient_at(x - kSmall * d)) / (2 * kSmall);
  const Vector Hd = H.matrix().selfadjointView<Eigen::Lower>() * Eigen::Map<const Vector>(d.data(), d.size());
  EXPECT_NEAR((Hd - Eigen::Map<const Vector>(change.data(), change.size())).norm(), 0, 1e-6 * Hd.norm());
}

// Newton's pattern has no place for what links two bodies until they meet; local/global has contacts by low rank.
TEST(BodyContacts, NewtonAndLocalGlobalFindTheSameMinimum) {
  TwoCubesThatMeet cubes(-0.04);
  cubes.state.v = random_points(cubes.model.vertices(), 7, 0.2);
  cubes.find();
  Workspace work(1);
  History history;
  history.now = cubes.state;
  Newton newton(cubes.model);
  LocalGlobal local_global(cubes.model);
  for (const Scheme& scheme : {kImplicitMidpoint, kBackwardEuler}) {
    StepBuffers buffers;
    const StepObjective g(cubes.model, scheme, kTimeStep, history, buffers, work);
    Points x = g.y(), y = g.y();
    ASSERT_EQ(newton.minimize(g, 100, nullptr, x).outcome, Outcome::done);
    ASSERT_EQ(local_global.minimize(g, 3000, nullptr, y).outcome, Outcome::done);
    EXPECT_LT((x - y).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_GT((x - g.y()).cwiseAbs().maxCoeff(), 1e-3);
    Points slope(x.rows(), 3);
    g.gradient(x, slope);
    EXPECT_LT(slope.cwiseAbs().maxCoeff(), 1e-7);
  }
}

// Contacts come and go, their weights change: what is kept of those before must not be seen.
TEST(BodyContacts, WhatIsKeptFromStepToStepChangesNothing) {
  TwoCubesThatMeet cubes(-0.04);
  Workspace work(1);
  LocalGlobal kept(cubes.model);
  Newton newton_kept(cubes.model);
  for (int step = 0; step < 12; ++step) {
    cubes.state.x.bottomRows(cubes.model.bodies[1].count).rowwise() += Eigen::RowVector3d(0.03, 0.004, 0.02);
    cubes.find();
    History history;
    history.now = cubes.state;
    for (const auto& [old, fresh] :
         {std::pair<Minimizer*, const char*>{&kept, "local-global"}, {&newton_kept, "newton"}}) {
      StepBuffers buffers;
      const StepObjective g(cubes.model, kImplicitMidpoint, kTimeStep, history, buffers, work);
      Points x = g.y(), y = g.y();
      ASSERT_EQ(old->minimize(g, 5, nullptr, x).outcome, Outcome::done);
      ASSERT_EQ(find_solver(fresh)->make(cubes.model, {})->minimize(g, 5, nullptr, y).outcome, Outcome::done);
      EXPECT_LT((x - y).cwiseAbs().maxCoeff(), 1e-10) << fresh << " in step " << step;
    }
  }
}

TEST(BodyContacts, AreTheSameBytesOnAnyNumberOfThreads) {
  TwoCubesThatMeet cubes(-0.02, 9);
  cubes.state.v = random_points(cubes.model.vertices(), 8);
  cubes.find(1);
  const auto one = cubes.model.contacts.items;
  EXPECT_GT(one.size(), 50u);
  for (const int threads : {2, 3, 8}) {
    cubes.find(threads);
    ASSERT_EQ(cubes.model.contacts.items.size(), one.size());
    for (std::size_t c = 0; c < one.size(); ++c) {
      const Contact& other = cubes.model.contacts.items[c];
      EXPECT_TRUE(other.point == one[c].point && other.n == one[c].n && other.x_s == one[c].x_s);
    }
  }
}

}  // namespace
}  // namespace rebound::test
