// Penalties of the third power [Gast15 Sec. 5.2, 5.3], by hand: derivatives, balance, momentum, friction.
#include <gtest/gtest.h>

#include "barrier_world.hpp"
#include "sim/collide/surface_distance.hpp"
#include "sim/contact/cubic_contacts.hpp"
#include "sim/step/objective.hpp"
#include "solids.hpp"

namespace rebound::test {
namespace {

constexpr double kStiffness = 1e6;

/// Boxes that meet each other, and obstacles, by cubes.
struct CubicWorld : BarrierWorld {
  explicit CubicWorld(const std::vector<BoxBody>& boxes, double friction = 0, const Vec3& g = Vec3(0, -9.81, 0))
      : BarrierWorld(boxes, 1e-3, friction, g) {
    model.body_contact.barrier.reset();
    model.body_contact.cubic = kStiffness;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      for (BodyPoint point : model.contact_bodies[b]->corners()) {
        for (int& v : point.vertices) v += model.bodies[b].first;
        model.colliders.push_back(point);
      }
  }
  void add_cubic_floor(double k, double friction = 0, const Vec3& normal = Vec3::UnitY()) {
    add_floor(friction, normal);
    model.obstacles.back().cubic = k;
  }
  void start(double h, std::string_view solver = "newton", int threads = 1) {
    work = std::make_unique<Workspace>(threads);
    stepper = std::make_unique<sim::Stepper>(model, *work, "backward-euler", solver);
    stepper->settings.solver.tolerance = 1e-9;
    stepper->settings.solver.iterations = 500;
    history = {};
    history.now = now;
    ledger = stepper->ledger(history.now, h);
  }
};

/// Points that touch obstacles, and nothing else.
Model loose_points(int n, const Shape& shape, const Pose& pose) {
  Model model = free_vertices(n);
  for (int v = 0; v < n; ++v) model.colliders.push_back(BodyPoint::at_vertex(v));
  Obstacle obstacle{shape, pose, pose, 0, 0};
  obstacle.cubic = kStiffness;
  model.obstacles.push_back(obstacle);
  return model;
}

HessianBlocks hessian_at(const Model& model, const CubicContacts& cubic, const Points& x, Workspace& work,
                         Curvature curvature = Curvature::exact) {
  cubic.settle(x);
  std::vector<std::pair<int, int>> links;
  cubic.add_pattern(links);
  Triplets entries;
  for (int v = 0; v < model.vertices(); ++v) entries.emplace_back(v, v, 1.0);
  for (const auto& [i, j] : links) entries.emplace_back(i, j, 1.0);
  SparseMatrix pattern(model.vertices(), model.vertices());
  pattern.setFromTriplets(entries.begin(), entries.end());
  HessianBlocks H(pattern);
  H.set_zero();
  cubic.add_hessian(x, curvature, H, work);
  return H;
}

/// dE against E, and d2E against dE, along random ways.
void expect_exact_derivatives(const Model& model, const Points& x) {
  Workspace work(1);
  const CubicContacts cubic(model, work.workers);
  const auto gradient = [&](const Points& at) {
    Points g = Points::Zero(at.rows(), 3);
    cubic.add_gradient(at, g, work);
    return g;
  };
  const HessianBlocks H = hessian_at(model, cubic, x, work);
  const Points g = gradient(x);
  ASSERT_GT(g.norm(), 0);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Points d = random_points(model.vertices(), seed);
    const double e = 1e-7;
    const double slope = (cubic.value(x + e * d, work) - cubic.value(x - e * d, work)) / (2 * e);
    EXPECT_NEAR(slope, g.cwiseProduct(d).sum(), 1e-6 * g.norm());
    const Points turn = (gradient(x + e * d) - gradient(x - e * d)) / (2 * e);
    Points Hd;
    H.multiply(d, Hd, work.workers);
    EXPECT_LT((turn - Hd).norm(), 1e-5 * Hd.norm()) << seed;
  }
}

// ------------------------------------------------------------------------------------------------ obstacles

struct CubicShape {
  const char* name;
  std::function<Shape()> shape;
};
void PrintTo(const CubicShape& s, std::ostream* out) { *out << s.name; }

Shape solid_of(const Surface& surface) {
  std::string reason;
  return TriangleSolid{SurfaceDistance::make(surface.points, surface.triangles, reason)};
}

std::vector<CubicShape> cubic_shapes() {
  return {{"plane", [] { return Plane{}; }},
          {"sphere", [] { return Sphere{0.8}; }},
          {"box",
           [] {
             return Box{{0.4, 0.7, 0.9}};
           }},
          {"capsule",
           [] {
             return Capsule{0.5, 0.6};
           }},
          {"torus",
           [] {
             return Torus{0.8, 0.4};
           }},
          {"hollow", [] { return solid_of(hollow()); }},
          {"spikes", [] { return solid_of(spiky(12)); }}};
}

class CubicOfShape : public testing::TestWithParam<CubicShape> {};

TEST_P(CubicOfShape, DerivativesAreExact) {
  const Pose pose{turned(0.7, {1, -2, 0.5}), {0.1, 0.2, -0.3}};
  Model model = loose_points(200, GetParam().shape(), pose);
  const Points x = random_points(200, 5, 0.6);
  Workspace work(1);
  const CubicContacts cubic(model, work.workers);
  int inside = 0;
  for (int v = 0; v < 200; ++v) inside += nearest(model.obstacles[0], x.row(v).transpose()).distance < 0;
  EXPECT_EQ(static_cast<int>(cubic.terms(x).size()), inside);
  ASSERT_GT(inside, 20);
  expect_exact_derivatives(model, x);
}

INSTANTIATE_TEST_SUITE_P(Shapes, CubicOfShape, testing::ValuesIn(cubic_shapes()),
                         [](const auto& of) { return std::string(of.param.name); });

// The three kinds of features of a mesh have curvatures of their own rank, and each is the slope of the normal.
TEST(CubicContactsTest, AMeshBendsAsItsNearestFeatureDoes) {
  const Surface surface = hollow();
  std::string reason;
  const auto mesh = SurfaceDistance::make(surface.points, surface.triangles, reason);
  ASSERT_NE(mesh, nullptr);
  std::array<int, 3> seen{};
  const Points all = random_points(5000, 3, 0.6);
  for (Eigen::Index i = 0; i < all.rows(); ++i) {
    const Vec3 p = all.row(i).transpose();
    if (std::abs(mesh->nearest(p).distance) < 0.01) continue;
    const Eigen::Matrix3d K = mesh->curvature(p);
    Eigen::Matrix3d slope;
    const double e = 1e-7;
    for (int c = 0; c < 3; ++c)
      slope.col(c) =
          (mesh->nearest(p + e * Vec3::Unit(c)).normal - mesh->nearest(p - e * Vec3::Unit(c)).normal) / (2 * e);
    EXPECT_LT((K - slope).norm(), 1e-4 * (1 + K.norm())) << i;
    // 0 of a face, two directions at a vertex, one at an edge: its trace tells them apart.
    const double bends = std::abs(K.trace() * mesh->nearest(p).distance);
    EXPECT_NEAR(bends, std::round(bends), 1e-9);
    if (mesh->nearest(p).distance < 0) ++seen[static_cast<std::size_t>(std::lround(bends))];
  }
  for (const int count : seen) EXPECT_GT(count, 10) << "faces, edges and vertices, from inside";
}

TEST(CubicContactsTest, LoosePointsLieWhereForceAndWeightAreEqual) {
  Model model = loose_points(3, Plane{}, {});
  model.M << 0.1, 1, 20;
  model.g = {0, -9.81, 0};
  model.energies.push_back(std::make_shared<Gravity>(model.M, model.g));
  Workspace work(1);
  sim::Stepper stepper(model, work, "backward-euler", "newton");
  History history;
  history.now = {Points::Zero(3, 3), Points::Zero(3, 3), {}};
  Ledger ledger = stepper.ledger(history.now, 0.05);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(stepper.step(history, ledger, 0.05).outcome, Outcome::done);
  for (int v = 0; v < 3; ++v) {
    const double depth = std::sqrt(model.M[v] * 9.81 / (3 * kStiffness));
    EXPECT_NEAR(-history.now.x(v, 1), depth, 1e-8 * depth);
  }
}

// ------------------------------------------------------------------------------------------------ bodies

/// A box whose surface is rough, and another one within and beside it.
CubicWorld rough_boxes() {
  CubicWorld world({{{1, 1, 1}, {4, 4, 4}, {0, 0, 0}}, {{0.9, 0.9, 0.9}, {5, 5, 5}, {0.31, 0.27, 0.23}}}, 0,
                   Vec3::Zero());
  world.now.x += random_points(world.model.vertices(), 7, 0.04);
  return world;
}

TEST(CubicContactsTest, BodiesHaveExactDerivativesAtEveryKindOfFeature) {
  const CubicWorld world = rough_boxes();
  Workspace work(1);
  const CubicContacts cubic(world.model, work.workers);
  std::array<int, 5> kinds{};
  for (const CubicTerm& term : cubic.terms(world.now.x))
    ++kinds[static_cast<std::size_t>(
        std::count_if(term.nearest.weights.begin(), term.nearest.weights.end(), [](double w) { return w != 0; }))];
  EXPECT_GT(kinds[4], 10) << "faces";
  EXPECT_GT(kinds[3], 5) << "edges";
  EXPECT_GT(kinds[2], 2) << "vertices";
  expect_exact_derivatives(world.model, world.now.x);
}

// Each point is paired with the nearest of all faces, whichever was nearest before.
TEST(CubicContactsTest, TheNearestFeatureIsFoundFromWhereverTheSearchBegins) {
  const CubicWorld world = rough_boxes();
  Workspace work(1);
  const CubicContacts wandering(world.model, work.workers);
  Points x = world.now.x;
  for (int i = 0; i < 6; ++i) {
    x += random_points(world.model.vertices(), 20 + static_cast<unsigned>(i), 0.02);
    const CubicContacts fresh(world.model, work.workers);
    Points by_fresh = Points::Zero(x.rows(), 3), by_wandering = by_fresh;
    EXPECT_EQ(fresh.add_gradient(x, by_fresh, work), wandering.add_gradient(x, by_wandering, work));
    EXPECT_TRUE(by_fresh == by_wandering) << i;
  }
  for (const CubicTerm& term : wandering.terms(x)) {
    const BodyRange& range = world.model.bodies[static_cast<std::size_t>(term.other)];
    const ContactBody& body = *world.model.contact_bodies[static_cast<std::size_t>(term.other)];
    double least = INFINITY;
    for (int f = 0; f < static_cast<int>(body.faces().size()); ++f)
      least = std::min(least, nearest_in_triangle(body.corners(f, x, range.first), term.at).squared_distance);
    EXPECT_NEAR(term.nearest.squared, least, 1e-15);
  }
}

/// A bar that is bent to a ring, and further: its ends are in one another.
CubicWorld bent_bar() {
  CubicWorld world({{{3, 0.3, 0.3}, {24, 3, 3}}}, 0, Vec3::Zero());
  world.model.body_contact.self = true;
  for (Eigen::Index v = 0; v < world.now.x.rows(); ++v) {
    const Vec3 p = world.now.x.row(v).transpose();
    const double angle = 2.2 * p.x(), out = 0.48 + p.y() + 0.02 * p.x();
    world.now.x.row(v) << out * std::sin(angle), -out * std::cos(angle), p.z() + 0.05 * p.x();
  }
  return world;
}

TEST(CubicContactsTest, ABodyMeetsItselfWhereItsPartsAreInOneAnother) {
  const CubicWorld world = bent_bar();
  Workspace work(1);
  const CubicContacts cubic(world.model, work.workers);
  const Points& rest = world.model.contact_bodies[0]->rest();
  int across = 0;
  for (const CubicTerm& term : cubic.terms(world.now.x)) {
    for (std::size_t c = 1; c < 4; ++c) EXPECT_NE(term.carriers[c].vertices[0], term.carriers[0].vertices[0]);
    across += (rest.row(term.carriers[0].vertices[0]) - rest.row(term.carriers[1].vertices[0])).norm() > 1;
  }
  EXPECT_GT(across, 10);
  expect_exact_derivatives(world.model, world.now.x);
}

TEST(CubicContactsTest, PairsKeepBothMomenta) {
  for (const auto make : {&rough_boxes, &bent_bar}) {
    const CubicWorld world = make();
    Workspace work(1);
    const CubicContacts cubic(world.model, work.workers);
    Points g = Points::Zero(world.now.x.rows(), 3);
    cubic.add_gradient(world.now.x, g, work);
    Vec3 moment = Vec3::Zero();
    for (Eigen::Index v = 0; v < g.rows(); ++v) moment += Vec3(world.now.x.row(v)).cross(Vec3(g.row(v)));
    EXPECT_LT(g.colwise().sum().norm(), 1e-12 * g.norm());
    EXPECT_LT(moment.norm(), 1e-12 * g.norm());
  }
}

/// Two boxes that fly at one another.
CubicWorld meeting_boxes(double friction = 0) {
  return CubicWorld({{{0.2, 0.2, 0.2}, {3, 3, 3}, {-0.16, 0.03, 0}, turned(0.3, {1, 1, 0}), 1e5, 1000, {1.5, 0, 0}},
                     {{0.2, 0.2, 0.2}, {3, 3, 3}, {0.16, 0, 0.02}, turned(0.7, {0, 1, 2}), 1e5, 1000, {-1.5, 0, 0}}},
                    friction, Vec3::Zero());
}

TEST(CubicContactsTest, BodiesThatMeetKeepTheirMomentum) {
  for (const char* solver : {"newton", "newton-cg", "gast"})
    for (const double friction : {0.0, 0.5}) {
      CubicWorld world = meeting_boxes(friction);
      world.start(0.005, solver);
      const Vec3 before = world.momentum();
      int touched = 0;
      for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(world.step(0.005));
        EXPECT_TRUE(world.report.converged) << solver << ' ' << i;
        touched += !cubic_touches(world.model, world.now.x).empty();
      }
      EXPECT_GT(touched, 3);
      EXPECT_LT((world.momentum() - before).norm(), 1e-10 * 8) << solver << ": of 8 kg, at 1 m/s";
      const BodyRange& right = world.model.bodies[1];
      EXPECT_LT(world.now.v.middleRows(0, right.first).col(0).mean(), 0);
      EXPECT_GT(world.now.v.middleRows(right.first, right.count).col(0).mean(), 0);
      EXPECT_EQ(world.ledger.dissipated(Dissipated::friction) > 0, friction > 0);
    }
}

