// Rows of `rebound measure` as text.
#include <cstdio>
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
          {"reference_path_error", row.reference_path_error}};
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
    for (const auto& [key, value] : line.items()) cells += (cells.empty() ? "" : ",") + (value.is_null() ? "" : value.dump());
    text += cells + '\n';
  }
  return text;
}

std::string table_head() {
  return "integrator           shiver  4 to 8  visible  path error   amp  |H-T|    L error  blew up  solves  ms";
}

std::string table_line(const Row& row) {
  char line[200], L[24] = "-", at[24] = "-", amplitude[24] = "-";
  if (row.late_amplitude) std::snprintf(amplitude, sizeof amplitude, "%.2f", *row.late_amplitude);
  if (row.angular_momentum_error) std::snprintf(L, sizeof L, "%.1e", *row.angular_momentum_error);
  if (row.blew_up_at) std::snprintf(at, sizeof at, "%lld", static_cast<long long>(*row.blew_up_at));
  const double visible =
      row.reference_visible_kinetic > 0 ? row.visible_kinetic / row.reference_visible_kinetic : 0;
  std::snprintf(line, sizeof line, "%-19s %7.3f %7.3f %8.2f %11.4f %5s %7.1e %8s %8s %7.1f %5.2f",
                row.integrator.c_str(), row.bands.below_4, row.bands.from_4_to_8, visible, row.path_error,
                amplitude, row.worst_energy_error, L, at, row.solves_per_step, row.ms_per_step);
  return line;
}

}  // namespace rebound::motion
