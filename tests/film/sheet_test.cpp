// The page of a film: where things lie, and what is said of a frame.
#include "film/sheet.hpp"

#include <gtest/gtest.h>

namespace rebound::film {
namespace {

session::FrameRecord with_energy(double total, double target, double scale) {
  session::FrameRecord record;
  record.measured.kinetic = total;
  record.target = target;
  record.scale = record.reference = scale;
  return record;
}

bool overlap(const render::ImageArea& a, const render::ImageArea& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

TEST(Sheet, PanesAndPlotsLieOnThePageAndApart) {
  for (const auto& [width, height] : {std::pair{1280, 720}, {320, 240}, {3840, 2160}, {201, 1001}, {64, 64}})
    for (std::size_t panes = 1; panes <= 6; ++panes) {
      const Sheet sheet(width, height, panes, true);
      std::vector<render::ImageArea> areas;
      for (std::size_t i = 0; i < panes; ++i) {
        areas.push_back(sheet.picture(i));
        areas.push_back(sheet.plot(i));
      }
      for (std::size_t i = 0; i < areas.size(); ++i) {
        EXPECT_GT(areas[i].width, 0);
        EXPECT_GE(areas[i].height, 0);
        EXPECT_LE(areas[i].x + areas[i].width, width);
        EXPECT_LE(areas[i].y + areas[i].height, height);
        for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(areas[i], areas[j])) << width << " " << panes;
      }
    }
}

TEST(Sheet, WritesWithinThePane) {
  Sheet sheet(640, 360, 2, false);
  const std::string very_long(300, 'W');
  const render::Image empty = sheet.page("", 0.033, 0);
  render::Image page = empty;
  sheet.write(page, 0, {very_long, "1 ms a frame", "exploding"});
  const auto other = sheet.picture(1), mine = sheet.picture(0);
  int changed_here = 0;
  for (int y = 0; y < page.height; ++y)
    for (int x = 0; x < page.width; ++x) {
      const bool changed = !std::equal(page.pixel(x, y), page.pixel(x, y) + 4, empty.pixel(x, y));
      if (x >= other.x) {
        ASSERT_FALSE(changed) << "it runs into the next pane";
      } else if (changed) {
        ++changed_here;
        ASSERT_GE(y, mine.y);
      }
    }
  EXPECT_GT(changed_here, 500);
}

TEST(FrameWords, AnExplosionIsSaidWithItsSize) {
  EXPECT_EQ(trouble_of(with_energy(105, 100, 10), ""), "");
  EXPECT_EQ(trouble_of(with_energy(140, 100, 10), ""), "exploding: energy 5 × its target");
  EXPECT_EQ(trouble_of(with_energy(1e9, 100, 10), ""), "exploding: energy over 10,000 × its target");
  EXPECT_NE(trouble_of(with_energy(100, 100, 10), "frame 3: not finite").find("stopped"), std::string::npos);
}

TEST(FrameWords, TimingIsTheMedian) {
  EXPECT_EQ(timing_of({}), "");
  EXPECT_EQ(timing_of({1000, 1, 3, 2, 2.5}), "2.50 ms a frame");
  EXPECT_EQ(timing_of({30}), "30.0 ms a frame");
}

TEST(EnergyAxis, HoldsWhatIsSteadyAndNoExplosion) {
  EnergyAxis axis;
  axis.take(with_energy(100, 100, 10));
  const render::Range before = axis.range();
  EXPECT_LT(before.low, 90);
  EXPECT_GT(before.high, 100);
  axis.take(with_energy(1e12, -1e12, 10));
  EXPECT_EQ(axis.range().low, before.low);
  EXPECT_EQ(axis.range().high, before.high);
  EXPECT_LT(EnergyAxis().range().low, EnergyAxis().range().high);
}

}  // namespace
}  // namespace rebound::film
