#include "app/history.hpp"

#include <gtest/gtest.h>

namespace rebound::app {
namespace {

session::FrameRecord record(std::int64_t frame) {
  session::FrameRecord r;
  r.frame = frame;
  r.time = 0.5 * static_cast<double>(frame);
  return r;
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

TEST(History, ForgetsTheOldestWhenItIsFull) {
  History history;
  std::vector<session::FrameRecord> records;
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
