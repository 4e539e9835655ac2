// Contacts with obstacles: the energy, what low rank makes of it, what is found, the work of surfaces, friction.
#include <gtest/gtest.h>

#include "sim/collide/detect.hpp"
#include "sim/damp/friction.hpp"
#include "sim/solve/local_global.hpp"
#include "sim/solve/newton.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

using Random = std::mt19937;

Vec3 random_direction(Random& random) {
  std::normal_distribution<double> normal;
  return Vec3(normal(random), normal(random), normal(random)).normalized();
}

// A cube that falls, and contacts at random points of random elements of it.
struct Bumping {
  explicit Bumping(int divisions, double young = 2e5) : model(arap_cube(divisions, young, rest)) {
    box = mesh::box({1, 1, 1}, {divisions, divisions, divisions}, 6);
    model.energies.push_back(std::make_shared<Gravity>(model.M, Vec3(0, -9.81, 0)));
    state = {rest, random_points(model.vertices(), 3, 0.3)};
  }

  void fix(std::initializer_list<int> vertices) {
    for (const int v : vertices) model.fixed[static_cast<std::size_t>(v)] = 1;
    model.clear_fixed(state.v);
  }

  /// The surface is 2 cm inside or outside, so that a good half of them is pressed.
  Contact contact(Random& random, double stiffest = 1e6) const {
    std::uniform_real_distribution<double> uniform;
    BodyPoint point{box.tetrahedra[random() % box.tetrahedra.size()], {}};
    double sum = 0;
    for (double& w : point.weights) sum += w = random() % 3 == 0 ? 0 : uniform(random);
    if (sum == 0) sum = point.weights[0] = 1;
    for (double& w : point.weights) w /= sum;
    Contact c{point, {}, random_direction(random), std::pow(stiffest, 0.4 + 0.6 * uniform(random)), 0, 0, Vec3::Zero()};
    c.x_s = c.point.of(rest) + (0.06 * uniform(random) - 0.02) * c.n;
    return c;
  }
  std::vector<Contact> contacts(int count, unsigned seed) const {
    Random random(seed);
    std::vector<Contact> all;
    for (int i = 0; i < count; ++i) all.push_back(contact(random));
    return all;
  }

  Points solve(Minimizer& minimizer, const Scheme& scheme, int iterations, double h = 0.01, int threads = 1) const {
    Workspace work(threads);
    History history;
    history.now = state;
    StepBuffers buffers;
    const StepObjective g(model, scheme, h, history, buffers, work);
    Points x = g.y();
    EXPECT_EQ(minimizer.minimize(g, iterations, nullptr, x).outcome, Outcome::done);
    return x;
  }

  Points rest;
  Model model;
  mesh::TetMesh box;
  State state;
};

// A + c sum k (U x n) (U x n)^T, 3n x 3n; of fixed vertices only the masses.
Eigen::MatrixXd dense_system(const Model& model, double c) {
  const int n = model.vertices();
  const Eigen::MatrixXd lower = system_matrix(model.M, model.fixed, model.laplacian(), c);
  const Eigen::MatrixXd A = lower.selfadjointView<Eigen::Lower>();
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) all.block<3, 3>(3 * i, 3 * j) = A(i, j) * Eigen::Matrix3d::Identity();
  for (const Contact& contact : model.contacts.items) {
    Vector row = Vector::Zero(3 * n);
    for (int j = 0; j < contact.point.count; ++j)
      if (!model.fixed[static_cast<std::size_t>(contact.point.vertices[j])])
        row.segment<3>(3 * contact.point.vertices[j]) += contact.point.weights[j] * contact.n;
    all += c * contact.stiffness * row * row.transpose();
  }
  return all;
}

Points dense_solve(const Eigen::MatrixXd& A, const Points& b) {
  const Vector x = A.llt().solve(Eigen::Map<const Vector>(b.data(), b.size()));
  return Eigen::Map<const Points>(x.data(), b.rows(), 3);
}
Points dense_product(const Eigen::MatrixXd& A, const Points& x) {
  const Vector b = A * Eigen::Map<const Vector>(x.data(), x.size());
  return Eigen::Map<const Points>(b.data(), x.rows(), 3);
}

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
  body.model.contacts.add_hessian(x, false, blocks);
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

