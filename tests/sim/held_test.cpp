// Pins and grabs by low rank against the same pins and grabs in the factor, in both precisions.
#include "minimized.hpp"
#include "sim/step/local_global.hpp"

namespace rebound::test {
namespace {

constexpr double kHeldStep = 0.01;
constexpr int kDivisions = 12;  // 2197 vertices: large enough for single precision

// A heavy, soft cube that falls past what holds it.
struct Held {
  explicit Held(double young = 5e3) : model(arap_cube(kDivisions, young, rest)) {
    model.energies.push_back(std::make_shared<Gravity>(model.M, Vec3(0, -9.81, 0)));
    model.extent = 2;
    for (int v = 0; v < 5; ++v) model.fixed[v] = 1;
    state = {rest, random_points(model.vertices(), 3, 0.3)};
    model.clear_fixed(state.v);
  }

  Points solve(Minimizer& minimizer, const Scheme& scheme, int iterations) {
    return minimized(model, state, minimizer, scheme, kHeldStep, iterations, work);
  }
  /// The same by a minimizer that has all pins in its factor.
  Points solve_anew(const Scheme& scheme, int iterations, Precision precision) {
    LocalGlobal fresh(model, precision);
    return solve(fresh, scheme, iterations);
  }
  void pin(int v, bool pinned = true) {
    model.fixed[static_cast<std::size_t>(v)] = pinned;
    model.clear_fixed(state.v);
  }
  /// Are the fixed vertices where they were, to the last bit?
  bool stand_still(const Points& x) const {
    const Points moved = x - state.x;
    for (int v = 0; v < model.vertices(); ++v)
      if (model.fixed[v] && moved.row(v).norm() != 0) return false;
    return true;
  }
  void grab(const BodyPoint& point) { model.grabs.items = {{point, 5e4, Vec3(1, -1, 1)}}; }

