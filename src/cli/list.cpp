// `rebound list`: the scenes and methods that there are.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "scene/identifiers.hpp"
#include "scene/library.hpp"
#include "sim/integrate/integrator.hpp"

namespace rebound::cli {
namespace {

struct Row {
  std::string id, title, what;
};

std::vector<Row> rows_of(const std::string& kind) {
  std::vector<Row> rows;
  if (kind == "scenes") {
    for (const auto& s : scene::list_scenes()) rows.push_back({s.name, s.title, s.summary});
  } else if (kind == "integrators") {
    for (const auto& i : sim::integrators())
      rows.push_back({std::string(i.id), std::string(i.title), std::string(i.what)});
  } else if (kind == "solvers") {
    rows.push_back({"local-global", "Local/global",
                    "Projects every element, then solves with a prefactored matrix; a fixed number of iterations."});
  } else {
    rows.push_back({"arap", "As rigid as possible", "Tetrahedra: mu V |F - R|^2; Young's modulus enters through mu."});
    rows.push_back({"springs", "Mass-spring", "Edges, law hookean: k/2 (|d| - l)^2."});
  }
  return rows;
}

int list(const std::string& kind, bool json) {
  const auto rows = rows_of(kind);
  if (json) {
    nlohmann::ordered_json all = nlohmann::json::array();
    for (const Row& row : rows) all.push_back({{"id", row.id}, {"title", row.title}, {"summary", row.what}});
    std::printf("%s\n", all.dump(2).c_str());
    return kDone;
  }
  for (const Row& row : rows) std::printf("%-22s %s\n", row.id.c_str(), (row.what.empty() ? row.title : row.what).c_str());
  return kDone;
}

}  // namespace

void add_list(CLI::App& program, int& exit) {
  auto* command = program.add_subcommand("list", "List scenes, integrators, solvers or materials");
  auto kind = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option("kind", *kind, "scenes, integrators, solvers or materials")
      ->required()
      ->check(CLI::IsMember({"scenes", "integrators", "solvers", "materials"}));
  command->add_flag("--json", *json, "As JSON: a list of {id, title, summary}");
  command->callback([kind, json, &exit] { exit = list(*kind, *json); });
}

}  // namespace rebound::cli
