// Contacts in the solvers: by low rank, in both precisions, and in the minimum.
#include <gtest/gtest.h>

#include "contacts.hpp"
#include "sim/contact/crowded_system.hpp"
#include "sim/step/local_global.hpp"
#include "sim/step/newton.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

// ---- low rank ----

/// What impulses do to ways is what G says.
void expect_ways(const ContactResponse& response, double rounding) {
  const Eigen::MatrixXd G = response.delassus();
  const int rows = static_cast<int>(G.rows());
  if (rows < 4) return;
  const std::array<ContactImpulse, 3> impulses{{{0, {1, 2, -3}}, {rows / 2, {0, -1, 0.5}}, {rows - 1, {-2, 0, 1}}}};
  const ContactWays before = random_points(rows, 7);
  ContactWays ways = before, expected = before;
  for (const auto& [contact, impulse] : impulses) expected += G.col(contact) * impulse.transpose();
  expected.topRows(1) = before.topRows(1);
  expected.bottomRows(2) = before.bottomRows(2);
  response.add_ways(impulses, 1, rows - 2, ways);
  EXPECT_LT((ways - expected).cwiseAbs().maxCoeff(), rounding * expected.cwiseAbs().maxCoeff());
}

TEST(ContactRows, SolveWhatADenseFactorSolves) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Bumping body(2 + static_cast<int>(seed % 3));
    if (seed % 2) body.fix({0, 1, 5, 8});
    body.model.contacts.items = body.contacts(1 + 7 * static_cast<int>(seed), seed);
    // Twice the same, the same point at another surface, and two that differ by rounding.
    auto& items = body.model.contacts.items;
    for (const double off : {0.0, 1e-15, 0.5}) {
      Contact again = items[0];
      again.n = (again.n + off * Vec3(1, -1, 0.3)).normalized();
      items.push_back(again);
    }
    const double c = seed % 2 ? 1e-4 : 2.5e-5;
    const Points b = random_points(body.model.vertices(), seed);
    const Points expected = dense_solve(dense_system(body.model, c), b);
    Workers workers(1);
    const SparseMatrix L = body.model.laplacian();
    SystemMatrix system(*SystemMatrix::analyse(L, nullptr), system_matrix(body.model.M, body.model.fixed, L, c), c,
                        workers);
    system.set_contacts(body.model, workers);
    Points x = b;
    system.solve(x);
    EXPECT_LT((x - expected).norm(), 1e-11 * expected.norm()) << seed;

    // Without contacts it answers impulses, and says what they do to each other.
    const Eigen::MatrixXd G = system.delassus();
    expect_ways(system, 1e-14);
    ASSERT_EQ(G.rows(), static_cast<Eigen::Index>(items.size()));
    const BodyRow &first = items[0].point, &last = items[items.size() / 2].point;
    Points push = Points::Zero(b.rows(), 3);
    for (int j = 0; j < first.count; ++j)
      if (!body.model.fixed[static_cast<std::size_t>(first.vertices[j])])
        push(first.vertices[j], 1) += first.weights[j];
    system.respond(push, workers);
    body.model.clear_fixed(push);
    EXPECT_NEAR(last.of(push).y(), G(static_cast<Eigen::Index>(items.size() / 2), 0), 1e-13 * G.cwiseAbs().maxCoeff());
    EXPECT_LT((G - G.transpose()).cwiseAbs().maxCoeff(), 1e-13 * G.cwiseAbs().maxCoeff());
  }
}

