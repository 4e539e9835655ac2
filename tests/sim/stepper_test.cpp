// A step with all that acts in it, by a model and a stepper alone.
#include "sim/stepper.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "sim/registry.hpp"
#include "sim/step/rest_objective.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

// An energy without any force that can be told to fail.
class Trap final : public Energy {
 public:
  enum class Armed { no, not_finite, no_memory, no_memory_on_a_thread };
  mutable Armed armed = Armed::no;

  EnergyKind kind() const override { return EnergyKind::elastic; }
  double value(const Points&, Workspace& work) const override { return spring(work); }
  double add_gradient(const Points&, Points& gradient, Workspace& work) const override {
    const double E = spring(work);
    gradient.array() += E;
    return E;
  }
  void add_laplacian(Triplets&) const override {}
  void add_hessian(const Points&, Curvature, HessianBlocks&, Workspace&) const override {}

 private:
  double spring(Workspace& work) const {
    if (armed == Armed::no_memory) throw std::bad_alloc();
    if (armed == Armed::no_memory_on_a_thread)
      work.workers.run(8, [](int task) {
        if (task == 5) throw std::bad_alloc();
      });
    return armed == Armed::not_finite ? NAN : 0.0;
  }
};

// A cube that slides and turns on a rough floor, in contact from the first step on.
struct SlidingWorld {
  explicit SlidingWorld(const char* integrator, const char* solver, int threads = 2)
      : model(arap_cube(3, 1e5, rest)), work(threads) {
    model.g = {0, -9.81, 0};
    model.energies.push_back(std::make_shared<Gravity>(model.M, model.g));
    model.energies.push_back(trap);
    model.extent = std::sqrt(3.0);
    for (int v = 0; v < model.vertices(); ++v) model.colliders.push_back(BodyPoint::at_vertex(v));
    model.obstacles.push_back({Plane{}, {}, {}, 1e5, 0.4});
    model.obstacles[0].pose.t = model.obstacles[0].before.t = {0, -0.501, 0};
    stepper.emplace(model, work, integrator, solver);
    history.now = {rest, Points::Zero(rest.rows(), 3)};
    for (Eigen::Index i = 0; i < rest.rows(); ++i) history.now.v.row(i) << 1 - rest(i, 2), 0, rest(i, 0);
    ledger = stepper->ledger(history.now, 0.01);
  }
  StepReport step() { return stepper->step(history, ledger, 0.01); }

  Points rest;
  Model model;
  Workspace work;
  std::shared_ptr<Trap> trap = std::make_shared<Trap>();
  std::optional<sim::Stepper> stepper;
  History history;
  Ledger ledger;
};

void expect_same(const SlidingWorld& a, const SlidingWorld& b, const std::string& what) {
  EXPECT_EQ(a.history.now.x, b.history.now.x) << what;
  EXPECT_EQ(a.history.now.v, b.history.now.v) << what;
  EXPECT_EQ(a.ledger.target(), b.ledger.target()) << what;
  ASSERT_EQ(a.model.contacts.items.size(), b.model.contacts.items.size()) << what;
  for (std::size_t c = 0; c < a.model.contacts.items.size(); ++c) {
    EXPECT_EQ(a.model.contacts.items[c].collider, b.model.contacts.items[c].collider) << what;
    EXPECT_EQ(a.model.contacts.items[c].friction_impulse, b.model.contacts.items[c].friction_impulse) << what;
  }
  EXPECT_EQ(a.stepper->memory().method.held, b.stepper->memory().method.held) << what;
}

TEST(Stepper, FallsByTheClosedFormOfItsIntegrator) {
  for (const auto& info : integrators()) {
    Model model = free_vertices(2);
    model.g = {0, -10, 0};
    model.energies.push_back(std::make_shared<Gravity>(model.M, model.g));
    Workspace work(1);
    sim::Stepper stepper(model, work, info.id);
    History history;
    history.now = {Points::Zero(2, 3), Points::Zero(2, 3)};
    constexpr double h = 0.01;
    Ledger ledger = stepper.ledger(history.now, h);
    constexpr int n = 50;
    for (int i = 0; i < n; ++i) ASSERT_EQ(stepper.step(history, ledger, h).outcome, Outcome::done) << info.id;
    EXPECT_NEAR(history.now.v(0, 1), -10 * n * h, 1e-9) << info.id;
    // Every method is right about v; first-order ones are off in x by at most half a step's way.
    EXPECT_NEAR(history.now.x(0, 1), -5 * n * h * n * h, 5 * n * h * h + 1e-9) << info.id;
  }
}

