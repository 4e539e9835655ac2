// Bodies that meet one another and themselves, in whole worlds: momentum, energy, and what stays outside.
#include <gtest/gtest.h>

#include <thread>

#include "mesh/error.hpp"
#include "sim/contact/body_contacts.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using sim::Vec3;

scene::Body ball(const scene::Vec3& at, const scene::Vec3& velocity) {
  scene::Body body;
  body.name = "ball";
  body.mesh = scene::SphereMesh{0.3, 8};
  body.transform.translate = at;
  body.velocity = velocity;
  return body;
}

/// They meet off centre, and go on spinning.
scene::Description two_balls(double h = 0.01) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.timeStep = h;
  d.bodies = {ball({-0.5, 0, 0}, {1.5, 0, 0}), ball({0.5, 0.2, 0}, {-1.5, 0, 0})};
  return d;
}

Vec3 velocity_of(const Session& s, std::size_t body) {
  const auto [first, count] = s.model().bodies[body];
  return s.state().v.middleRows(first, count).colwise().mean();
}

/// kg m/s, of all vertices, whichever way they go.
double momentum_scale(const Session& s) { return s.model().M.dot(s.state().v.rowwise().norm()); }

// A vertex in the middle of the slab's top goes in under the block's leading edge: the nearest side of the block is its
// front then, which would hold the block, or throw it, though nothing of the slab stands in its way.
TEST(BodyContact, ABlockSlidesOverAnothersVerticesAsCoulombSays) {
  constexpr double speed = 2, mu = 0.3, way = speed * speed / (2 * mu * 9.81);
  for (const char* integrator : {"stabilized", "rebound", "implicit-midpoint", "backward-euler"})
    for (int start = 0; start < 12; ++start) {
      scene::Description d;
      d.timeStep = 0.01;
      d.integrator.type = integrator;
      d.contact.friction = mu;
      d.contact.stiffness = 1e5;
      scene::Body slab, block;
      slab.mesh = scene::BoxMesh{{4, 0.2, 1}, {8, 1, 2}};
      slab.transform.translate = {1, -0.1, 0};
      slab.fixed = scene::BoxRegion{{-9, -9, -9}, {9, 9, 9}};
      block.mesh = scene::BoxMesh{{0.2, 0.2, 0.2}, {1, 1, 1}};
      block.transform.translate = {0.01 * start, 0.1005, 0};
      block.velocity = {speed, 0, 0};
      d.bodies = {slab, block};
      Session s = open(d, 1);
      const double x_0 = s.state().x.bottomRows(s.model().bodies[1].count).col(0).mean();
      for (int frame = 0; frame < 90; ++frame) ASSERT_TRUE(s.step()) << s.failure();
      const double x = s.state().x.bottomRows(s.model().bodies[1].count).col(0).mean();
      EXPECT_NEAR(x - x_0, way, 0.05 * way) << integrator << " from " << 0.01 * start;
    }
}

TEST(BodyContact, MomentumStaysWhateverTheSolverAndTheIntegrator) {
  for (const char* solver : {"local-global", "newton"})
    for (const char* integrator : {"stabilized", "backward-euler", "implicit-midpoint", "bdf2", "newmark", "rebound"}) {
      // With steps twice as long midpoint's energy runs away, and which way its parts fly is chance.
      scene::Description d = two_balls(0.01);
      d.solver.type = solver;
      d.integrator.type = integrator;
      Session s = open(d, 2);
      const Vec3 p = s.record().measured.p;
      const double scale = momentum_scale(s);
      for (int frame = 0; frame < 80; ++frame) {
        ASSERT_TRUE(s.step()) << s.failure();
        ASSERT_LT((s.record().measured.p - p).norm(), 1e-10 * scale) << solver << ' ' << integrator << ' ' << frame;
      }
      EXPECT_LT(velocity_of(s, 0).y(), -0.3) << solver << ' ' << integrator;
      EXPECT_GT(velocity_of(s, 1).y(), 0.3) << solver << ' ' << integrator;
    }
}

// A spring pushes a point and a spot, which turn and slide on one another: they are opposite one another where the step
// has its arms as far as that can be foreseen.
TEST(BodyContact, AngularMomentumIsKeptTheBetterTheShorterTheStep) {
  for (const char* integrator : {"stabilized", "implicit-midpoint", "newmark", "backward-euler", "bdf2"}) {
    scene::Description d = two_balls(0.005);
    d.solver.type = "newton";
    d.integrator.type = integrator;
    for (scene::Body& body : d.bodies) body.mesh = scene::SphereMesh{0.3, 6};
    Session s = open(d, 2);
    const Vec3 l = s.record().measured.l;
    for (int frame = 0; frame < 120; ++frame) ASSERT_TRUE(s.step());
    const bool symmetric = d.integrator.type != "backward-euler" && d.integrator.type != "bdf2";
    EXPECT_LT((s.record().measured.l - l).norm(), (symmetric ? 1e-4 : 2e-2) * l.norm()) << integrator;
  }
}