  Points rest;
  Model model;
  State state;
  Workspace work{1};
};

// Everything that a hand does, in an order that leaves no neighbour out.
template <class Check>
void pin_unpin_and_grab(Held& held, Minimizer& minimizer, const Check& check) {
  const auto pins = [&](std::initializer_list<int> on, std::initializer_list<int> off, const char* when) {
    for (const int v : on) held.pin(v);
    for (const int v : off) held.pin(v, false);
    minimizer.factors().pins_changed(held.work.workers);
    check(when);
  };
  const auto grabs = [&](std::optional<BodyPoint> point, const char* when) {
    held.model.grabs.items.clear();
    if (point) held.grab(*point);
    minimizer.factors().grabs_changed(held.work.workers);
    check(when);
  };
  const BodyPoint inside{{700, 701, 714, 870}, {0.4, 0.3, 0.2, 0.1}};
  pins({900}, {}, "one pin");
  pins({901, 913, 2000}, {}, "four pins, neighbours among them");
  grabs(inside, "pins, then a grab");
  pins({701}, {}, "a pin of a vertex that carries the grab");
  grabs(BodyPoint::at_vertex(900), "a grab of a pinned vertex");
  pins({}, {900}, "the pin under the grab is taken out");
  grabs(std::nullopt, "let go");
  grabs(inside, "grabbed where it was grabbed before");
  pins({}, {901, 913, 2000, 701}, "no pin is left");
  pins({1500, 1501, 1502, 1503, 1504, 1505, 1506, 1507, 1508, 1509, 1510, 1511, 1512, 1513, 1514, 1515}, {},
       "as many as there can be");
  pins({1516}, {}, "one more: another factor");
  pins({}, {0}, "a pin that the factor has is taken out: another factor");
  pins({0}, {}, "and comes back");
}

class HeldTest : public testing::TestWithParam<Scheme> {};

TEST_P(HeldTest, PinsByLowRankArePinsInTheFactor) {
  Held held;
  LocalGlobal minimizer(held.model, Precision::double_only);
  held.solve(minimizer, GetParam(), 1);
  pin_unpin_and_grab(held, minimizer, [&](const char* when) {
    const Points x = held.solve(minimizer, GetParam(), 8);
    const Points expected = held.solve_anew(GetParam(), 8, Precision::double_only);
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-9) << when;
    EXPECT_TRUE(held.stand_still(x)) << when;
  });
}

TEST_P(HeldTest, InSinglePrecisionToo) {
  Held held;
  LocalGlobal minimizer(held.model);
  held.solve(minimizer, GetParam(), 1);
  pin_unpin_and_grab(held, minimizer, [&](const char* when) {
    const Points start = held.solve(minimizer, GetParam(), 1);
    const Points expected = held.solve_anew(GetParam(), 1, Precision::double_only);
    const Points y = held.state.x + kHeldStep * held.state.v;
    const double moved = (expected - y).cwiseAbs().maxCoeff();
    ASSERT_GT(moved, 1e-4) << when;
    EXPECT_LT((start - expected).cwiseAbs().maxCoeff(), 1e-3 * moved) << when;
    const Points x = held.solve(minimizer, GetParam(), 60);
    EXPECT_LT((x - held.solve_anew(GetParam(), 60, Precision::double_only)).cwiseAbs().maxCoeff(), 1e-10) << when;
    EXPECT_TRUE(held.stand_still(x)) << when;
  });
}

INSTANTIATE_TEST_SUITE_P(Schemes, HeldTest, testing::Values(kBackwardEuler, kImplicitMidpoint));

TEST(Held, SeveralStepsWithLatePinsFollowThoseWithThePinsInTheFactor) {
  for (const char* id : {"stabilized", "implicit-midpoint", "bdf2"}) {
    Held late_model, early_model;
    for (const int v : {1100, 1101, 1300}) early_model.pin(v);
    Stepper late(late_model.model, id, kHeldStep), early(early_model.model, id, kHeldStep);
    for (auto* stepper : {&late, &early})
      stepper->minimizer = std::make_unique<LocalGlobal>(stepper->model, Precision::double_only);
    late.solver.iterations = early.solver.iterations = 10;
    late.start(late_model.state);
    ASSERT_EQ(late.step().outcome, Outcome::done);  // factors without the pins
    for (const int v : {1100, 1101, 1300}) late_model.pin(v);
    late.minimizer->factors().pins_changed(late.work.workers);
    late.start(early_model.state);
    early.start(early_model.state);
    for (int frame = 0; frame < 8; ++frame) {
      ASSERT_EQ(late.step().outcome, Outcome::done);
      ASSERT_EQ(early.step().outcome, Outcome::done);
      ASSERT_LT((late.history.now.x - early.history.now.x).cwiseAbs().maxCoeff(), 1e-9) << id << " frame " << frame;
    }
  }
}

TEST(Held, AnyNumberOfThreadsGivesTheSameBytes) {
  std::vector<Points> results;
  for (const int threads : {1, 2, 3}) {
    Held held;
    Workspace work(threads);
    LocalGlobal minimizer(held.model);
    held.solve(minimizer, kImplicitMidpoint, 1);
    for (const int v : {800, 802, 1900, 2100}) held.pin(v);
    minimizer.factors().pins_changed(work.workers);
    held.grab(BodyPoint::at_vertex(1000));
    minimizer.factors().grabs_changed(work.workers);
    History history;
    history.now = held.state;
    StepBuffers buffers;
    const StepObjective g(held.model, kImplicitMidpoint, kHeldStep, history, buffers, work);
    results.push_back(g.y());
    minimizer.minimize(g, 10, nullptr, results.back());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Held, ColumnsAreSolvedForOnceThreeAtATime) {
  Points rest;
  Model model = arap_cube(3, 1e5, rest);
  const std::vector<std::uint8_t> factored = model.fixed;
  LowRank held;
  int solves = 0;
  const auto update = [&] {
    return held.update(model, factored, 1e-3, [&](Points& B) {
      B /= 3;
      ++solves;
    });
  };
  for (const int v : {1, 5, 9, 13}) model.fixed[v] = 1;
  EXPECT_TRUE(update());
  EXPECT_EQ(held.rank(), 4);
  EXPECT_EQ(solves, 2);
  EXPECT_FALSE(update());
  model.fixed[5] = 0;
  EXPECT_TRUE(update());
  EXPECT_EQ(held.rank(), 3);
  model.fixed[5] = 1;
  EXPECT_TRUE(update());
  EXPECT_EQ(solves, 2) << "it is known";
  EXPECT_EQ(held.Z(1)[5], 1.0 / 3);
}

TEST(Held, TheMassesAndStiffnessMayBeMadeElsewhereAndTakenOver) {
  for (const Precision precision : {Precision::automatic, Precision::double_only}) {
    Held held;
    LocalGlobal lazy(held.model, precision), ahead(held.model, precision);
    held.grab(BodyPoint::at_vertex(1000));
    const std::array coefficients = {kBackwardEuler.stiffness_factor(kHeldStep),
                                     kImplicitMidpoint.stiffness_factor(kHeldStep)};
    const auto take_over = [&] {
      const auto made = ahead.missing(held.model, coefficients);
      ASSERT_NE(made, nullptr);
      Workers alone(1);
      made->run(alone, nullptr, nullptr);
      held.grab(BodyPoint::at_vertex(1001));  // meanwhile
      ahead.adopt(*made, held.work.workers);
      EXPECT_EQ(ahead.missing(held.model, coefficients), nullptr);
    };
    const auto agree = [&] {
      lazy.pins_changed(held.work.workers);
      const double nonzeros = ahead.nonzeros();
      EXPECT_GT(nonzeros, 0);
      for (const Scheme& scheme : {kBackwardEuler, kImplicitMidpoint})
        EXPECT_EQ(held.solve(ahead, scheme, 5), held.solve(lazy, scheme, 5));
      EXPECT_EQ(ahead.nonzeros(), nonzeros) << "nothing was left to factor";
    };
    take_over();
    agree();
    for (int v = 100; v < 200; ++v) held.pin(v);
    take_over();
    agree();
  }
}

}  // namespace
}  // namespace rebound::test