TEST(ContactRows, InSinglePrecisionCorrectionsBringItThere) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    Bumping body(5);
    if (seed % 2) body.fix({0, 1, 5, 8});
    body.model.contacts.items = body.contacts(20 * static_cast<int>(seed), seed);
    const double c = 1e-4;
    const Eigen::MatrixXd A = dense_system(body.model, c);
    const Points b = random_points(body.model.vertices(), seed), expected = dense_solve(A, b);
    Workers workers(2);
    const SparseMatrix L = body.model.laplacian();
    const auto plan = FloatSystem::analyse(L, nullptr);
    FloatSystem system(*plan, system_matrix(body.model.M, body.model.fixed, L, c), c, workers);
    system.set_held(body.model, body.model.fixed, workers);
    system.set_contacts(body.model, workers);
    expect_ways(system, 1e-6);
    Points x = Points::Zero(b.rows(), 3);
    std::vector<double> errors;
    for (int iteration = 0; iteration < 8; ++iteration) {
      const Points left = b - dense_product(A, x);
      AlignedBuffer<float> slots(4 * static_cast<std::size_t>(system.inverse().slots()));
      for (int v = 0; v < body.model.vertices(); ++v)
        for (int k = 0; k < 3; ++k) slots[4 * plan->position()[v] + k] = static_cast<float>(left(v, k));
      system.solve(slots.data(), {}, workers);
      for (int v = 0; v < body.model.vertices(); ++v)
        for (int k = 0; k < 3; ++k) x(v, k) += slots[4 * plan->position()[v] + k];
      errors.push_back((x - expected).norm() / expected.norm());
    }
    EXPECT_LT(errors[0], 1e-2) << seed;
    EXPECT_LT(errors[7], 1e-10) << seed;
  }
}

/// What d is off from the least of the quadratic model whose springs push only, as a share of b: their forces change by
/// W (min(0, H) - min(0, H - h)) where d takes them from H to H - h.
double off_balance(const Model& model, double c, const Points& b, const std::vector<double>& heights, const Points& d) {
  Model free = model;
  free.contacts.items.clear();
  Points left = b - dense_product(dense_system(free, c), d);
  for (std::size_t k = 0; k < heights.size(); ++k) {
    const Contact& contact = model.contacts.items[k];
    const double H = heights[k], after = H - contact.point.of(d).dot(contact.n);
    const double lambda = c * contact.stiffness * (std::min(0.0, H) - std::min(0.0, after));
    for (int j = 0; j < contact.point.count; ++j)
      left.row(contact.point.vertices[j]) -= lambda * contact.point.weights[j] * contact.n.transpose();
  }
  model.clear_fixed(left);
  return left.norm() / b.norm();
}

/// How many are not pressed after d.
int loose_after(const Model& model, const std::vector<double>& heights, const Points& d) {
  int loose = 0;
  for (std::size_t k = 0; k < heights.size(); ++k) {
    const Contact& contact = model.contacts.items[k];
    loose += heights[k] - contact.point.of(d).dot(contact.n) >= 0;
  }
  return loose;
}

TEST(ContactRows, SpringsThatOnlyPush) {
  int both = 0, few = 0, many = 0;
  for (unsigned seed = 0; seed < 24; ++seed) {
    Bumping body(2 + static_cast<int>(seed % 3));
    if (seed % 2) body.fix({0, 1, 5, 8});
    body.model.contacts.items = body.contacts(1 + 7 * static_cast<int>(seed % 12), seed);
    const double c = seed % 2 ? 1e-4 : 2.5e-5;
    Random random(seed);
    // First about as many are pressed as are not, then few are not.
    std::uniform_real_distribution<double> uniform(-1e-3, seed < 12 ? 1e-3 : 5e-5);
    std::vector<double> heights;
    for (std::size_t k = 0; k < body.model.contacts.items.size(); ++k) heights.push_back(uniform(random));
    Points b = (seed < 12 ? 0.3 : 0.02) * random_points(body.model.vertices(), seed);
    for (std::size_t k = 0; k < heights.size(); ++k) {
      const Contact& contact = body.model.contacts.items[k];
      for (int j = 0; j < contact.point.count; ++j)
        b.row(contact.point.vertices[j]) +=
            c * contact.stiffness * std::min(0.0, heights[k]) * contact.point.weights[j] * contact.n.transpose();
    }
    body.model.clear_fixed(b);
    Workers workers(1);
    const SparseMatrix L = body.model.laplacian();
    SystemMatrix system(*SystemMatrix::analyse(L, nullptr), system_matrix(body.model.M, body.model.fixed, L, c), c,
                        workers);
    system.set_contacts(body.model, workers);
    Points d = b, pulled = b;
    system.solve(d, heights);
    EXPECT_LT(off_balance(body.model, c, b, heights, d), 1e-10) << seed;
    const int loose = loose_after(body.model, heights, d), count = static_cast<int>(heights.size());
    few += loose > 0 && 4 * loose <= count;
    many += 4 * loose > count;
    // That springs push only matters here.
    system.solve(pulled);
    both += off_balance(body.model, c, b, heights, pulled) > 1e-3;

    // Those that are pressed before and after are as those that pull.
    if (seed == 5) {
      for (double& height : heights) height = -1;
      Points deep = b;
      system.solve(deep, heights);
      EXPECT_LT((deep - pulled).norm(), 1e-13 * pulled.norm());
    }
  }
  EXPECT_GE(both, 8);
  EXPECT_GE(few, 5);
  EXPECT_GE(many, 5);
}

