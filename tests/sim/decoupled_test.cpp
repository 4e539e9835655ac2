// A-1, A-search and generalized-alpha against the closed forms of [You26] Apps. C to E and of the linear oscillator.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "amplification.hpp"
#include "sim/integrate/decoupled.hpp"
#include "sim/stepper.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

constexpr double kH = 0.033;

// One vertex of 1 kg on a spring of rest length zero: z = h^2 k.
Model oscillator(double z) {
  Model model = free_vertices(1);
  model.attachments.items.push_back({BodyPoint::at_vertex(0), z / (kH * kH), Vec3::Zero()});
  return model;
}

Path walk(Stepper& stepper, int steps, double x = 1, double hv = 0.3) {
  State start{Points::Zero(1, 3), Points::Zero(1, 3), {}};
  start.x(0, 0) = x;
  start.v(0, 0) = hv / kH;
  stepper.start(start);
  Path path;
  for (int i = 0; i <= steps; ++i) {
    path.emplace_back(stepper.history.now.x(0, 0), kH * stepper.history.now.v(0, 0));
    stepper.step();
  }
  return path;
}

std::pair<double, double> amplification(double z, double alpha, bool on_sdirk2 = false) {
  const Model model = oscillator(z);
  Stepper stepper(model, "a-search", kH, 3);
  stepper.alpha = {alpha, alpha, 1, on_sdirk2};
  return trace_and_determinant(walk(stepper, 3));
}

TEST(Decoupled, HasTheAmplificationOfAppendixC) {
  for (const double z : {0.01, 0.1, 1.0, 10.0, 100.0, 1e4})
    for (const double alpha : {0.0, 0.5, 1.0, 1.1, 2.0}) {
      const auto [trace, determinant] = amplification(z, alpha);
      EXPECT_NEAR(trace, (2 + alpha * z) / (1 + z), 1e-9) << z << " " << alpha;
      EXPECT_NEAR(determinant, 1 + (alpha - 1) * z / (1 + z), 1e-9) << z << " " << alpha;
    }
}

TEST(Decoupled, A1TurnsWithoutLossAtAnyStepAndSlowsAsItsClosedFormSays) {
  // w h, and the frequency that it has instead of w.
  for (const auto& [wh, ratio] : {std::pair{0.1, 0.9954}, {0.5, 0.9021}, {1.0, 0.7227}, {2.0, 0.4636}}) {
    const Model model = oscillator(wh * wh);
    Stepper stepper(model, "a1", kH, 3);
    const auto [trace, determinant] = trace_and_determinant(walk(stepper, 3));
    EXPECT_NEAR(determinant, 1, 1e-10);
    EXPECT_NEAR(std::acos(trace / 2) / wh, ratio, 5e-5) << wh;
  }
  const auto [trace, determinant] = amplification(1e8, 1);
  EXPECT_NEAR(std::acos(trace / 2), std::numbers::pi / 3, 1e-6) << "a period of six steps, whatever it should be";
}

// Appendix D: the same on SDIRK2 keeps area, and is not stable everywhere.
TEST(Decoupled, OnSdirk2HasTheTracesOfAppendixD) {
  for (const double z : {0.1, 1.0, 10.0, 100.0}) EXPECT_NEAR(amplification(z, 1, true).second, 1, 1e-9) << z;
  EXPECT_NEAR(amplification(1e8, 1, true).first, -std::sqrt(2.0) - 0.5, 1e-4);
  double least = 0, where = 0;
  for (double z = 20; z < 90; z += 0.5)
    if (const double trace = amplification(z, 1, true).first; trace < least)
      std::tie(least, where) = std::pair(trace, z);
  EXPECT_NEAR(least, -2.16, 0.01);
  EXPECT_NEAR(where, 44, 3);
}

// Appendix E: a stiff wall is left with the speed that it was met with, after three steps within it, wherever
// it was met.
TEST(Decoupled, A1LeavesAStiffWallAsAppendixESays) {
  for (const double beta : {0.1, 0.5, 0.9}) {
    Model model = oscillator(1e10);
    model.attachments.items.clear();
    Obstacle wall;
    wall.shape = Plane{};
    wall.pose.R << 0, 1, 0, -1, 0, 0, 0, 0, 1;
    wall.before = wall.pose;
    wall.stiffness = 1e10 / (kH * kH);
    model.obstacles.push_back(wall);
    model.colliders.push_back(BodyPoint::at_vertex(0));
    Workspace work(1);
    sim::Stepper stepper(model, work, "a1", "newton");
    History history;
    history.now = {Points::Zero(1, 3), Points::Zero(1, 3), {}};
    history.now.x(0, 0) = beta * kH;
    history.now.v(0, 0) = -1;
    Ledger ledger = stepper.ledger(history.now, kH);
    for (const double v : {-1.0, -beta, 1 - beta, 1.0, 1.0}) {
      ASSERT_EQ(stepper.step(history, ledger, kH).outcome, Outcome::done);
      EXPECT_NEAR(history.now.v(0, 0), v, 1e-6) << beta;
    }
  }
}

