#include "film/ledger_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "film/sheet.hpp"
#include "mesh/atomic_file.hpp"

namespace rebound::film {
namespace {

using session::FrameRecord;

// More would fall on the same pixels.
constexpr std::size_t kMostPoints = 4000;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// Told apart by people who do not see red and green apart, too.
constexpr std::size_t kCoral = 0, kTeal = 1, kAmber = 2, kPeriwinkle = 3, kRose = 4, kSky = 6;

/// Fewer points that look the same: of each stretch its lowest and its highest, in their order.
void thin(render::Curve& curve) {
  const std::size_t count = curve.y.size();
  if (count <= kMostPoints) return;
  const std::size_t stretch = (2 * count + kMostPoints - 1) / kMostPoints;
  std::vector<double> x, y;
  for (std::size_t begin = 0; begin < count; begin += stretch) {
    const auto first = curve.y.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = curve.y.begin() + static_cast<std::ptrdiff_t>(std::min(begin + stretch, count));
    // What is not a number is a gap, and stays one.
    const auto less = [](double a, double b) { return a < b; };
    auto [low, high] = std::minmax_element(first, last, less);
    if (low > high) std::swap(low, high);
    for (const auto at : {low, high}) {
      x.push_back(curve.x[static_cast<std::size_t>(at - curve.y.begin())]);
      y.push_back(*at);
    }
  }
  curve.x = std::move(x);
  curve.y = std::move(y);
}

class Charts {
 public:
  Charts(std::span<const FrameRecord> records, const render::Theme& theme) : records_(records), theme_(theme) {
    // What an explosion does to the numbers must not press everything before it onto an axis.
    const auto end = std::find_if(records.begin(), records.end(), has_exploded);
    steady_ = std::max<std::size_t>(1, static_cast<std::size_t>(end - records.begin()));
  }

  void begin(const char* title, const char* unit) {
    charts_.push_back({.title = title, .x_unit = "s", .y_unit = unit, .curves = {}, .x_range = {}, .y_range = {}});
    low_ = std::numeric_limits<double>::infinity();
    high_ = highest_ = -low_;
  }

  template <class Value>
  void add(const char* name, const render::Color& color, const Value& value, float width = 1.6f) {
    render::Curve curve{name, color, {}, {}, width};
    for (std::size_t i = 0; i < records_.size(); ++i) {
      curve.x.push_back(records_[i].time);
      curve.y.push_back(value(records_[i]));
      if (!std::isfinite(curve.y.back())) continue;
      highest_ = std::max(highest_, curve.y.back());
      if (i < steady_) {
        low_ = std::min(low_, curve.y.back());
        high_ = std::max(high_, curve.y.back());
      }
    }
    thin(curve);
    charts_.back().curves.push_back(std::move(curve));
  }

  /// The same if it is ever anything but zero.
  template <class Value>
  void add_if_used(const char* name, std::size_t color, const Value& value) {
    const auto used = [&](const FrameRecord& r) { return value(r) != 0; };
    if (std::any_of(records_.begin(), records_.end(), used)) add(name, theme_.series[color], value);
  }

  /// Fits the axis to what was added, and to `least` about its middle; reaches: to what explodes as well, which is
  /// never below what does not. Drops a chart without curves.
  void end(double least, bool reaches = false) {
    if (charts_.back().curves.empty()) {
      charts_.pop_back();
      return;
    }
    const double middle = 0.5 * (low_ + high_), half = std::max(0.53 * (high_ - low_), 0.5 * least);
    if (half > 0 && std::isfinite(half)) {
      const EnergyScale scale = energy_scale({middle - half, middle + half}, reaches ? highest_ : -INFINITY);
      charts_.back().y_range = scale.shown;
      charts_.back().y_steady = scale.steady;
    }
    charts_.back().note = render::note_of_range(charts_.back());
    const double first = records_.front().time, last = records_.back().time;
    charts_.back().x_range = render::Range{first, last > first ? last : first + 1};
  }

