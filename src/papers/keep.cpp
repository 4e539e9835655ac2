#include "papers/keep.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "session/output_file.hpp"

namespace rebound::papers {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string read_all(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string hash(const std::string& bytes) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
  return text;
}

/// Another build may give other results.
const std::string& program_hash() {
  static const std::string made = hash(read_all("/proc/self/exe"));
  return made;
}

ordered_json or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? ordered_json(*value) : ordered_json(nullptr);
}

Kept kept_from(const ordered_json& json) {
  Kept kept;
  kept.fingerprint = json.at("fingerprint");
  kept.machine = json.at("machine");
  kept.version = json.at("version");
  kept.date = json.at("date");
  kept.threads = json.at("threads");
  kept.seconds = json.at("seconds");
  for (const auto& run : json.at("runs")) kept.runs.push_back({run.at("name"), run.at("ended"), run.at("notes")});
  for (const auto& [key, value] : json.at("values").items())
    kept.values[key] = value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
  kept.plots = json.at("plots");
  kept.pictures = json.at("pictures");
  kept.video = json.at("video");
  kept.remark = json.at("remark");
  return kept;
}

}  // namespace

std::string fingerprint(const Row& row, const Means& means) {
  std::string text = program_hash() + "\n" + row.pictured;
  for (std::size_t i = 0; i < row.runs.size(); ++i)
    text += "\n" + row.run_names[i] + ": " + row.runs[i]->fingerprint(means);
  std::set<std::string> keys;
  for (const Number& number : row.numbers) {
    keys.insert(number.key(row.run_names));
    if (!number.over) continue;
    Number below = number;
    below.run = *number.over;
    keys.insert(below.key(row.run_names));
  }
  for (const std::string& key : keys) text += "\n" + key;
  return hash(text);
}

std::optional<Kept> read_kept(const fs::path& folder) {
  const std::string text = read_all(folder / "results.json");
  if (text.empty()) return {};
  try {
    return kept_from(ordered_json::parse(text));
  } catch (const nlohmann::json::exception&) {
    return {};  // half a file of another program: it is made anew
  }
}

void write_kept(const fs::path& folder, const Row& row, const Kept& kept) {
  ordered_json json{{"row", row.id},           {"fingerprint", kept.fingerprint}, {"version", kept.version},
                    {"machine", kept.machine}, {"threads", kept.threads},         {"seconds", kept.seconds},
                    {"date", kept.date},       {"runs", ordered_json::array()},   {"values", ordered_json::object()},
                    {"plots", kept.plots},     {"pictures", kept.pictures},       {"video", kept.video},
                    {"remark", kept.remark}};
  for (const auto& run : kept.runs)
    json["runs"].push_back({{"name", run.name}, {"ended", run.ended}, {"notes", run.notes}});
  for (const auto& [key, value] : kept.values) json["values"][key] = or_null(value);
  session::OutputFile file(folder / "results.json");
  file.write(json.dump(2) + "\n");
  file.commit();
}

void write_table(const fs::path& path, const Run& run) {
  session::OutputFile file(path);
  std::string line;
  for (const Column& column : run.columns) line += (line.empty() ? "" : ",") + column.name;
  file.write(line + "\n");
  const std::size_t rows = run.columns.empty() ? 0 : run.columns.front().values.size();
  for (std::size_t i = 0; i < rows; ++i) {
    line.clear();
    for (const Column& column : run.columns) {
      if (!line.empty()) line += ',';
      if (!std::isnan(column.values[i])) session::append_number(line, column.values[i]);
    }
    file.write(line + "\n");
  }
  file.commit();
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  std::string name = "unknown processor";
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      name = line.substr(line.find(':') + 2);
      break;
    }
  const unsigned cores = std::thread::hardware_concurrency();
  return name + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

std::string file_name(const std::string& name) {
  std::string file;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    if (plain)
      file += c;
    else if (!file.empty() && file.back() != '-')
      file += '-';
  }
  while (!file.empty() && file.back() == '-') file.pop_back();
  return file.empty() ? "run" : file;
}

}  // namespace rebound::papers
