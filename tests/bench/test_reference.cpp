// What the benchmark measures against is itself measured here, against the library: two implementations that share the
// integrators and nothing else.
#include "bench/bodies.hpp"
#include "bench/gap.hpp"
#include "bench/newton_reference.hpp"
#include "bench/parts.hpp"
#include "bench/reference.hpp"

namespace rebound::bench {
namespace {

using sim::Points;

const BodyInfo& body(const std::string& name) {
  for (const BodyInfo& info : bodies())
    if (info.name == name) return info;
  throw std::logic_error(name);
}

session::Session session_of(const std::string& name, const std::string& integrator,
                            const std::vector<std::string>& settings = {}) {
  scene::World world = swinging_world(body(name), settings);
  world.description.integrator.type = integrator;
  return session::Session(std::move(world), 1);
}

double farthest(const Points& a, const Points& b) { return (a - b).rowwise().norm().maxCoeff(); }

TEST(BenchReference, MakesTheSameFramesAsTheLibrary) {
  for (const char* name : {"bar", "hippo"})
    for (const char* integrator : {"backward-euler", "implicit-midpoint", "stabilized", "bdf2"}) {
      session::Session ours = session_of(name, integrator);
      ReferenceFrames reference(ours.world());
      for (int frame = 0; frame < 4; ++frame) {
        const Points before = ours.state().x;
        reference.step(ours);
        ASSERT_TRUE(ours.step());
        EXPECT_LT(farthest(ours.state().x, reference.state().x), 1e-6) << name << ' ' << integrator << ' ' << frame;
        EXPECT_GT(farthest(ours.state().x, before), 1e-2);
      }
    }
}

TEST(BenchReference, NewtonsMethodEndsWhereTheLibrarysDoesAndHasTheSameHessian) {
  scene::World world = swinging_world(body("cube"), {});
  scene::Description& d = world.description;
  d.integrator.type = "backward-euler";
  d.solver.type = "newton";
  d.bodies[0].material.model = "stable-neo-hookean";
  d.bodies[0].material.poisson = 0.4;
  session::Session at(std::move(world), 1);
  for (int frame = 0; frame < 3; ++frame) {
    PlainNewton plain(at.world());
    sim::StepBuffers buffers, plain_buffers;
    sim::Workspace work(1);
    const double h = at.description().timeStep;
    const sim::StepObjective g(at.model(), sim::kBackwardEuler, h, at.history(), buffers, work);
    const sim::StepObjective plain_g(plain.model(), sim::kBackwardEuler, h, at.history(), plain_buffers, work);
    Points x = plain_g.y();
    EXPECT_GT(plain.minimize(plain_g, 1e-9, x), 1);
    for (const sim::Curvature curvature : {sim::Curvature::exact, sim::Curvature::clamped}) {
      sim::HessianBlocks H(at.model().laplacian());
      g.hessian(g.y(), curvature, H);
      const sim::SparseMatrix lower =
          plain.hessian(plain_g, g.y(), curvature == sim::Curvature::clamped).triangularView<Eigen::Lower>();
      EXPECT_LT((lower - H.matrix()).norm(), 1e-10 * lower.norm());
    }
    ASSERT_TRUE(at.step());
    EXPECT_LT(farthest(at.state().x, x), 1e-9) << frame;
  }
}

// The library's inverse is good to 1e-4 of a correction: after ten iterations, of which the first moves a vertex by a
// decimetre, the two are 1e-6 m apart. They approach one another as they approach the minimum.
TEST(BenchReference, MakesTheSameFramesOfACloth) {
  session::Session ours = session_of("cloth", "backward-euler", {"/solver/iterations=30"});
  ReferenceFrames reference(ours.world());
  for (int frame = 0; frame < 2; ++frame) {
    reference.step(ours);
    ASSERT_TRUE(ours.step());
    EXPECT_LT(farthest(ours.state().x, reference.state().x), 1e-6);
  }
}

TEST(BenchReference, HasTheSameEnergiesForcesAndMatrix) {
  for (const char* name : {"cube", "cloth"}) {
    const session::Session at = session_of(name, "backward-euler");
    const sim::Model plain = plain_model(at.world());
    const Points& x = at.state().x;
    sim::Workspace work(1);
    EXPECT_NEAR(plain.energy(x, work) / at.model().energy(x, work), 1, 1e-12);
    Points ours, reference;
    at.model().gradient(x, ours, work);
    plain.gradient(x, reference, work);
    EXPECT_LT((ours - reference).norm(), 1e-12 * reference.norm());
    const sim::SparseMatrix difference = at.model().laplacian() - plain.laplacian();
    EXPECT_LT(difference.norm(), 1e-12 * plain.laplacian().norm());
  }
}

TEST(BenchParts, AreThePartsOfTheModelInEitherPrecision) {
  for (const char* name : {"cube", "hippo"}) {
    const session::Session at = session_of(name, "backward-euler");
    const Points& x = at.state().x;
    sim::Workspace work(1);
    Points exact;
    at.model().gradient(x, exact, work);
    LocalStep local(at.model(), 2);
    local.run(x);
    EXPECT_LT((local.forces() - exact).norm(), 1e-3 * exact.norm()) << name;
    GlobalStep global(at.model(), 1e-3, 2);
    global.run(exact);
    const sim::Model plain = plain_model(at.world());
    const Points solution = PlainLocalGlobal(plain).solve(1e-3, exact);
    EXPECT_LT((global.solution() - solution).norm(), 1e-3 * solution.norm()) << name;
  }
}

struct GapAt {
  explicit GapAt(const session::Session& session)
      : plain(plain_model(session.world())),
        solver(plain),
        g(session.model(), sim::kBackwardEuler, 0.033, session.history(), buffers, work) {}

