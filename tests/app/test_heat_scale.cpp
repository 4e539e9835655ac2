#include <gtest/gtest.h>

#include "app/heat_scale.hpp"

namespace rebound::app {
namespace {

using session::FieldKind;

std::vector<session::Snapshot> panes_of(FieldKind kind, std::initializer_list<double> tops) {
  std::vector<session::Snapshot> panes;
  for (const double top : tops) {
    session::Snapshot pane;
    pane.field = {kind, {{1.0f}}, top};
    panes.push_back(std::move(pane));
  }
  return panes;
}

TEST(HeatScale, RisesAtOnceAndFallsSlowly) {
  HeatScale scale;
  scale.follow(panes_of(FieldKind::stress, {100}), 0.03);
  EXPECT_EQ(scale.top(), 100);
  scale.follow(panes_of(FieldKind::stress, {10}), 0.03);
  EXPECT_GT(scale.top(), 98);
  for (int i = 0; i < 60; ++i) scale.follow(panes_of(FieldKind::stress, {10}), 0.1);  // three half-lives
  EXPECT_NEAR(scale.top(), 12.4, 0.3);
  scale.follow(panes_of(FieldKind::stress, {300}), 0.03);
  EXPECT_EQ(scale.top(), 300);
}

TEST(HeatScale, APauseIsNoReasonToFall) {
  HeatScale scale;
  scale.follow(panes_of(FieldKind::stress, {100}), 0);
  scale.follow(panes_of(FieldKind::stress, {0}), 1000);
  EXPECT_GT(scale.top(), 95);
}

TEST(HeatScale, AllPanesShareTheHighestAndAnotherFieldBeginsAnew) {
  HeatScale scale;
  scale.follow(panes_of(FieldKind::stress, {5, 70, 20}), 0);
  EXPECT_EQ(scale.top(), 70);
  EXPECT_TRUE(scale.has_any());
  scale.follow(panes_of(FieldKind::strain, {0.1, 0.3}), 0.03);
  EXPECT_EQ(scale.top(), 0.3);
}

TEST(HeatScale, APaneThatRanAwayHasNoSayWhereOthersHold) {
  auto panes = panes_of(FieldKind::energy, {5e7, 40});
  panes[0].failure = "it ran away";
  HeatScale scale;
  scale.follow(panes, 0);
  EXPECT_EQ(scale.top(), 40);
  scale.follow({panes.data(), 1}, 0.03);
  EXPECT_EQ(scale.top(), 5e7);
}

TEST(HeatScale, AtRestThereIsAScaleAsWell) {
  HeatScale scale;
  scale.follow(panes_of(FieldKind::energy, {0}), 0);
  EXPECT_GT(scale.top(), 0);
}

}  // namespace
}  // namespace rebound::app
