// The barrier: its derivatives, that a mesh's fineness does not matter, and that nothing ever goes through anything.
#include <gtest/gtest.h>

#include <set>

#include "barrier_world.hpp"
#include "sim/contact/barrier.hpp"
#include "sim/contact/contact_search.hpp"

namespace rebound::test {
namespace {

TEST(Barrier, HasTheDerivativesOfItsFormula) {
  EXPECT_EQ(barrier(1).b, 0);
  EXPECT_EQ(barrier(2).db, 0);
  EXPECT_TRUE(std::isinf(barrier(0).b));
  for (const double u : {1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999}) {
    const double e = 1e-6 * u;
    EXPECT_NEAR((barrier(u + e).b - barrier(u - e).b) / (2 * e), barrier(u).db, 1e-6 * std::abs(barrier(u).db) + 1e-9);
    EXPECT_NEAR((barrier(u + e).db - barrier(u - e).db) / (2 * e), barrier(u).ddb, 1e-6 * barrier(u).ddb);
  }
}

// Two boxes in all kinds of positions, d^ so large that all of both is near.
struct Near {
  Near(unsigned seed, double gap, bool floor) : world(boxes(seed, gap), 0.08) {
    if (floor) world.add_floor();
    if (floor) world.now.x.rowwise() += Eigen::RowVector3d(0, 0.09, 0);
    surface = std::make_shared<const ContactSurface>(world.model);
    energy = std::make_unique<Barrier>(world.model, surface, work.workers);
    energy->distance = 0.08;
    energy->stiffness = 3;
    energy->begin_step(world.now.x);
  }
  static std::vector<BoxBody> boxes(unsigned seed, double gap) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    BoxBody a, b;
    a.divisions = b.divisions = {1, 1, 1};
    // Drawn one after the other: compilers evaluate arguments in orders of their own.
    const Vec3 axis{number(random), number(random), number(random)};
    const double angle = 3 * number(random);
    b.turn = turned(angle, axis);
    b.centre = {0.05 * number(random), 0.15 + gap, 0.05 * number(random)};
    return {a, b};
  }
  BarrierWorld world;
  Workspace work{1};
  std::shared_ptr<const ContactSurface> surface;
  std::unique_ptr<Barrier> energy;
};

TEST(Barrier, GradientAndHessianAgreeWithFiniteDifferences) {
  int terms = 0, parallel = 0, taken_away = 0;
  for (unsigned seed = 0; seed < 24; ++seed) {
    // Uneven enough to have valleys: where two triangles are nearest within, their edge is taken away.
    const double unevenness = seed < 12 ? 1e-4 : 0.01;
    Near near(seed, seed % 3 == 0 ? 0.0 : 0.01, seed % 2 == 0);
    if (seed == 10 || seed == 11) {
      // All but parallel: where edges fade out.
      near.world.now.x.bottomRows(8) = near.world.now.x.topRows(8);
      near.world.now.x.bottomRows(8).rowwise() += Eigen::RowVector3d(0.02, 0.13, 0.01);
      near.world.now.x.bottomRows(8).col(0) += 0.02 * near.world.now.x.topRows(8).col(2);
    }
    const Points x = near.world.now.x + random_points(16, seed + 50, unevenness);
    ASSERT_TRUE(std::isfinite(near.energy->value(x, near.work))) << seed;
    for (const BarrierTerm& term : near.energy->terms(x)) {
      ++terms;
      taken_away += term.area < 0;
      parallel += term.parallel > 0;
    }
    Points g = Points::Zero(16, 3), up, down;
    const double E = near.energy->add_gradient(x, g, near.work);
    EXPECT_NEAR(E, near.energy->value(x, near.work), 1e-12 * E);
    Eigen::MatrixXd pattern = Eigen::MatrixXd::Ones(16, 16).triangularView<Eigen::Lower>();
    HessianBlocks H(pattern.sparseView());
    H.set_zero();
    near.energy->add_hessian(x, Curvature::exact, H, near.work);
    const Eigen::MatrixXd dense = Eigen::MatrixXd(H.matrix()).selfadjointView<Eigen::Lower>();
    constexpr double e = 1e-7;
    for (int c = 0; c < 48; ++c) {
      Points more = x, less = x;
      more(c / 3, c % 3) += e;
      less(c / 3, c % 3) -= e;
      up.setZero(16, 3);
      down.setZero(16, 3);
      const double slope =
          (near.energy->add_gradient(more, up, near.work) - near.energy->add_gradient(less, down, near.work)) / (2 * e);
      EXPECT_NEAR(slope, g(c / 3, c % 3), 1e-5 * g.cwiseAbs().maxCoeff()) << seed << " " << c;
      const Points column = (up - down) / (2 * e);
      for (int r = 0; r < 48; ++r)
        EXPECT_NEAR(column(r / 3, r % 3), dense(r, c), 2e-4 * dense.cwiseAbs().maxCoeff())
            << seed << " " << r << " " << c;
    }
    // Nobody is moved or turned by inner forces.
    if (seed % 2 == 1) {
      EXPECT_LT(g.colwise().sum().norm(), 1e-10 * g.norm());
      Vec3 moment = Vec3::Zero();
      for (int i = 0; i < 16; ++i) moment += Vec3(x.row(i)).cross(Vec3(g.row(i)));
      EXPECT_LT(moment.norm(), 1e-10 * g.norm());
    }
  }
  EXPECT_GT(terms, 200);
  EXPECT_GT(parallel, 20);
  EXPECT_GT(taken_away, 5);
}

TEST(Barrier, IsTheSameForAllListsAndThreads) {
  Near near(3, 0.0, true);
  const Points x = near.world.now.x;
  Points one = Points::Zero(16, 3), other = one;
  const double E = near.energy->add_gradient(x, one, near.work);
  // Another list, made elsewhere.
  near.energy->value(x + Points::Constant(16, 3, 0.05), near.work);
  Workspace three(3);
  Barrier again(near.world.model, near.surface, three.workers);
  again.distance = near.energy->distance;
  again.stiffness = near.energy->stiffness;
  again.begin_step(x);
  again.value(x + Points::Constant(16, 3, 0.07), three);
  EXPECT_EQ(E, again.add_gradient(x, other, three));
  EXPECT_TRUE(one == other);
}

// Two blocks that are 1 to 20 d^ apart go by 1/2 d^ to 500 d^ in any directions: whether the way is looked at in one
// piece or in several, in the list that is there or in one that is made for it, it is as free as all pairs are.
TEST(Barrier, AWayIsAsFreeAsAllItsPairs) {
  constexpr double distance = 1e-3;
  std::mt19937 random(5);
  const auto decades = [&](double low, double high) {
    return std::pow(10, std::uniform_real_distribution(low, high)(random));
  };
  int cut = 0, whole = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    BoxBody box, other;
    box.turn = turned(0.1 * seed, Vec3(1, 2, 3));
    BarrierWorld world({box, other}, distance, 0, Vec3::Zero());
    const Points& x = world.now.x;
    const int n = world.model.bodies[1].first;
    const double top = x.topRows(n).col(1).maxCoeff(), low = x.bottomRows(n).col(1).minCoeff();
    world.now.x.bottomRows(n).col(1).array() += top - low + distance * decades(0, 1.3);
    Points d = random_points(x.rows(), seed, 1);
    d.topRows(n).col(1).array() += 1;
    d *= distance * decades(-0.3, 2.7) / std::sqrt(d.rowwise().squaredNorm().maxCoeff());

    const auto surface = std::make_shared<const ContactSurface>(world.model);
    const auto share = [&](int threads, bool listed) {
      Workspace work(threads);
      Barrier energy(world.model, surface, work.workers);
      energy.distance = distance;
      energy.reach = 1e3;
      energy.begin_step(x);
      if (listed) energy.terms(x);
      return energy.largest_step(x, d, work);
    };
    const double found = share(1, true);
    EXPECT_EQ(found, share(1, false)) << seed;
    EXPECT_EQ(found, share(3, true)) << seed;

    Workspace work(1);
    Points p, way;
    surface->place(world.model, x, 1, p);
    surface->place(world.model, x + d, 1, way);
    way -= p;
    ContactSearch search(*surface, world.model);
    std::vector<NearPair> pairs;
    search.find(p, &way, 1, work.workers, pairs);
    double exact = 1, nearest = 1;
    const Points free_part = found * way;
    std::set<std::array<int, 2>> near;
    for (const NearPair& pair : pairs) {
      exact = std::min(exact, free_way(search.moving(pair, p, way)));
      if (search.comes_near(pair, p, way, distance)) near.insert(search.objects(pair));
      MovingPair moved = search.moving(pair, p, free_part);
      for (std::size_t c = 0; c < 4; ++c) moved.x[c] += moved.d[c];
      nearest = std::min(nearest, std::sqrt(feature_distance(pair.kind, moved.x).squared));
    }
    // How much of a gap is left is a little different for another cut.
    EXPECT_GE(found, 0.8 * exact) << seed;
    EXPECT_LE(found, 1.25 * exact) << seed;
    EXPECT_GE(nearest, 0.09 * distance) << seed;
    ++(found < 1 ? cut : whole);

    std::vector<NearPair> listed;
    search.find(p, &way, distance, work.workers, listed);
    std::vector<std::array<int, 2>> objects;
    search.find_objects(p, &way, distance, work.workers, objects);
    EXPECT_EQ(std::set(objects.begin(), objects.end()), near) << seed;
    EXPECT_EQ(listed.size(), static_cast<std::size_t>(std::count_if(
                                 pairs.begin(), pairs.end(),
                                 [&](const NearPair& pair) { return search.comes_near(pair, p, way, distance); })))
        << seed;
  }
  EXPECT_GT(cut, 10);
  EXPECT_GT(whole, 10);
}

