// The arithmetic of a plot: which values a pixel column stands for, where the axis ends, how a number is written.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace rebound::app {

struct Interval {
  double low = 0;
  double high = 1;
  double length() const { return high - low; }
  bool contains(double value) const { return value >= low && value <= high; }
};

/// A time and a value; the value may be NaN: nothing is drawn there.
struct Sample {
  double time = 0;
  double value = 0;
};

/// All samples that fall into one pixel column.
struct Column {
  int index = 0;
  double first = 0, last = 0;  ///< values, so that neighbouring columns can be joined
  double low = 0, high = 0;
};

/// At most one column a pixel over `range`, in order; columns without a finite sample are left out. Every extreme
/// survives, however many samples there are.
std::vector<Column> decimate(std::span<const Sample> samples, const Interval& range, int columns);

/// The interval grown to the next marks of an axis with about `wanted` of them; never empty, never infinite.
Interval rounded(const Interval& interval, int wanted);

/// What holds all finite values; and a sensible interval about zero where there are none.
Interval extent(std::span<const Sample> samples);

/// The interval to show: that of all values, except that values further than `reach` from `anchor` are left off the
/// chart. `cut` says whether any were.
struct ShownRange {
  Interval interval;
  bool cut = false;
};
ShownRange clipped(const Interval& all, const Interval& anchor, double reach);

/// The same where nothing is known but the values: the typical size of them, several times over, is what fits.
ShownRange robust_range(std::span<const Sample> samples);

/// "12.3", "4.56e9", "-0.07": short, for axes and read-outs, with SI prefixes k and M before a unit if `unit` is given.
std::string short_number(double value, int digits = 3);
std::string with_unit(double value, const char* unit, int digits = 3);

/// The share of a world's scale that rounding makes by itself.
inline constexpr double kRounding = 1e-13;

/// What only rounding made, in a world of this scale, is nothing. J
double without_rounding(double joules, double scale);

}  // namespace rebound::app