class ComingAndGoing : public testing::TestWithParam<Precision> {};

TEST_P(ComingAndGoing, GivesWhatFreshOnesGive) {
  const bool single = GetParam() == Precision::automatic;
  Bumping body(single ? 12 : 4);
  body.fix({0, 1, 7});
  LocalGlobal minimizer(body.model, GetParam());
  ASSERT_EQ(minimizer.single_precision(), single);
  Random random(4);
  const std::vector<Contact> all = body.contacts(single ? 150 : 90, 11);
  std::uniform_real_distribution<double> uniform;
  for (int round = 0; round < (single ? 12 : 60); ++round) {
    // Few or many of them, in any order, some with another normal or stiffness than before.
    // Now and then the same points meet the same surfaces, but turned, or stiffer.
    auto& items = body.model.contacts.items;
    if (round % 4 != 1) {
      items.clear();
      const double share = uniform(random);
      for (const Contact& c : all)
        if (uniform(random) < share) items.push_back(c);
      std::shuffle(items.begin(), items.end(), random);
    }
    for (Contact& c : items) {
      if (round % 8 != 5 && uniform(random) < 0.3) c.n = random_direction(random);
      if (round % 8 != 1 && uniform(random) < 0.3) c.stiffness *= 3;
    }
    // The hand comes and goes as well, and takes other columns.
    if (round % 5 == 3) {
      body.model.grabs.items = {{BodyPoint::at_vertex(20 + round), 1e4, Vec3(1, 1, 1)}};
      Workers workers(1);
      minimizer.grabs_changed(workers);
    }
    const Scheme& scheme = round / 2 % 3 ? kImplicitMidpoint : kBackwardEuler;
    // In single precision it is another approximation of the inverse, whose error iterations take out.
    const int iterations = single ? 30 : 5;
    const Points x = body.solve(minimizer, scheme, iterations);
    LocalGlobal fresh(body.model, GetParam());
    const Points expected = body.solve(fresh, scheme, iterations);
    const double moved = (expected - body.state.x).cwiseAbs().maxCoeff();
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), (single ? 1e-6 : 1e-12) * moved) << round;
  }
}

