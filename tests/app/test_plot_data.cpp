#include "app/plot.hpp"
#include "app/plot_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rebound::app {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Decimate, KeepsEveryExtremeAndAtMostOneColumnAPixel) {
  std::vector<Sample> samples;
  for (int i = 0; i < 100000; ++i) samples.push_back({i * 1e-3, std::sin(i * 0.01)});
  samples[54321].value = 9;
  samples[77777].value = -9;
  const auto columns = decimate(samples, {0, 100}, 300);
  EXPECT_EQ(columns.size(), 300u);
  double low = 0, high = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    EXPECT_EQ(columns[i].index, static_cast<int>(i));
    EXPECT_LE(columns[i].low, columns[i].first);
    EXPECT_GE(columns[i].high, columns[i].last);
    low = std::min(low, columns[i].low);
    high = std::max(high, columns[i].high);
  }
  EXPECT_EQ(low, -9);
  EXPECT_EQ(high, 9);
}

TEST(Decimate, LeavesOutWhatIsNotANumberOrNotInSight) {
  const std::vector<Sample> samples = {{-1, 5}, {0, kNaN}, {1, kInfinity}, {2, 3}, {3, 1e200}, {9, 4}};
  const auto columns = decimate(samples, {0, 5}, 5);
  ASSERT_EQ(columns.size(), 1u);
  EXPECT_EQ(columns[0].first, 3);
}

TEST(Decimate, NothingComesOfNothing) {
  EXPECT_TRUE(decimate({}, {0, 1}, 10).empty());
  const std::vector<Sample> one = {{0.5, 1}};
  EXPECT_TRUE(decimate(one, {0, 1}, 0).empty());
  EXPECT_TRUE(decimate(one, {1, 1}, 10).empty());
}

TEST(Ranges, ConstantsEmptinessAndInfinitiesGetASensibleAxis) {
  for (const double value : {0.0, 5.0, -1e-20, 1e25, -3e5}) {
    const Interval axis = rounded({value, value}, 5);
    EXPECT_LT(axis.low, axis.high) << value;
    EXPECT_TRUE(axis.contains(value)) << value;
  }
  for (const Interval& broken : {Interval{kNaN, 1}, Interval{0, kInfinity}, Interval{3, 2}})
    EXPECT_GT(rounded(broken, 5).length(), 0);
  EXPECT_EQ(extent({}).length(), 1);
}

TEST(Ranges, TheAxisHoldsItsValues) {
  for (const Interval& values :
       {Interval{0.13, 7.9}, Interval{-1e6, 3}, Interval{99.999, 100.001}, Interval{-5, -4.2}}) {
    const Interval axis = rounded(values, 5);
    EXPECT_LE(axis.low, values.low);
    EXPECT_GE(axis.high, values.high);
    EXPECT_LT(axis.length(), 3 * values.length());
  }
}

TEST(Ranges, AnExplosionIsCutWhereTheTargetStaysReadable) {
  const ShownRange shown = clipped({-2, 1e20}, {9, 10}, 12);
  EXPECT_TRUE(shown.cut);
  EXPECT_EQ(shown.interval.low, -2);
  EXPECT_EQ(shown.interval.high, 22);
  EXPECT_FALSE(clipped({8, 12}, {9, 10}, 12).cut);
}

TEST(Ranges, OneWildValueAmongManyIsLeftOff) {
  std::vector<Sample> samples;
  for (int i = 0; i < 100; ++i) samples.push_back({i * 1.0, 1.0 + 0.1 * (i % 3)});
  EXPECT_FALSE(robust_range(samples).cut);
  samples[50].value = 1e12;
  const ShownRange shown = robust_range(samples);
  EXPECT_TRUE(shown.cut);
  EXPECT_LT(shown.interval.high, 1e4);
}

TEST(Numbers, AreShort) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(12.345), "12.3");
  EXPECT_EQ(short_number(-0.0712), "-0.0712");
  EXPECT_EQ(short_number(120000), "1.20e5");
  EXPECT_EQ(short_number(1.5e-7), "1.50e-7");
  EXPECT_EQ(short_number(kNaN), "not a number");
  EXPECT_EQ(short_number(-kInfinity), "-infinite");
}

TEST(Numbers, TakeTheirPrefix) {
  EXPECT_EQ(with_unit(0.033, "s"), "33.0 ms");
  EXPECT_EQ(with_unit(1e5, "Pa"), "100 kPa");
  EXPECT_EQ(with_unit(2e11, "Pa"), "200 GPa");
  EXPECT_EQ(with_unit(0, "J"), "0 J");
  EXPECT_EQ(with_unit(-425.2, "J", 4), "-425.2 J");
}

TEST(WishOf, IsTheCurveThatWasDrawn) {
  std::vector<Sample> drawn;
  for (int i = 0; i < 300; ++i) drawn.push_back({5 + 0.01 * i, 100 - 0.2 * i});
  const auto pieces = wish_of(drawn).pieces;
  ASSERT_GT(pieces.size(), 20u);
  EXPECT_LT(pieces.size(), 40u) << "a tenth of a second apart";
  EXPECT_EQ(pieces.front().from, 5);
  EXPECT_EQ(pieces.back().from, drawn.back().time);
  EXPECT_EQ(pieces.back().target, drawn.back().value);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_NEAR(*pieces[i].target, 100 - 20 * (pieces[i].from - 5), 1e-9);
    if (i > 0) {
      EXPECT_GT(pieces[i].from, pieces[i - 1].from);
    }
  }
  EXPECT_TRUE(wish_of({}).pieces.empty()) << "a click draws nothing, and takes the wish back";
}

}  // namespace
}  // namespace rebound::app
