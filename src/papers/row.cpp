#include "papers/row.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mesh/error.hpp"
#include "scene/library.hpp"
#include "scene/wording.hpp"

namespace rebound::papers {
namespace {

namespace fs = std::filesystem;
using scene::Reader;
using scene::Value;

const std::vector<std::string> kPapers{"Dinev18", "Chen20", "Gast15", "You26"};
const std::vector<std::string> kRanks{"A", "A-", "B", "C", "X"};

std::optional<double> number_at(Reader& reader, std::string_view key) {
  const auto value = reader.find(key);
  return value ? std::optional(value->plain_number()) : std::nullopt;
}

std::string required_text(Reader& reader, std::string_view key, const char* meaning) {
  return reader.required(key, meaning).text();
}

Parameter read_parameter(const Value& value) {
  Parameter parameter;
  value.object([&](Reader& reader) {
    parameter.name = required_text(reader, "name", "what it is, such as \"time step\"");
    parameter.value = required_text(reader, "value", "with its unit, such as \"0.033 s\"");
    parameter.origin = reader.required("origin", "given, recovered or ours").choice({"given", "recovered", "ours"});
    reader.text("why", parameter.why);
  });
  return parameter;
}

Need read_need(const Value& value) {
  Need need;
  value.object([&](Reader& reader) {
    need.what = required_text(reader, "what", "what is missing, such as \"barrier contact\"");
    if (const auto set = reader.find("set")) {
      if (!set->is_object()) set->fail_type("an object of JSON Pointers and values");
      for (const auto& [pointer, json] : set->json().items()) need.settings.push_back(pointer + "=" + json.dump());
    }
    for (const std::string_view kind : {"integrator", "solver", "material"})
      if (const auto id = reader.find(kind)) need.identifiers.push_back({kind, id->text()});
    reader.text("run", need.run);
  });
  return need;
}

std::size_t index_of(const Value& value, const std::vector<std::string>& names) {
  const std::string name = value.text();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    value.fail("there is no run " + scene::in_quotes(name) +
               (names.empty() ? "" : "; there are " + scene::either(names)));
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::size_t> indices(Reader& reader, const std::vector<std::string>& names) {
  std::vector<std::size_t> list;
  reader.each("runs", [&](const Value& name) { list.push_back(index_of(name, names)); });
  return list;
}

PaperNumber read_paper_number(const Value& value) {
  PaperNumber paper;
  value.object([&](Reader& reader) {
    paper.value = number_at(reader, "value");
    paper.over = number_at(reader, "over");
    reader.text("unit", paper.unit);
    reader.text("says", paper.says);
    reader.text("place", paper.place);
    if (!paper.value && paper.says.empty()) reader.fail("needs the paper's \"value\", or what it \"says\"");
    if (paper.over && (!paper.value || *paper.over == 0)) reader.fail("\"over\" divides a \"value\", and is not 0");
  });
  return paper;
}

Expected read_expected(const Value& value, const PaperNumber& paper, const Measure& measure) {
  Expected expected;
  value.object([&](Reader& reader) {
    expected.above = number_at(reader, "above");
    expected.below = number_at(reader, "below");
    expected.within = number_at(reader, "within");
    expected.within_share = number_at(reader, "withinShare");
    expected.below_share = number_at(reader, "belowShare");
    reader.truth("never", expected.never);
    reader.truth("happens", expected.happens);
    if (expected.is_empty())
      reader.fail("says nothing; give above, below, within, withinShare, belowShare, never or happens");
    if ((expected.within || expected.within_share || expected.below_share) && !paper.value)
      reader.fail("is held against the paper's number, and there is none");
    if ((expected.never || expected.happens) && !measure.may_never)
      reader.fail("'" + std::string(measure.name) + "' always happens; give a bound");
  });
  return expected;
}

const Measure& measure_of(const Value& value) {
  const std::string name = value.text();
  if (const Measure* found = find_measure(name)) return *found;
  std::vector<std::string> names;
  for (const Measure& measure : measures()) names.emplace_back(measure.name);
  const std::string guess = scene::did_you_mean(name, names);
  value.fail("unknown measure " + scene::in_quotes(name) +
             (guess.empty() ? "; known are " + scene::either(names) : guess));
}

Number read_number(const Value& value, const Row& row, const std::vector<std::string_view>& kinds) {
  Number number;
  value.object([&](Reader& reader) {
    number.what = required_text(reader, "what", "what is measured, in a few words");
    const Value measure = reader.required("measure", "the name of a measure");
    number.measure = &measure_of(measure);
    number.run = index_of(reader.required("run", "the name of a run"), row.run_names);
    if (const auto over = reader.find("over")) number.over = index_of(*over, row.run_names);
    for (const std::size_t run : {number.run, number.over.value_or(number.run)})
      if (kinds[run] != number.measure->kind)
        measure.fail("is of runs of the kind '" + std::string(number.measure->kind) + "', and '" + row.run_names[run] +
                     "' is of '" + std::string(kinds[run]) + "'");
    number.at = number_at(reader, "at");
    if (number.at.has_value() != number.measure->takes_point)
      reader.fail(number.at ? "\"at\": this measure takes no point" : "needs \"at\", the point where it is measured");
    if (const auto paper = reader.find("paper")) number.paper = read_paper_number(*paper);
    if (number.paper.place.empty()) number.paper.place = row.place;
    if (const auto expected = reader.find("expect"))
      number.expected = read_expected(*expected, number.paper, *number.measure);
    reader.text("differs", number.differs);
    reader.text("notComparable", number.not_comparable);
    if (!number.not_comparable.empty() && !number.expected.is_empty())
      reader.fail("is expected to be something, and not comparable; take one of the two away");
  });
  return number;
}

Plot read_plot(const Value& value, const std::vector<std::string>& names) {
  Plot plot;
  value.object([&](Reader& reader) {
    plot.title = required_text(reader, "title", "what is plotted");
    plot.column = required_text(reader, "column", "a column of the runs' tables");
    plot.runs = indices(reader, names);
    plot.low = number_at(reader, "low");
    plot.high = number_at(reader, "high");
    reader.truth("logarithmic", plot.logarithmic);
  });
  if (plot.runs.empty())
    for (std::size_t i = 0; i < names.size(); ++i) plot.runs.push_back(i);
  return plot;
}

/// Fills in the runs; returns their kinds.
std::vector<std::string_view> read_runs(Reader& reader, const SceneSource& shared, Row& row) {
  std::vector<std::string> names;
  for (const PlanKind& kind : plan_kinds()) names.emplace_back(kind.name);
  std::vector<std::string_view> kinds;
  reader.each("runs", [&](const Value& value) {
    value.object([&](Reader& run) {
      const Value name = run.required("name", "what the numbers call it");
      if (std::find(row.run_names.begin(), row.run_names.end(), name.text()) != row.run_names.end())
        name.fail("there is a run of this name already");
      std::string kind = "scene";
      run.choice("kind", names, kind);
      const auto found = std::find_if(plan_kinds().begin(), plan_kinds().end(),
                                      [&](const PlanKind& known) { return known.name == kind; });
      row.run_names.push_back(name.text());
      kinds.push_back(found->name);
      row.runs.push_back(found->read(run, shared));
    });
  });
  return kinds;
}

void read_head(Reader& reader, Row& row) {
  const scene::Range version{"row", 1, 1, 1, "", true, false, "the version of the format"};
  reader.required("row", "the version of the format, 1").integer(version);
  row.paper = reader.required("paper", scene::either(kPapers)).choice(kPapers);
  row.place = required_text(reader, "place", "where in the paper, such as \"Fig. 5\"");
  row.title = required_text(reader, "title", "a few words");
  row.rank = reader.required("class", scene::either(kRanks)).choice(kRanks);
  row.claim = required_text(reader, "claim", "what the paper says, in a sentence");
  row.look = required_text(reader, "look", "what to look for in the window, two or three sentences");
  reader.text("finding", row.finding);
  reader.truth("quick", row.quick);
  const Value seconds = reader.required("seconds", "how long it takes on two cores, about");
  row.seconds = seconds.plain_number();
  if (!(row.seconds > 0)) seconds.fail("must be above 0");
  reader.each("parameters", [&](const Value& value) { row.parameters.push_back(read_parameter(value)); });
  reader.each("needs", [&](const Value& value) { row.needs.push_back(read_need(value)); });
}

void read_film(const Value& value, Row& row) {
  row.film.emplace();
  value.object([&](Reader& reader) {
    row.film->runs = indices(reader, row.run_names);
    const Value frames = reader.required("frames", "how many frames are filmed");
    row.film->frames = frames.integer(scene::range("frames"));
    if (const auto pictures = reader.find("pictures"))
      row.film->pictures = static_cast<int>(pictures->integer({"pictures", 1, 12, 3, "", true, false, ""}));
    if (row.film->runs.empty() || row.film->runs.size() > 6) reader.fail("films one to six runs");
  });
}

/// Dinev18 first, then by numbers in the id: 2.10 after 2.9.
std::vector<std::string> sort_key(const Row& row) {
  std::vector<std::string> key{std::to_string(std::find(kPapers.begin(), kPapers.end(), row.paper) - kPapers.begin())};
  std::string digits;
  for (const char c : row.id + " ") {
    if (c >= '0' && c <= '9') {
      digits += c;
      continue;
    }
    if (!digits.empty()) key.push_back(std::string(8 - std::min<std::size_t>(8, digits.size()), '0') + digits);
    digits.clear();
    key.emplace_back(1, c);
  }
  return key;
}

}  // namespace

std::string Number::key(const std::vector<std::string>& runs) const {
  std::string text = std::string(measure->name);
  if (at) text += "@" + scene::number_text(*at);
  return text + "(" + runs[run] + ")";
}

bool Row::is_timed() const {
  return std::any_of(numbers.begin(), numbers.end(), [](const Number& n) { return n.measure->is_time; });
}

bool Row::has_scene() const {
  return std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run->source() != nullptr; });
}