TEST(BodyContact, CentralImpactsExchangeVelocities) {
  scene::Description d = two_balls();
  d.bodies[1].transform.translate = {0.5, 0, 0};
  d.bodies[1].velocity = {0, 0, 0};
  // Stiff, so that little is left in vibrations.
  for (scene::Body& body : d.bodies) body.material.young = 1e6;
  d.contact.stiffness = 1e5;
  d.timeStep = 0.002;
  Session s = open(d);
  for (int frame = 0; frame < 300; ++frame) ASSERT_TRUE(s.step());
  EXPECT_NEAR(velocity_of(s, 0).x(), 0, 0.1);
  EXPECT_NEAR(velocity_of(s, 1).x(), 1.5, 0.1);
}

TEST(BodyContact, ManyBouncesInABoxGainNothing) {
  scene::Description d = two_balls(0.02);
  d.gravity = {0, -9.81, 0};
  for (const auto& [normal, offset] : std::initializer_list<std::pair<scene::Vec3, double>>{{{0, 1, 0}, -0.5},
                                                                                            {{0, -1, 0}, -1.0},
                                                                                            {{1, 0, 0}, -0.9},
                                                                                            {{-1, 0, 0}, -0.9},
                                                                                            {{0, 0, 1}, -0.4},
                                                                                            {{0, 0, -1}, -0.4}}) {
    scene::Obstacle wall;
    wall.shape = scene::PlaneShape{normal, offset};
    wall.stiffness = 1e4;
    d.obstacles.push_back(wall);
  }
  d.bodies[0].transform.translate[2] = 0.03;
  Session s = open(d, 2);
  int meetings = 0;
  bool apart = true;
  for (int frame = 0; frame < 2000; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    const auto& contacts = s.contacts();
    const bool touching = std::any_of(contacts.begin(), contacts.end(), [&](const sim::Contact& c) {
      return c.obstacle < 0 && c.height(s.state().x) < 0;
    });
    meetings += touching && apart;
    apart = !touching;
    // The tolerance, and rounding.
    ASSERT_LT(std::abs(energy_error(s)), 0.0101) << "frame " << frame;
  }
  EXPECT_GT(meetings, 20);
}

TEST(BodyContact, FrictionMakesBodiesSpinAndIsBooked) {
  double spin[2], lost[2];
  for (const int rough : {0, 1}) {
    scene::Description d = two_balls();
    d.contact.friction = 0.5 * rough;
    Session s = open(d);
    const Vec3 p = s.record().measured.p;
    const double scale = momentum_scale(s);
    for (int frame = 0; frame < 80; ++frame) ASSERT_TRUE(s.step());
    EXPECT_LT((s.record().measured.p - p).norm(), 1e-10 * scale);
    const auto [first, count] = s.model().bodies[0];
    Vec3 l = Vec3::Zero();
    const Eigen::RowVector3d centre = s.state().x.middleRows(first, count).colwise().mean();
    for (int i = first; i < first + count; ++i)
      l += s.model().M[i] * Vec3((s.state().x.row(i) - centre).transpose()).cross(Vec3(s.state().v.row(i).transpose()));
    spin[rough] = l.z();
    lost[rough] = s.record().dissipated[static_cast<int>(sim::Dissipated::friction)];
  }
  EXPECT_EQ(lost[0], 0);
  EXPECT_GT(lost[1], 0.1);
  EXPECT_GT(std::abs(spin[1]), 2 * std::abs(spin[0]));
}

TEST(BodyContact, BodiesThatBeginInsideOneAnotherPass) {
  scene::Description d = two_balls();
  d.bodies[1].transform.translate = {-0.4, 0.1, 0};
  Session s = open(d);
  for (int frame = 0; frame < 60; ++frame) {
    ASSERT_TRUE(s.step());
    ASSERT_TRUE(s.contacts().empty());
  }
  EXPECT_NEAR(velocity_of(s, 0).x(), 1.5, 1e-6);
}