TEST(SearchAlpha, TakesTheRootNearerOneAndStaysWithinItsBounds) {
  EXPECT_NEAR(search_alpha(1, -3.2, 2.2 * 1.0, 0, 5), 1, 1e-12) << "roots 1 and 2.2";
  EXPECT_NEAR(search_alpha(1, -2, 0.75, 0, 5), 1.5, 1e-12) << "roots 0.5 and 1.5: the larger of two as near";
  EXPECT_NEAR(search_alpha(1, -2.4, 1.44, 0, 1.1), 1.1, 1e-12) << "clipped";
  EXPECT_NEAR(search_alpha(1, -1.6, 5, 0, 1.1), 0.8, 1e-12) << "no root: the least";
  EXPECT_EQ(search_alpha(0, 0, 3, 0, 1.1), 1);
  // Of a root far away and one near, the near one has all its digits.
  EXPECT_NEAR(search_alpha(1e-12, -1, 1 - 1e-12, 0, 5), 1, 1e-10);
}

struct Search {
  int searched = 0, within = 0;
  double worst_within = 0, worst = 0;  ///< |H - target|, share of the scale
};

// A soft cube that is let go stretched: forces differ, so there is something to correct.
Search let_go(const char* id, const AlphaSettings& alpha) {
  Points rest;
  const Model model = arap_cube(2, 1e4, rest);
  Stepper stepper(model, id, 0.01, 100, "newton");
  stepper.alpha = alpha;
  Points x = rest;
  x.col(0) *= 1.2;
  stepper.start({x, Points::Zero(rest.rows(), 3), {}});
  Search search;
  for (int i = 0; i < 300; ++i) {
    const double found = *stepper.step().alpha;
    const double error = std::abs(stepper.H() - stepper.ledger.target()) / stepper.ledger.scale();
    search.worst = std::max(search.worst, error);
    search.searched += found != 1;
    if (found == 1 || found <= alpha.min || found >= alpha.max) continue;
    ++search.within;
    search.worst_within = std::max(search.worst_within, error);
  }
  return search;
}

TEST(ASearch, HasTheTargetsEnergyWhereverAlphaIsWithinItsBounds) {
  for (const AlphaSettings& alpha : {AlphaSettings{0, 1.1}, {0, 2}, {0.9, 1.1}}) {
    const Search search = let_go("a-search", alpha);
    EXPECT_GT(search.within, 30) << alpha.min << " " << alpha.max;
    EXPECT_LT(search.worst_within, 1e-9) << alpha.min << " " << alpha.max;
    EXPECT_LT(search.worst, 0.1);
  }
}

TEST(ASearch, CorrectsAtMostOneStepInThreeIfAskedTo) {
  const Search sparse = let_go("a-search", {0, 1.1, 3});
  EXPECT_LE(sparse.searched, 100);
  EXPECT_GT(sparse.searched, 0);
  EXPECT_GT(let_go("a-search", {}).searched, 200);
  EXPECT_EQ(let_go("a1", {}).searched, 0);
}

TEST(GeneralizedAlpha, OfRhoOneIsImplicitMidpoint) {
  for (const double z : {0.1, 10.0, 1e3}) {
    const Model model = oscillator(z);
    Stepper one(model, "generalized-alpha", kH, 3), midpoint(model, "implicit-midpoint", kH, 3);
    one.rho = 1;
    const Path a = walk(one, 20), b = walk(midpoint, 20);
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(a[i].first, b[i].first, 1e-9) << z << " step " << i;
      EXPECT_NEAR(a[i].second, b[i].second, 1e-9) << z << " step " << i;
    }
  }
}

TEST(GeneralizedAlpha, LeavesRhoOfWhatIsFastest) {
  for (const double rho : {0.3, 0.5, 0.8}) {
    const Model model = oscillator(1e9);
    Stepper stepper(model, "generalized-alpha", kH, 3);
    stepper.rho = rho;
    // All three roots are -rho, so x goes as (p + q n + r n^2) (-rho)^n, whose third differences are 0.
    const Path path = walk(stepper, 12);
    const auto scaled = [&](std::size_t n) { return path[n].first * std::pow(-rho, -static_cast<double>(n)); };
    const double third = scaled(8) - 3 * scaled(7) + 3 * scaled(6) - scaled(5);
    EXPECT_NEAR(third, 0, 1e-4 * std::abs(scaled(8))) << rho;
  }
}

}  // namespace
}  // namespace rebound::test
