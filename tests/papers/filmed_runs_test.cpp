// What a row's film shows is what its runs were: nothing is simulated for it.
#include "papers/filmed_runs.hpp"

#include <gtest/gtest.h>

#include "papers/row_support.hpp"
#include "scene/build.hpp"
#include "session/session.hpp"

namespace rebound::papers {
namespace {

/// Two cubes, one of which falls, filmed so many frames.
Row row_of(int film_frames, const std::string& second = R"("set": {"/gravity": [0, 0, 0]})") {
  return test::read_row_text(R"({ "row": 1, "paper": "Chen20", "place": "Fig. 18", "title": "t", "class": "A",
  "seconds": 1, "claim": "c", "look": "l", "scene": "spinning-cube", "frames": 6,
  "runs": [ { "name": "one" }, { "name": "two", )" +
                             second + R"( } ],
  "numbers": [ { "what": "H", "measure": "energy_left", "run": "one" } ],
  "film": { "runs": [ "two", "one" ], "frames": )" +
                             std::to_string(film_frames) + R"(, "pictures": 2 } })");
}

FilmedRuns filmed(const Row& row) {
  FilmedRuns runs(row);
  for (std::size_t i = 0; i < row.runs.size(); ++i) {
    const auto experiment = row.runs[i]->begin({});
    runs.take(i, *experiment);
    for (bool goes = true; goes;) {
      goes = experiment->advance();
      runs.take(i, *experiment);
    }
  }
  return runs;
}

TEST(FilmedRuns, AreWhatAFilmWouldSimulate) {
  const Row row = row_of(4);
  const auto reel = filmed(row).reel();
  ASSERT_NE(reel, nullptr);
  std::vector<scene::World> worlds;
  for (const std::size_t run : {1u, 0u}) worlds.push_back(scene::load_world(*row.runs[run]->shown({})));
  const auto kept = film::played_back(reel)(session::FieldKind::none);
  const auto simulated = film::side_by_side(worlds, 1)(session::FieldKind::none);
  for (int frame = 0; frame <= 4; ++frame) {
    ASSERT_EQ(kept->members().size(), 2u);
    EXPECT_EQ(kept->time_step(), simulated->time_step());
    for (std::size_t pane = 0; pane < 2; ++pane) {
      EXPECT_EQ(kept->members()[pane].id, simulated->members()[pane].id);
      EXPECT_EQ(kept->members()[pane].moment->surfaces, simulated->members()[pane].moment->surfaces);
    }
    EXPECT_EQ(kept->step(), frame < 4);
    simulated->step();
  }
}

TEST(FilmedRuns, EndWithAFailure) {
  const auto reel =
      filmed(row_of(4, R"("set": {"/integrator/type": "forward-euler", "/bodies/0/material/young": 1e9})")).reel();
  ASSERT_NE(reel, nullptr);
  EXPECT_EQ(reel->time_steps.size(), 5u) << "the other one goes on";
  const auto cast = film::played_back(reel)(session::FieldKind::none);
  while (cast->step()) {
  }
  EXPECT_NE(cast->members()[0].moment->outcome, sim::Outcome::done);
  EXPECT_EQ(cast->members()[1].moment->record.frame, 4);
}

TEST(FilmedRuns, AreNoneWhereAFilmGoesFurther) { EXPECT_EQ(filmed(row_of(7)).reel(), nullptr); }

}  // namespace
}  // namespace rebound::papers
