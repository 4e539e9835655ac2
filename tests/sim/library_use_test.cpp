// What somebody who writes programs on the library does, and what they do by mistake.
#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/constraint/rod.hpp"
#include "sim/energy/derivatives.hpp"
#include "sim/energy/stvk.hpp"
#include "sim/energy/tets.inl"
#include "sim/registry.hpp"
#include "sim/stepper.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

// A cube that something of the user's own acts on, with nothing else there.
struct OwnWorld {
  explicit OwnWorld(std::string_view integrator, std::shared_ptr<const Energy> own = {}, double shift = 0)
      : model(arap_cube(2, 1e5, rest)), work(1) {
    rest.col(0).array() += shift;
    if (own) model.energies.push_back(std::move(own));
    stepper.emplace(model, work, integrator);
    history.now = {rest, Points::Zero(rest.rows(), 3)};
  }
  StepReport step(double h) { return stepper->step(history, ledger, h); }
  Vec3 centre() const { return history.now.x.transpose() * model.M / model.M.sum(); }

  Points rest;
  Model model;
  Workspace work;
  std::optional<sim::Stepper> stepper;
  History history;
  Ledger ledger;
};

// E = k/2 sum m |x|^2: every centre swings about the origin with omega = sqrt k.
class Well final : public Energy {
 public:
  static constexpr double k = 4;
  explicit Well(Vector M) : M_(std::move(M)) {}
  EnergyKind kind() const override { return EnergyKind::gravity; }
  double value(const Points& x, Workspace&) const override { return 0.5 * k * M_.dot(x.rowwise().squaredNorm()); }
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override {
    gradient += k * M_.asDiagonal() * x;
    if (throws) throw std::runtime_error("no more");
    return value(x, work);
  }
  void add_laplacian(Triplets& L) const override {
    for (int i = 0; i < M_.size(); ++i) L.emplace_back(i, i, k * M_[i]);
  }
  void add_hessian(const Points&, Curvature, HessianBlocks& H, Workspace&) const override {
    for (int i = 0; i < M_.size(); ++i) H.add(i, i, k * M_[i] * Eigen::Matrix3d::Identity());
  }
  bool throws = false;

 private:
  Vector M_;
};

// A method that knows how free bodies go on must see that this one is not free.
TEST(LibraryUse, AnEnergyOfOnesOwnMovesABodyUnderEveryIntegrator) {
  for (const IntegratorInfo& info : integrators()) {
    Points rest;
    OwnWorld world(info.id, std::make_shared<Well>(arap_cube(2, 1e5, rest).M), 1.0);
    const double h = info.schemes.empty() ? 2e-4 : 5e-3, seconds = 1.2;
    world.ledger = world.stepper->ledger(world.history.now, h);
    const int steps = static_cast<int>(std::lround(seconds / h));
    for (int i = 0; i < steps; ++i) ASSERT_EQ(world.step(h).outcome, Outcome::done) << info.id;
    // First-order methods are off by about w^2 h t / 2 of the swing.
    const double w = std::sqrt(Well::k), first_order = w * w * h * seconds / 2;
    EXPECT_NEAR(world.centre().x(), std::cos(w * seconds), 1.5 * first_order) << info.id;
    if (info.id == "rebound") {
      EXPECT_NEAR(world.centre().x(), std::cos(w * seconds), 5e-4);
      EXPECT_NEAR(world.stepper->measured().total(), world.ledger.target(), 1e-3 * world.ledger.target());
    }
  }
}

