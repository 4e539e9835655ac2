#include "app/mouse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace rebound::app {
namespace {

using Kind = Gesture::Kind;
using EventKind = MouseEvent::Kind;

/// Plays events on a picture whose left half is a body.
class Player {
 public:
  std::vector<Gesture> press(float x, float y, Button button = Button::left, bool shift = false, bool ctrl = false) {
    return play(EventKind::press, x, y, button, shift, ctrl);
  }
  std::vector<Gesture> move(float x, float y, bool ctrl = false) {
    return play(EventKind::move, x, y, Button::left, false, ctrl);
  }
  std::vector<Gesture> release(float x, float y, Button button = Button::left, bool ctrl = false) {
    return play(EventKind::release, x, y, button, false, ctrl);
  }
  std::vector<Gesture> play(EventKind kind, float x, float y, Button button, bool shift, bool ctrl) {
    MouseEvent event;
    event.kind = kind;
    event.at = {x, y};
    event.button = button;
    event.shift = shift;
    event.ctrl = ctrl;
    event.time = time;
    return mouse.on(event, [](const Vec2& at) { return at.x() < 100; });
  }

  Mouse mouse;
  double time = 0;
};

void expect_only(const std::vector<Gesture>& gestures, Kind kind) {
  ASSERT_EQ(gestures.size(), 1u);
  EXPECT_EQ(gestures[0].kind, kind);
}

TEST(Mouse, LeftDragOnABodyPullsIt) {
  Player player;
  expect_only(player.press(50, 50), Kind::grab);
  expect_only(player.move(150, 80), Kind::move_grab);
  expect_only(player.release(150, 80), Kind::release_grab);
  EXPECT_EQ(player.mouse.mode(), Mouse::Mode::idle);
}

TEST(Mouse, TheWheelWidensWhatIsHeldAndZoomsElse) {
  Player player;
  player.press(50, 50);
  MouseEvent turn;
  turn.kind = EventKind::wheel;
  turn.at = {50, 50};
  turn.wheel = 2;
  const auto hits = [](const Vec2&) { return true; };
  const auto gestures = player.mouse.on(turn, hits);
  expect_only(gestures, Kind::widen_grab);
  EXPECT_EQ(gestures[0].factor, 2);
  player.release(50, 50);
  expect_only(player.mouse.on(turn, hits), Kind::zoom);
}

TEST(Mouse, LeftDragElsewhereOrbitsAndShiftPans) {
  Player player;
  EXPECT_TRUE(player.press(150, 50).empty());
  expect_only(player.move(160, 50), Kind::orbit);
  EXPECT_TRUE(player.release(160, 50).empty());
  player.time = 5;
  EXPECT_TRUE(player.press(50, 50, Button::left, true).empty());
  expect_only(player.move(60, 50), Kind::pan);
}

TEST(Mouse, RightClickPinsAndRightDragPans) {
  Player player;
  EXPECT_TRUE(player.press(50, 50, Button::right).empty());
  EXPECT_TRUE(player.move(51, 51).empty());
  expect_only(player.release(51, 51, Button::right), Kind::toggle_pin);
  EXPECT_TRUE(player.press(50, 50, Button::right).empty());
  expect_only(player.move(70, 50), Kind::pan);
  EXPECT_TRUE(player.release(70, 50, Button::right).empty());
}

TEST(Mouse, DoubleClickCentres) {
  Player player;
  player.press(50, 50);
  player.release(50, 50);
  player.time = 0.2;
  expect_only(player.press(51, 50), Kind::centre);
  player.release(51, 50);
  player.time = 0.3;
  expect_only(player.press(51, 50), Kind::grab);  // a third click begins anew
}

TEST(Mouse, SlowOrDistantClicksAreNoDoubleClick) {
  Player player;
  player.press(50, 50);
  player.release(50, 50);
  player.time = 1;
  expect_only(player.press(50, 50), Kind::grab);
  player.release(50, 50);
  player.time = 1.1;
  expect_only(player.press(80, 50), Kind::grab);
}

TEST(Mouse, ABoxForARegionIsOneWithCtrlAsWell) {
  Player player;
  player.mouse.arm_box(BoxFor::region);
  EXPECT_TRUE(player.press(10, 10, Button::left, false, true).empty());
  player.move(60, 70, true);
  ASSERT_TRUE(player.mouse.box());
  EXPECT_FALSE(player.mouse.box()->unpins);
  const auto done = player.release(60, 70, Button::left, true);
  expect_only(done, Kind::box_region);
  EXPECT_EQ(done[0].from, Vec2(10, 10));
  EXPECT_EQ(done[0].to, Vec2(60, 70));
  EXPECT_EQ(player.mouse.box_armed(), BoxFor::nothing);
}

TEST(Mouse, BoxPinsOnceAndCtrlUnpins) {
  Player player;
  player.mouse.arm_box(BoxFor::pins);
  EXPECT_TRUE(player.press(10, 10).empty());
  player.move(60, 70);
  ASSERT_TRUE(player.mouse.box());
  EXPECT_FALSE(player.mouse.box()->unpins);
  const auto done = player.release(60, 70);
  expect_only(done, Kind::box_pin);
  EXPECT_EQ(done[0].from, Vec2(10, 10));
  EXPECT_EQ(done[0].to, Vec2(60, 70));
  EXPECT_EQ(player.mouse.box_armed(), BoxFor::nothing);

  player.mouse.arm_box(BoxFor::pins);
  player.press(10, 10, Button::left, false, true);
  player.move(30, 30, true);
  EXPECT_TRUE(player.mouse.box()->unpins);
  expect_only(player.release(30, 30, Button::left, true), Kind::box_unpin);
}

TEST(Mouse, WheelZoomsTowardsAndAway) {
  Player player;
  MouseEvent event;
  event.kind = EventKind::wheel;
  event.at = {10, 20};
  event.wheel = 1;
  const auto nearer = player.mouse.on(event, [](const Vec2&) { return false; });
  expect_only(nearer, Kind::zoom);
  EXPECT_LT(nearer[0].factor, 1);
  event.wheel = -1;
  EXPECT_GT(player.mouse.on(event, [](const Vec2&) { return false; })[0].factor, 1);
}

TEST(Mouse, EscapeLetsGo) {
  Player player;
  player.press(50, 50);
  expect_only(player.mouse.cancel(), Kind::release_grab);
  EXPECT_TRUE(player.move(80, 80).empty());
  EXPECT_TRUE(player.release(80, 80).empty());
  EXPECT_TRUE(player.mouse.cancel().empty());
}

TEST(Mouse, ADragIsNoFirstClick) {
  Player player;
  player.press(50, 50);
  player.move(90, 50);
  player.release(90, 50);
  player.time = 0.1;
  expect_only(player.press(50, 50), Kind::grab);
}

TEST(Mouse, ASecondButtonDoesNotDisturbADrag) {
  Player player;
  player.press(50, 50);
  EXPECT_TRUE(player.press(50, 50, Button::right).empty());
  EXPECT_TRUE(player.release(50, 50, Button::right).empty());
  EXPECT_EQ(player.mouse.mode(), Mouse::Mode::grab);
}

// Whatever comes, every grab is let go exactly once, and nothing that is not finite gets through.
TEST(Mouse, RandomEventsKeepGrabsAndReleasesInPairs) {
  Player player;
  std::mt19937 random(7);
  const auto pick = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int held = 0;
  for (int i = 0; i < 20000; ++i) {
    player.time += 0.05 * pick(10);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float x = pick(50) == 0 ? nan : static_cast<float>(pick(4000) - 2000),
                y = static_cast<float>(pick(4000) - 2000);
    if (pick(100) == 0) player.mouse.arm_box(static_cast<BoxFor>(pick(3)));
    const auto gestures = pick(200) == 0 ? player.mouse.cancel()
                                         : player.play(static_cast<EventKind>(pick(4)), x, y,
                                                       static_cast<Button>(pick(3)), pick(3) == 0, pick(3) == 0);
    for (const Gesture& gesture : gestures) {
      EXPECT_TRUE(gesture.to.allFinite());
      if (gesture.kind == Kind::grab) ++held;
      if (gesture.kind == Kind::release_grab) --held;
      ASSERT_GE(held, 0);
      ASSERT_LE(held, 1);
    }
  }
}

}  // namespace
}  // namespace rebound::app
