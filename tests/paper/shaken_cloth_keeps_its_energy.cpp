// [Dinev18 Sec. 4.3, Fig. 9], without damping: a cloth held by two corners is shaken for some seconds, by one of these
// or by a hand that takes a free corner and lets go of it again. The work done is booked; measured against M g L, the
// adaptive blend keeps H within 1 % of the target for 2,000 frames, and the printed 10 + 1 iterations overshoot.
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace rebound::test {
namespace {

constexpr int kDivisions = 20, kFrames = 2000;
constexpr double kBegin = 1, kEnd = 4;  // s

struct Shaking {
  double worst = 0;  ///< largest |H - target| / (M g L)
  double above = 0;  ///< largest (H - target) / (M g L) after the shaking
  double work = 0;   ///< booked under the hand's cause, / (M g L), at the end
  double late = 0;   ///< what of it came after the shaking
};

// Calls hand(session) before each frame. Ends early where, after the shaking, H passes the target by `enough` M g L.
template <class Hand>
Shaking shake(scene::Description d, std::optional<int> stabilizer_iterations, sim::Added cause, double enough,
              const Hand& hand) {
  d.solver.stabilizerIterations = stabilizer_iterations;
  session::Session s = open(d, 2);
  const double MgL = s.model().M.sum() * 9.81 * 1.0;
  const auto booked = [&] { return s.record().added[static_cast<int>(cause)] / MgL; };
  Shaking run;
  double work_at_end = 0, by_commands = 0;
  while (s.frame() < kFrames && run.above < enough) {
    const double H = s.record().measured.total();
    hand(s);
    by_commands += (s.record().measured.total() - H) / MgL;
    if (!s.step()) break;
    const double error = (s.record().measured.total() - s.record().target) / MgL;
    run.worst = std::max(run.worst, std::abs(error));
    if (s.record().time < kEnd + 0.1)
      work_at_end = booked();
    else
      run.above = std::max(run.above, error);
  }
  EXPECT_TRUE(s.failure().empty()) << s.failure();
  run.work = booked();
  run.late = run.work - work_at_end;
  if (cause == sim::Added::user) {
    EXPECT_NEAR(run.work, by_commands, 1e-9) << "what the hand's commands did to H";
  }
  EXPECT_NEAR(s.record().added_total() / MgL, run.work, 1e-12) << "all that was booked has this cause";
  return run;
}

Shaking by_keyframes(double stiffness, std::optional<int> stabilizer_iterations, double enough) {
  auto d = hanging_cloth(kDivisions, stiffness);
  auto& held = d.bodies[0].attachments;
  held = {{std::vector<int>{0}, 300, {}}, {std::vector<int>{kDivisions}, 300, {{kBegin, {0, 0, 0}}}}};
  for (int i = 1; i <= 11; ++i) held[1].motion.push_back({kBegin + 0.25 * i, {0, 0, i % 2 == 0 ? -0.05 : 0.05}});
  held[1].motion.push_back({kEnd, {0, 0, 0}});
  return shake(d, stabilizer_iterations, sim::Added::motion, enough, [](session::Session&) {});
}

Shaking by_hand(double stiffness, std::optional<int> stabilizer_iterations, double enough) {
  const int corner = kDivisions * (kDivisions + 1);
  const auto hand = [&](session::Session& s) {
    const double time = s.record().time;
    if (time < kBegin) return;
    if (time >= kEnd) {
      if (s.grab()) s.apply(session::Release{});
      return;
    }
    if (!s.grab()) s.apply(session::Grab{{0, corner}, s.surface(0).row(corner).transpose(), 0.02});
    s.apply(session::MoveGrab{{-0.5, -0.6, 0.5 * std::sin(6 * time)}});
  };
  return shake(hanging_cloth(kDivisions, stiffness), stabilizer_iterations, sim::Added::user, enough, hand);
}

class ShakenCloth : public testing::TestWithParam<double> {};

TEST_P(ShakenCloth, AdaptiveStaysWithinAPercentForTwoThousandFrames) {
  for (const Shaking& run : {by_keyframes(GetParam(), {}, INFINITY), by_hand(GetParam(), {}, INFINITY)}) {
    EXPECT_LT(run.worst, 0.01);
    EXPECT_GT(run.work, 0.2) << "it was hardly shaken";
    EXPECT_EQ(run.late, 0) << "let go of, it is left to itself";
  }
}

TEST_P(ShakenCloth, OneBackwardEulerIterationOvershoots) {
  EXPECT_GT(by_keyframes(GetParam(), 1, 0.1).above, 0.1);
  EXPECT_GT(by_hand(GetParam(), 1, 0.1).above, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Stiffness, ShakenCloth, testing::Values(50.0, 100.0, 500.0));

}  // namespace
}  // namespace rebound::test