// Also what only later steps would show: contacts, the impulses of friction, what rounding depends on.
TEST(Stepper, AStepThatFailsChangesNothing) {
  for (const char* solver : {"local-global", "newton"})
    for (const char* integrator : {"stabilized", "bdf2", "symplectic-euler"}) {
      if (std::string(solver) == "newton" && std::string(integrator) != "stabilized") continue;
      SlidingWorld whole(integrator, solver), failing(integrator, solver);
      for (int i = 0; i < 12; ++i) {
        ASSERT_EQ(whole.step().outcome, Outcome::done);
        for (const auto& [armed, outcome] : {std::pair(Trap::Armed::not_finite, Outcome::not_finite),
                                             {Trap::Armed::no_memory, Outcome::out_of_memory},
                                             {Trap::Armed::no_memory_on_a_thread, Outcome::out_of_memory}}) {
          failing.trap->armed = armed;
          const StepReport report = failing.step();
          EXPECT_EQ(report.outcome, outcome) << solver << " " << integrator;
          EXPECT_EQ(report.too_large, outcome == Outcome::out_of_memory ? "the solve" : "");
        }
        failing.trap->armed = Trap::Armed::no;
        ASSERT_EQ(failing.step().outcome, Outcome::done);
        ASSERT_NO_FATAL_FAILURE(
            expect_same(whole, failing, std::string(solver) + " " + integrator + " " + std::to_string(i)));
      }
      EXPECT_FALSE(whole.model.contacts.items.empty());
    }
}

// BDF2's first step is backward Euler, in its matrix too.
TEST(Stepper, ReportsWhatAStepUsed) {
  SlidingWorld world("bdf2", "local-global");
  constexpr double h = 0.01;
  EXPECT_EQ(world.step().forces.coefficient, kBackwardEuler.stiffness_factor(h));
  EXPECT_EQ(world.step().forces.coefficient, kBdf2.stiffness_factor(h));
  world.history.has_before = false;
  EXPECT_EQ(world.step().forces.coefficient, kBackwardEuler.stiffness_factor(h));
}

TEST(Stepper, SaysWhetherItsSolvesConverged) {
  for (const char* solver : {"local-global", "newton"}) {
    SlidingWorld world("backward-euler", solver);
    world.stepper->settings.solver.iterations = 1;
    EXPECT_FALSE(world.step().converged) << solver;
    world.stepper->settings.solver.iterations = 5000;
    EXPECT_TRUE(world.step().converged) << solver;
  }
  SlidingWorld newton("backward-euler", "newton");
  EXPECT_TRUE(newton.step().converged) << "to convergence is what it does without being asked";
}

// ---- how forces enter a step ----

// One vertex in a spring to the origin, with a constant force: all closed forms.
struct OneVertex {
  OneVertex(double k, double force) : model(free_vertices(1)) {
    model.M[0] = m;
    model.energies.push_back(std::make_shared<Gravity>(model.M, Vec3(force / m, 0, 0)));
    model.attachments.items.push_back({BodyPoint::at_vertex(0), k, Vec3::Zero()});
  }
  /// The step after one from (x, v) at rest in force, that is without any.
  std::pair<double, double> step(const Scheme& scheme, double x_before, double x, double v_before, double v) const {
    History history;
    history.before = {Points{{x_before, 0.0, 0.0}}, Points{{v_before, 0.0, 0.0}}};
    history.now = {Points{{x, 0.0, 0.0}}, Points{{v, 0.0, 0.0}}};
    history.has_before = true;
    StepBuffers buffers;
    Workspace work(1);
    const StepObjective g(model, scheme, h, history, buffers, work);
    const auto newton = find_solver("newton")->make(model);
    State next{g.y(), {}};
    EXPECT_EQ(newton->minimize(g, 100, nullptr, next.x).outcome, Outcome::done);
    g.velocity(next.x, next.v);
    return {next.x(0, 0), next.v(0, 0)};
  }
  static constexpr double h = 0.1, m = 2;
  Model model;
};

