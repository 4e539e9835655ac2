// What is typed into a field of numbers means what it shows.
#include <gtest/gtest.h>

#include "app/typed_number.hpp"

namespace rebound::app {
namespace {

constexpr double kMilli = 1e-3, kKilo = 1e3;

double value(std::string_view text, std::string_view unit, double shown) {
  const TypedNumber number = read_number(text, unit, shown);
  EXPECT_TRUE(number.value) << text << ": " << number.refusal;
  return number.value.value_or(-1);
}

TEST(TypedNumber, HasTheUnitThatTheFieldShows) {
  EXPECT_DOUBLE_EQ(value("20", "s", kMilli), 0.02);
  EXPECT_DOUBLE_EQ(value(" 20 ", "s", kMilli), 0.02);
  EXPECT_DOUBLE_EQ(value("20", "s", 1), 20);
  EXPECT_DOUBLE_EQ(value("250", "Pa", kKilo), 2.5e5);
  EXPECT_DOUBLE_EQ(value("1e-3", "", 1), 1e-3);
  EXPECT_DOUBLE_EQ(value("-9.81", "m/s^2", 1), -9.81);
}

TEST(TypedNumber, HasItsOwnUnitWhereOneIsTyped) {
  EXPECT_DOUBLE_EQ(value("20 ms", "s", 1), 0.02);
  EXPECT_DOUBLE_EQ(value("20ms", "s", 1), 0.02);
  EXPECT_DOUBLE_EQ(value("0.02 s", "s", kMilli), 0.02);
  EXPECT_DOUBLE_EQ(value("50 µs", "s", kMilli), 5e-5);
  EXPECT_DOUBLE_EQ(value("50 us", "s", kMilli), 5e-5);
  EXPECT_DOUBLE_EQ(value("0.1 MPa", "Pa", kKilo), 1e5);
  EXPECT_DOUBLE_EQ(value("100k", "Pa", 1), 1e5);
  EXPECT_DOUBLE_EQ(value("2 kN/m", "N/m", 1), 2e3);
  EXPECT_DOUBLE_EQ(value("1100 kg/m³", "kg/m^3", 1), 1100);
  EXPECT_DOUBLE_EQ(value("1100 kg/m^3", "kg/m^3", 1), 1100);
  EXPECT_DOUBLE_EQ(value("5 mm", "m", 1), 5e-3);
  EXPECT_DOUBLE_EQ(value("5 m", "m", 1), 5);
}

TEST(TypedNumber, OfAFractionIsInTheUnitOfTheScene) {
  EXPECT_DOUBLE_EQ(value("1/60", "s", kMilli), 1.0 / 60);
  EXPECT_DOUBLE_EQ(value("1 / 60 s", "s", kMilli), 1.0 / 60);
  EXPECT_DOUBLE_EQ(value("100/6 ms", "s", 1), 0.1 / 6);
  EXPECT_DOUBLE_EQ(value("1/3", "", 1), 1.0 / 3);
}

TEST(TypedNumber, IsRefusedInALine) {
  for (const auto& [text, unit] : {std::pair{"", "s"},
                                   {"fast", "s"},
                                   {"1/0", "s"},
                                   {"1/", "s"},
                                   {"20 kg", "s"},
                                   {"20 ms", ""},
                                   {"0,02", "s"},
                                   {"nan", "s"},
                                   {"inf", "s"},
                                   {"1e999", "s"},
                                   {"1 2", "s"}}) {
    const TypedNumber number = read_number(text, unit, kMilli);
    EXPECT_FALSE(number.value) << text;
    EXPECT_FALSE(number.refusal.empty()) << text;
    EXPECT_EQ(number.refusal.find('\n'), std::string::npos);
  }
  EXPECT_NE(read_number("20 kg", "s", 1).refusal.find("is not in s"), std::string::npos);
}

}  // namespace
}  // namespace rebound::app