// A block hovers over another, or over the floor: the energy is that of the area, whatever the meshes.
TEST(Barrier, DoesNotDependOnHowFineAMeshIs) {
  constexpr double gap = 0.5e-3;
  std::vector<double> floor, pair;
  for (const int n : {2, 4, 8, 16}) {
    BoxBody box;
    box.divisions = {n, n, n};
    box.centre = {0, 0.05 + gap, 0};
    {
      BarrierWorld world({box}, 1e-3);
      world.add_floor();
      Workspace work(1);
      Barrier energy(world.model, std::make_shared<const ContactSurface>(world.model), work.workers);
      energy.distance = 1e-3;
      energy.begin_step(world.now.x);
      floor.push_back(energy.value(world.now.x, work));
    }
    BoxBody below = box;
    below.centre = {0, -0.05, 0};
    below.size = {0.2, 0.1, 0.2};
    below.divisions = {2 * n + 1, n, 2 * n + 1};
    BarrierWorld world({box, below}, 1e-3);
    Workspace work(1);
    Barrier energy(world.model, std::make_shared<const ContactSurface>(world.model), work.workers);
    energy.distance = 1e-3;
    energy.begin_step(world.now.x);
    pair.push_back(energy.value(world.now.x, work));
  }
  const double exact = 0.01 * barrier(0.5).b;
  // The rim of the face has a share of its points' areas that is around the corner.
  for (const double E : floor) EXPECT_GT(E, exact);
  EXPECT_NEAR(floor.back(), exact, 0.2 * exact);
  EXPECT_LT(std::abs(floor[3] - exact), std::abs(floor[1] - exact));
  std::printf("floor %g %g %g %g pair %g %g %g %g of %g\n", floor[0] / exact, floor[1] / exact, floor[2] / exact,
              floor[3] / exact, pair[0] / exact, pair[1] / exact, pair[2] / exact, pair[3] / exact, exact);
  EXPECT_NEAR(pair[3], pair[2], 0.25 * pair[2]);
}