  const render::Color& color(std::size_t place) const { return theme_.series[place]; }
  std::vector<render::Chart> take() { return std::move(charts_); }
  /// The largest before anything explodes.
  template <class Value>
  double largest(const Value& value) const {
    double most = 0;
    for (std::size_t i = 0; i < std::min(steady_, records_.size()); ++i) most = std::max(most, value(records_[i]));
    return most;
  }

 private:
  std::span<const FrameRecord> records_;
  const render::Theme& theme_;
  std::size_t steady_ = 1;
  std::vector<render::Chart> charts_;
  double low_ = 0, high_ = 0;  ///< before anything explodes
  double highest_ = 0;         ///< of all
};

void add_energies(Charts& charts, const render::Theme& theme) {
  charts.begin("Energy", "J");
  charts.add(
      "target", theme.text_muted, [](const FrameRecord& r) { return r.target; }, 1.4f);
  charts.add(
      "total", charts.color(kCoral), [](const FrameRecord& r) { return r.measured.total(); }, 2.2f);
  // What is below the tolerance should look still.
  charts.end(0.3 * charts.largest([](const FrameRecord& r) { return r.scale; }), true);

  charts.begin("Kinds of energy", "J");
  charts.add_if_used("kinetic", kSky, [](const FrameRecord& r) { return r.measured.kinetic; });
  charts.add_if_used("elastic", kAmber, [](const FrameRecord& r) { return r.measured.elastic; });
  charts.add_if_used("gravity", kPeriwinkle, [](const FrameRecord& r) { return r.measured.gravity; });
  charts.add_if_used("handles", kTeal, [](const FrameRecord& r) { return r.measured.attachment; });
  charts.add_if_used("contact", kRose, [](const FrameRecord& r) { return r.measured.contact; });
  charts.end(0, true);

  charts.begin("Added and dissipated so far", "J");
  charts.add_if_used("added", kTeal, [](const FrameRecord& r) { return r.added_total(); });
  charts.add_if_used("dissipated", kRose, [](const FrameRecord& r) { return r.dissipated_total(); });
  charts.end(0);
}

}  // namespace

std::vector<render::Chart> ledger_charts(std::span<const FrameRecord> records, const render::Theme& theme) {
  if (records.empty()) return {};
  Charts charts(records, theme);
  add_energies(charts, theme);

  charts.begin("Blend: + backward, − forward Euler", "");
  if (std::any_of(records.begin(), records.end(), [](const FrameRecord& r) { return r.blend.has_value(); }))
    charts.add(
        "", charts.color(kTeal), [](const FrameRecord& r) { return r.blend.value_or(kNothing); }, 1.2f);
  charts.end(0.1);

  // What rounding leaves of a momentum that is zero should look like zero.
  const double least = 2e-4 * charts.largest([](const FrameRecord& r) { return r.measured.kinetic; });
  constexpr const char* kAxes[] = {"x", "y", "z"};
  constexpr std::size_t kColors[] = {kAmber, kSky, kPeriwinkle};
  charts.begin("Linear momentum", "kg m/s");
  for (int c = 0; c < 3; ++c)
    charts.add(kAxes[c], charts.color(kColors[c]), [c](const FrameRecord& r) { return r.measured.p[c]; });
  charts.end(least);
  charts.begin("Angular momentum about the origin", "kg m²/s");
  for (int c = 0; c < 3; ++c)
    charts.add(kAxes[c], charts.color(kColors[c]), [c](const FrameRecord& r) { return r.measured.l[c]; });
  charts.end(least);
  return charts.take();
}

std::string ledger_plot(const std::filesystem::path& path, const std::string& title,
                        std::span<const FrameRecord> records) {
  return chart_sheet(path, title, ledger_charts(records, render::light_theme()));
}

void write_ledger_plot(const std::filesystem::path& path, const std::string& title,
                       std::span<const FrameRecord> records) {
  write_file_atomically(path, ledger_plot(path, title, records));
}

}  // namespace rebound::film
