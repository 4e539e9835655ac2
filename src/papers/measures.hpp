// The numbers that a row of a paper can ask of its runs: a closed set, each a function with a name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "papers/run.hpp"

namespace rebound::papers {

struct Measure {
  std::string_view name;
  std::string_view unit;
  std::string_view what;
  std::string_view kind;  ///< of the runs that have it (plans.hpp)
  /// Nothing where the run does not say. at: the point asked for, of measures that take one.
  std::optional<double> (*of)(const Run& run, std::optional<double> at);
  bool takes_point = false;
  bool is_time = false;    ///< of the clock: differs from machine to machine
  bool may_never = false;  ///< nothing means that it did not happen
};

std::span<const Measure> measures();
/// Null if there is none of that name.
const Measure* find_measure(std::string_view name);

}  // namespace rebound::papers
