// What colours of bodies mean, in words and numbers: for the window's legend and the films'.
#pragma once

#include <string>
#include <vector>

#include "session/field_show.hpp"

namespace rebound::film {

struct FieldName {
  const char* title;
  const char* unit;
};
/// Of a field that is not none.
FieldName field_name(session::FieldKind kind);

struct FieldTick {
  double value = 0;  ///< Pa, - or J/m^3
  std::string text;
};
/// About `count` marks from 0 to `top`.
std::vector<FieldTick> field_ticks(session::FieldKind kind, double top, int count);

}  // namespace rebound::film