  double after(sim::Minimizer& minimizer, int iterations) {
    x = g.y();
    minimizer.minimize(g, iterations, nullptr, x);
    return objective_gap(g, x, solver);
  }

  sim::StepBuffers buffers;
  sim::Workspace work{1};
  sim::Model plain;
  PlainLocalGlobal solver;
  sim::StepObjective g;
  Points x;
};

TEST(BenchGap, IsOneAtTheGuessAndNoneAtTheMinimum) {
  const session::Session at = session_of("cube", "backward-euler");
  GapAt gap(at);
  EXPECT_DOUBLE_EQ(objective_gap(gap.g, gap.g.y(), gap.solver), 1);
  const auto newton = sim::find_solver("newton")->make(at.model());
  EXPECT_LT(gap.after(*newton, 100), 1e-10);
}

TEST(BenchGap, IsTheDistanceFromNewtonsMinimum) {
  const session::Session at = session_of("cube", "backward-euler");
  GapAt gap(at);
  const auto newton = sim::find_solver("newton")->make(at.model());
  Points least = gap.g.y();
  newton->minimize(gap.g, 100, nullptr, least);
  const double g_least = gap.g.value(least), g_guess = gap.g.value(gap.g.y());
  const auto solver = sim::find_solver("local-global")->make(at.model());
  double last = 1;
  for (const int iterations : {1, 3, 10}) {
    const double found = gap.after(*solver, iterations);
    EXPECT_LT(found, last);
    EXPECT_NEAR(found, (gap.g.value(gap.x) - g_least) / (g_guess - g_least), 1e-3 * found);
    last = found;
  }
}

TEST(BenchGap, IsSampledFromTheFirstSolveOfAStep) {
  session::Session at = session_of("bar", "stabilized", {"/solver/iterations=3"});
  const auto rough = GapSampler(at, 1).sample(at);
  session::Session finer = session_of("bar", "stabilized", {"/solver/iterations=30"});
  const auto fine = GapSampler(finer, 1).sample(finer);
  ASSERT_TRUE(rough && fine);
  EXPECT_LT(*fine, 0.1 * *rough);
  EXPECT_LT(*rough, 1);
  session::Session still = session_of("bar", "symplectic-euler");
  EXPECT_FALSE(GapSampler(still, 1).sample(still).has_value());
}

}  // namespace
}  // namespace rebound::bench
