// A kept motion is the simulated one, moment by moment, and costs no second simulation.
#include "film/footage.hpp"

#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace rebound::film {
namespace {

constexpr auto kPlain = session::FieldKind::none;

/// What a film shows of one pane at one moment.
struct Seen {
  int id;
  std::vector<std::vector<float>> surfaces, field;
  double H;
  std::string integrator;
  sim::Outcome outcome;
  std::size_t bodies;
  bool operator==(const Seen&) const = default;
};

std::vector<std::vector<Seen>> all_of(const Play& play, int frames, session::FieldKind colors = kPlain) {
  std::vector<std::vector<Seen>> moments;
  const auto cast = play(colors);
  for (int i = 0; i <= frames; ++i) {
    auto& now = moments.emplace_back();
    for (const auto& [id, m] : cast->members())
      now.push_back({id, m->surfaces, m->field.bodies, m->record.measured.total(), m->description.integrator.type,
                     m->outcome, m->bodies.size()});
    if (i == frames || !cast->step()) break;
  }
  return moments;
}

/// Counts how often it is begun.
Play counted(const Play& play, int& begun) {
  return [play, &begun](session::FieldKind colors) {
    ++begun;
    return play(colors);
  };
}

TEST(Footage, PlaysBackWhatWasSimulated) {
  const Play simulated = compared(scene::load_world(test::spinning_cube(3)), {"backward-euler", "stabilized"}, 1);
  int begun = 0;
  const Play play = remembered(counted(simulated, begun), kMostKept);
  const auto expected = all_of(simulated, 8, session::FieldKind::stress);
  ASSERT_EQ(expected.size(), 9u);
  EXPECT_NE(expected[8][0].surfaces, expected[7][0].surfaces) << "it moves";
  EXPECT_NE(expected[8][0].field, expected[8][1].field) << "the panes differ";
  EXPECT_EQ(all_of(play, 8, session::FieldKind::stress), expected) << "as it is kept";
  EXPECT_EQ(all_of(play, 8, session::FieldKind::stress), expected) << "as it is played back";
  EXPECT_EQ(all_of(play, 100, session::FieldKind::stress), expected) << "as far as it was played";
  EXPECT_EQ(begun, 1);
}

TEST(Footage, IsSimulatedAgainWhereItTakesTooMuch) {
  const Play simulated = compared(scene::load_world(test::spinning_cube(3)), {"backward-euler"}, 1);
  int begun = 0;
  const Play play = remembered(counted(simulated, begun), 20000);
  const auto expected = all_of(simulated, 30);
  EXPECT_EQ(all_of(play, 30), expected);
  EXPECT_EQ(all_of(play, 30), expected);
  EXPECT_EQ(begun, 2);
}

TEST(Footage, APaneThatFailsStandsStillAndSaysSo) {
  scene::World wild = scene::load_world(test::spinning_cube(3)), calm = scene::load_world(test::spinning_cube(3));
  wild.description.runaway = 1e-6;
  std::vector<scene::World> worlds;
  worlds.push_back(std::move(wild));
  worlds.push_back(std::move(calm));
  const Play simulated = side_by_side(std::move(worlds), 1);
  const Play play = remembered(simulated, kMostKept);
  const auto expected = all_of(simulated, 6);
  ASSERT_EQ(expected.size(), 7u);
  ASSERT_NE(expected.back()[0].outcome, sim::Outcome::done);
  EXPECT_EQ(expected.back()[0].surfaces, expected[5][0].surfaces);
  EXPECT_EQ(expected.back()[1].outcome, sim::Outcome::done);
  all_of(play, 6);
  EXPECT_EQ(all_of(play, 6), expected);
}

TEST(Footage, PanesComeAndGo) {
  session::Journal journal;
  const scene::World world = scene::load_world(test::spinning_cube(3));
  journal.add(2, session::AddPane{0, "stabilized"});
  journal.add(5, session::RemovePane{0});
  const Play simulated = replayed(world, journal, 8, "a run", 1);
  const auto expected = all_of(simulated, 20);
  ASSERT_EQ(expected.size(), 9u);
  EXPECT_EQ(expected[1].size(), 1u);
  EXPECT_EQ(expected[3].size(), 2u);
  ASSERT_EQ(expected[6].size(), 1u);
  EXPECT_NE(expected[6][0].id, 0);
  const Play play = remembered(simulated, kMostKept);
  all_of(play, 20);
  EXPECT_EQ(all_of(play, 20), expected);
}

TEST(Footage, HoldsADescriptionOnce) {
  auto d = test::spinning_cube(3);
  session::Session session = test::open(d);
  session::Snapshot moment;
  Footage footage;
  for (int i = 0; i < 5; ++i) {
    session::look(session, moment);
    footage.add(moment);
    ASSERT_TRUE(session.step());
  }
  const std::size_t before = footage.bytes();
  EXPECT_GE(before, 5 * sizeof(float) * 3 * session.world().bodies[0].surface.points.rows());
  session::Snapshot shown;
  for (const std::size_t i : {0u, 4u, 2u}) {
    footage.show(i, shown);
    EXPECT_EQ(shown.record.frame, static_cast<std::int64_t>(i));
    EXPECT_TRUE(shown.description == session.description());
    EXPECT_TRUE(shown.bodies == session.world().bodies);
  }
}

}  // namespace
}  // namespace rebound::film
