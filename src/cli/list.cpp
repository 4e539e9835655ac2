// `rebound list`: the scenes, methods and materials that there are.
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/options.hpp"
#include "mesh/error.hpp"
#include "scene/library.hpp"
#include "scene/material.hpp"
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

std::vector<Row> presets() {
  std::vector<Row> rows;
  for (const scene::MaterialPreset& preset : scene::presets())
    rows.push_back({std::string(preset.id), std::string(preset.title),
                    "Of " + std::string(scene::plural(preset.kind)) + ": " + scene::summary_of(preset)});
  return rows;
}

std::vector<Row> rows_of(const std::string& kind) {
  if (kind == "integrators") return registered(sim::integrators());
  if (kind == "solvers") return registered(sim::solvers());
  if (kind == "materials") return registered(sim::materials());
  if (kind == "presets") return presets();
  std::vector<Row> rows;
  for (const auto& s : scene::list_scenes()) rows.push_back({s.name, s.title, s.summary});
  return rows;
}

/// Characters a line of the terminal; no limit where the output is piped, so that a row stays a line.
std::size_t line_width() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : std::numeric_limits<std::size_t>::max();
}

/// `line` with the text behind it, broken between words, and what is broken off under the text's beginning.
std::string wrapped(std::string line, const std::string& text, std::size_t column, std::size_t wide) {
  constexpr std::size_t kNarrow = 20;  // less room for the text than this is none
  if (wide < column + kNarrow) wide = std::numeric_limits<std::size_t>::max();
  std::size_t used = column;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (used > column && used + 1 + word.size() > wide) {
      line += '\n' + std::string(column, ' ');
      used = column;
    } else if (used > column) {
      line += ' ';
      ++used;
    }
    line += word;
    used += word.size();
  }
  return line;
}

int list(const std::string& kind, bool json) {
  const auto rows = rows_of(kind);
  if (rows.empty() && !json) throw InputError("no built-in scenes were found (REBOUND_ASSETS can name their folder)");
  if (json) {
    nlohmann::ordered_json all = nlohmann::json::array();
    for (const Row& row : rows) all.push_back({{"id", row.id}, {"title", row.title}, {"summary", row.what}});
    std::printf("%s\n", all.dump(2).c_str());
    return kDone;
  }
  const std::size_t column =
      std::max_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.id.size() < b.id.size(); })
          ->id.size() +
      2;
  const std::size_t wide = line_width();
  for (const Row& row : rows) {
    std::string line = row.id;
    line.resize(column, ' ');
    std::printf("%s\n", wrapped(line, row.what.empty() ? row.title : row.what, column, wide).c_str());
  }
  return kDone;
}

}  // namespace

void add_list(Program& program) {
  Command command = program.subcommand("list", "List scenes, integrators, solvers, materials or their presets");
  auto kind = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command.option("kind", *kind, "scenes, integrators, solvers, materials or presets",
                 {.required = true, .one_of = {"scenes", "integrators", "solvers", "materials", "presets"}});
  command.flag("--json", *json, "As JSON: a list of {id, title, summary}");
  command.action([kind, json] { return list(*kind, *json); });
}

}  // namespace rebound::cli
