// How far a factor serves, on roots of one unknown, where a factor is a slope and errors are known.
#include "sim/step/factor_use.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rebound::sim {
namespace {

constexpr double kEnough = 1e-12;

struct Course {
  int directions = 0, slopes = 0;
  double most_left = 0;  // of an error, by a slope of another place, but for the last ones, which round
  double x = 0;
};

// The root of exp(x) - 2, with a slope of `carried_from` to begin with where that is a number.
Course find_root(double x, double carried_from = NAN) {
  FactorUse use;
  double slope = 0, length = 0;
  if (!std::isnan(carried_from)) {
    use.begin_carried();
    slope = std::exp(carried_from);
  }
  Course course;
  for (; course.directions < 50; ++course.directions) {
    const double left = std::exp(x) - 2, error = std::abs(x - std::log(2.0));
    if (std::abs(left) < kEnough) break;
    bool same = use.may_serve(length);
    same = same && use.takes(std::abs(left / slope), length, false, kEnough);
    if (!same) {
      slope = std::exp(x);
      use.made(length);
      ++course.slopes;
    }
    const bool first_of_carried = !use.knows_what_is_left();
    x -= left / slope;
    length = std::abs(left / slope);
    if (same && !first_of_carried && error > 1e-9)
      course.most_left = std::max(course.most_left, std::abs(x - std::log(2.0)) / error);
  }
  course.x = x;
  return course;
}

TEST(FactorUse, ARootIsFoundWithFewerSlopesThanDirectionsAndEachLeavesAFifth) {
  int directions = 0, slopes = 0;
  for (double start = -1; start <= 3; start += 0.03125) {
    const Course course = find_root(start);
    EXPECT_NEAR(course.x, std::log(2.0), 1e-12) << start;
    // The share is told by the directions before, and has a sixth part of them to be wrong.
    EXPECT_LE(course.most_left, 0.2 * 7 / 6) << start;
    directions += course.directions;
    slopes += course.slopes;
  }
  EXPECT_LT(slopes, 0.8 * directions);
}

TEST(FactorUse, OneThatIsCarriedServesWhereItIsNearAndIsGivenUpWhereItIsNot) {
  const Course near = find_root(0.69, 0.7), far = find_root(0.6, 3);
  EXPECT_EQ(near.slopes, 0);
  EXPECT_NEAR(near.x, std::log(2.0), 1e-12);
  EXPECT_GE(far.slopes, 1);
  EXPECT_NEAR(far.x, std::log(2.0), 1e-12);
}

TEST(FactorUse, WhatACarriedOneLeavesOnlyItsSecondDirectionTells) {
  FactorUse use;
  EXPECT_TRUE(use.knows_what_is_left());
  use.begin_carried();
  EXPECT_TRUE(use.takes(1, 0, false, kEnough)) << "there is nothing to hold it against";
  EXPECT_FALSE(use.knows_what_is_left());
  EXPECT_TRUE(use.takes(1e-3, 1, false, kEnough));
  EXPECT_TRUE(use.knows_what_is_left());
  EXPECT_FALSE(use.carried_was_of_no_use());
  EXPECT_FALSE(use.takes(1e-3, 1e-3, false, kEnough)) << "it leaves all";
  use.made(1e-3);
  EXPECT_TRUE(use.carried_was_of_no_use());
}

TEST(FactorUse, LessMayBeLeftInContact) {
  for (const bool in_contact : {false, true}) {
    FactorUse use;
    use.begin_carried();
    EXPECT_TRUE(use.takes(1, 0, in_contact, 1));
    EXPECT_EQ(use.takes(0.15, 1, in_contact, 1), !in_contact);
  }
}

TEST(FactorUse, FewIterationsOrFewVerticesAreNotWorthIt) {
  EXPECT_TRUE(FactorUse::pays(100, 1000));
  EXPECT_FALSE(FactorUse::pays(10, 1000));
  EXPECT_FALSE(FactorUse::pays(100, 8));
}

}  // namespace
}  // namespace rebound::sim
