// "constraints": [ { "rods": ... } or { "vertices": ..., "line" | "circle" | "helix": ... } ] of a body
#include <algorithm>
#include <cmath>

#include "scene/parse_body.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {
namespace {

void require_axis(Reader& reader, std::string_view key, const Vec3& axis) {
  constexpr double kShortest = 1e-6;  // below it a direction has lost its digits
  if (std::hypot(axis[0], axis[1], axis[2]) < kShortest)
    reader.find(key)->fail("has no length, so no direction; give one such as [0, 1, 0]");
}

Rods parse_rods(Reader& reader, const Value& pairs, const MeshFacts& facts) {
  Rods rods;
  if (pairs.is_text()) {
    rods.which =
        pairs.choice({kRodsOfEdges, kRodsOfThreads}) == kRodsOfEdges ? Rods::Which::edges : Rods::Which::threads;
  } else {
    if (!pairs.is_array()) pairs.fail_type("pairs of vertices, such as [[0, 1], [1, 2]], or \"edges\" or \"threads\"");
    if (pairs.size() == 0) pairs.fail("is empty; name at least one pair of vertices");
    pairs.each([&](const Value& pair) { rods.pairs.push_back(pair.vertices<2>(facts.vertices)); });
  }
  reader.number("length", "constraint.length", rods.length);
  return rods;
}

LineCurve parse_line(Reader& reader) {
  LineCurve line;
  reader.vector("direction", "constraint.direction", line.direction);
  require_axis(reader, "direction", line.direction);
  return line;
}

CircleCurve parse_circle(Reader& reader) {
  CircleCurve circle;
  reader.vector("centre", "constraint.centre", circle.centre);
  reader.vector("normal", "constraint.direction", circle.normal);
  require_axis(reader, "normal", circle.normal);
  return circle;
}

HelixCurve parse_helix(Reader& reader) {
  HelixCurve helix;
  reader.vector("centre", "constraint.centre", helix.centre);
  reader.vector("axis", "constraint.direction", helix.axis);
  require_axis(reader, "axis", helix.axis);
  reader.number("pitch", "constraint.pitch", helix.pitch);
  constexpr double kLeastPitch = 1e-3;
  if (std::abs(helix.pitch) < kLeastPitch)
    reader.fail("has a pitch of " + number_text(helix.pitch) + " m; give 0.001 m a turn or more, or a circle");
  return helix;
}

}  // namespace

HardConstraint parse_constraint(const Value& value, const MeshFacts& facts) {
  static const std::vector<std::string> curves(kCurves.begin(), kCurves.end());
  HardConstraint constraint;
  value.object([&](Reader& reader) {
    if (const auto pairs = reader.find("rods")) {
      constraint = parse_rods(reader, *pairs, facts);
      return;
    }
    OnCurve on;
    const Value vertices = reader.required(
        "vertices", "which vertices a curve keeps, by number or { \"box\": [[min], [max]] }; or give \"rods\"");
    on.vertices = parse_selection(vertices, facts);
    if (const auto* list = std::get_if<std::vector<int>>(&on.vertices); list != nullptr && list->empty())
      vertices.fail("is empty; name at least one vertex");
    const std::string kind = only_shape(reader, curves);
    reader.find(kind)->object([&](Reader& curve) {
      if (kind == kCurves[0]) on.curve = parse_line(curve);
      if (kind == kCurves[1]) on.curve = parse_circle(curve);
      if (kind == kCurves[2]) on.curve = parse_helix(curve);
    });
    constraint = std::move(on);
  });
  return constraint;
}

}  // namespace rebound::scene