TEST_P(ComingAndGoing, InSinglePrecisionAsInDouble) {
  Bumping body(12);
  LocalGlobal minimizer(body.model, GetParam());
  body.model.contacts.items = body.contacts(60, 5);
  for (const Scheme& scheme : {kBackwardEuler, kImplicitMidpoint}) {
    LocalGlobal exact(body.model, Precision::double_only);
    const Points one = body.solve(exact, scheme, 1), many = body.solve(exact, scheme, 200);
    const double moved = (one - body.state.x - 0.01 * body.state.v).cwiseAbs().maxCoeff();
    ASSERT_GT(moved, 1e-3);
    EXPECT_LT((body.solve(minimizer, scheme, 1) - one).cwiseAbs().maxCoeff(), 1e-2 * moved);
    EXPECT_LT((body.solve(minimizer, scheme, 200) - many).cwiseAbs().maxCoeff(), 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, ComingAndGoing, testing::Values(Precision::automatic, Precision::double_only),
                         [](const auto& p) { return p.param == Precision::automatic ? "single" : "double"; });

// ---- the minimum ----

TEST(ContactSolve, NewtonFindsWhatLocalGlobalConvergesTo) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    Bumping body(3, 5e4);
    body.model.contacts.items = body.contacts(15, seed);
    // A face on a stiff plane, along which all of it slides.
    for (int v = 0; v < body.model.vertices(); ++v) {
      if (body.rest(v, 1) > -0.49) continue;
      const Vec3 place = body.rest.row(v).transpose();
      body.model.contacts.items.push_back(
          {BodyPoint::at_vertex(v), Vec3(place.x(), -0.495, place.z()), Vec3::UnitY(), 1e6, 0, 0, Vec3::Zero()});
    }
    body.state.v.col(0).array() += 3;
    for (const Scheme& scheme : {kBackwardEuler, kImplicitMidpoint}) {
      Newton newton(body.model);
      LocalGlobal local_global(body.model);
      const Points exact = body.solve(newton, scheme, 100);
      const Points converged = body.solve(local_global, scheme, 4000);
      EXPECT_LT((exact - converged).cwiseAbs().maxCoeff(), 1e-8) << seed << " " << scheme.id;
      int pressed = 0;
      for (const Contact& c : body.model.contacts.items) pressed += c.height(exact) < 0;
      EXPECT_GT(pressed, 8);
      EXPECT_NEAR((exact - body.state.x).col(0).mean(), 0.03, 0.01) << "it slides";
      // Ten iterations let it slide as well: what is stiff is so along its normal alone.
      LocalGlobal few(body.model);
      const Points soon = body.solve(few, scheme, 10);
      EXPECT_LT((soon - exact).col(0).cwiseAbs().maxCoeff(), 0.1 * 0.03) << seed << " " << scheme.id;
    }
  }
}

