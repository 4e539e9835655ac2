// Recordings whose shiver, visible energy and path error are known in closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "motion/what_is_seen.hpp"

namespace rebound::test {
namespace {

using motion::Recording;

constexpr double kMass = 3, kSeconds = 1.0 / 30;

struct Wave {
  double amplitude, period;  ///< m/s, pictures
};

// One point and one vertex of kMass that move along x with a steady speed and waves on top of it. 360 samples: the last
// half and the last third hold whole periods of 3, 6 and 12 pictures.
Recording moving(double steady, const std::vector<Wave>& waves, double at = 0) {
  constexpr int kSamples = 360;
  Recording run;
  run.seconds = kSeconds;
  run.samples = kSamples;
  run.diagonal = 2;
  run.mass.resize(1);
  run.mass[0] = static_cast<float>(kMass);
  for (Recording::Series* series : {&run.x, &run.v, &run.mass_v, &run.centre}) series->setZero(kSamples, 3);
  for (int i = 0; i < kSamples; ++i) {
    double v = steady;
    for (const Wave& wave : waves) v += wave.amplitude * std::cos(2 * std::numbers::pi * i / wave.period);
    run.v(i, 0) = run.mass_v(i, 0) = static_cast<float>(v);
    run.x(i, 0) = run.centre(i, 0) = static_cast<float>(at);
  }
  return run;
}

TEST(WhatIsSeen, BandsArePowersOfWaves) {
  // Powers 9 : 4 : 1; the steady speed does not count.
  const motion::Bands bands = motion::bands(moving(50, {{3, 3}, {2, 6}, {1, 12}}));
  EXPECT_NEAR(bands.below_4, 9.0 / 14, 1e-5);
  EXPECT_NEAR(bands.from_4_to_8, 4.0 / 14, 1e-5);
  EXPECT_NEAR(bands.above_8, 1.0 / 14, 1e-5);
}

TEST(WhatIsSeen, AtRestNothingShivers) {
  const motion::Bands bands = motion::bands(moving(0, {}));
  EXPECT_EQ(bands.below_4 + bands.from_4_to_8 + bands.above_8, 0);
}

TEST(WhatIsSeen, VisibleEnergyIsAllButTheShiver) {
  const double expected = 0.5 * kMass * (5 * 5 + 0.5 * 2 * 2 + 0.5 * 1 * 1);
  EXPECT_NEAR(motion::visible_kinetic(moving(5, {{40, 3}, {2, 6}, {1, 12}})), expected, 1e-4 * expected);
}

TEST(WhatIsSeen, TheCourseHasTheSameEnergiesInTheMean) {
  const motion::Course course = motion::course(moving(5, {{40, 3}, {2, 6}, {1, 12}}));
  const auto mean = [](const std::vector<double>& of) {
    return std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(of.size());
  };
  const double seen = 0.5 * kMass * (5 * 5 + 0.5 * 2 * 2 + 0.5 * 1 * 1), shiver = 0.5 * kMass * 0.5 * 40 * 40;
  EXPECT_NEAR(mean(course.seen), seen, 1e-4 * seen);
  EXPECT_NEAR(mean(course.shiver), shiver, 1e-4 * shiver);
}

// A run that was cut, or a measurement of a frame or two.
TEST(WhatIsSeen, AFewPicturesAreNoMatter) {
  for (int samples = 0; samples < 8; ++samples) {
    Recording run = moving(5, {});
    run.samples = samples;
    for (Recording::Series* series : {&run.x, &run.v, &run.mass_v, &run.centre})
      *series = Recording::Series(series->topRows(samples));
    const double K = samples > 0 ? 0.5 * kMass * 25 : 0;
    EXPECT_NEAR(motion::visible_kinetic(run), K, 1e-4 * K);
    EXPECT_EQ(motion::bands(run).below_4, 0);
    for (const double seen : motion::course(run).seen) EXPECT_NEAR(seen, K, 1e-4 * K);
    EXPECT_EQ(motion::path_error(run, run), 0);
  }
}

TEST(WhatIsSeen, PathErrorIsADistanceInBodyDiagonals) {
  EXPECT_EQ(motion::path_error(moving(0, {}), moving(0, {})), 0);
  EXPECT_NEAR(motion::path_error(moving(0, {}, 0.5), moving(0, {})), 0.25, 1e-6);
}

}  // namespace
}  // namespace rebound::test