// On a random walk: whatever is closer than d^ is linked already wherever the barrier says that nothing new may be.
TEST(Barrier, LinksAreKnownUntilItSaysThatTheyMayBeNew) {
  int kept = 0, asked = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    Near near(seed, 0.02, false);
    near.energy->distance = 0.03;
    Points x = near.world.now.x;
    std::vector<std::pair<int, int>> links;
    for (unsigned step = 0; step < 60; ++step) {
      x += random_points(16, 100 * seed + step, step % 7 == 0 ? 0.01 : 0.001);
      const bool may_be_new = near.energy->has_new_links(x);
      ++(may_be_new ? asked : kept);
      if (may_be_new) {
        links.clear();
        near.energy->add_pattern(links);
      }
      for (const BarrierTerm& term : near.energy->terms(x))
        for (const int a : term.points)
          for (const int b : term.points) {
            if (a < 0 || b < 0) continue;
            const int i = near.surface->carrier(a).vertices[0], j = near.surface->carrier(b).vertices[0];
            if (i <= j) continue;
            ASSERT_TRUE(std::binary_search(links.begin(), links.end(), std::pair(i, j))) << seed << ", " << step;
          }
    }
  }
  EXPECT_GT(kept, 100);
  EXPECT_GT(asked, 100);
}

TEST(Barrier, ABlockFallsOnTheFloorAndStaysAboveIt) {
  BoxBody box;
  box.centre = {0, 0.2, 0};
  BarrierWorld world({box}, 1e-3);
  world.add_floor();
  for (int step = 0; step < 60; ++step) {
    ASSERT_TRUE(step == 0 ? world.run(1, 0.01) : world.step(0.01)) << step;
    ASSERT_EQ(world.crossings(), 0) << step;
  }
  // Backward Euler: it lies there, d^ or less above the floor.
  const double lowest = world.now.x.col(1).minCoeff();
  EXPECT_GT(lowest, 0);
  EXPECT_LT(lowest, 1e-3);
  EXPECT_LT(world.now.v.cwiseAbs().maxCoeff(), 0.05);
}

