// What blending asks of a solver in single precision: E and its slope along a line, and a solve that goes on where
// another scheme's has ended.
#include "contacts.hpp"
#include "sim/step/local_global.hpp"

namespace rebound::test {
namespace {

// A falling cube in a hand, on pins and at contacts, some of them pressed.
struct Blended {
  Blended() {
    Model& model = body.model;
    body.fix({0, 1, 2});
    model.grabs.items = {{BodyPoint{{100, 101, 110, 200}, {0.4, 0.3, 0.2, 0.1}}, 5e3, Vec3(1, -1, 1)}};
    model.contacts.items = body.contacts(12, 5);
    minimizer.emplace(model, Precision::automatic);
    from = body.solve(*minimizer, kImplicitMidpoint, 4);
    Points way = random_points(model.vertices(), 9, 5e-3);
    model.clear_fixed(way);
    to = from + way;
  }
  Points at(double alpha) const { return (1 - alpha) * from + alpha * to; }

  Bumping body{12};
  std::optional<LocalGlobal> minimizer;
  Points from, to;
  Workspace work{2};
};

TEST(BlendLine, HasEAndItsSlopeInSinglePrecision) {
  Blended of;
  ASSERT_TRUE(of.minimizer->rounding_state().single);
  const auto E = [&](double alpha) { return of.body.model.energy(of.at(alpha), of.work); };
  for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
    const EnergyLine::Place place = of.minimizer->line().look(of.from, of.to, alpha, of.work);
    EXPECT_NEAR(place.E, E(alpha), 1e-5 * E(alpha)) << alpha;
    ASSERT_TRUE(place.slope.has_value());
    const double d = 1e-4, slope = (E(alpha + d) - E(alpha - d)) / (2 * d);
    EXPECT_NEAR(*place.slope, slope, 2e-3 * std::abs(slope) + 1e-5 * E(alpha)) << alpha;
  }
  // It is E that differs along this line, by far more than the bounds above.
  EXPECT_GT(std::abs(E(1) - E(0)), 0.05 * E(0));
}

TEST(BlendLine, IsTheSameInDoublePrecisionWithoutASlope) {
  Blended of;
  LocalGlobal exact(of.body.model, Precision::double_only);
  const EnergyLine::Place place = exact.line().look(of.from, of.to, 0.3, of.work);
  EXPECT_DOUBLE_EQ(place.E, of.body.model.energy(of.at(0.3), of.work));
  EXPECT_FALSE(place.slope.has_value());
}

// Backward Euler after midpoint, in the same step: y is the same but for the constant forces.
TEST(BlendLine, ASolveGoesOnWhereAnotherHasEnded) {
  Blended of;
  const auto backward = [&](bool goes_on) {
    Points x = of.body.solve(*of.minimizer, kImplicitMidpoint, 4);
    History history;
    history.now = of.body.state;
    StepBuffers buffers;
    const StepObjective g(of.body.model, kBackwardEuler, 0.01, history, buffers, of.work);
    SolveEffort effort(1);
    effort.goes_on = goes_on;
    const Points before = x;
    EXPECT_EQ(of.minimizer->minimize(g, effort, nullptr, x).outcome, Outcome::done);
    EXPECT_GT((x - before).norm(), 1e-4);
    return x;
  };
  const Points anew = backward(false), on = backward(true);
  EXPECT_LT((on - anew).cwiseAbs().maxCoeff(), 1e-7);
}

}  // namespace
}  // namespace rebound::test