// The corners of a lattice stick out of what hangs in it: what meets is what is seen.
TEST(BodyContact, WhatHangsInALatticeMeetsWithItsSurface) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.contact.self = true;
  for (const double side : {-1.0, 1.0}) {
    scene::FileMesh mesh{std::string(REBOUND_SOURCE_DIR) + "/assets/meshes/bunny.obj", {}};
    mesh.tetrahedralize.method = "lattice";
    mesh.tetrahedralize.tets = 3000;
    scene::Body body;
    body.name = "bunny";
    body.mesh = mesh;
    body.autoScale = true;
    body.transform.translate = {0.6 * side, 0, 0};
    body.velocity = {-side, 0, 0};
    d.bodies.push_back(body);
  }
  Session s = open(d, 2);
  double gap = INFINITY;
  while (s.contacts().empty()) {
    // Of boxes, so the surfaces are no nearer.
    gap = s.surface(1).col(0).minCoeff() - s.surface(0).col(0).maxCoeff();
    ASSERT_LT(s.frame(), 60);
    ASSERT_TRUE(s.step());
  }
  const double way = 2 * s.description().timeStep;
  EXPECT_LT(gap, way) << "they come nearer by that in a step";
  for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step());
  EXPECT_LT(velocity_of(s, 0).x(), 0);
  EXPECT_GT(velocity_of(s, 1).x(), 0);
}

/// An upright ring under a press that shuts its hole.
scene::Description squeezed_torus() {
  scene::Description d;
  d.substeps = 3;
  d.damping.coefficient = 0.05;
  d.contact.self = true;
  d.contact.stiffness = 1e5;
  scene::Body body;
  body.name = "torus";
  body.mesh = scene::TorusMesh{0.5, 0.2, 6};
  body.transform = {{0, 0.75, 0}, {{1, 0, 0}, 90}, 1};
  d.bodies = {body};
  scene::Obstacle floor, press;
  floor.shape = scene::PlaneShape{};
  press.shape = scene::BoxShape{{2, 0.2, 1}};
  press.transform.translate = {0, 1.65, 0};
  press.motion = {{0, {0, 0, 0}, {}}, {1.5, {0, -0.7, 0}, {}}};
  for (scene::Obstacle* obstacle : {&floor, &press}) {
    obstacle->stiffness = 1e4;
    obstacle->friction = 0.5;
  }
  d.obstacles = {floor, press};
  return d;
}

/// How many vertices of the surface are inside a tet of another part, more than `depth` from the end of that part's
/// faces: by trying all tets, not by the search that makes the contacts.
int vertices_inside(const Session& s, double depth) {
  const scene::BodyGeometry& body = s.world().bodies[0];
  const auto tets = body.tetrahedra();
  const auto& x = s.state().x;
  int inside = 0;
  for (const auto& carriers : body.embedding.vertices) {
    const int v = carriers[0];
    const bool is_inside = std::any_of(tets.begin(), tets.end(), [&](const auto& t) {
      const Eigen::RowVector3d there =
          (body.rest.row(t[0]) + body.rest.row(t[1]) + body.rest.row(t[2]) + body.rest.row(t[3])) / 4;
      if ((there - body.rest.row(v)).norm() < 0.4) return false;
      const std::array<Vec3, 4> corners{x.row(t[0]), x.row(t[1]), x.row(t[2]), x.row(t[3])};
      const auto weights = sim::weights_inside(corners, x.row(v).transpose());
      if (!weights) return false;
      Vec3 X = Vec3::Zero();
      for (int c = 0; c < 4; ++c) X += (*weights)[c] * body.rest.row(t[c]).transpose();
      // Of a torus about y.
      return 0.2 - std::hypot(std::hypot(X.x(), X.z()) - 0.5, X.y()) > depth;
    });
    inside += is_inside;
  }
  return inside;
}

// [Gast15 Fig. 7]: without contact half of the ring would be inside the other half.
TEST(BodyContact, TheHoleOfATorusDoesNotCloseThroughItself) {
  int worst[2] = {0, 0}, surface = 0;
  for (const bool self : {false, true}) {
    scene::Description d = squeezed_torus();
    d.contact.self = self;
    Session s = open(d, 2);
    surface = static_cast<int>(s.world().bodies[0].embedding.vertices.size());
    for (int frame = 0; frame < 75; ++frame) {
      ASSERT_TRUE(s.step()) << s.failure();
      if (frame % 3 == 0) worst[self] = std::max(worst[self], vertices_inside(s, 0.01));
    }
  }
  EXPECT_GT(worst[0], surface / 20);
  // What is left does not go away with the iterations: at ten it is 17 vertices, at forty 10.
  EXPECT_LE(worst[1], surface / 40);
}