// ---- low rank ----

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
    const Eigen::MatrixXd G = system.mobility();
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
    Points x = Points::Zero(b.rows(), 3);
    std::vector<double> errors;
    for (int iteration = 0; iteration < 8; ++iteration) {
      const Points left = b - dense_product(A, x);
      AlignedBuffer<float> slots(4 * static_cast<std::size_t>(system.inverse().slots()));
      for (int v = 0; v < body.model.vertices(); ++v)
        for (int k = 0; k < 3; ++k) slots[4 * plan->position()[v] + k] = static_cast<float>(left(v, k));
      system.solve(slots.data(), workers);
      for (int v = 0; v < body.model.vertices(); ++v)
        for (int k = 0; k < 3; ++k) x(v, k) += slots[4 * plan->position()[v] + k];
      errors.push_back((x - expected).norm() / expected.norm());
    }
    EXPECT_LT(errors[0], 1e-2) << seed;
    EXPECT_LT(errors[7], 1e-10) << seed;
  }
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
    const Points x = body.solve(minimizer, scheme, 5);
    LocalGlobal fresh(body.model, GetParam());
    const Points expected = body.solve(fresh, scheme, 5);
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
  const auto found = find_contacts(body.model, body.state, h, workers);
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
    const auto found = find_contacts(model, state, 0.01, workers);
    ASSERT_EQ(found.size(), 1u) << end;
    EXPECT_GT(found[0].n.y(), 0.99) << end;
    EXPECT_NEAR(found[0].height(state.x), 0.05, 1e-12) << end;
  }
}

TEST(FindContacts, IsTheSameForAnyNumberOfThreads) {
  const Dropped body;
  Workers alone(1);
  const auto expected = find_contacts(body.model, body.state, 0.02, alone);
  for (const int threads : {2, 3}) {
    Workers workers(threads);
    const auto found = find_contacts(body.model, body.state, 0.02, workers);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t c = 0; c < found.size(); ++c) {
      EXPECT_EQ(found[c].point, expected[c].point);
      EXPECT_EQ(found[c].x_s, expected[c].x_s);
      EXPECT_EQ(found[c].n, expected[c].n);
    }
  }
}

// ---- moving surfaces ----

TEST(SurfaceWork, IsWhatTheEnergyGainsAsSurfacesMove) {
  Bumping body(3);
  Contacts contacts;
  contacts.items = body.contacts(30, 9);
  Random random(1);
  for (std::size_t c = 0; c < contacts.items.size(); ++c)
    if (c % 4 != 0) contacts.items[c].moved = 0.01 * random_direction(random);
  Workspace work(1);
  const int n = body.model.vertices();
  const Points x_n = body.rest, from = x_n + random_points(n, 1, 0.01), to = x_n + random_points(n, 2, 0.01);
  const SurfaceWork surface_work(contacts, x_n, from, to);
  for (const double alpha : {0.0, 0.3, 1.0})
    for (const double gamma : {0.5, 0.8, 1.0}) {
      const Points end = (1 - alpha) * from + alpha * to, at = x_n + gamma * (end - x_n);
      const auto moved_energy = [&](double share) {
        Contacts moved = contacts;
        for (Contact& c : moved.items) c.x_s += share * c.moved;
        return moved.value(at, work);
      };
      constexpr double kStep = 1e-5;
      const double expected = (moved_energy(kStep) - moved_energy(-kStep)) / (2 * kStep);
      ASSERT_GT(std::abs(expected), 1e-3);
      EXPECT_NEAR(surface_work.value(alpha, gamma), expected, 1e-6 * std::abs(expected)) << alpha << " " << gamma;
    }
}

// A point pressed against a piston: what the piston is booked with over the whole way is the integral of force dx.
TEST(SurfaceWork, AddsUpToTheIntegralOfForceAndWay) {
  constexpr double k = 300, depth = 0.1;
  double before = INFINITY;
  for (const int steps : {10, 40, 160}) {
    double total = 0;
    const Points x{{0.0, 0.0, 0.0}};
    for (int i = 1; i <= steps; ++i) {
      Contacts contacts;
      contacts.items = {
          {BodyPoint::at_vertex(0), Vec3(0, depth * i / steps, 0), Vec3::UnitY(), k, 0, 0, Vec3(0, depth / steps, 0)}};
      total += SurfaceWork(contacts, x, x, x).value(0, 0.5);
    }
    const double error = std::abs(total - 0.5 * k * depth * depth);
    EXPECT_NEAR(error, 0.5 * k * depth * depth / steps, 1e-12) << "first order in the step";
    EXPECT_LT(error, before);
    before = error;
  }
}

// ---- friction ----

// One point of mass m on a plane that moves along x, pressed by a force; it has reached `v` without friction.
struct Rubbed {
  Rubbed(double mu, double surface_speed) : model(free_vertices(1)) {
    model.M[0] = 2;
    model.contacts.items = {
        {BodyPoint::at_vertex(0), Vec3(0, 0, 0), Vec3::UnitY(), 1e4, mu, 0, Vec3(h * surface_speed, 0, 0)}};
  }
  /// Returns what the surface does, J.
  double rub(double depth, const Vec3& v, double gamma = 1) {
    now = {Points{{0.0, -depth, 0.0}}, Points{{v.x(), 0.0, v.z()}}};
    next = {now.x + h * now.v, now.v};
    LocalGlobal minimizer(model);
    Workers workers(1);
    return apply_friction(model, now, h, gamma, *minimizer.contact_response(h * h, workers), workers, next);
  }
  Vec3 velocity() const { return next.v.row(0).transpose(); }