TEST(CubicContactsTest, TheSameBytesOnAnyNumberOfThreads) {
  for (const char* solver : {"newton", "gast"}) {
    Points one;
    for (const int threads : {1, 2, 3}) {
      CubicWorld world = meeting_boxes(0.3);
      world.add_cubic_floor(1e7, 0.3);
      world.model.obstacles.back().pose.t.y() = world.model.obstacles.back().before.t.y() = -0.1;
      world.start(0.01, solver, threads);
      for (int i = 0; i < 25; ++i) ASSERT_TRUE(world.step(0.01));
      if (threads == 1) one = world.now.x;
      EXPECT_TRUE(world.now.x == one) << solver << ' ' << threads;
    }
  }
}

// ------------------------------------------------------------------------------------------------ what lies and slides

TEST(CubicContactsTest, AFloorCarriesTheWeightOfABlock) {
  for (const char* solver : {"newton", "newton-cg", "gast"}) {
    CubicWorld world({{{0.2, 0.2, 0.2}, {1, 1, 1}, {0, 0.1, 0}, Eigen::Matrix3d::Identity(), 1e8}});
    const double k = 1e7;
    world.add_cubic_floor(k);
    world.start(0.02, solver);
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(world.step(0.02));
    const double weight = 8 * 9.81;  // kg, m/s^2
    double force = 0;
    const auto touches = cubic_touches(world.model, world.now.x);
    ASSERT_EQ(touches.size(), 4u);
    for (const CubicTouch& touch : touches) {
      force += touch.force;
      EXPECT_LT((touch.n - Vec3::UnitY()).norm(), 1e-12);
    }
    EXPECT_NEAR(force, weight, 1e-6 * weight);
    const double depth = std::sqrt(weight / 4 / (3 * k));
    EXPECT_NEAR(-world.now.x.col(1).minCoeff(), depth, 0.02 * depth) << solver;
  }
}

