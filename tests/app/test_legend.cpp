// A chart's legend names every curve, in order, within its card.
#include <gtest/gtest.h>

#include "app/legend.hpp"

namespace rebound::app {
namespace {

float width(const std::string& text) { return 10 * static_cast<float>(text.size()); }
constexpr LegendRoom kRoom{.width = 400, .key = 16, .gap = 10, .rows = 2};

void expect_whole(const std::vector<LegendName>& names, const LegendRoom& room) {
  const auto entries = arrange_legend(names, room, width);
  ASSERT_EQ(entries.size(), names.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].of, i) << "in their order";
    EXPECT_FALSE(entries[i].text.empty());
    EXPECT_LT(entries[i].row, room.rows);
    EXPECT_LE(entries[i].x + room.key + width(entries[i].text), room.width + 1e-3f) << entries[i].text;
    if (i > 0 && entries[i].row == entries[i - 1].row) {
      EXPECT_GE(entries[i].x, entries[i - 1].x + room.key + width(entries[i - 1].text)) << "none over another";
    }
  }
}

TEST(Legend, HasTheValuesWhereAllFit) {
  const std::vector<LegendName> names{{"target", "2 J"}, {"H", "3 J"}};
  expect_whole(names, kRoom);
  EXPECT_EQ(arrange_legend(names, kRoom, width)[1].text, "H 3 J");
}

TEST(Legend, LeavesOutTheValuesBeforeItTakesAnotherRow) {
  const std::vector<LegendName> names{{"Stabilized", "2.00 kJ"}, {"Backward Euler", "3.00 kJ"}};
  expect_whole(names, kRoom);
  const auto entries = arrange_legend(names, kRoom, width);
  EXPECT_EQ(entries[1].text, "Backward Euler");
  EXPECT_EQ(entries[1].row, 0);
}

TEST(Legend, NamesSixPanesInOrder) {
  const std::vector<LegendName> names{
      {"Stabilized midpoint", "1 J"}, {"Backward Euler", "1 J"}, {"BDF2", "1 J"},
      {"Implicit midpoint", "1 J"},   {"Newmark", "1 J"},        {"Energy budget", "1 J"}};
  for (const float wide : {300.f, 400.f, 900.f}) expect_whole(names, {wide, 16, 10, 2});
  EXPECT_TRUE(arrange_legend(names, {120, 16, 10, 2}, width).empty()) << "letters alone would name nothing";
}

TEST(Legend, ShortensWholeLetters) {
  EXPECT_EQ(shortened("abcdefgh", 70, width), "abcd...");
  EXPECT_EQ(shortened("abcdefgh", 40, width), "abcd");
  EXPECT_EQ(shortened("µµµµµ", 90, width), "µµµ...");
  EXPECT_EQ(shortened("abc", 30, width), "abc");
}

}  // namespace
}  // namespace rebound::app