// Two cubes and a spring from one to the other: their distance is that of two masses.
TEST(LibraryUse, ASpringBetweenTwoBodiesPullsBoth) {
  for (const char* integrator : {"rebound", "stabilized", "bdf2"}) {
    Points rest, both(54, 3);
    Model one = arap_cube(2, 1e6, rest), two = one;
    both << rest, rest;
    both.bottomRows(27).col(0).array() += 3;
    two.M.conservativeResize(54);
    two.M.tail(27) = one.M;
    two.fixed.assign(54, 0);
    two.bodies = {{0, 27}, {27, 27}};
    // Each vertex of one cube is tied to the same one of the other, by springs without a length.
    const double mass = one.M.sum(), k = 9 * mass / 2;
    std::vector<std::array<int, 2>> ties;
    std::vector<double> lengths, stiffness;
    for (int v = 0; v < 27; ++v) {
      ties.push_back({v, v + 27});
      lengths.push_back(2);
      stiffness.push_back(k * one.M[v] / mass);
    }
    two.energies = {std::make_shared<Springs>(both, ties, lengths, stiffness)};
    Workspace work(1);
    sim::Stepper stepper(two, work, integrator);
    History history;
    history.now = {both, Points::Zero(54, 3)};
    constexpr double h = 2e-3;
    Ledger ledger = stepper.ledger(history.now, h);
    for (int i = 0; i < 250; ++i) ASSERT_EQ(stepper.step(history, ledger, h).outcome, Outcome::done);
    const double distance = history.now.x.bottomRows(27).col(0).mean() - history.now.x.topRows(27).col(0).mean();
    EXPECT_NEAR(distance, 2 + std::cos(3 * 0.5), 0.01) << integrator;
  }
}

TEST(LibraryUse, AWorldThatBeginsInContactHasItsEnergy) {
  OwnWorld world("stabilized");
  for (int v = 0; v < world.model.vertices(); ++v) world.model.colliders.push_back(BodyPoint::at_vertex(v));
  constexpr double k = 1e4, depth = 0.05;
  world.model.obstacles.push_back({Plane{}, {}, {}, k, 0});
  world.model.obstacles[0].pose.t = world.model.obstacles[0].before.t = {0, -0.5 + depth, 0};
  world.stepper.emplace(world.model, world.work);
  const Ledger ledger = world.stepper->ledger(world.history.now, 0.01);
  EXPECT_NEAR(ledger.target(), 9 * 0.5 * k * depth * depth, 1e-9);
}

// BDF2 knows of no step of another length.
TEST(LibraryUse, TheStepMayChangeInFlight) {
  for (const IntegratorInfo& info : integrators()) {
    OwnWorld world(info.id);
    world.history.now.v.col(0).setConstant(1);
    world.ledger = world.stepper->ledger(world.history.now, 0.001);
    for (int i = 0; i < 10; ++i) ASSERT_EQ(world.step(0.001).outcome, Outcome::done) << info.id;
    for (int i = 0; i < 10; ++i) ASSERT_EQ(world.step(0.01).outcome, Outcome::done) << info.id;
    EXPECT_NEAR(world.centre().x(), 0.11, 1e-9) << info.id;
  }
}

TEST(LibraryUse, WhatIsFixedInMidMotionStandsStill) {
  for (const IntegratorInfo& info : integrators()) {
    OwnWorld world(info.id);
    world.history.now.v.col(1).setConstant(0.5);
    const double h = info.schemes.empty() ? 2e-4 : 0.01;
    world.ledger = world.stepper->ledger(world.history.now, h);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(world.step(h).outcome, Outcome::done) << info.id;
    world.model.fixed[4] = 1;
    world.stepper->factors().pins_changed(world.work.workers);
    const Vec3 at = world.history.now.x.row(4);
    const double had = world.ledger.target(), taken = 0.5 * world.model.M[4] * 0.25;
    for (int i = 0; i < 5; ++i) ASSERT_EQ(world.step(h).outcome, Outcome::done) << info.id;
    EXPECT_EQ(Vec3(world.history.now.x.row(4)), at) << info.id;
    EXPECT_NEAR(world.ledger.added(Added::edit), -taken, 1e-6 * taken) << info.id;
    EXPECT_LT(world.ledger.target(), had) << info.id;
  }
}

