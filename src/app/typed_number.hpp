// A number as a person types it: "20", "20 ms", "0.02 s", "1/60", "100 kPa".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rebound::app {

struct TypedNumber {
  std::optional<double> value;  ///< in the SI unit
  std::string refusal;          ///< one line, where there is none
};

/// unit: SI, as in scene::Range; empty for a pure number. shown: the factor of the prefix that the field shows, such as
/// 1e-3 for ms; a number without a unit has that one. A fraction without a unit is in the SI unit: 1/60 is 1/60 s.
TypedNumber read_number(std::string_view text, std::string_view unit, double shown);

/// "kg/m³" of "kg/m^3".
std::string pretty_unit(std::string_view unit);

}  // namespace rebound::app