  static constexpr double h = 0.01;
  Model model;
  State now, next;
};

TEST(Friction, StopsAPointOrTakesWhatItsForceAllows) {
  constexpr double force = 10, m = 2;
  for (const double mu : {0.1, 0.5, 2.0})
    for (const double speed : {0.001, 0.02, 0.5}) {
      Rubbed point(mu, 0);
      const Vec3 v(0.6 * speed, 0, -0.8 * speed);
      EXPECT_EQ(point.rub(1e-3, v), 0);
      const double left = std::max(0.0, speed - mu * force * Rubbed::h / m);
      EXPECT_LT((point.velocity() - left / speed * v).norm(), 1e-12) << mu << " " << speed;
      const Vec3 way = (point.next.x - point.now.x).row(0).transpose();
      EXPECT_LT((way - Rubbed::h * point.velocity()).norm(), 1e-15) << "x goes along with v";
    }
}

// Of midpoint, a point that stays where it is has turned its velocity round; what is left of the bound takes that.
TEST(Friction, KeepsAPointInItsPlaceBeforeItTakesItsVelocity) {
  constexpr double speed = 0.01, m = 2, impulse = 1e-3 * 1e4 * Rubbed::h;  // kg m/s at mu = 1
  for (const double mu : {0.1, 0.3, 0.45, 0.55, 0.7, 2.0}) {
    Rubbed point(mu, 0);
    point.rub(1e-3, Vec3(speed, 0, 0), 0.5);
    const double taken = mu * impulse / m, way = point.next.x(0, 0) / Rubbed::h, v = point.velocity().x();
    EXPECT_NEAR(way, std::max(0.0, speed - taken / 2), 1e-14) << mu;
    EXPECT_NEAR(v, taken < 2 * speed ? speed - taken : std::min(0.0, taken - 3 * speed), 1e-14) << mu;
  }
  // A method whose forces do not move x in the step: they brake.
  Rubbed point(0.1, 0);
  point.rub(1e-3, Vec3(speed, 0, 0), 0);
  EXPECT_NEAR(point.velocity().x(), speed - 0.1 * impulse / m, 1e-14);
  EXPECT_EQ(point.next.x(0, 0), Rubbed::h * speed);
}

TEST(Friction, IsTakenAlongByAMovingSurface) {
  Rubbed point(0.5, 0.3);
  point.rub(1e-3, Vec3(0.3, 0, 0));
  EXPECT_LT((point.velocity() - Vec3(0.3, 0, 0)).norm(), 1e-15) << "it moves along already";
  // The surface goes 3 mm against 5 N.
  EXPECT_NEAR(point.rub(1e-3, Vec3::Zero()), 5 * 0.3 * Rubbed::h, 1e-14);
  EXPECT_NEAR(point.velocity().x(), 5 * Rubbed::h / 2, 1e-14);
}

TEST(Friction, LeavesWhatIsNotPressedAlone) {
  Rubbed point(1, 0), smooth(0, 0);
  EXPECT_EQ(point.rub(-1e-6, Vec3(1, 0, 0)), 0);
  EXPECT_EQ(point.velocity(), Vec3(1, 0, 0));
  EXPECT_FALSE(rubs(point.model, point.now, 1, point.next));
  smooth.rub(1e-3, Vec3(1, 0, 0));
  EXPECT_EQ(smooth.velocity(), Vec3(1, 0, 0));
  EXPECT_FALSE(rubs(smooth.model, smooth.now, 1, smooth.next));
  point.rub(1e-3, Vec3(1, 0, 0));
  EXPECT_TRUE(rubs(point.model, point.now, 1, point.next));
}

// Every impulse within its cone; every contact that is below its bound stands still, the others are braked as hard as
// can be, whatever the body: Coulomb's law, checked on what comes out.
TEST(Friction, ObeysCoulombsLawAtEveryContact) {
  for (const double mu : {0.2, 3.0}) {
    Bumping body(4);
    constexpr double h = 0.01;
    for (int v = 0; v < body.model.vertices(); ++v)
      if (body.rest(v, 1) < -0.49)
        body.model.contacts.items.push_back(
            {BodyPoint::at_vertex(v), Vec3(0, -0.498, 0), Vec3::UnitY(), 1e4 + 700.0 * v, mu, 0, Vec3::Zero()});
    State next{body.rest, 0.03 * body.state.v};
    next.v.col(0).array() += 0.01;
    next.x += h * next.v;
    const Points v_before = next.v;
    LocalGlobal minimizer(body.model);
    Workers workers(1);
    ContactResponse& response = *minimizer.contact_response(h * h, workers);
    EXPECT_EQ(apply_friction(body.model, body.state, h, 1, response, workers, next), 0);
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
