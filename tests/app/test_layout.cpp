#include "app/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "app/settings.hpp"

namespace rebound::app {
namespace {

TEST(Layout, FillsTheWindowWithoutOverlap) {
  const Layout l = arrange(1440, 900, 1, {});
  EXPECT_FALSE(l.picture.empty());
  EXPECT_EQ(l.top.height, l.picture.y);
  EXPECT_EQ(l.picture.width, l.side.x);
  EXPECT_EQ(l.picture.y + l.picture.height, l.timeline.y);
  EXPECT_EQ(l.timeline.y + l.timeline.height, l.plots.y);
  EXPECT_EQ(l.plots.y + l.plots.height, 900);
  EXPECT_EQ(l.side.x + l.side.width, 1440);
}

TEST(Layout, NoWindowIsTooSmall) {
  Settings settings;
  for (const float width : {0.0f, 1.0f, 30.0f, 300.0f, 600.0f, 5000.0f})
    for (const float height : {0.0f, 1.0f, 30.0f, 200.0f, 400.0f, 4000.0f})
      for (const float unit : {0.5f, 1.0f, 2.0f, 8.0f})
        for (settings.panels = false;; settings.panels = true) {
          const Layout l = arrange(width, height, unit, settings);
          for (const Rect& r : {l.top, l.side, l.plots, l.timeline, l.picture}) {
            EXPECT_GE(r.width, 0);
            EXPECT_GE(r.height, 0);
            EXPECT_LE(r.x + r.width, width + 1e-3f);
            EXPECT_LE(r.y + r.height, height + 1e-3f);
          }
          if (settings.panels) break;
        }
}

TEST(Layout, PanesShareThePictureWithoutOverlap) {
  const Rect picture{10, 20, 901, 503};
  constexpr std::size_t kColumns[] = {1, 1, 2, 2, 2, 3, 3};
  for (std::size_t count = 1; count <= 6; ++count) {
    const auto places = pane_places(picture, count, 1);
    ASSERT_EQ(places.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      const Rect& r = places[i];
      EXPECT_EQ(r.width, places[0].width);
      EXPECT_EQ(r.height, places[0].height);
      EXPECT_LE(r.x + r.width, picture.x + picture.width);
      EXPECT_LE(r.y + r.height, picture.y + picture.height);
      const bool is_leftmost = i % kColumns[count] == 0, is_highest = i < kColumns[count];
      EXPECT_GE(r.x, is_leftmost ? picture.x : places[i - 1].x + r.width);
      EXPECT_GE(r.y, is_highest ? picture.y : places[i - kColumns[count]].y + r.height);
    }
  }
  for (const Rect& r : pane_places({0, 0, 1, 1}, 6, 2)) EXPECT_TRUE(r.empty() && r.width >= 0 && r.height >= 0);
}

TEST(Layout, HiddenPanelsLeaveEverythingToThePicture) {
  Settings settings;
  settings.panels = false;
  const Layout l = arrange(800, 600, 2, settings);
  EXPECT_EQ(l.picture.width, 800);
  EXPECT_EQ(l.picture.height, 600);
  EXPECT_TRUE(l.top.empty() && l.side.empty() && l.plots.empty());
}

class SettingsFile : public testing::Test {
 protected:
  std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "rebound-settings" / "settings.json";
  void TearDown() override { std::filesystem::remove_all(file.parent_path()); }
  void write(const char* text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
};

TEST_F(SettingsFile, ComesBackAsItWasSaved) {
  Settings settings;
  settings.dark = false;
  settings.ui_scale = 1.5f;
  settings.plots_height = 300;
  settings.video = VideoKind::gif;
  settings.remember("/scenes/a.json");
  settings.remember("/scenes/b \xff.json");  // no UTF-8
  save_settings(settings, file);
  const Settings loaded = load_settings(file);
  EXPECT_FALSE(loaded.dark);
  EXPECT_EQ(loaded.ui_scale, 1.5f);
  EXPECT_EQ(loaded.plots_height, 300);
  EXPECT_EQ(loaded.video, VideoKind::gif);
  ASSERT_EQ(loaded.recent.size(), 2u);
  EXPECT_EQ(loaded.recent[1], "/scenes/a.json");
}

TEST_F(SettingsFile, RemembersTheLastFilesOnceEach) {
  Settings settings;
  for (int i = 0; i < 20; ++i) settings.remember("/scenes/" + std::to_string(i % 12) + ".json");
  EXPECT_EQ(settings.recent.size(), Settings::kMostRecent);
  EXPECT_EQ(settings.recent.front(), "/scenes/7.json");
  settings.remember("/scenes/./../scenes/5.json");
  EXPECT_EQ(settings.recent.front(), "/scenes/5.json");
  EXPECT_EQ(std::count(settings.recent.begin(), settings.recent.end(), "/scenes/5.json"), 1);
}

TEST_F(SettingsFile, ComplainsOfADamagedFileAloneAndInALine) {
  std::string complaint;
  load_settings(file, &complaint);
  EXPECT_TRUE(complaint.empty()) << "the first start";
  write("{\"dark\": fal");
  load_settings(file, &complaint);
  EXPECT_NE(complaint.find("settings.json"), std::string::npos);
  EXPECT_EQ(complaint.find('\n'), std::string::npos);
}

TEST_F(SettingsFile, WhatIsWrongInItIsTheDefault) {
  for (const char* text :
       {"", "[]", "{", "{\"uiScale\": \"big\", \"dark\": 3}", "{\"uiScale\": 1e99}",
        "{\"recent\": [1, {}, null], \"video\": []}", "{\"recent\": {\"a\": 1}, \"video\": \"avi\"}"}) {
    write(text);
    const Settings loaded = load_settings(file);
    EXPECT_TRUE(loaded.dark) << text;
    EXPECT_LE(loaded.ui_scale, 4) << text;
  }
  EXPECT_TRUE(load_settings("/no/such/file").dark);
}

}  // namespace
}  // namespace rebound::app
