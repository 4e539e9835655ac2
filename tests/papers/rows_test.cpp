// Every row that comes with the program can be read, and what can run now opens.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "papers/row.hpp"

namespace rebound::test {
namespace {

std::filesystem::path folder() { return std::filesystem::path(REBOUND_SOURCE_DIR) / "assets" / "papers"; }

TEST(Rows, AreThoseOfThePapersAndInTheirOrder) {
  const std::vector<papers::Row> rows = papers::read_rows(folder());
  std::map<std::string, int> of_paper;
  for (const papers::Row& row : rows) ++of_paper[row.paper];
  EXPECT_EQ(of_paper["Chen20"], 16);
  EXPECT_EQ(of_paper["Gast15"], 12);
  EXPECT_GE(of_paper["You26"], 19);
  EXPECT_GE(of_paper["Dinev18"], 34);
  std::vector<std::string> ids;
  for (const papers::Row& row : rows) ids.push_back(row.id);
  const auto at = [&](const char* id) { return std::find(ids.begin(), ids.end(), id) - ids.begin(); };
  EXPECT_EQ(ids.front(), "dinev18-fig-1");
  EXPECT_LT(at("dinev18-fig-9"), at("dinev18-fig-10"));
  EXPECT_LT(at("1.9"), at("1.10"));
  EXPECT_EQ(ids.back(), "3.19");
}

TEST(Rows, SayWhatTheyClaimWhereAndWhatToLookFor) {
  for (const papers::Row& row : papers::read_rows(folder())) {
    EXPECT_FALSE(row.claim.empty() || row.look.empty()) << row.id;
    EXPECT_FALSE(row.parameters.empty()) << row.id;
    if (!papers::waits_for(row).empty()) continue;
    EXPECT_FALSE(row.numbers.empty()) << row.id;
    // Of what is not the paper's it is said why, or it is plain that the paper gives none.
    for (const papers::Parameter& p : row.parameters) EXPECT_FALSE(p.value.empty()) << row.id << " " << p.name;
  }
}

TEST(Rows, ThatCanRunHaveScenesThatOpen) {
  int scenes = 0;
  for (const papers::Row& row : papers::read_rows(folder())) {
    // The bodies of the tables are made anew each time, which takes long.
    if (!papers::waits_for(row).empty() || row.id.starts_with("dinev18-table")) continue;
    for (const auto& run : row.runs)
      if (const auto scene = run->shown({})) {
        EXPECT_FALSE(scene->bodies.empty()) << row.id;
        ++scenes;
      }
  }
  EXPECT_GT(scenes, 60);
}

TEST(Rows, OfWhatIsNotBuiltWaitForIt) {
  for (const papers::Row& row : papers::read_rows(folder()))
    if (row.id == "2.11") {
      EXPECT_EQ(papers::waits_for(row), "snow");
    }
}

}  // namespace
}  // namespace rebound::test
