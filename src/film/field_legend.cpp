#include "film/field_legend.hpp"

#include "render/ticks.hpp"

namespace rebound::film {

FieldName field_name(session::FieldKind kind) {
  if (kind == session::FieldKind::stress) return {"von Mises stress", "Pa"};
  if (kind == session::FieldKind::strain) return {"Largest Green strain", ""};
  return {"Energy density", "J/m^3"};
}

std::vector<FieldTick> field_ticks(session::FieldKind kind, double top, int count) {
  const char* unit = field_name(kind).unit;
  const bool has_unit = *unit != 0;
  const render::Prefix prefix = has_unit ? render::prefix_for(top) : render::Prefix{};
  const render::Ticks marks = render::nice_ticks(0, top, count);
  std::vector<FieldTick> ticks;
  for (const double value : marks.values) {
    std::string text = render::tick_label(value / prefix.factor, marks.step / prefix.factor);
    if (has_unit && value > 0) text += ' ' + std::string(prefix.name) + unit;
    ticks.push_back({value, std::move(text)});
  }
  return ticks;
}

}  // namespace rebound::film