TEST(StepForces, AreWhatASchemeDoesWithForces) {
  for (const Scheme& scheme : kSchemes) {
    constexpr double h = OneVertex::h, m = OneVertex::m, f = 3, k = 7, x = 0.4, v = -0.3;
    const StepForces forces = scheme.forces(h);
    const auto [x_0, v_0] = OneVertex(0, 0).step(scheme, 0.43, x, -0.31, v);
    const auto [x_f, v_f] = OneVertex(0, f).step(scheme, 0.43, x, -0.31, v);
    EXPECT_NEAR(v_f - v_0, forces.impulse * h * f / m, 1e-12) << scheme.id;
    EXPECT_NEAR(x_f - x_0, forces.displacement * h * (v_f - v_0), 1e-12) << scheme.id;
    const auto [x_k, v_k] = OneVertex(k, 0).step(scheme, 0.43, x, -0.31, v);
    EXPECT_NEAR(v_k - v_0, -forces.impulse * h * k / m * (x + forces.mean_at() * (x_k - x)), 1e-12) << scheme.id;
    EXPECT_EQ(forces.coefficient, scheme.stiffness_factor(h)) << scheme.id;
  }
}

// ---- what comes and goes, and what bounds a step ----

// Springs whose links no other energy has, in one step and not in the next.
class Passing final : public Energy {
 public:
  explicit Passing(const Springs& springs) : springs_(springs) {}
  EnergyKind kind() const override { return EnergyKind::contact; }
  double value(const Points& x, Workspace& work) const override { return springs_.value(x, work); }
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override {
    return springs_.add_gradient(x, gradient, work);
  }
  void add_laplacian(Triplets&) const override {}
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override {
    springs_.add_hessian(x, curvature, H, work);
  }
  void add_pattern(std::vector<std::pair<int, int>>& links) const override {
    for (const auto& [a, b] : springs_.edges()) links.emplace_back(std::max(a, b), std::min(a, b));
  }

 private:
  const Springs& springs_;
};

TEST(Newton, TakesLinksThatComeAndGo) {
  Points rest;
  Model lasting = arap_cube(2, 1e4, rest), passing = lasting;
  const std::vector<std::array<int, 2>> first{{0, 26}, {2, 24}}, second{{6, 20}};
  const std::vector<double> lengths{0.5, 0.3}, stiffness{300, 500};
  Workspace work(1);
  const auto newton = find_solver("newton")->make(passing);
  for (const auto& edges : {first, second, first}) {
    const auto springs = std::make_shared<Springs>(rest, edges, std::span(lengths).first(edges.size()),
                                                   std::span(stiffness).first(edges.size()));
    lasting.energies.resize(1);
    lasting.energies.push_back(springs);
    passing.step_energies = {std::make_shared<Passing>(*springs)};
    History history;
    history.now = {rest + random_points(27, 5, 0.02), random_points(27, 6, 0.5)};
    StepBuffers buffers_a, buffers_b;
    const StepObjective a(lasting, kBackwardEuler, 0.03, history, buffers_a, work);
    const StepObjective b(passing, kBackwardEuler, 0.03, history, buffers_b, work);
    Points x = a.y(), y = b.y();
    EXPECT_TRUE(find_solver("newton")->make(lasting)->minimize(a, 100, nullptr, x).converged);
    EXPECT_TRUE(newton->minimize(b, 100, nullptr, y).converged);
    EXPECT_LT((x - y).cwiseAbs().maxCoeff(), 1e-11);
  }
}

// -k log x on the first coordinate of a vertex: infinite from x = 0 on.
class Wall final : public Energy {
 public:
  static constexpr double k = 5;
  mutable int beyond = 0;  ///< how often it was asked for a force where there is none
  EnergyKind kind() const override { return EnergyKind::contact; }
  double value(const Points& x, Workspace&) const override { return x(0, 0) > 0 ? -k * std::log(x(0, 0)) : INFINITY; }
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override {
    beyond += x(0, 0) <= 0;
    gradient(0, 0) -= k / x(0, 0);
    return value(x, work);
  }
  void add_laplacian(Triplets&) const override {}
  void add_hessian(const Points& x, Curvature, HessianBlocks& H, Workspace&) const override {
    H.add(0, 0, k / (x(0, 0) * x(0, 0)) * Vec3::UnitX() * Vec3::UnitX().transpose());
  }
  double largest_step(const Points& x, const Points& d, Workspace&) const override {
    return d(0, 0) < 0 ? -0.9 * x(0, 0) / d(0, 0) : INFINITY;
  }
};