/// How often an edge of the cloth goes through a face of it.
int crossings(const Session& s) {
  const auto& faces = s.world().bodies[0].surface.triangles;
  const auto& x = s.state().x;
  std::vector<sim::TreeBox> boxes;
  for (const auto& face : faces) {
    boxes.emplace_back();
    for (const int v : face) boxes.back().extend(sim::TreeBox::around(x.row(v).transpose()));
  }
  const sim::BoxTree tree(boxes);
  int count = 0;
  for (const auto& face : faces)
    for (int e = 0; e < 3; ++e) {
      const int a = face[e], b = face[(e + 1) % 3];
      if (a > b) continue;
      const Vec3 p = x.row(a), d = x.row(b).transpose() - p;
      sim::TreeBox box = sim::TreeBox::around(p);
      box.extend(sim::TreeBox::around(p + d));
      tree.visit(box, [&](int f) {
        const auto& other = faces[static_cast<std::size_t>(f)];
        if (std::any_of(other.begin(), other.end(), [&](int v) { return v == a || v == b; })) return;
        const sim::Corners at{x.row(other[0]), x.row(other[1]), x.row(other[2])};
        const Vec3 n = sim::area_normal(at);
        const double s_at = (at[0] - p).dot(n) / d.dot(n);
        if (!(s_at >= 0 && s_at <= 1)) return;
        const Vec3 q = p + s_at * d;
        for (std::size_t c = 0; c < 3; ++c)
          if ((at[(c + 1) % 3] - at[c]).cross(q - at[c]).dot(n) < 0) return;
        ++count;
      });
    }
  return count;
}

TEST(BodyContact, AClothThatFallsInFoldsStaysInLayers) {
  int crossed[2];
  for (const bool self : {false, true}) {
    scene::Description d;
    d.substeps = 4;
    d.damping.coefficient = 0.02;
    scene::Body body;
    body.name = "cloth";
    body.mesh = scene::ClothMesh{{1, 1}, {24, 24}};
    body.material.model = "springs";
    body.material.density = 0.3;
    body.material.stiffness = 100;
    body.transform.translate = {0.1, 1, 0.05};
    d.bodies = {body};
    scene::Obstacle sphere, floor;
    sphere.shape = scene::SphereShape{0.15};
    sphere.transform.translate = {0, 0.6, 0};
    floor.shape = scene::PlaneShape{};
    for (scene::Obstacle* obstacle : {&sphere, &floor}) {
      obstacle->stiffness = 100;
      obstacle->friction = 0.6;
    }
    d.obstacles = {sphere, floor};
    d.contact = {true, self, 100, 0.3, {}};
    Session s = open(d, 2);
    crossed[self] = 0;
    for (int frame = 0; frame < 60; ++frame) {
      ASSERT_TRUE(s.step()) << s.failure();
      crossed[self] = std::max(crossed[self], crossings(s));
    }
  }
  EXPECT_GT(crossed[0], 60);
  EXPECT_LT(crossed[1], crossed[0] / 3);
}

TEST(BodyContact, IsTheSameBytesOnAnyNumberOfThreads) {
  for (scene::Description d : {two_balls(), squeezed_torus()}) {
    Session one = open(d, 1), three = open(d, 3);
    for (int frame = 0; frame < 45; ++frame) {
      ASSERT_TRUE(one.step() && three.step());
      ASSERT_EQ(one.state().x, three.state().x) << "frame " << frame;
      ASSERT_EQ(one.contacts().size(), three.contacts().size());
    }
  }
}

TEST(BodyContact, TheCommandIsBookedWhenItTakesEffectAndTheSameIfPrepared) {
  scene::Description d = squeezed_torus();
  d.contact.self = false;
  Session s = open(d), prepared = open(d);
  for (Session* session : {&s, &prepared})
    for (int frame = 0; frame < 15; ++frame) ASSERT_TRUE(session->step());
  for (const scene::BodyContact& contact : {scene::BodyContact{true, true, 1e5, 0, {}},
                                            scene::BodyContact{true, true, 3e4, 0.2, 0.01}, scene::BodyContact{}}) {
    const SetContact command{contact};
    const auto made = prepared.preparation(command);
    EXPECT_EQ(made != nullptr, contact.stiffness == 1e5) << "what is needed is made when it is wanted first";
    std::thread elsewhere([&] {
      sim::Workers alone(1);
      if (made) made->run(alone);
    });
    elsewhere.join();
    const double H = s.record().measured.total(), target = s.record().target;
    s.apply(command);
    prepared.apply(command, made.get());
    const double change = s.record().measured.total() - H;
    EXPECT_NEAR(s.record().target - target, change, 1e-9 * (1 + std::abs(H)));
    EXPECT_EQ(s.description().contact, contact);
    int own = 0;
    for (int frame = 0; frame < 3; ++frame) {
      ASSERT_TRUE(s.step() && prepared.step());
      ASSERT_EQ(s.state().x, prepared.state().x);
      for (const sim::Contact& c : s.contacts()) own += c.obstacle < 0;
    }
    EXPECT_EQ(own > 0, contact.self);
  }
  EXPECT_THROW(s.apply(SetContact{{true, true, -1, 0, {}}}), InputError);
  EXPECT_THROW(s.apply(SetContact{{true, true, 1, NAN, {}}}), InputError);
  EXPECT_THROW(s.apply(SetContact{{true, true, 1, 0, 0.0}}), InputError);
}

}  // namespace
}  // namespace rebound::test
