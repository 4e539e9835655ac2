// Every row that comes with the program can be read, and what can run now opens.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "papers/row.hpp"
#include "scene/build.hpp"

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

/// Ends of sentences: a full stop and the like, with a gap behind it; those of "Fig. 5" are none.
int sentences(const std::string& text) {
  int count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ends = text[i] == '.' || text[i] == '?' || text[i] == '!';
    const bool is_figure = i >= 3 && text.compare(i - 3, 3, "Fig") == 0;
    count += ends && !is_figure && (i + 1 == text.size() || text[i + 1] == ' ') ? 1 : 0;
  }
  return count;
}

TEST(Rows, SayInTwoOrThreeSentencesWhatToLookFor) {
  for (const papers::Row& row : papers::read_rows(folder())) {
    const int count = sentences(row.look);
    EXPECT_TRUE(count == 2 || count == 3) << row.id << ": " << row.look;
    if (papers::waits_for(row).empty() && !row.has_scene()) {
      EXPECT_TRUE(row.look.starts_with("There is no scene")) << row.id;
    }
  }
}

TEST(Rows, ThatCanRunHaveScenesThatOpen) {
  int scenes = 0;
  for (const papers::Row& row : papers::read_rows(folder())) {
    if (!papers::waits_for(row).empty()) continue;
    for (const auto& run : row.runs) {
      const auto scene = run->shown({});
      if (!scene) continue;
      EXPECT_FALSE(scene->bodies.empty()) << row.id;
      ++scenes;
      // The runs of a table have one body, and the larger ones take their time.
      if (row.id.starts_with("dinev18-table")) break;
    }
  }
  EXPECT_GT(scenes, 120);
}

/// Of all bodies of a row's first run.
std::pair<int, int> vertices_and_elements(const papers::Row& row) {
  const scene::World world = scene::load_world(row.runs[0]->shown({}).value());
  std::pair<int, int> count;
  for (const scene::BodyGeometry& body : world.bodies) {
    count.first += body.numbered_vertices();
    count.second +=
        body.is_affine() ? static_cast<int>(body.surface.triangles.size()) : static_cast<int>(body.element_count());
  }
  return count;
}

// [You26 Table 1]: what follows from its counts of vertices, tetrahedra and faces, to the last one.
TEST(Rows, HaveTheBodiesThatThePapersCountsTell) {
  const std::map<std::string, std::pair<int, int>> exact{{"3.1", {1331, 6000}},
                                                         {"3.2", {1331, 6000}},
                                                         {"3.3", {4851, 24000}},
                                                         {"3.8-fine", {5832, 24576}},
                                                         {"3.7", {15769, 31104}}};
  std::size_t found = 0;
  for (const papers::Row& row : papers::read_rows(folder()))
    if (const auto wanted = exact.find(row.id); wanted != exact.end()) {
      EXPECT_EQ(vertices_and_elements(row), wanted->second) << row.id;
      ++found;
    }
  EXPECT_EQ(found, exact.size());
}

TEST(Rows, OfWhatIsNotBuiltWaitForIt) {
  for (const papers::Row& row : papers::read_rows(folder()))
    if (row.id == "2.11") {
      EXPECT_EQ(papers::waits_for(row), "snow");
    }
}

}  // namespace
}  // namespace rebound::test
