#include <gtest/gtest.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "app/shortcuts.hpp"
#include "app/speeds.hpp"

namespace rebound::app {
namespace {

TEST(Shortcuts, NoKeyIsBoundTwice) {
  std::set<std::tuple<int, bool, bool>> seen;
  for (const Shortcut& row : shortcuts())
    EXPECT_TRUE(seen.emplace(row.press.key, row.press.ctrl, row.press.shift).second) << row.keys << " is bound twice";
}

TEST(Shortcuts, EveryActionHasAKeyAndALine) {
  for (int i = 0; i <= static_cast<int>(Action::quit); ++i) {
    EXPECT_FALSE(keys_of(static_cast<Action>(i)).empty()) << i;
    EXPECT_FALSE(described(static_cast<Action>(i)).empty()) << i;
  }
}

TEST(Shortcuts, EveryGroupThatTheOverlayListsHasRows) {
  for (const char* group : {"Simulation", "View", "Files"})
    EXPECT_TRUE(
        std::any_of(shortcuts().begin(), shortcuts().end(), [&](const Shortcut& s) { return s.group == group; }));
  for (const Shortcut& row : shortcuts())
    EXPECT_TRUE(row.group == "Simulation" || row.group == "View" || row.group == "Files") << row.keys;
}

TEST(Shortcuts, ShiftAndRepeatAreMindedWhereTheyMatter) {
  // "+" is shift and "=" on many keyboards.
  EXPECT_EQ(find_action({GLFW_KEY_EQUAL, true, true}, false), Action::larger_ui);
  EXPECT_EQ(find_action({GLFW_KEY_EQUAL, false, false}, false), Action::faster);
  EXPECT_EQ(find_action({GLFW_KEY_SPACE, false, false}, true), std::nullopt);
  EXPECT_EQ(find_action({GLFW_KEY_RIGHT, false, false}, true), Action::step);
  EXPECT_EQ(find_action({GLFW_KEY_W, true, false}, false), std::nullopt);
}

TEST(Shortcuts, IntegratorKeysFollowOneAnother) {
  for (int i = 0; i < kIntegratorKeys; ++i)
    EXPECT_EQ(find_action({GLFW_KEY_1 + i, false, false}, false),
              static_cast<Action>(static_cast<int>(Action::integrator_1) + i));
}

TEST(Speeds, GoUpAndDownAndStopAtTheEnds) {
  EXPECT_EQ(next_speed(1, 1), 2);
  EXPECT_EQ(next_speed(1, -1), 0.5);
  EXPECT_EQ(next_speed(kSpeeds.front(), -1), kSpeeds.front());
  EXPECT_EQ(next_speed(kSpeeds.back(), 1), kSpeeds.back());
  EXPECT_EQ(speed_text(0.25), "1/4 ×");
  EXPECT_EQ(speed_text(2), "2 ×");
}

}  // namespace
}  // namespace rebound::app