TEST(ContactSolve, AnyNumberOfThreadsGivesTheSameBytes) {
  for (const Precision precision : {Precision::automatic, Precision::double_only}) {
    std::vector<Points> results;
    for (const int threads : {1, 2, 3}) {
      Bumping body(12);
      body.model.contacts.items = body.contacts(70, 6);
      LocalGlobal minimizer(body.model, precision);
      results.push_back(body.solve(minimizer, kImplicitMidpoint, 10, 0.01, threads));
      body.model.contacts.items = body.contacts(30, 7);
      results.back() += body.solve(minimizer, kImplicitMidpoint, 10, 0.01, threads);
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

// ---- crowds ----

/// The share of the gain of a quadratic step that d misses: 0 at the minimum of d^T A d / 2 - b^T d.
double missed(const Eigen::MatrixXd& A, const Points& b, const Points& d) {
  const auto value = [&](const Points& at) {
    return 0.5 * at.cwiseProduct(dense_product(A, at)).sum() - b.cwiseProduct(at).sum();
  };
  const double least = value(dense_solve(A, b));
  return (value(d) - least) / -least;
}

/// The same where springs push only. The least is found by Newton's method, on dense matrices.
double missed_by_pushing(const Model& model, double c, const Points& b, const std::vector<double>& heights,
                         const Points& d) {
  Model free = model, pressed = model;
  free.contacts.items.clear();
  const Eigen::MatrixXd A = dense_system(free, c);
  const auto& items = model.contacts.items;
  const auto after = [&](std::size_t k, const Points& at) {
    return heights[k] - without_fixed(items[k].point, model.fixed).of(at).dot(items[k].n);
  };
  // Forces of the springs before the step are in b.
  Points others = b;
  const auto add = [&](Points& to, std::size_t k, double lambda) {
    for (int j = 0; j < items[k].point.count; ++j)
      to.row(items[k].point.vertices[j]) += lambda * items[k].point.weights[j] * items[k].n.transpose();
  };
  for (std::size_t k = 0; k < items.size(); ++k) add(others, k, -c * items[k].stiffness * std::min(0.0, heights[k]));
  model.clear_fixed(others);
  const auto value = [&](const Points& at) {
    double sum = 0.5 * at.cwiseProduct(dense_product(A, at)).sum() - others.cwiseProduct(at).sum();
    for (std::size_t k = 0; k < items.size(); ++k)
      sum += 0.5 * c * items[k].stiffness * std::pow(std::min(0.0, after(k, at)), 2);
    return sum;
  };
  Points least = Points::Zero(b.rows(), 3);
  for (int turn = 0; turn < 50; ++turn) {
    pressed.contacts.items.clear();
    Points right = others;
    for (std::size_t k = 0; k < items.size(); ++k) {
      if (after(k, least) >= 0) continue;
      pressed.contacts.items.push_back(items[k]);
      add(right, k, c * items[k].stiffness * heights[k]);
    }
    model.clear_fixed(right);
    const Points next = dense_solve(dense_system(pressed, c), right), way = next - least;
    double share = 1;
    while (value(least + share * way) > value(least) && share > 1e-10) share /= 2;
    least += share * way;
    if (share * way.norm() < 1e-14 * least.norm()) break;
  }
  return (value(d) - value(least)) / (value(Points::Zero(b.rows(), 3)) - value(least));
}

TEST(CrowdedSystem, MissesLittleOfWhatADenseFactorGains) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    Bumping body(4);
    if (seed % 2) body.fix({0, 1, 7});
    // Points anywhere, or a whole body that slides along a slope: there, next to nothing holds it.
    auto& items = body.model.contacts.items;
    items = body.contacts(700, seed);
    if (seed >= 3) {
      const Vec3 n = Vec3(1, 2, seed - 2).normalized();
      items.clear();
      for (int v = 0; v < body.model.vertices(); ++v)
        items.push_back({BodyPoint::at_vertex(v), Vec3::Zero(), n, 1e6, 0, 0, Vec3::Zero()});
    }
    const double c = seed % 2 ? 1e-4 : 1e-3;
    const SparseMatrix L = body.model.laplacian();
    const CholeskyAnalysis analysis(L);
    const SparseMatrix A = system_matrix(body.model.M, body.model.fixed, L, c);
    Workers workers(1);
    SystemMatrix base(analysis, A, c, workers);
    CrowdedSystem system;
    ASSERT_TRUE(system.update(body.model, A, c, analysis, nullptr, workers));
    const Points b = random_points(body.model.vertices(), seed);
    Points d = b;
    system.solve(d, {}, base, workers, 1e-5);
    const Eigen::MatrixXd all = dense_system(body.model, c);
    EXPECT_LT(missed(all, b, d), 1e-3) << seed;
    Points soon = b;
    system.solve(soon, {}, base, workers);
    // Where a vertex has contacts with several normals, what is left is more than the preconditioner says.
    EXPECT_LT(missed(all, b, soon), 2 * CrowdedSystem::kMiss) << seed;
    // K in single precision is as good.
    const auto plan = std::make_shared<const EliminationPlan>(L);
    CrowdedSystem in_single;
    ASSERT_TRUE(in_single.update(body.model, A, c, analysis, plan, workers));
    Points with_single = b;
    in_single.solve(with_single, {}, base, workers, 1e-5);
    EXPECT_LT(missed(all, b, with_single), 1e-3) << seed;
    // Where every vertex is free and on the slope the preconditioner is the inverse.
    if (seed == 4) {
      EXPECT_LT(missed(all, b, d), 1e-9);
    }

    // Springs that push only: not even then is there a step that gains more.
    std::vector<double> heights;
    Random random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t k = 0; k < items.size(); ++k) heights.push_back(uniform(random));
    Points free_b = b;
    body.model.clear_fixed(free_b);
    Points pushing = free_b, soon_pushing = free_b;
    system.solve(pushing, heights, base, workers, 1e-9);
    EXPECT_LT(missed_by_pushing(body.model, c, free_b, heights, pushing), 1e-3) << seed;
    system.solve(soon_pushing, heights, base, workers);
    EXPECT_LT(missed_by_pushing(body.model, c, free_b, heights, soon_pushing), 2 * CrowdedSystem::kMiss) << seed;

    // Contacts that leave are forgotten.
    items.resize(items.size() / 2);
    ASSERT_TRUE(system.update(body.model, A, c, analysis, nullptr, workers));
    CrowdedSystem fresh;
    ASSERT_TRUE(fresh.update(body.model, A, c, analysis, nullptr, workers));
    Points again = b;
    d = b;
    system.solve(d, {}, base, workers);
    fresh.solve(again, {}, base, workers);
    EXPECT_EQ(d, again) << seed;
  }
}

