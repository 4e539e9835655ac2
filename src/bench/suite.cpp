#include "bench/suite.hpp"

#include <algorithm>

#include "bench/body_bench.hpp"
#include "bench/siere_bench.hpp"
#include "mesh/error.hpp"
#include "scene/wording.hpp"

namespace rebound::bench {
namespace {

struct Part {
  const char* name;
  bool asked_by_name = false;  ///< measured only where it is named; of bodies of tetrahedra alone
};
constexpr Part kParts[] = {{"local"},        {"global"},         {"frame"},       {"cores", true},
                           {"rubber", true}, {"assembly", true}, {"newton", true}};
constexpr Part kSiere{"siere", true};

struct Benchmark {
  std::string name;
  const Part* part;
  const BodyInfo* body = nullptr;
  const StiffBody* stiff = nullptr;  ///< instead, of siere
  bool growth() const { return body != nullptr && body->growth; }
};

/// Body by body.
std::vector<Benchmark> all_benchmarks() {
  std::vector<Benchmark> all;
  for (const BodyInfo& body : bodies())
    for (const Part& part : kParts)
      if (!part.asked_by_name || !body.springs) all.push_back({name_of(part.name, body.name), &part, &body});
  for (const StiffBody& body : stiff_bodies())
    all.push_back({name_of(kSiere.name, body.name), &kSiere, nullptr, &body});
  return all;
}

}  // namespace

std::vector<std::string> benchmarks() {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : all_benchmarks()) names.push_back(benchmark.name);
  return names;
}

std::vector<std::string> chosen(const std::vector<std::string>& names) {
  const std::vector<Benchmark> all = all_benchmarks();
  std::vector<bool> wanted(all.size());
  for (const std::string& name : names.empty() ? std::vector<std::string>{""} : names) {
    const bool exact = std::any_of(all.begin(), all.end(), [&](const Benchmark& b) { return b.name == name; });
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [whole, part, body, stiff] = all[i];
      const bool asked_for = (!all[i].growth() || name.size() > name_of(part->name, "").size()) &&
                             (!part->asked_by_name || name.starts_with(part->name));
      if (exact ? whole == name : whole.starts_with(name) && asked_for) found = wanted[i] = true;
    }
    if (found) continue;
    if (const std::string guess = scene::did_you_mean(name, benchmarks()); !guess.empty())
      throw InputError("bench: no benchmark is called '" + name + "'" + guess);
    std::string known;
    for (const BodyInfo& body : bodies()) known += (known.empty() ? "" : ", ") + std::string(body.name);
    known += "; and siere/BODY of";
    for (const StiffBody& body : stiff_bodies())
      known += (&body == &stiff_bodies()[0] ? " " : ", ") + std::string(body.name);
    throw InputError(
        "bench: no benchmark is called '" + name +
        "'; there are local/BODY, global/BODY, frame/BODY, cores/BODY, rubber/BODY, assembly/BODY and newton/BODY, "
        "BODY being one of " +
        known);
  }
  std::vector<std::string> result;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (wanted[i]) result.push_back(all[i].name);
  return result;
}

std::vector<Row> run(const std::vector<std::string>& names, const Settings& settings, const Listener& listener) {
  std::vector<Row> rows;
  std::optional<BodyBench> bench;
  const BodyInfo* made = nullptr;
  for (const auto& [name, part, body, stiff] : all_benchmarks()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    if (stiff != nullptr) {
      const std::vector<Row> of_siere = siere_rows(*stiff, settings, listener);
      rows.insert(rows.end(), of_siere.begin(), of_siere.end());
      continue;
    }
    if (made != body) bench.emplace(*body, settings, listener);
    made = body;
    bench->rows.clear();
    bench->run(part->name);
    rows.insert(rows.end(), bench->rows.begin(), bench->rows.end());
  }
  return rows;
}

}  // namespace rebound::bench
