// Rows of `rebound measure` as text.
#include <array>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "motion/measure.hpp"

namespace rebound::motion {
namespace {

template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json json_of(const Row& row) {
  return {{"scene", row.scene},
          {"integrator", row.integrator},
          {"solver", row.solver},
          {"frames", row.frames},
          {"shiver", row.bands.below_4},
          {"visible_kinetic", row.visible_kinetic},
          {"reference_shiver", row.reference_bands.below_4},
          {"reference_visible_kinetic", row.reference_visible_kinetic},
          {"worst_energy_error", row.worst_energy_error},
          {"angular_momentum_error", or_null(row.angular_momentum_error)},
          {"path_error", row.path_error},
          {"blew_up_at", or_null(row.blew_up_at)},
          {"solves_per_step", row.solves_per_step},
          {"ms_per_step", row.ms_per_step},
          {"from_4_to_8", row.bands.from_4_to_8},
          {"above_8", row.bands.above_8},
          {"reference_from_4_to_8", row.reference_bands.from_4_to_8},
          {"reference_above_8", row.reference_bands.above_8},
          {"late_amplitude", or_null(row.late_amplitude)},
          {"unresolved", row.unresolved},
          {"reference_path_error", row.reference_path_error},
          {"reference_energy_error", row.reference_energy_error},
          {"starts", row.starts},
          {"visible_least", row.visible_least},
          {"visible_most", row.visible_most}};
}

}  // namespace

std::string to_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows) list.push_back(json_of(row));
  return list.dump(2) + "\n";
}

std::string to_csv(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    const nlohmann::ordered_json line = json_of(row);
    if (text.empty()) {
      for (const auto& [key, value] : line.items()) text += (text.empty() ? "" : ",") + key;
      text += '\n';
    }
    std::string cells;
    for (const auto& [key, value] : line.items())
      cells += (cells.empty() ? "" : ",") + (value.is_null() ? "" : value.dump());
    text += cells + '\n';
  }
  return text;
}

namespace {

/// A column's width, and how its number is written where that fits into it.
struct Column {
  const char* title;
  int width;
  const char* format;
};
constexpr std::array kColumns = {
    Column{"shiver", 8, "%.3f"},  Column{"4 to 8", 8, "%.3f"}, Column{"visible", 8, "%.2f"},
    Column{"from", 6, "%.2f"},    Column{"to", 6, "%.2f"},     Column{"path error", 11, "%.4f"},
    Column{"amp", 8, "%.2f"},     Column{"|H-T|", 8, "%.1e"},  Column{"L error", 8, "%.1e"},
    Column{"blew up", 8, "%.0f"}, Column{"solves", 8, "%.1f"}, Column{"ms", 8, "%.2f"},
};
constexpr int kNameWidth = 19;

std::string cell(const Column& column, const std::optional<double>& value) {
  char text[400] = "-";
  if (value) {
    std::snprintf(text, sizeof text, column.format, *value);
    // What has blown up is shorter with an exponent.
    if (static_cast<int>(std::strlen(text)) > column.width) std::snprintf(text, sizeof text, "%.1e", *value);
  }
  char filled[sizeof text + 100];
  std::snprintf(filled, sizeof filled, " %*s", column.width, text);
  return filled;
}

std::string padded(std::string name) {
  name.resize(std::max<std::size_t>(name.size(), kNameWidth), ' ');
  return name;
}

}  // namespace

std::string table_head() {
  std::string line = padded("integrator");
  for (const Column& column : kColumns) {
    char filled[64];
    std::snprintf(filled, sizeof filled, " %*s", column.width, column.title);
    line += filled;
  }
  return line;
}

std::string table_line(const Row& row) {
  const double visible = row.reference_visible_kinetic > 0 ? row.visible_kinetic / row.reference_visible_kinetic : 0;
  const auto of_several = [&](double share) { return row.starts > 1 ? std::optional(share) : std::nullopt; };
  const auto blew_up = row.blew_up_at ? std::optional(static_cast<double>(*row.blew_up_at)) : std::nullopt;
  const std::array<std::optional<double>, kColumns.size()> values = {row.bands.below_4,
                                                                     row.bands.from_4_to_8,
                                                                     visible,
                                                                     of_several(row.visible_least),
                                                                     of_several(row.visible_most),
                                                                     row.path_error,
                                                                     row.late_amplitude,
                                                                     row.worst_energy_error,
                                                                     row.angular_momentum_error,
                                                                     blew_up,
                                                                     row.solves_per_step,
                                                                     row.ms_per_step};
  std::string line = padded(row.integrator);
  for (std::size_t i = 0; i < values.size(); ++i) line += cell(kColumns[i], values[i]);
  return line;
}

}  // namespace rebound::motion
