#include "render/ticks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace rebound::render {
namespace {

using Values = std::vector<double>;

TEST(Ticks, KnownRanges) {
  EXPECT_EQ(nice_ticks(0, 10, 5).values, (Values{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(nice_ticks(-1, 1, 4).values, (Values{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(nice_ticks(0, 1800, 4).values, (Values{0, 500, 1000, 1500}));
}

TEST(Ticks, StepsAreOneTwoOrFiveTimesAPowerOfTen) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> mantissa(-10, 10), exponent(-30, 30);
  for (int i = 0; i < 2000; ++i) {
    const double low = mantissa(random) * std::pow(10, exponent(random));
    const double high = low + std::abs(mantissa(random)) * std::pow(10, exponent(random));
    const Ticks ticks = nice_ticks(low, high, 6);
    const double power = std::pow(10, std::floor(std::log10(ticks.step) + 1e-9));
    const double factor = ticks.step / power;
    EXPECT_TRUE(std::abs(factor - 1) < 1e-6 || std::abs(factor - 2) < 1e-6 || std::abs(factor - 5) < 1e-6) << factor;
    EXPECT_LE(ticks.values.size(), 8u);
    for (const double value : ticks.values)
      EXPECT_LT(std::abs(value / ticks.step - std::round(value / ticks.step)), 1e-3);
  }
}

TEST(Ticks, EmptyAndReversedRangesArePutRight) {
  EXPECT_GE(nice_ticks(5, 5, 5).values.size(), 2u);
  EXPECT_GE(nice_ticks(0, 0, 5).values.size(), 2u);
  EXPECT_EQ(nice_ticks(10, 0, 5).values, nice_ticks(0, 10, 5).values);
  EXPECT_LE(nice_ticks(0, 1, 0).values.size(), 2u);
}

TEST(Ticks, RangesThatAreNotFiniteHaveNone) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(nice_ticks(0, infinity, 5).values.empty());
  EXPECT_TRUE(nice_ticks(std::nan(""), 1, 5).values.empty());
  EXPECT_TRUE(nice_ticks(-1.7e308, 1.7e308, 5).values.empty());
}

TEST(Ticks, LabelsAreShort) {
  EXPECT_EQ(tick_label(0.25, 0.05), "0.25");
  EXPECT_EQ(tick_label(-0.0, 0.5), "0");
  EXPECT_EQ(tick_label(1500, 500), "1,500");
  EXPECT_EQ(tick_label(-12500, 2500), "-12,500");
  EXPECT_EQ(tick_label(2.5e6, 5e5), "2.5e6");
  EXPECT_EQ(tick_label(3e-7, 1e-7), "3e-7");
}

TEST(Ticks, LabelsTellNeighboursApart) {
  for (const auto& [low, high] :
       {std::pair{0.0, 1.0}, {1e6, 1.0001e6}, {-3e-5, 7e-5}, {99990.0, 100010.0}, {0.0, 1e147}}) {
    const Ticks ticks = nice_ticks(low, high, 6);
    std::set<std::string> labels;
    for (const double value : ticks.values) labels.insert(tick_label(value, ticks.step));
    EXPECT_EQ(labels.size(), ticks.values.size()) << low << " " << high;
  }
}

}  // namespace
}  // namespace rebound::render
