#include "app/plot_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "render/ticks.hpp"

namespace rebound::app {
namespace {

// Beyond this a float of the drawing list has no meaning left.
constexpr double kLargest = 1e30;

bool drawable(double value) { return std::abs(value) < kLargest; }  // false for NaN

}  // namespace

std::vector<Column> decimate(std::span<const Sample> samples, const Interval& range, int columns) {
  std::vector<Column> result;
  if (columns <= 0 || !(range.length() > 0)) return result;
  const double scale = columns / range.length();
  for (const Sample& sample : samples) {
    if (!drawable(sample.value) || !range.contains(sample.time)) continue;
    const int index = std::min(static_cast<int>((sample.time - range.low) * scale), columns - 1);
    if (result.empty() || result.back().index != index) {
      result.push_back({index, sample.value, sample.value, sample.value, sample.value});
      continue;
    }
    Column& column = result.back();
    column.last = sample.value;
    column.low = std::min(column.low, sample.value);
    column.high = std::max(column.high, sample.value);
  }
  return result;
}

Interval rounded(const Interval& interval, int wanted) {
  Interval wide = interval;
  if (!drawable(wide.low) || !drawable(wide.high) || wide.high < wide.low) return {0, 1};
  // A constant gets room round it, so that it is a line in the middle rather than on the frame.
  const double least = 1e-9 * std::max(std::abs(wide.low), std::abs(wide.high));
  if (wide.length() <= least) {
    const double room = wide.high == 0 ? 1 : 0.1 * std::abs(wide.high);
    wide = {wide.low - room, wide.high + room};
  }
  const double step = render::nice_ticks(wide.low, wide.high, wanted).step;
  return {step * std::floor(wide.low / step + 1e-9), step * std::ceil(wide.high / step - 1e-9)};
}

Interval extent(std::span<const Sample> samples) {
  Interval all{kLargest, -kLargest};
  for (const Sample& sample : samples) {
    if (!drawable(sample.value)) continue;
    all.low = std::min(all.low, sample.value);
    all.high = std::max(all.high, sample.value);
  }
  return all.low <= all.high ? all : Interval{0, 1};
}

ShownRange clipped(const Interval& all, const Interval& anchor, double reach) {
  ShownRange shown{{std::min(all.low, anchor.low), std::max(all.high, anchor.high)}, false};
  if (shown.interval.low < anchor.low - reach) shown = {{anchor.low - reach, shown.interval.high}, true};
  if (shown.interval.high > anchor.high + reach) shown = {{shown.interval.low, anchor.high + reach}, true};
  return shown;
}

ShownRange robust_range(std::span<const Sample> samples) {
  constexpr double kTimesTypical = 100;
  std::vector<double> sizes;
  for (const Sample& sample : samples)
    if (drawable(sample.value)) sizes.push_back(std::abs(sample.value));
  if (sizes.empty()) return {{0, 1}, false};
  const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() * 9 / 10);
  std::nth_element(sizes.begin(), place, sizes.end());
  return clipped(extent(samples), {0, 0}, *place > 0 ? kTimesTypical * *place : kLargest);
}

std::string short_number(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "not a number" : value > 0 ? "infinite" : "-infinite";
  char text[64];
  const double size = std::abs(value);
  if (value != 0 && (size >= 1e5 || size < 1e-3)) {
    std::snprintf(text, sizeof text, "%.*e", std::max(digits - 1, 0), value);
    // "1.20e+05" -> "1.20e5"
    std::string tidy;
    for (const char* c = text; *c != '\0'; ++c) {
      tidy += *c;
      if (*c != 'e') continue;
      const bool negative = c[1] == '-';
      c += 1;
      while (c[1] == '0' && c[2] != '\0') ++c;
      if (negative) tidy += '-';
    }
    return tidy;
  }
  const int whole = size >= 1 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 1;
  const int decimals =
      size > 0 && size < 1 ? digits - 1 - static_cast<int>(std::floor(std::log10(size))) : digits - whole;
  std::snprintf(text, sizeof text, "%.*f", std::clamp(value == 0 ? 0 : decimals, 0, 6), value);
  return text;
}

double without_rounding(double joules, double scale) { return std::abs(joules) < kRounding * scale ? 0 : joules; }

std::string with_unit(double value, const char* unit, int digits) {
  const render::Prefix prefix = render::prefix_for(std::abs(value));
  return short_number(value / prefix.factor, digits) + " " + prefix.name + unit;
}

}  // namespace rebound::app