TEST(Newton, StaysWithinWhatIsAdmissible) {
  const auto wall = std::make_shared<Wall>();
  Model model = free_vertices(1);
  model.step_energies.push_back(wall);
  Workspace work(1);
  const auto newton = find_solver("newton")->make(model);
  for (const Scheme& scheme : {kBackwardEuler, kImplicitMidpoint, kNewmark})
    for (const double speed : {0.1, 10.0, 1e4}) {
      constexpr double h = 0.05;
      History history;
      history.now = {Points{{0.3, 0.0, 0.0}}, Points{{-speed, 0.0, 0.0}}};
      StepBuffers buffers;
      const StepObjective g(model, scheme, h, history, buffers, work);
      Points x = g.y(), gradient;
      const SolveReport report = newton->minimize(g, 200, nullptr, x);
      EXPECT_EQ(report.outcome, Outcome::done) << scheme.id << " " << speed;
      EXPECT_TRUE(report.converged) << scheme.id << " " << speed;
      const double at = x(0, 0);
      EXPECT_GT(at, 0) << scheme.id << " " << speed;
      // M (x - y) = c gamma h^2 k / at, a quadratic in x.
      EXPECT_NEAR((x(0, 0) - g.y()(0, 0)) * at, scheme.c * scheme.gamma * h * h * Wall::k, 1e-9 * (1 + speed))
          << scheme.id << " " << speed;
    }
  EXPECT_EQ(wall->beyond, 0);
}

// ---- other objectives, and what eigenmodes are made of ----

TEST(RestObjective, FindsWhereABodyHangsStill) {
  for (const char* solver : {"newton", "local-global"}) {
    // A mass on a spring of rest length 1 m: it hangs m g / k below that.
    Model model = free_vertices(2);
    model.fixed[0] = 1;
    model.M[1] = 3;
    Points x{{0.0, 0.0, 0.0}, {0.2, -1.1, 0.0}};
    model.energies.push_back(std::make_shared<Springs>(x, std::vector<std::array<int, 2>>{{0, 1}},
                                                       std::vector<double>{1}, std::vector<double>{200}));
    model.energies.push_back(std::make_shared<Gravity>(model.M, Vec3(0, -9.81, 0)));
    Workspace work(1);
    const RestObjective g(model, work);
    EXPECT_TRUE(find_solver(solver)->make(model)->minimize(g, 20000, nullptr, x).converged) << solver;
    EXPECT_NEAR(x(1, 1), -1 - 3 * 9.81 / 200, 1e-9) << solver;
    EXPECT_NEAR(x(1, 0), 0, 1e-6) << solver;
  }
}

TEST(StiffnessMatrix, HasTheFrequenciesOfClosedForms) {
  // Two masses on a spring: omega^2 = k (1/m_1 + 1/m_2).
  Model pair = free_vertices(2);
  pair.M << 1, 4;
  const Points x{{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}};
  pair.energies.push_back(std::make_shared<Springs>(x, std::vector<std::array<int, 2>>{{0, 1}}, std::vector<double>{2},
                                                    std::vector<double>{50}));
  Workspace work(1);
  const auto frequencies = [&](const Model& model, const Points& at) -> Vector {
    const Eigen::MatrixXd lower = model.stiffness_matrix(at, work);
    Vector inverse_root(3 * model.vertices());
    for (Eigen::Index i = 0; i < inverse_root.size(); ++i) inverse_root[i] = 1 / std::sqrt(model.M[i / 3]);
    const Eigen::MatrixXd K = lower.selfadjointView<Eigen::Lower>();
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(inverse_root.asDiagonal() * K * inverse_root.asDiagonal())
        .eigenvalues();
  };
  const Vector two = frequencies(pair, x);
  EXPECT_NEAR(two[5], 50 * (1 + 0.25), 1e-10);
  EXPECT_LT(two.head(5).cwiseAbs().maxCoeff(), 1e-10);

  // A free body at rest moves and turns for nothing, in six ways and no more; a held vertex has no stiffness.
  Points rest;
  Model cube = arap_cube(2, 1e4, rest);
  const Vector free = frequencies(cube, rest);
  EXPECT_LT(free.head(6).cwiseAbs().maxCoeff(), 1e-9 * free[80]);
  EXPECT_GT(free[6], 1e-4 * free[80]);
  cube.fixed[4] = 1;
  const Eigen::MatrixXd held = cube.stiffness_matrix(rest, work);
  EXPECT_EQ(held.middleRows(12, 3).cwiseAbs().maxCoeff(), 0);
}

}  // namespace
}  // namespace rebound::test
