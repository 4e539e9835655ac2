// Going back: any frame comes again as it was, to the last bit, however few checkpoints there are; what is done then
// is a branch, and the one that is left stays as a ghost.
#include "session/timeline.hpp"

#include <gtest/gtest.h>

#include "mesh/error.hpp"
#include "session/snapshot.hpp"
#include "support/runs.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

constexpr int kFrames = 40;

Timeline lived(Rewind::Limits limits = {}, int divisions = 3) {
  Timeline timeline(std::make_unique<Session>(scene::load_world(eventful_scene(divisions)), 1), limits);
  for (int frame = 0; frame < kFrames; ++frame) {
    for (const Event& event : eventful(frame)) timeline.apply(event);
    timeline.step();
  }
  return timeline;
}

void expect_as_recorded(const Timeline& timeline, const std::string& when) {
  EXPECT_EQ(divergence(timeline.journal(), timeline.ensemble()), "") << when;
}

TEST(Timeline, AnyFrameComesAgainToTheLastBit) {
  // All frames, or a checkpoint every 8.
  for (const std::size_t bytes : {std::size_t{1} << 30, std::size_t{120'000}}) {
    Timeline timeline = lived({bytes, 600, 16});
    EXPECT_EQ(timeline.rewind().spacing() > 1, bytes < 1'000'000) << "the budget is what it should be for this test";
    EXPECT_EQ(timeline.first(), 0);
    EXPECT_EQ(timeline.last(), kFrames);
    for (const int frame : {39, 12, 13, 0, 40, 20, 21, 9, 3, 6, 5, 30, 1}) {
      timeline.go_to(frame);
      ASSERT_EQ(timeline.frame(), frame);
      expect_as_recorded(timeline, "at frame " + std::to_string(frame));
    }
    timeline.go_to(-5);
    EXPECT_EQ(timeline.frame(), 0);
    timeline.go_to(1000);
    EXPECT_EQ(timeline.frame(), kFrames);
    EXPECT_EQ(timeline.branch(), 0u) << "looking is no branch";
    EXPECT_TRUE(timeline.ghosts().empty());
  }
}

TEST(Timeline, TheEndHasWhatWasDoneSinceItsStep) {
  Timeline timeline = lived();
  timeline.apply(Addressed{kAllPanes, SetGravity{{0, 7, 0}}});
  const double H = timeline.ensemble().first().record().measured.total();
  timeline.go_to(10);
  EXPECT_NE(timeline.ensemble().first().description().gravity[1], 7);
  timeline.go_to(kFrames);
  EXPECT_EQ(timeline.ensemble().first().description().gravity[1], 7);
  EXPECT_EQ(timeline.ensemble().first().record().measured.total(), H);
}

// The window takes a description over only when its number has changed.
TEST(Timeline, WhoLooksBackSeesWhatWasSetThen) {
  Timeline timeline(std::make_unique<Session>(scene::load_world(spinning_cube(2)), 1));
  const auto frames = [&] {
    for (int i = 0; i < 5; ++i) timeline.step();
  };
  frames();
  timeline.apply(Addressed{kAllPanes, SetIntegrator{"bdf2"}});
  frames();
  scene::Damping damping;
  damping.type = "rayleigh";
  damping.coefficient = 0.3;
  timeline.apply(Addressed{kAllPanes, SetDamping{damping}});
  frames();
  Moment moment;
  const auto seen = [&](std::int64_t frame) {
    timeline.go_to(frame);
    look(timeline, moment);
    const scene::Description& d = moment.panes.front().description;
    return d.integrator.type + " " + d.damping.type;
  };
  const std::string usual = spinning_cube(2).damping.type;
  EXPECT_EQ(seen(15), "bdf2 rayleigh");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(seen(2), "stabilized " + usual);
    EXPECT_EQ(seen(8), "bdf2 " + usual);
    EXPECT_EQ(seen(12), "bdf2 rayleigh");
    EXPECT_EQ(seen(3), "stabilized " + usual);
    EXPECT_EQ(seen(15), "bdf2 rayleigh");
  }
}

// However long the button is held; and who takes hold of it anew makes another step.
TEST(Timeline, ATurnOfASliderIsOneStepToUndo) {
  Timeline timeline(std::make_unique<Session>(scene::load_world(spinning_cube(2)), 1));
  const auto g = [&] { return timeline.ensemble().first().description().gravity[1]; };
  const double at_first = g();
  for (const double to : {1, 2, 3}) {
    timeline.apply(Addressed{kAllPanes, SetGravity{{0, to, 0}}, to > 1});
    for (int i = 0; i < 40; ++i) timeline.step();
  }
  for (const double to : {4, 5}) {
    timeline.apply(Addressed{kAllPanes, SetGravity{{0, to, 0}}, to > 4});
    for (int i = 0; i < 40; ++i) timeline.step();
  }
  timeline.apply(Undo{});
  EXPECT_EQ(g(), 3);
  timeline.apply(Undo{});
  EXPECT_EQ(g(), at_first);
  EXPECT_FALSE(timeline.ensemble().can_undo());
  Timeline again(std::make_unique<Session>(scene::load_world(spinning_cube(2)), 1));
  again.follow(timeline.journal());
  for (int i = 0; i < 200; ++i) again.step();
  EXPECT_EQ(again.divergence(), "");
}

TEST(Timeline, KnowsSinceWhenItIsOneFilm) {
  Timeline timeline(std::make_unique<Session>(scene::load_world(spinning_cube(2)), 1));
  const auto frames = [&] {
    for (int i = 0; i < 5; ++i) timeline.step();
  };
  EXPECT_EQ(timeline.settled_since(), 0);
  frames();
  timeline.apply(Addressed{kAllPanes, SetGravity{{0, 1, 0}}});
  EXPECT_EQ(timeline.settled_since(), 0);
  timeline.apply(AddPane{0, "bdf2"});
  EXPECT_EQ(timeline.settled_since(), 6) << "the frame that is shown was stepped without it";
  frames();
  EXPECT_EQ(timeline.settled_since(), 6);
  timeline.apply(Addressed{kAllPanes, Reset{}});
  frames();
  EXPECT_EQ(timeline.settled_since(), 11);
  timeline.go_to(10);
  EXPECT_EQ(timeline.settled_since(), 6) << "the reset has not been yet";
  timeline.go_to(3);
  EXPECT_EQ(timeline.settled_since(), 0);
}

TEST(Timeline, ABranchIsARunOfItsOwn) {
  Timeline timeline = lived();
  timeline.go_to(8);
  const std::size_t panes = timeline.ensemble().panes().size();
  timeline.apply(Addressed{0, SetIntegrator{"bdf2"}});
  EXPECT_EQ(timeline.branch(), 1u);
  EXPECT_EQ(timeline.last(), 8);
  for (int i = 0; i < 10; ++i) timeline.step();
  EXPECT_EQ(timeline.last(), 18);
  // It is what one gets who never did anything else.
  Timeline other(std::make_unique<Session>(scene::load_world(eventful_scene()), 1));
  for (int frame = 0; frame < 18; ++frame) {
    if (frame < 8)
      for (const Event& event : eventful(frame)) other.apply(event);
    if (frame == 8) other.apply(Addressed{0, SetIntegrator{"bdf2"}});
    other.step();
  }
  expect_as_recorded(other, "alone");
  EXPECT_EQ(divergence(timeline.journal(), other.ensemble()), "");
  EXPECT_EQ(timeline.journal().entries().size(), other.journal().entries().size());
  EXPECT_EQ(timeline.ensemble().panes().size(), panes);
  for (const int frame : {3, 17, 8, 18}) {
    timeline.go_to(frame);
    expect_as_recorded(timeline, "on the branch, frame " + std::to_string(frame));
  }
}

TEST(Timeline, WhatIsLeftStaysAsAGhost) {
  Timeline timeline = lived();
  const double time = timeline.ensemble().first().record().time;
  const double H = timeline.ensemble().first().record().measured.total();
  timeline.go_to(22);
  const double H_there = timeline.ensemble().first().record().measured.total();
  EXPECT_THROW(timeline.apply(Addressed{0, SetTimeStep{-1}}), InputError);
  EXPECT_TRUE(timeline.ghosts().empty()) << "what is refused begins no branch";
  timeline.step();
  ASSERT_EQ(timeline.ghosts().size(), 2u) << "one a pane";
  const Ghost& ghost = *timeline.ghosts().front();
  EXPECT_EQ(ghost.pane, 0);
  EXPECT_EQ(ghost.integrator, "stabilized");
  ASSERT_EQ(ghost.records.size(), static_cast<std::size_t>(kFrames - 22 + 1));
  EXPECT_EQ(ghost.records.front().measured.total(), H_there);
  EXPECT_EQ(ghost.records.back().measured.total(), H);
  EXPECT_EQ(ghost.records.back().time, time);
  for (int i = 0; i < 20; ++i) {
    timeline.go_to(timeline.frame() - 1);
    timeline.step();
  }
  EXPECT_LE(timeline.ghosts().size(), Timeline::kMostGhosts);
}

TEST(Timeline, RemembersSixHundredFramesInWhateverBudget) {
  auto d = spinning_cube(2);
  Timeline timeline(std::make_unique<Session>(scene::load_world(d), 1), {30'000, 600, 8});
  for (int i = 0; i < 1500; ++i) timeline.step();
  EXPECT_LE(timeline.last() - timeline.first(), 1500);
  EXPECT_GE(timeline.last() - timeline.first(), 600);
  EXPECT_LE(timeline.rewind().bytes(), 30'000u);
  // One with room for more forgets the oldest rather than to need more than 8 steps to go back.
  Timeline roomy(std::make_unique<Session>(scene::load_world(d), 1), {400'000, 600, 8});
  for (int i = 0; i < 1500; ++i) roomy.step();
  EXPECT_EQ(roomy.rewind().spacing(), 8);
  EXPECT_GE(roomy.last() - roomy.first(), 600);
  EXPECT_LE(roomy.rewind().bytes(), 400'000u);
  for (const std::int64_t frame : {roomy.first(), roomy.last() - 1, roomy.first() + 13}) {
    roomy.go_to(frame);
    expect_as_recorded(roomy, "frame " + std::to_string(frame));
  }
}

TEST(Timeline, GoesBackAcrossAFailure) {
  auto d = spinning_cube(2, 1e6);
  d.integrator.type = "forward-euler";
  Timeline timeline(std::make_unique<Session>(scene::load_world(d), 1));
  while (timeline.step()) {
  }
  const std::int64_t end = timeline.last();
  const std::string why = timeline.ensemble().first().failure();
  ASSERT_NE(why, "");
  EXPECT_FALSE(timeline.step());
  EXPECT_EQ(timeline.last(), end) << "who stands still makes no frames";
  timeline.go_to(end - 5);
  EXPECT_EQ(timeline.ensemble().first().failure(), "");
  timeline.go_to(end);
  EXPECT_EQ(timeline.ensemble().first().failure(), why);
  timeline.go_to(end - 5);
  timeline.apply(Addressed{0, SetIntegrator{"stabilized"}});
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(timeline.step());
  EXPECT_EQ(timeline.journal().failures().size(), 0u) << "that was on the other branch";
}

TEST(Timeline, InSinglePrecisionAsWell) {
  Timeline timeline = lived({std::size_t{6} << 20, 600, 16}, 12);
  EXPECT_GT(timeline.rewind().spacing(), 1);
  for (const int frame : {39, 12, 0, 40, 17}) {
    timeline.go_to(frame);
    expect_as_recorded(timeline, "at frame " + std::to_string(frame));
  }
}

// The pattern of Newton's Hessian remembers what contacts have linked: here more and more at first, and what is linked
// at the end would serve for the frames before it as well, which had other patterns.
TEST(Timeline, WithNewtonAndContactsAsWell) {
  auto d = spinning_cube(3, 1e6);
  d.solver.type = "newton";
  d.solver.iterations = 4;
  d.substeps = 2;
  d.gravity = {0, -9.81, 0};
  d.contact = {true, true, 1e3, 0.1, {}};
  d.bodies[0].transform.rotate = {};
  d.bodies[0].angularVelocity = {0, 0, 0};
  d.bodies.push_back(d.bodies[0]);
  d.bodies[1].transform.translate = {0.1, 1.03, 0.07};
  d.bodies[1].angularVelocity = {0.2, 0, 0.1};
  scene::Obstacle ground;
  ground.shape = scene::PlaneShape{};
  ground.transform.translate = {0, -0.52, 0};
  ground.friction = 0.5;
  d.obstacles.push_back(ground);
  // Few checkpoints: a frame that is come to by steps alone shows what those go by.
  Timeline timeline(std::make_unique<Session>(scene::load_world(d), 1), {50'000, 600, 16});
  for (int frame = 0; frame < kFrames; ++frame) timeline.step();
  EXPECT_GT(timeline.rewind().spacing(), 1);
  for (int frame = kFrames - 8; frame < kFrames; ++frame) {
    timeline.go_to(kFrames);
    timeline.go_to(frame);
    expect_as_recorded(timeline, "at frame " + std::to_string(frame));
  }
}

TEST(Following, DoesARunAgainAndEndsWhereItDoes) {
  Timeline first = lived();
  first.apply(Addressed{kAllPanes, SetGravity{{0, 7, 0}}});
  Timeline again(std::make_unique<Session>(scene::load_world(eventful_scene()), 1));
  again.follow(first.journal());
  for (int frame = 0; frame < kFrames; ++frame) {
    EXPECT_TRUE(again.follows()) << frame;
    again.step();
  }
  EXPECT_FALSE(again.follows());
  EXPECT_EQ(again.divergence(), "");
  EXPECT_EQ(checksums(again.ensemble()), checksums(first.ensemble()));
  EXPECT_EQ(again.journal().entries().size(), first.journal().entries().size());
  EXPECT_EQ(again.ensemble().first().description().gravity[1], 7) << "what was done at the very end as well";
}

TEST(Following, EndsWithWhateverElseIsDone) {
  Timeline again(std::make_unique<Session>(scene::load_world(eventful_scene()), 1));
  again.follow(lived().journal());
  for (int frame = 0; frame < 5; ++frame) again.step();
  again.apply(Addressed{0, SetIntegrator{"bdf2"}});
  EXPECT_FALSE(again.follows());
  EXPECT_EQ(again.divergence(), "");
}

TEST(Following, GoesOnFromWhereOneWentBackTo) {
  const Timeline first = lived();
  Timeline again(std::make_unique<Session>(scene::load_world(eventful_scene()), 1));
  again.follow(first.journal());
  for (int frame = 0; frame < 20; ++frame) again.step();
  again.go_to(7);
  for (int frame = 7; frame < kFrames; ++frame) again.step();
  EXPECT_EQ(again.divergence(), "");
  EXPECT_EQ(divergence(first.journal(), again.ensemble()), "");
}

TEST(Following, SaysWhereItComesOutOtherwise) {
  scene::Description other = eventful_scene();
  other.gravity[1] -= 1e-9;
  Timeline again(std::make_unique<Session>(scene::load_world(other), 1));
  again.follow(lived().journal());
  for (int frame = 0; frame < kFrames && again.follows(); ++frame) again.step();
  EXPECT_FALSE(again.follows());
  EXPECT_NE(again.divergence().find("frame "), std::string::npos);
  EXPECT_LT(again.frame(), kFrames);
}

}  // namespace
}  // namespace rebound::test
