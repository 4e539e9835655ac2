// What a row waits for: decided by what this program takes, never by a list kept by hand.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "mesh/error.hpp"
#include "papers/row.hpp"
#include "scene/parse.hpp"
#include "sim/registry.hpp"

namespace rebound::papers {
namespace {

bool is_built(const Asked& asked) {
  const scene::Known& built = scene::built();
  const auto& list = asked.kind == "integrator" ? built.integrators
                     : asked.kind == "solver"   ? built.solvers
                                                : built.materials;
  return std::find(list.begin(), list.end(), asked.id) != list.end();
}

/// Would a scene of one box take it?
bool is_taken(const std::vector<std::string>& settings) {
  scene::Document document =
      scene::parse_document(R"({ "rebound": 1, "bodies": [ { "mesh": { "box": {} } } ] })", "", "");
  try {
    for (const std::string& setting : settings) scene::apply_set(document, setting);
    scene::parse(document);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

void add_word(std::vector<std::string>& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

}  // namespace

std::string waits_for(const Row& row) {
  std::vector<std::string> missing;
  for (const Need& need : row.needs) {
    const bool known_run = need.run.empty() || std::any_of(plan_kinds().begin(), plan_kinds().end(),
                                                           [&](const auto& kind) { return kind.name == need.run; });
    if (!known_run || !is_taken(need.settings) ||
        !std::all_of(need.identifiers.begin(), need.identifiers.end(), is_built))
      add_word(missing, need.what);
  }
  for (const auto& run : row.runs)
    for (const Asked& asked : run->asks())
      if (!is_built(asked)) add_word(missing, "the " + std::string(asked.kind) + " " + asked.id);
  std::string text;
  for (std::size_t i = 0; i < missing.size(); ++i)
    text += (i == 0 ? "" : i + 1 == missing.size() ? " and " : ", ") + missing[i];
  return text;
}

}  // namespace rebound::papers