TEST(Barrier, TwoBoxesMeetInTheAirAndKeepTheirMomentum) {
  for (const char* integrator :
       {"backward-euler", "bdf2", "implicit-midpoint", "newmark", "tr-bdf2", "sdirk2", "a-search", "stabilized"}) {
    BoxBody a, b;
    a.centre = {-0.08, 0, 0};
    b.centre = {0.08, 0.02, 0.01};
    a.v = {2, 0, 0};
    b.v = {-2, 0, 0};
    b.turn = turned(0.5, {1, 1, 0.3});
    b.density = 700;
    BarrierWorld world({a, b}, 1e-3, 0, Vec3::Zero());
    const Vec3 p = world.momentum();
    for (int step = 0; step < 40; ++step) {
      ASSERT_TRUE(step == 0 ? world.run(1, 1.0 / 120, integrator, 1, 1e-9) : world.step(1.0 / 120))
          << integrator << " " << step;
      ASSERT_EQ(world.crossings(), 0) << integrator << " " << step;
      EXPECT_LT((world.momentum() - p).norm(), 1e-8 * world.model.M.sum()) << integrator << " " << step;
    }
    // They have parted.
    EXPECT_GT(world.middle(1)[0] - world.middle(0)[0], 0.09) << integrator;
  }
}

// A box falls on the floor, one onto another, one flies by: each has converged when it says so, whatever the others do.
TEST(Barrier, BodiesThatRestWhileOthersAreSolvedForAreAsExact) {
  const auto boxes = [](double tolerance) {
    BoxBody falls, below, above, flies;
    falls.centre = {0, 0.2, 0};
    below.centre = {0.5, 0.06, 0};
    above.centre = {0.52, 0.22, 0.01};
    above.v = {0, -2, 0};
    flies.centre = {0, 0.6, 0};
    flies.omega = {3, 1, 2};
    BarrierWorld world({falls, below, above, flies}, 1e-3, 0.4);
    world.add_floor(0.4);
    EXPECT_TRUE(world.run(25, 0.01, "backward-euler", 2, tolerance));
    EXPECT_EQ(world.crossings(), 0);
    return world.now.x;
  };
  constexpr double kTolerance = 1e-3, kTime = 0.25;
  const Points x = boxes(kTolerance), exact = boxes(1e-8);
  EXPECT_LT((x - exact).cwiseAbs().maxCoeff(), kTolerance * kTime);
}

// A block flies, meets the floor and leaves it. Newton takes old factors where they will do, and every step ends as
// near to its root as was asked for.
TEST(Barrier, StepsEndWithinTheirToleranceWhateverFactorsTheyTook) {
  for (const double tolerance : {1e-2, 1e-4}) {
    BoxBody box;
    box.divisions = {4, 4, 4};
    box.centre = {0, 0.08, 0};
    box.v = {0.3, -2, 0};
    box.omega = {1, 3, 8};
    BarrierWorld world({box}), exact({box});
    world.add_floor();
    exact.add_floor();
    int touching = 0, iterations = 0;
    for (int i = 0; i < 60; ++i) {
      exact.now = world.now;
      ASSERT_TRUE(world.run(1, 1.0 / 120, "backward-euler", 1, tolerance));
      ASSERT_TRUE(exact.run(1, 1.0 / 120, "backward-euler", 1, 1e-11));
      EXPECT_LE((world.now.v - exact.now.v).cwiseAbs().maxCoeff(), 1.2 * tolerance) << tolerance << ", step " << i;
      if (world.now.x.col(1).minCoeff() < 1e-3) ++touching;
      iterations += world.report.iterations;
    }
    EXPECT_GT(touching, 3);
    EXPECT_GT(iterations, 60);
  }
}

TEST(Barrier, WhatIsFixedStaysWhereItIs) {
  BoxBody box;
  box.centre = {0, 0.055, 0};  // 5 mm above the floor
  BarrierWorld world({box}, 0.01);
  world.add_floor();
  for (int v = 0; v < world.model.vertices(); ++v)
    world.model.fixed[static_cast<std::size_t>(v)] = world.now.x(v, 1) < 0.01;
  const Points before = world.now.x;
  ASSERT_TRUE(world.run(5, 0.01));
  ASSERT_FALSE(barrier_touches(world.model, world.now.x).empty());
  for (int v = 0; v < world.model.vertices(); ++v) {
    if (world.model.fixed[static_cast<std::size_t>(v)]) {
      EXPECT_EQ(world.now.x.row(v), before.row(v));
    }
  }
}

}  // namespace
}  // namespace rebound::test
