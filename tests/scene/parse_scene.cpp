// The parser as a program, for tests in other languages: one line a file, "ok" or the error; exit 2 if any was refused.
//   parse_scene [--set POINTER=JSON]... FILE...      parse_scene --ranges | --known      parse_scene --write FILE
#include <iostream>
#include <nlohmann/json.hpp>

#include "mesh/error.hpp"
#include "scene/library.hpp"
#include "scene/material.hpp"
#include "scene/parse.hpp"
#include "scene/ranges.hpp"
#include "sim/energy/materials.hpp"

namespace {

void print_ranges() {
  nlohmann::ordered_json rows;
  for (const rebound::scene::Range& range : rebound::scene::ranges()) {
    rows[std::string(range.key)] = {{"min", range.min},   {"max", range.max},     {"default", range.standard},
                                    {"unit", range.unit}, {"whole", range.whole}, {"logarithmic", range.logarithmic},
                                    {"doc", range.doc}};
  }
  std::cout << rows.dump(2) << "\n";
}

nlohmann::json materials() {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& info : rebound::sim::materials()) {
    nlohmann::json laws = nlohmann::json::array(), ranges = nlohmann::json::object();
    if (info.has_choice_of_law())
      for (const auto& law : info.laws) laws.push_back(law.id);
    for (const auto& parameter : info.parameters) ranges[std::string(parameter.key)] = parameter.range;
    rows.push_back(
        {{"id", info.id}, {"elements", rebound::scene::plural(info.kind)}, {"laws", laws}, {"ranges", ranges}});
  }
  return rows;
}

nlohmann::json presets() {
  nlohmann::json ids = nlohmann::json::object();
  for (const auto kind :
       {rebound::sim::ElementKind::edges, rebound::sim::ElementKind::triangles, rebound::sim::ElementKind::tetrahedra})
    ids[std::string(rebound::scene::plural(kind))] = rebound::scene::preset_ids(kind);
  return ids;
}

void print_known() {
  const rebound::scene::Known& known = rebound::scene::built();
  std::cout << nlohmann::json{{"integrators", known.integrators},
                              {"solvers", known.solvers},
                              {"materials", materials()},
                              {"presets", presets()}}
            << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> settings;
  bool refused = false, write = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--ranges") {
      print_ranges();
    } else if (argument == "--known") {
      print_known();
    } else if (argument == "--write") {
      write = true;
    } else if (argument == "--set" && i + 1 < argc) {
      settings.emplace_back(argv[++i]);
    } else {
      try {
        const auto scene = rebound::scene::open(argument, settings);
        std::cout << (write ? rebound::scene::to_json(scene).dump() : "ok") << "\n";
      } catch (const rebound::InputError& error) {
        std::cout << error.what() << "\n";
        refused = true;
      }
    }
  }
  return refused ? 2 : 0;
}