TEST(CubicContactsTest, ABlockSlidesAsCoulombSays) {
  const double angle = 0.5, mu = 0.3, h = 0.005;
  const Vec3 normal(std::sin(angle), std::cos(angle), 0), down(std::cos(angle), -std::sin(angle), 0);
  for (const char* solver : {"newton", "gast"}) {
    CubicWorld world({{{0.2, 0.1, 0.2}, {2, 1, 2}, 0.05 * normal, turned(-angle, {0, 0, 1}), 1e6}});
    world.add_cubic_floor(1e7, mu, normal);
    world.start(h, solver);
    const auto speed = [&] { return world.momentum().dot(down) / world.model.M.sum(); };
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(world.step(h));
    const double begin = speed();
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(world.step(h));
    const double expected = 9.81 * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR((speed() - begin) / (100 * h), expected, 0.01 * expected) << solver;
    EXPECT_GT(world.ledger.dissipated(Dissipated::friction), 0);
  }
}

// Friction alone, of any motion: it takes what K loses, keeps the momentum of what is free, and never gives.
TEST(CubicContactsTest, FrictionOnlyTakes) {
  CubicWorld world = rough_boxes();
  world.model.body_contact.friction = 0.4;
  Workspace work(1);
  const CubicContacts cubic(world.model, work.workers);
  for (const double impulse : {1e-9, 1e-4, 10.0}) {
    Points v = random_points(world.model.vertices(), 3);
    const double before = world.model.kinetic(v);
    const Vec3 momentum = v.transpose() * world.model.M;
    ConstraintFriction rubbed;
    cubic.rub(impulse, 0.01, world.now.x, v, rubbed);
    EXPECT_GT(rubbed.taken, 0);
    EXPECT_NEAR(before - world.model.kinetic(v), rubbed.taken, 1e-12 * before);
    EXPECT_LT((Vec3(v.transpose() * world.model.M) - momentum).norm(), 1e-12 * before);
  }
}