class Wrapped final : public Integrator {
 public:
  explicit Wrapped(std::string_view id) : of_(find_integrator(id)->make()) {}
  StepReport step(const StepInput& input, State& next) override {
    StepReport report = of_->step(input, next);
    if (empties) next.v.resize(0, 3);
    return report;
  }
  bool empties = false;

 private:
  std::unique_ptr<Integrator> of_;
};

TEST(LibraryUse, AnIntegratorOfOnesOwnMayLookBack) {
  OwnWorld known("bdf2"), own("bdf2");
  own.stepper->set_integrator(std::make_unique<Wrapped>("bdf2"));
  for (OwnWorld* world : {&known, &own}) {
    world->stepper->settings.damping.k = 0.3;
    world->history.now.v.col(1) = world->rest.col(0);
    world->ledger = world->stepper->ledger(world->history.now, 0.01);
    for (int i = 0; i < 20; ++i) ASSERT_EQ(world->step(0.01).outcome, Outcome::done);
  }
  EXPECT_EQ(known.history.now.x, own.history.now.x);
}

TEST(LibraryUse, AnIntegratorIsTheSameHoweverItIsChosen) {
  for (const IntegratorInfo& info : integrators()) {
    OwnWorld made(info.id), chosen("stabilized");
    chosen.stepper->set_integrator(info.id);
    const SolverSettings &a = made.stepper->settings.solver, &b = chosen.stepper->settings.solver;
    EXPECT_EQ(a.iterations, b.iterations) << info.id;
    EXPECT_EQ(a.accelerated, b.accelerated) << info.id;
    EXPECT_EQ(a.ending, b.ending) << info.id;
  }
}

// Moves a handle, which is to be where it was after a step that did not come about.
class Hand final : public Motion {
 public:
  bool move_handles(Model& model) override {
    model.attachments.items[0].target.x() += 0.1;
    return true;
  }
};

TEST(LibraryUse, WhatAnEnergyThrowsComesOutAndNothingHasChanged) {
  Points rest;
  const auto well = std::make_shared<Well>(arap_cube(2, 1e5, rest).M);
  OwnWorld world("stabilized", well);
  world.model.attachments.items.push_back({BodyPoint::at_vertex(0), 100, rest.row(0).transpose()});
  world.stepper.emplace(world.model, world.work);
  world.ledger = world.stepper->ledger(world.history.now, 0.01);
  Hand hand;
  ASSERT_EQ(world.stepper->step(world.history, world.ledger, 0.01, hand).outcome, Outcome::done);
  const History history = world.history;
  const double target = world.ledger.target();
  const Vec3 handle = world.model.attachments.items[0].target;
  well->throws = true;
  EXPECT_THROW(world.stepper->step(world.history, world.ledger, 0.01, hand), std::runtime_error);
  EXPECT_EQ(world.history.now.x, history.now.x);
  EXPECT_EQ(world.ledger.target(), target);
  EXPECT_EQ(world.model.attachments.items[0].target, handle);
  well->throws = false;
  EXPECT_EQ(world.stepper->step(world.history, world.ledger, 0.01, hand).outcome, Outcome::done);
}

