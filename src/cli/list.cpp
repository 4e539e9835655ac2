// `rebound list`: the scenes and methods that there are.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"
#include "scene/library.hpp"
#include "sim/registry.hpp"

namespace rebound::cli {
namespace {

struct Row {
  std::string id, title, what;
};

template <class List>
std::vector<Row> registered(const List& list) {
  std::vector<Row> rows;
  for (const auto& entry : list)
    rows.push_back({std::string(entry.id), std::string(entry.title), std::string(entry.what)});
  return rows;
}

std::vector<Row> rows_of(const std::string& kind) {
  if (kind == "integrators") return registered(sim::integrators());
  if (kind == "solvers") return registered(sim::solvers());
  if (kind == "materials") return registered(sim::materials());
  std::vector<Row> rows;
  for (const auto& s : scene::list_scenes()) rows.push_back({s.name, s.title, s.summary});
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
  for (const Row& row : rows)
    std::printf("%-22s %s\n", row.id.c_str(), (row.what.empty() ? row.title : row.what).c_str());
  return kDone;
}

}  // namespace

void add_list(Program& program) {
  Command command = program.subcommand("list", "List scenes, integrators, solvers or materials");
  auto kind = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command.option("kind", *kind, "scenes, integrators, solvers or materials",
                 {.required = true, .one_of = {"scenes", "integrators", "solvers", "materials"}});
  command.flag("--json", *json, "As JSON: a list of {id, title, summary}");
  command.action([kind, json] { return list(*kind, *json); });
}

}  // namespace rebound::cli