// One point on a face, by the paper's rule.
TEST(CubicContactsTest, FrictionBetweenBodiesIsAsInThePaper) {
  Model model = free_vertices(4);
  model.M << 2, 1, 4, 8;
  Points v(4, 3);
  v << 1, 0.5, 0, 0.2, 0, 0, 0, 0, 0.4, 0, -1, 0;
  BodyRow row;
  const std::array<double, 4> w{1, -0.5, -0.25, -0.25};
  for (int i = 0; i < 4; ++i) row.add(i, w[static_cast<std::size_t>(i)]);
  const Vec3 n = Vec3::UnitY();
  const Vec3 along = Vec3(1 - 0.1, 0, -0.1);
  const double m = 1 / (1.0 / 2 + 0.25 / 1 + 0.0625 / 4 + 0.0625 / 8);
  for (const double impulse : {0.1, 100.0}) {
    Points after = v;
    double taken = 0;
    const Vec3 j = rub(model, {row, n, impulse, 0.5, Vec3::Zero()}, after, taken);
    const Vec3 wanted = -std::min(0.5 * impulse / (m * along.norm()), 1.0) * m * along;
    EXPECT_LT((j - wanted).norm(), 1e-14);
    for (int i = 0; i < 4; ++i)
      EXPECT_LT((after.row(i) - v.row(i) - w[static_cast<std::size_t>(i)] / model.M[i] * wanted.transpose()).norm(),
                1e-14);
    EXPECT_NEAR(taken, model.kinetic(v) - model.kinetic(after), 1e-13);
  }
}

TEST(CubicContactsTest, WhatIsFixedStaysWhereItIs) {
  CubicWorld world({{{0.2, 0.2, 0.2}, {2, 2, 2}, {0, 0.05, 0}}});
  for (int v = 0; v < world.model.vertices(); ++v)
    world.model.fixed[static_cast<std::size_t>(v)] = world.now.x(v, 1) < 0;
  world.add_cubic_floor(1e7);
  const Points before = world.now.x;
  for (const char* solver : {"newton", "newton-cg", "gast"}) {
    world.now.x = before;
    world.now.v.setZero();
    world.start(0.01, solver);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(world.step(0.01));
    for (int v = 0; v < world.model.vertices(); ++v) {
      if (world.model.fixed[static_cast<std::size_t>(v)]) {
        EXPECT_EQ(world.now.x.row(v), before.row(v)) << solver;
      }
    }
  }
}

}  // namespace
}  // namespace rebound::test