Row read_row(const fs::path& file) {
  const scene::Document document = scene::load_document(file);
  Row row;
  row.file = file;
  row.id = file.stem().string();
  const Value root(document, *document.root);
  if (!root.is_object()) root.fail_type("an object");
  root.object([&](Reader& reader) {
    read_head(reader, row);
    SceneSource shared;
    read_scene_source(reader, shared);
    const std::vector<std::string_view> kinds = read_runs(reader, shared, row);
    reader.each("numbers", [&](const Value& value) { row.numbers.push_back(read_number(value, row, kinds)); });
    reader.each("plots", [&](const Value& value) { row.plots.push_back(read_plot(value, row.run_names)); });
    if (const auto film = reader.find("film")) read_film(*film, row);
    for (const char* key : {"plots", "film"})
      if (const auto value = reader.find(key)) row.pictured += value->json().dump();
    if (row.runs.empty() && row.needs.empty())
      reader.fail("has no \"runs\", and \"needs\" nothing that would be waited for");
  });
  return row;
}

std::vector<Row> read_rows(const fs::path& folder) {
  std::vector<Row> rows;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".json") rows.push_back(read_row(entry.path()));
  if (error) throw InputError(folder.string() + ": cannot be read (" + error.message() + ")");
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return sort_key(a) < sort_key(b); });
  return rows;
}

fs::path rows_folder() {
  const auto assets = scene::assets_folder();
  std::error_code ignored;
  if (assets && fs::is_directory(*assets / "papers", ignored)) return *assets / "papers";
  throw InputError("the papers' rows were not found (REBOUND_ASSETS can name the folder with scenes/ and papers/)");
}

}  // namespace rebound::papers
