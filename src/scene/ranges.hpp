// Every number a person can set, in one table: the scene files, the command line and the window all ask here.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rebound::scene {

/// What a number may be, and what it does. Bounds are inclusive; NaN and infinities are never permitted.
struct Range {
  std::string_view key;  ///< stable name, such as "material.young"
  double min;
  double max;
  double standard;        ///< the value used when nothing is said
  std::string_view unit;  ///< SI; empty for a pure number
  bool whole;             ///< integers only
  bool logarithmic;       ///< a slider should go by factors (only where min > 0)
  std::string_view doc;   ///< one line: effect, trade-off
};

/// The whole table, for help pages, sliders and tests.
std::span<const Range> ranges();

/// The row of that key. An unknown key is a programmer's error (std::logic_error).
const Range& range(std::string_view key);

/// Whether the value is permitted: finite, within the bounds, and whole where it must be.
bool permits(const Range& range, double value);

/// "-5 is not within 0.01 to 1e12 Pa": what is wrong with a value that is not permitted.
std::string refusal(const Range& range, double value);

/// The value, or an InputError "WHERE: VALUE is not within MIN to MAX UNIT".
double checked(std::string_view key, double value, std::string_view where);

}  // namespace rebound::scene
