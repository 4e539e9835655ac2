#include "bench/table.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace rebound::bench {
namespace {

std::string formatted(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string or_dash(const char* format, const std::optional<double>& value) {
  return value ? formatted(format, *value) : "-";
}

std::string line_of(const std::string& name, const std::string& vertices, const std::string& elements,
                    const std::string& integrator, const std::string& threads, const std::string& its,
                    const std::string& ms, const std::string& max, const std::string& gap, const std::string& reference,
                    const std::string& ratio, const std::string& moved, const std::string& reached,
                    const std::string& printed) {
  char text[256];
  std::snprintf(text, sizeof text, "%-22s %8s %8s  %-18s %7s %4s %9s %9s %8s %10s %7s %7s %7s %8s", name.c_str(),
                vertices.c_str(), elements.c_str(), integrator.c_str(), threads.c_str(), its.c_str(), ms.c_str(),
                max.c_str(), gap.c_str(), reference.c_str(), ratio.c_str(), moved.c_str(), reached.c_str(),
                printed.c_str());
  return text;
}

}  // namespace

std::string table_head() {
  return line_of("name", "vertices", "elements", "integrator", "threads", "its", "ms", "max", "gap", "reference",
                 "ratio", "MB", "GB/s", "printed");
}

std::string table_line(const Row& row) {
  const auto ratio = row.reference_ms ? std::optional(*row.reference_ms / row.median_ms) : std::nullopt;
  return line_of(row.name, std::to_string(row.vertices), std::to_string(row.elements), row.integrator,
                 std::to_string(row.threads), std::to_string(row.iterations), formatted("%.4g", row.median_ms),
                 formatted("%.4g", row.max_ms), or_dash("%.1e", row.gap), or_dash("%.4g", row.reference_ms),
                 or_dash(ratio && *ratio < 10 ? "%.2g x" : "%.0f x", ratio), or_dash("%.3g", row.moved_mb),
                 or_dash("%.3g", row.reached_gb_per_s), or_dash("%.4g", row.printed_ms));
}

std::string to_json(const std::vector<Row>& rows) {
  const auto or_null = [](const std::optional<double>& value) -> nlohmann::ordered_json {
    if (value) return *value;
    return nullptr;
  };
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows)
    list.push_back({{"name", row.name},
                    {"body", row.body},
                    {"vertices", row.vertices},
                    {"elements", row.elements},
                    {"integrator", row.integrator},
                    {"solver", row.solver},
                    {"threads", row.threads},
                    {"iterations", row.iterations},
                    {"median_ms", row.median_ms},
                    {"max_ms", row.max_ms},
                    {"gap", or_null(row.gap)},
                    {"reference_ms", or_null(row.reference_ms)},
                    {"reference_iterations",
                     row.reference_iterations ? nlohmann::ordered_json(*row.reference_iterations) : nullptr},
                    {"reference_gap", or_null(row.reference_gap)},
                    {"repetitions", row.repetitions},
                    {"reference_repetitions", row.reference_repetitions},
                    {"memory_mb", or_null(row.memory_mb)},
                    {"moved_mb", or_null(row.moved_mb)},
                    {"reached_gb_per_s", or_null(row.reached_gb_per_s)},
                    {"printed_ms", or_null(row.printed_ms)}});
  return list.dump(2) + "\n";
}

}  // namespace rebound::bench
