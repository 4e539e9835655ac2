// The page of a film: where things lie, and what is said of a frame.
#include "film/sheet.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Sheet, EveryLayoutLiesOnThePageAndApart) {
  for (const auto layout : {Layout::automatic, Layout::row, Layout::column, Layout::grid})
    for (const auto plots : {Plots::one, Plots::each, Plots::none})
      for (std::size_t panes = 1; panes <= 6; ++panes) {
        const Sheet sheet(1280, 720, {panes, true, layout, plots, 0.6f});
        std::vector<render::ImageArea> areas{sheet.shared_plot()};
        for (std::size_t i = 0; i < panes; ++i) areas.push_back(sheet.picture(i));
        EXPECT_EQ(areas[0].height > 0, plots == Plots::one);
        for (std::size_t i = 0; i < areas.size(); ++i) {
          EXPECT_GT(areas[i].width, 0);
          EXPECT_LE(areas[i].x + areas[i].width, 1280);
          EXPECT_LE(areas[i].y + areas[i].height, 720);
          for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(areas[i], areas[j])) << panes;
        }
        const bool one_row = sheet.picture(0).y == sheet.picture(panes - 1).y;
        if (layout == Layout::row) {
          EXPECT_TRUE(one_row);
        }
        if (layout == Layout::column && panes > 1) {
          EXPECT_EQ(sheet.picture(0).x, sheet.picture(panes - 1).x);
        }
      }
}

TEST(Sheet, PanesGoWhereTheyAreLargest) {
  // What is tall stands side by side, what is long lies one upon the other.
  const Sheet tall(1280, 720, {3, true, Layout::automatic, Plots::one, 0.4f});
  EXPECT_EQ(tall.picture(0).y, tall.picture(2).y);
  const Sheet flat(1280, 720, {3, true, Layout::automatic, Plots::one, 4});
  EXPECT_LT(flat.picture(0).y, flat.picture(2).y);
  // Four are two and two rather than three and one.
  const Sheet four(1280, 720, {4, true, Layout::automatic, Plots::one, 1.5f});
  EXPECT_EQ(four.picture(0).x, four.picture(2).x);
}

/// Of the pixels of an area, those that are nearly of this colour: their middle row, and how many.
std::pair<double, int> painted(const render::Image& page, const render::ImageArea& area, const render::Color& color) {
  double sum = 0;
  int count = 0;
  for (int y = area.y; y < area.y + area.height; ++y)
    for (int x = area.x; x < area.x + area.width; ++x) {
      const std::uint8_t* p = page.pixel(x, y);
      const float off = std::abs(static_cast<float>(p[0]) - 255 * color.r) +
                        std::abs(static_cast<float>(p[1]) - 255 * color.g) +
                        std::abs(static_cast<float>(p[2]) - 255 * color.b);
      if (off > 24) continue;
      sum += y;
      ++count;
    }
  return {count > 0 ? sum / count : 0, count};
}

TEST(Sheet, OnePlotHasEveryPaneInItsColour) {
  Sheet sheet(1280, 720, {3, true, Layout::row, Plots::one, 1});
  std::vector<double> times;
  std::vector<std::vector<session::FrameRecord>> records(3);
  for (int i = 0; i < 50; ++i) {
    times.push_back(0.1 * i);
    for (int pane = 0; pane < 3; ++pane)
      records[static_cast<std::size_t>(pane)].push_back(
          with_energy(pane == 2 ? 100 * std::pow(1.2, i) : 100 - 30 * pane, 100, 50));
  }
  std::vector<EnergyCurve> curves;
  for (std::size_t pane = 0; pane < 3; ++pane)
    curves.push_back({"pane", sheet.theme().series[pane], times, records[pane]});
  EnergyAxis axis;
  for (int pane = 0; pane < 2; ++pane) axis.take(records[static_cast<std::size_t>(pane)].front());
  const EnergyScale scale = energy_scale(axis.range(), records[2].back().measured.total());
  ASSERT_TRUE(scale.steady);
  render::Image page = sheet.page("", 0.033, 0);
  sheet.draw_energies(page, curves, {0, 5}, scale);
  const auto area = sheet.shared_plot();
  const auto first = painted(page, area, sheet.theme().series[0]),
             second = painted(page, area, sheet.theme().series[1]), away = painted(page, area, sheet.theme().series[2]);
  for (const auto& [row, count] : {first, second, away}) EXPECT_GT(count, 300);
  // What keeps steady is still told apart while the third has gone a hundred times as far.
  EXPECT_GT(second.first, first.first + 0.05 * area.height);
  EXPECT_LT(away.first, first.first);
}

TEST(EnergyScale, BendsWhereOneRunsAway) {
  const EnergyScale calm = energy_scale({0, 10}, 9);
  EXPECT_FALSE(calm.steady);
  EXPECT_EQ(calm.shown.high, 10);
  const EnergyScale bent = energy_scale({0, 10}, 300);
  ASSERT_TRUE(bent.steady);
  EXPECT_GE(bent.shown.high, 300);
  // Nobody compares what is a million times as far.
  EXPECT_LT(energy_scale({0, 10}, 1e30).shown.high, 1e4);
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
  EXPECT_EQ(trouble_of(with_energy(105, 100, 10), sim::Outcome::done), "");
  EXPECT_EQ(trouble_of(with_energy(140, 100, 10), sim::Outcome::done), "exploding: energy 5 × its target");
  EXPECT_EQ(trouble_of(with_energy(100 + 3478.9 * 10 - 10, 100, 10), sim::Outcome::done),
            "exploding: energy 3,480 × its target");
  EXPECT_EQ(trouble_of(with_energy(1e9, 100, 10), sim::Outcome::done), "exploding: energy over 10,000 × its target");
  EXPECT_EQ(trouble_of(with_energy(100, 100, 10), sim::Outcome::not_finite),
            "stopped: its numbers are no longer finite");
  EXPECT_EQ(trouble_of(with_energy(100, 100, 10), sim::Outcome::crossing), "stopped: surfaces cross");
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
