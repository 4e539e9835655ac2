#include "session/command_text.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "scene/identifiers.hpp"
#include "scene/part_text.hpp"
#include "scene/ranges.hpp"

namespace rebound::session {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kFarthest = std::numeric_limits<double>::max();
constexpr scene::Range kPlace{"target", -kFarthest, kFarthest, 0, "m", false, false, "a coordinate of the hand"};
constexpr scene::Range kIndex{"index", 0, 2147483647, 0, "", true, false, "a number that counts from 0"};

/// Two visitors of the same fields: one writes them, the other asks for them.
class Writing {
 public:
  explicit Writing(Json& line) : line_(line) {}
  void number(const char* key, std::string_view, double value) { line_[key] = value; }
  void number(const char* key, std::string_view, const std::optional<double>& value) {
    if (value) line_[key] = *value;
  }
  /// One that recordings of earlier versions do not have: written where it is not what they had.
  void later_number(const char* key, std::string_view range, double value) {
    if (value != scene::range(range).standard) line_[key] = value;
  }
  void later_integer(const char* key, std::string_view range, int value) { later_number(key, range, value); }
  void integer(const char* key, std::string_view, int value) { line_[key] = value; }
  void integer(const char* key, std::string_view, const std::optional<int>& value) {
    if (value) line_[key] = *value;
  }
  void truth(const char* key, bool value) { line_[key] = value; }
  void truth(const char* key, const std::optional<bool>& value) {
    if (value) line_[key] = *value;
  }
  void iterations(const char* key, const std::optional<int>& value, bool by_need) {
    if (value)
      line_[key] = *value;
    else if (by_need)
      line_[key] = "auto";
  }
  void text(const char* key, const std::string& value) { line_[key] = value; }
  void choice(const char* key, const std::vector<std::string>&, const std::string& value) { line_[key] = value; }
  /// As later_number().
  void later_choice(const char* key, const std::vector<std::string>&, const std::string& value,
                    const std::string& was) {
    if (value != was) line_[key] = value;
  }
  void index(const char* key, int value) { line_[key] = value; }
  void indices(const char* key, const std::vector<int>& values) { line_[key] = values; }
  void numbers(const char* key, std::string_view, const std::vector<double>& values) {
    if (!values.empty()) line_[key] = values;
  }
  void place(const char* key, const sim::Vec3& v) { line_[key] = {v[0], v[1], v[2]}; }
  void gravity(const char* key, const sim::Vec3& v) { place(key, v); }
  void index_or_last(const char* key, int value) {
    if (value != kLast) line_[key] = value;
  }
  void translate(const char* key, const scene::Vec3& v) { line_[key] = v; }
  void rotate(const char* key, const scene::Rotation& r) { line_[key] = {{"axis", r.axis}, {"angle", r.angle}}; }
  // What is read elsewhere is read from another folder.
  void obstacle(const char* key, scene::Obstacle obstacle) {
    std::error_code ignored;
    if (auto* mesh = std::get_if<scene::MeshShape>(&obstacle.shape))
      mesh->file = std::filesystem::absolute(mesh->file, ignored);
    line_[key] = scene::to_json(obstacle);
  }
  void energy(const char* key, const std::vector<scene::EnergyPiece>& pieces) { line_[key] = scene::to_json(pieces); }
  void regions(const char* key, const std::vector<scene::MaterialRegion>& regions) {
    line_[key] = scene::to_json(regions);
  }
  void points(const char* key, const std::vector<SurfacePoint>& points) {
    line_[key] = Json::array();
    for (const SurfacePoint& point : points) line_[key].push_back({point.body, point.vertex});
  }