TEST(ContactSolve, ACrowdIsSolvedAsNewtonSolvesIt) {
  for (const Precision precision : {Precision::automatic, Precision::double_only}) {
    // The smallest that single precision is taken for.
    Bumping body(precision == Precision::automatic ? 11 : 6, 5e4);
    Random random(8);
    auto& items = body.model.contacts.items;
    while (items.size() < 1100) items.push_back(body.contact(random, 1e3));
    ASSERT_TRUE(body.model.contacts.crowded());
    for (const Scheme& scheme : {kBackwardEuler, kImplicitMidpoint}) {
      Newton newton(body.model);
      LocalGlobal local_global(body.model, precision);
      const Points exact = body.solve(newton, scheme, 30), converged = body.solve(local_global, scheme, 1000);
      EXPECT_LT((exact - converged).cwiseAbs().maxCoeff(), 1e-8) << scheme.id;
      // A crowd that leaves is forgotten.
      auto some = items;
      std::swap(items, some);
      items.resize(20);
      LocalGlobal fresh(body.model, precision);
      EXPECT_LT((body.solve(local_global, scheme, 30) - body.solve(fresh, scheme, 30)).cwiseAbs().maxCoeff(), 1e-9);
      std::swap(items, some);
    }
  }
}

// Within one step a plate falls through all of a floor, so that both its faces meet it: it lands on the one that is
// below, and is not pressed flat. What leaves a floor does not stick to it. Light as air it is the same: then a spring
// counts ten million times what a vertex does.
TEST(ContactSolve, APlateLandsOnItsLowerFace) {
  const double thickness = 0.02, h = 0.033;
  for (const auto& [along, precision] :
       {std::pair{30, Precision::double_only}, {150, Precision::double_only}, {150, Precision::automatic}})
    for (const double density : {1.0, 1000.0}) {
      MaterialCube plate("arap", 1e6, 0.3, mesh::box({1, thickness, 0.1}, {along, 1, 4}, 5));
      Model& model = plate.model;
      const int n = model.vertices();
      model.M.setConstant(density * thickness * 0.1 / n);
      for (int v = 0; v < n; ++v)
        model.contacts.items.push_back({BodyPoint::at_vertex(v), Vec3::Zero(), Vec3::UnitY(), 1e5, 0, 0, Vec3::Zero()});
      const bool crowd = model.contacts.crowded();
      EXPECT_EQ(crowd, along == 150);
      State falls{plate.rest, Points::Zero(n, 3)};
      falls.v.col(1).setConstant(-2);
      Workspace work(2);
      Newton newton(model);
      LocalGlobal local_global(model, precision);
      EXPECT_EQ(local_global.single_precision(), precision == Precision::automatic);
      const Points exact = minimized(model, falls, newton, kBackwardEuler, h, 100, work);
      const Points x = minimized(model, falls, local_global, kBackwardEuler, h, 10, work);
      EXPECT_LT((x - exact).cwiseAbs().maxCoeff(), 0.01 * thickness)
          << density << " " << along << " " << local_global.single_precision();
      EXPECT_NEAR(exact.col(1).minCoeff(), 0, 1e-3 * thickness);

      State leaves{plate.rest, Points::Zero(n, 3)};
      leaves.x.col(1).array() += 0.5 * thickness - 1e-3;
      leaves.v.col(1).setConstant(1);
      const Points away = minimized(model, leaves, local_global, kBackwardEuler, h, 10, work);
      EXPECT_GT(away.col(1).minCoeff(), 0.999 * (h - 1e-3)) << density << " " << along;
    }
}

// As while a time step is dragged through many values.
TEST(ContactSolve, KeepsFewFactorsForCrowds) {
  Bumping body(5, 5e4);
  Random random(8);
  while (body.model.contacts.items.size() < 1100) body.model.contacts.items.push_back(body.contact(random, 1e3));
  LocalGlobal local_global(body.model);
  for (int i = 0; i < 40; ++i) body.solve(local_global, kBackwardEuler, 2, 0.01 + 1e-4 * i);
  EXPECT_GT(local_global.crowded_systems(), 0u);
  EXPECT_LE(local_global.crowded_systems(), 6u);
}

}  // namespace
}  // namespace rebound::test
