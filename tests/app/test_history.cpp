#include "app/history.hpp"

#include <gtest/gtest.h>

namespace rebound::app {
namespace {

// started: the run's frame at which it was reset.
session::RunRecord record(std::int64_t frame, std::int64_t started = 0) {
  session::FrameRecord r;
  r.frame = frame;
  r.time = 0.5 * static_cast<double>(frame);
  return {r, started + frame};
}

void expect_frames(const History& history, std::int64_t first, std::int64_t last) {
  ASSERT_EQ(history.records().size(), static_cast<std::size_t>(last - first + 1));
  for (std::size_t i = 0; i < history.records().size(); ++i)
    EXPECT_EQ(history.records()[i].frame, first + static_cast<std::int64_t>(i));
}

TEST(History, KeepsTheOrderAndFindsTheNearest) {
  History history;
  history.append({record(0), record(1), record(2)});
  history.append({record(3)});
  EXPECT_EQ(history.records().size(), 4u);
  EXPECT_EQ(history.nearest(0.7)->frame, 1);
  EXPECT_EQ(history.nearest(0.8)->frame, 2);
  EXPECT_EQ(history.nearest(-5)->frame, 0);
  EXPECT_EQ(history.nearest(99)->frame, 3);
  EXPECT_EQ(history.first_at_or_after(0.6), 2u);
  EXPECT_EQ(History().nearest(0), nullptr);
}

TEST(History, AnotherBranchReplacesWhatCameAfter) {
  History history;
  history.append({record(0), record(1), record(2), record(3)});
  history.mark(0.5, "BDF2");
  history.mark(1.5, "Newmark");
  history.append({record(2)});
  ASSERT_EQ(history.records().size(), 3u);
  EXPECT_EQ(history.records()[1].frame, 1);
  EXPECT_EQ(history.records()[2].frame, 2);
  ASSERT_EQ(history.markers().size(), 1u);
  EXPECT_EQ(history.markers()[0].label, "BDF2");
}

// A switch is marked at a moment whose record comes a little later.
TEST(History, AMarkerAheadOfItsRecordStays) {
  History history;
  history.append({record(0), record(1)});
  history.mark(1, "Newmark");
  history.append({record(2)});
  EXPECT_EQ(history.markers().size(), 1u);
}

TEST(History, IsCutWhereOneHasGoneBack) {
  History history;
  history.append({record(0), record(1), record(2)});
  history.mark(1, "Newmark");
  history.cut(1);
  EXPECT_EQ(history.records().size(), 2u);
  EXPECT_TRUE(history.markers().empty());
}

TEST(History, KeepsWhatWasBeforeAResetForWhoLooksBack) {
  History history;
  history.append({record(0), record(1), record(2), record(3)});
  history.mark(0.5, "BDF2");
  history.show(3);
  history.begin(record(0, 3));
  expect_frames(history, 0, 0);
  EXPECT_TRUE(history.markers().empty());
  history.append({record(1, 3), record(2, 3)});
  expect_frames(history, 0, 2);
  history.show(0);
  expect_frames(history, 0, 3);
  EXPECT_EQ(history.markers().size(), 1u);
  history.show(3);
  expect_frames(history, 0, 2);
}

TEST(History, ABranchBeforeAResetLeavesThatToo) {
  History history;
  history.append({record(0), record(1), record(2), record(3), record(1, 3), record(2, 3)});
  history.show(0);
  history.append({record(2), record(3), record(4)});
  expect_frames(history, 0, 4);
  // Two frames on, a reset where the one that was left had been: nothing of that comes back.
  history.cut(3);
  history.append({record(1, 3)});
  history.show(3);
  expect_frames(history, 1, 1);
  history.show(0);
  expect_frames(history, 0, 3);
}

TEST(History, KnowsTheStretchOfAFrameOfTheRun) {
  History history;
  history.append({record(0), record(1), record(2), record(3), record(1, 3), record(2, 3)});
  EXPECT_EQ(history.started_before(2), 0);
  EXPECT_EQ(history.started_before(3), 0) << "at the frame itself one sees what was stepped, not the reset";
  EXPECT_EQ(history.started_before(4), 3);
  EXPECT_EQ(history.started_before(0), 0);
}

TEST(History, WhatIsEditedBeforeTheFirstStepBeginsAnew) {
  History history;
  history.begin(record(0));
  history.mark(0, "BDF2");
  auto edited = record(0);
  edited.target = 7;
  history.begin(edited);
  ASSERT_EQ(history.records().size(), 1u);
  EXPECT_EQ(history.records()[0].target, 7);
  EXPECT_EQ(history.markers().size(), 1u);
}

TEST(History, EndsWithWhatIsThereByNow) {
  History history;
  history.append({record(0), record(1)});
  auto now = record(1);
  now.target = 7;
  history.renew(now);
  EXPECT_EQ(history.records().back().target, 7);
  now.frame = 2;
  history.renew(now);
  EXPECT_EQ(history.records().size(), 2u) << "its record is still to come";
}

TEST(History, ForgetsTheOldestWhenItIsFull) {
  History history;
  std::vector<session::RunRecord> records;
  for (std::size_t i = 0; i < History::kCapacity + 10; ++i) records.push_back(record(static_cast<std::int64_t>(i)));
  history.append(records);
  EXPECT_EQ(history.records().size(), History::kCapacity);
  EXPECT_EQ(history.records().front().frame, 10);
}

TEST(History, SwitchesAtOneMomentAreOneMarker) {
  History history;
  history.mark(1, "BDF2");
  history.mark(1, "Newmark");
  history.mark(2, "Backward Euler");
  ASSERT_EQ(history.markers().size(), 2u);
  EXPECT_EQ(history.markers()[0].label, "Newmark");
}

}  // namespace
}  // namespace rebound::app