 private:
  Json& line_;
};

class Reading {
 public:
  explicit Reading(scene::Reader& line) : line_(line) {}
  void number(const char* key, std::string_view range, double& into) {
    into = required(key).number(scene::range(range));
  }
  void later_number(const char* key, std::string_view range, double& into) { line_.number(key, range, into); }
  void later_integer(const char* key, std::string_view range, int& into) { line_.integer(key, range, into); }
  void integer(const char* key, std::string_view range, int& into) {
    into = static_cast<int>(required(key).integer(scene::range(range)));
  }
  void number(const char* key, std::string_view range, std::optional<double>& into) { line_.number(key, range, into); }
  void integer(const char* key, std::string_view range, std::optional<int>& into) { line_.integer(key, range, into); }
  void truth(const char* key, bool& into) { into = required(key).truth(); }
  void truth(const char* key, std::optional<bool>& into) { line_.truth(key, into); }
  void iterations(const char* key, std::optional<int>& into, bool& by_need) {
    line_.integer_or(key, "auto", "solver.iterations", into, by_need);
  }
  void text(const char* key, std::string& into) { into = required(key).text(); }
  void choice(const char* key, const std::vector<std::string>& permitted, std::string& into) {
    into = required(key).choice(permitted);
  }
  void later_choice(const char* key, const std::vector<std::string>& permitted, std::string& into, const std::string&) {
    if (const auto value = line_.find(key)) into = value->choice(permitted);
  }
  void index(const char* key, int& into) { into = static_cast<int>(required(key).integer(kIndex)); }
  void indices(const char* key, std::vector<int>& into) {
    required(key).each([&](const scene::Value& value) { into.push_back(static_cast<int>(value.integer(kIndex))); });
  }
  void numbers(const char* key, std::string_view range, std::vector<double>& into) {
    line_.each(key, [&](const scene::Value& value) { into.push_back(value.number(scene::range(range))); });
  }
  void place(const char* key, sim::Vec3& into) { vector(key, kPlace, into); }
  void gravity(const char* key, sim::Vec3& into) { vector(key, scene::range("gravity"), into); }
  void index_or_last(const char* key, int& into) {
    if (const auto value = line_.find(key)) into = static_cast<int>(value->integer(kIndex));
  }
  void translate(const char* key, scene::Vec3& into) {
    into = required(key).vector<3>(scene::range("transform.translate"));
  }
  void rotate(const char* key, scene::Rotation& into) {
    required(key).object([&](scene::Reader& rotation) { into = scene::parse_rotation(rotation); });
  }
  void obstacle(const char* key, scene::Obstacle& into) { into = scene::parse_obstacle(required(key)); }
  void energy(const char* key, std::vector<scene::EnergyPiece>& into) { into = scene::parse_energy(required(key)); }
  void regions(const char* key, std::vector<scene::MaterialRegion>& into) {
    into = scene::parse_regions(required(key));
  }
  void points(const char* key, std::vector<SurfacePoint>& into) {
    required(key).each([&](const scene::Value& value) {
      const auto point = value.integers<2>(kIndex);
      into.push_back({point[0], point[1]});
    });
  }

 private:
  scene::Value required(const char* key) { return line_.required(key, "every such event has it"); }
  void vector(const char* key, const scene::Range& range, sim::Vec3& into) {
    const auto v = required(key).vector<3>(range);
    into = {v[0], v[1], v[2]};
  }

  scene::Reader& line_;
};

// ---- either way for whole variants ----

template <class T>
void write(const T& what, Json& line) {
  line["do"] = Traits<T>::name;
  Writing fields(line);
  Traits<T>::fields(fields, what);
}

/// Calls with a default value of each alternative.
template <class Variant, std::size_t i = 0>
void each_alternative(const auto& visit) {
  if constexpr (i < std::variant_size_v<Variant>) {
    visit(std::variant_alternative_t<i, Variant>{});
    each_alternative<Variant, i + 1>(visit);
  }
}

template <class Variant>
std::optional<Variant> read(const std::string& name, scene::Reader& line) {
  std::optional<Variant> found;
  each_alternative<Variant>([&]<class T>(T what) {
    if constexpr (!std::is_same_v<T, Addressed>) {
      if (name != Traits<T>::name) return;
      Reading fields(line);
      Traits<T>::fields(fields, what);
      found = std::move(what);
    }
  });
  return found;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  const auto add = [&]<class T>(const T&) {
    if constexpr (!std::is_same_v<T, Addressed>) all.emplace_back(Traits<T>::name);
  };
  each_alternative<Command>(add);
  each_alternative<Event>(add);
  return all;
}

}  // namespace

void write_event(const Event& event, Json& line) {
  const auto* addressed = std::get_if<Addressed>(&event);
  if (addressed == nullptr) {
    std::visit(
        [&]<class T>(const T& what) {
          if constexpr (!std::is_same_v<T, Addressed>) write(what, line);
        },
        event);
    return;
  }
  if (addressed->pane != kAllPanes) line["pane"] = addressed->pane;
  if (addressed->goes_on) line["goesOn"] = true;
  std::visit([&](const auto& command) { write(command, line); }, addressed->command);
}

Event read_event(scene::Reader& line) {
  const scene::Value what = line.required("do", "what was done");
  const std::string name = what.choice(names());
  if (auto event = read<Event>(name, line)) return *event;
  Addressed addressed;
  if (const auto pane = line.find("pane")) addressed.pane = static_cast<int>(pane->integer(kIndex));
  std::optional<bool> goes_on;
  line.truth("goesOn", goes_on);
  addressed.goes_on = goes_on.value_or(false);
  addressed.command = *read<Command>(name, line);
  return addressed;
}

}  // namespace rebound::session