template <class Do>
std::string refusal(const Do& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(LibraryUse, WhatDoesNotFitIsRefusedInWords) {
  OwnWorld world("stabilized");
  world.ledger = world.stepper->ledger(world.history.now, 0.01);
  using sim::Stepper;
  EXPECT_NE(refusal([&] { Stepper(world.model, world.work, "rk4"); }).find("no integrator 'rk4'; one of: rebound, "),
            std::string::npos);
  EXPECT_NE(refusal([&] { Stepper(world.model, world.work, "bdf2", "cg"); }).find("no solver 'cg'"), std::string::npos);
  EXPECT_NE(refusal([&] { Stepper(world.model, world.work, "bdf2", "newton", "x"); }).find("no damping 'x'"),
            std::string::npos);
  EXPECT_NE(refusal([&] { world.stepper->set_integrator(std::unique_ptr<Integrator>()); }), "");
  EXPECT_NE(refusal([] { Workspace(0); }).find("0 threads"), std::string::npos);
  Model empty;
  EXPECT_EQ(refusal([&] { Stepper(empty, world.work); }), "a model without vertices");

  const auto step = [&](double h = 0.01) { return refusal([&] { world.step(h); }); };
  for (const double h : {0.0, -0.01, double{NAN}, double{INFINITY}})
    EXPECT_NE(step(h).find("a step of"), std::string::npos);
  world.stepper->settings.damping.k = -0.5;
  EXPECT_NE(step(), "");
  world.stepper->settings.damping.k = 2;
  EXPECT_NE(step(), "");
  world.stepper->settings.damping.k = 0;
  world.model.grabs.items.push_back({BodyPoint::at_vertex(9999), 1, Vec3::Zero()});
  EXPECT_EQ(step(), "a hand holds vertex 9999; the model has 27 vertices");
  world.model.grabs.items.clear();
  const State before = world.history.now;
  world.history.now.v.resize(3, 3);
  EXPECT_EQ(step(), "history.now.v has 3 rows; the model has 27 vertices");
  world.history = {};
  EXPECT_EQ(step(), "history.now.x has 0 rows; the model has 27 vertices");
  EXPECT_EQ(refusal([&] { world.stepper->find_contacts(world.history, 0.01); }),
            "history.now.x has 0 rows; the model has 27 vertices");
  EXPECT_EQ(refusal([&] { world.stepper->ledger(world.history.now, 0.01); }),
            "start.x has 0 rows; the model has 27 vertices");
  world.history.now = before;
  auto own = std::make_unique<Wrapped>("bdf2");
  own->empties = true;
  world.stepper->set_integrator(std::move(own));
  EXPECT_EQ(step(), "what the integrator made of v has 0 rows; the model has 27 vertices");
  EXPECT_EQ(world.history.now.x, before.x);
}

TEST(LibraryUse, AModelThatIsNotFitToBeSteppedIsRefusedInWords) {
  const auto told = [](const auto& spoil) {
    OwnWorld world("stabilized");
    spoil(world.model);
    const std::string made = refusal([&] { sim::Stepper(world.model, world.work); });
    EXPECT_EQ(refusal([&] { world.step(0.01); }), made);
    return made;
  };
  for (const double m : {0.0, -1e-3, double{NAN}})
    EXPECT_NE(told([&](Model& model) { model.M[3] = m; }).find("Model::M: vertex 3 has "), std::string::npos);
  EXPECT_EQ(told([](Model& model) {
              model.M[3] = 0;
              model.fixed[3] = 1;
            }),
            "");
  EXPECT_EQ(told([](Model& model) { model.energies.push_back(nullptr); }), "Model::energies: one is null");
  EXPECT_EQ(told([](Model& model) { model.constraints.push_back(nullptr); }), "Model::constraints: one is null");
  EXPECT_EQ(told([](Model& model) { model.constraints.push_back(std::make_shared<Rod>(0, 27, 1)); }),
            "a constraint holds vertex 27; the model has 27 vertices");
  EXPECT_EQ(told([](Model& model) { model.colliders = {BodyPoint::at_vertex(100000)}; }),
            "a collider holds vertex 100000; the model has 27 vertices");
  OwnWorld world("stabilized");
  EXPECT_EQ(refusal([&] { sim::Stepper(world.model, world.work, std::unique_ptr<Minimizer>()); }),
            "a solver that is null");
}

TEST(LibraryUse, SettingsOutOfTheirRangesAreRefusedInWords) {
  const auto told = [](const auto& set) {
    OwnWorld world("generalized-alpha");
    world.ledger = world.stepper->ledger(world.history.now, 0.01);
    set(world.stepper->settings);
    const std::string refused = refusal([&] { world.step(0.01); });
    EXPECT_TRUE(std::isfinite(world.ledger.target()));
    return refused;
  };
  EXPECT_EQ(told([](auto&) {}), "");
  EXPECT_EQ(told([](auto& s) { s.rho = 2; }), "settings.rho is 2; it must be a number from 0 to 1");
  EXPECT_EQ(told([](auto& s) { s.wish.keep = NAN; }), "settings.wish.keep is nan; it must be a number");
  EXPECT_EQ(told([](auto& s) { s.solver.iterations = 0; }),
            "settings.solver.iterations is 0; it must be a number of 1 or more");
  EXPECT_EQ(told([](auto& s) { s.blend.tolerance = NAN; }),
            "settings.blend.tolerance is nan; it must be a number of 0 or more");
  EXPECT_EQ(told([](auto& s) { s.modes = 0; }), "settings.modes is 0; it must be a number from 1 to 60");
  EXPECT_NE(told([](auto& s) { s.alpha = {2, -2}; }).find("settings.alpha.max is -2"), std::string::npos);
  EXPECT_NE(told([](auto& s) { s.alpha.every = 0; }).find("settings.alpha.every is 0"), std::string::npos);
  EXPECT_NE(told([](auto& s) { s.frames_per_step = 0; }).find("settings.frames_per_step is 0"), std::string::npos);
}

// What a method would leave out is refused: bodies would go through what they should meet, and rods come apart.
TEST(LibraryUse, ContactsAndConstraintsThatAMethodDoesNotTakeAreRefused) {
  const auto told = [](const char* integrator, const char* solver, const auto& add) {
    Points rest;
    Model model = arap_cube(2, 1e5, rest);
    add(model);
    Workspace work(1);
    sim::Stepper stepper(model, work, integrator, solver);
    History history{{rest, Points::Zero(rest.rows(), 3)}, {}, false};
    Ledger ledger = stepper.ledger(history.now, 0.01);
    return refusal([&] { stepper.step(history, ledger, 0.01); });
  };
  const auto rod = [](Model& model) { model.constraints.push_back(std::make_shared<Rod>(0, 26, std::sqrt(3.0))); };
  const auto wall = [](Model& model) {
    Obstacle plane{Plane{}, {}, {}, 1, 0};
    plane.constraint = true;
    plane.pose.t.y() = -9;
    plane.before = plane.pose;
    model.obstacles.push_back(plane);
  };
  const auto cubic = [](Model& model) { model.body_contact.cubic = 1e5; };
  EXPECT_EQ(told("implicit-midpoint", "newton", rod), "");
  EXPECT_NE(told("rebound", "newton", rod).find("integrator 'rebound' does not take hard constraints"),
            std::string::npos);
  EXPECT_NE(told("implicit-midpoint", "local-global", rod).find("solver 'local-global' does not take hard"),
            std::string::npos);
  EXPECT_NE(told("siere", "newton", rod).find("integrator 'siere' does not take hard"), std::string::npos);
  EXPECT_NE(told("tr-bdf2", "newton", wall).find("does not take obstacles that are constraints"), std::string::npos);
  EXPECT_NE(told("backward-euler", "local-global", wall).find("does not take obstacles that are constraints"),
            std::string::npos);
  EXPECT_NE(told("backward-euler", "local-global", cubic).find("does not take contacts that are cubic"),
            std::string::npos);
}

// Of an energy that is right nothing is said; of each mistake, what it is.
class Mistaken final : public Energy {
 public:
  enum class In { nothing, sign, value_returned, hessian, places, half };
  Mistaken(const Springs& springs, In in) : right_(springs), in_(in) {}
  EnergyKind kind() const override { return EnergyKind::elastic; }
  double value(const Points& x, Workspace& work) const override { return right_.value(x, work); }
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override {
    Points g = Points::Zero(x.rows(), 3);
    const double E = right_.add_gradient(x, g, work);
    gradient += in_ == In::sign ? -g : g;
    return in_ == In::value_returned ? 2 * E : E;
  }
  void add_laplacian(Triplets& L) const override {
    Triplets right;
    right_.add_laplacian(right);
    for (const auto& entry : right) {
      if (in_ == In::places && entry.row() != entry.col()) continue;
      if (in_ == In::half && entry.row() != entry.col())
        L.emplace_back(entry.col(), entry.row(), entry.value());
      else
        L.push_back(entry);
    }
  }
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override {
    right_.add_hessian(x, curvature, H, work);
    if (in_ == In::hessian) H.add(1, 1, Eigen::Matrix3d::Identity());
  }

 private:
  const Springs& right_;
  const In in_;
};

TEST(LibraryUse, MistakesInDerivativesAreNamed) {
  const Points rest{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  const Springs springs(rest, std::vector<std::array<int, 2>>{{0, 1}, {1, 2}}, std::vector<double>{0.8, 1.1},
                        std::vector<double>{50, 70});
  const Points x = rest + random_points(3, 7, 0.1);
  Workspace work(1);
  const auto said = [&](Mistaken::In in) {
    std::string all;
    for (const std::string& fault : faults_of_derivatives(Mistaken(springs, in), x, work)) all += fault + "\n";
    return all;
  };
  using In = Mistaken::In;
  EXPECT_EQ(said(In::nothing), "");
  EXPECT_NE(said(In::sign).find("N by differences of value()"), std::string::npos) << said(In::sign);
  EXPECT_NE(said(In::value_returned).find("add_gradient() returns"), std::string::npos);
  EXPECT_NE(said(In::hessian).find("d2E of vertex 1 "), std::string::npos) << said(In::hessian);
  EXPECT_NE(said(In::places).find("add_hessian() links vertices"), std::string::npos) << said(In::places);
  EXPECT_NE(said(In::half).find("only rows from the diagonal down"), std::string::npos) << said(In::half);
  EXPECT_THROW(faults_of_derivatives(springs, Points::Zero(kMostInspected + 1, 3), work), std::invalid_argument);
}

// The law of stvk.hpp as somebody else would write it, who knows nothing of single precision.
struct OwnMaterial {
  static constexpr bool kHasBarrier = false;
  explicit OwnMaterial(const MaterialValues& of) : law(of) {}
  double psi(const Eigen::Matrix3d& F) const { return law.psi(F); }
  Eigen::Matrix3d P(const Eigen::Matrix3d& F, double& psi) const { return law.P(F, psi); }
  Matrix9 dPdF(const Eigen::Matrix3d& F, Curvature curvature) const { return law.dPdF(F, curvature); }
  double rest_stiffness() const { return law.rest_stiffness(); }
  const Lame& lame() const { return law.lame(); }
  StVK law;
};

TEST(LibraryUse, AMaterialOfOnesOwnIsOneOfTets) {
  const Points rest{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  const std::vector<std::array<int, 4>> tets{{0, 1, 2, 3}};
  const std::vector<MaterialValues> values{MaterialValues{.young = 1e4, .poisson = 0.3}};
  const std::vector<double> fill{1};
  const Tets<OwnMaterial> own(rest, tets, values, fill);
  const Tets<StVK> known(rest, tets, values, fill);
  EXPECT_FALSE(own.has_float_batch());
  Workspace work(1);
  const Points x = rest + random_points(4, 3, 0.1);
  Points a = Points::Zero(4, 3), b = a;
  const double E = known.add_gradient(x, a, work);
  EXPECT_NEAR(own.add_gradient(x, b, work), E, 1e-12 * E);
  EXPECT_LT((a - b).norm(), 1e-12 * a.norm());
}

}  // namespace
}  // namespace rebound::test
