// The ledger's charts: which there are, what their axes hold, and that long runs keep their peaks.
#include "film/ledger_plot.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "mesh/error.hpp"

namespace rebound::film {
namespace {

namespace fs = std::filesystem;

/// A harmonic swing of 10 J between kinetic and elastic energy.
std::vector<session::FrameRecord> swing(int frames) {
  std::vector<session::FrameRecord> records(static_cast<std::size_t>(frames));
  for (int i = 0; i < frames; ++i) {
    auto& r = records[static_cast<std::size_t>(i)];
    r.frame = i;
    r.time = 0.033 * i;
    r.measured.kinetic = 10 * std::pow(std::sin(0.1 * i), 2);
    r.measured.elastic = 10 - r.measured.kinetic;
    r.target = 10;
    r.scale = r.reference = 10;
    r.measured.p = {std::sin(0.1 * i), 0, 0};
  }
  return records;
}

const render::Chart* find(const std::vector<render::Chart>& charts, const std::string& title) {
  for (const auto& chart : charts)
    if (chart.title.starts_with(title)) return &chart;
  return nullptr;
}

TEST(LedgerCharts, HaveUnitsAndOnlyWhatIsUsed) {
  const auto charts = ledger_charts(swing(100), render::light_theme());
  for (const auto& chart : charts) EXPECT_EQ(chart.x_unit, "s");
  const auto* kinds = find(charts, "Kinds");
  ASSERT_NE(kinds, nullptr);
  EXPECT_EQ(kinds->y_unit, "J");
  ASSERT_EQ(kinds->curves.size(), 2u) << "neither gravity nor handles nor contact";
  EXPECT_EQ(find(charts, "Blend"), nullptr);
  EXPECT_EQ(find(charts, "Added"), nullptr);
  EXPECT_EQ(find(charts, "Linear")->y_unit, "kg m/s");
  EXPECT_TRUE(ledger_charts({}, render::light_theme()).empty());
}

TEST(LedgerCharts, AnExplosionBendsTheAxisOfEnergiesAndGoesOffTheOthers) {
  auto records = swing(200);
  for (std::size_t i = 150; i < records.size(); ++i) {
    records[i].measured.kinetic = std::pow(10.0, static_cast<double>(i) - 140);
    records[i].measured.p = {records[i].measured.kinetic, 0, 0};
  }
  const auto charts = ledger_charts(records, render::light_theme());
  for (const char* title : {"Energy", "Kinds", "Linear"}) {
    const auto* chart = find(charts, title);
    ASSERT_TRUE(chart != nullptr && chart->y_range) << title;
    const render::Range steady = chart->y_steady.value_or(*chart->y_range);
    EXPECT_LT(steady.high, 30) << title;
    EXPECT_EQ(chart->y_steady.has_value(), title != std::string_view("Linear")) << title;
    EXPECT_LT(chart->y_range->high, 110 * (steady.high - steady.low)) << title;
    EXPECT_GT(chart->y_range->high, chart->y_range->low) << title;
    EXPECT_EQ(chart->x_range->high, records.back().time) << "the time is all of it";
  }
}

TEST(LedgerCharts, LongRunsKeepTheirPeaks) {
  auto records = swing(100'000);
  records[77'777].measured.kinetic = 17;
  const auto charts = ledger_charts(records, render::light_theme());
  const auto* kinds = find(charts, "Kinds");
  const auto& kinetic = kinds->curves[0];
  EXPECT_LT(kinetic.y.size(), 5000u);
  EXPECT_EQ(*std::max_element(kinetic.y.begin(), kinetic.y.end()), 17);
  EXPECT_TRUE(std::is_sorted(kinetic.x.begin(), kinetic.x.end()));
  const auto peak = std::max_element(kinetic.y.begin(), kinetic.y.end()) - kinetic.y.begin();
  EXPECT_NEAR(kinetic.x[static_cast<std::size_t>(peak)], 0.033 * 77'777, 1e-9);
}

TEST(LedgerPlot, IsWrittenWholeAsItsNameSays) {
  const fs::path folder = fs::path(testing::TempDir()) / ("rebound_plot_" + std::to_string(getpid()));
  fs::create_directories(folder);
  write_ledger_plot(folder / "a.svg", "Swing <&>", swing(50));
  std::ostringstream text;
  text << std::ifstream(folder / "a.svg").rdbuf();
  const std::string svg = text.str();
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("Swing &lt;&amp;&gt;"), std::string::npos);
  EXPECT_NE(svg.find("Angular momentum about the origin [kg m²/s]"), std::string::npos);
  write_ledger_plot(folder / "a.png", "Swing", swing(50));
  EXPECT_GT(fs::file_size(folder / "a.png"), 10'000u);
  EXPECT_THROW(write_ledger_plot(folder / "a.pdf", "Swing", swing(50)), InputError);
  EXPECT_THROW(write_ledger_plot(folder / "missing" / "a.svg", "Swing", swing(50)), InputError);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2) << "nothing half done is left";
  fs::remove_all(folder);
}

}  // namespace
}  // namespace rebound::film
