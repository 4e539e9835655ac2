// "bodies": [ { "mesh": ..., "material": ..., where it is, how it moves, what holds it } ]
#include "scene/parse_body.hpp"

#include <algorithm>
#include <cmath>

#include "scene/material.hpp"
#include "scene/part_text.hpp"
#include "scene/repeat.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {

BoxRegion parse_box(const Value& value) {
  if (!value.is_array() || value.size() != 2) value.fail_type("two corners, [[min], [max]]");
  BoxRegion region;
  value.each([&](const Value& corner) {
    (corner.index() == 0 ? region.min : region.max) = corner.vector<3>(range("region"));
  });
  for (std::size_t i = 0; i < 3; ++i) {
    if (region.min[i] <= region.max[i]) continue;
    value.fail("the first corner must be the smaller one, but along " + std::string(1, "xyz"[i]) + " " +
               number_text(region.min[i]) + " > " + number_text(region.max[i]));
  }
  return region;
}

namespace {

void check_length(const Value& value, const MeshFacts& facts) {
  if (!value.is_array()) value.fail_type("an array with an entry for each vertex");
  if (value.size() == 0) value.fail("is empty; give an entry for each vertex, or remove the key");
  if (facts.vertices && static_cast<std::int64_t>(value.size()) != *facts.vertices) {
    value.fail("has " + std::to_string(value.size()) + " entries for " + std::to_string(*facts.vertices) +
               " vertices; give one each");
  }
}

void require_direction(Reader& reader, std::string_view key, const Vec3& axis) {
  constexpr double kShortestAxis = 1e-6;  // below it a direction has lost its digits
  if (std::hypot(axis[0], axis[1], axis[2]) < kShortestAxis)
    reader.find(key)->fail("has no length, so no direction; give one such as [0, 1, 0]");
}

Start parse_start(Reader& reader, const MeshFacts& facts) {
  const std::vector<std::string> types{"rest", "randomized", "point", "stretched", "pulled", "twisted", "positions"};
  const std::string type = reader.required("type", "one of " + either(types)).choice(types);
  if (type == "point") return PointStart{};
  if (type == "randomized") {
    RandomizedStart start;
    if (const auto seed = reader.find("seed")) start.seed = static_cast<std::uint64_t>(seed->integer(range("seed")));
    return start;
  }
  if (type == "stretched") {
    return StretchedStart{reader.required("scale", "three factors, such as [1, 2, 1]").vector<3>(range("start.scale"))};
  }
  if (type == "pulled") {
    PulledStart start;
    start.box = parse_box(reader.required("box", "two corners, [[min], [max]]"));
    start.offset = reader.required("offset", "metres, such as [0, 0, 0.5]").vector<3>(range("start.offset"));
    if (const auto reach = reader.find("reach")) start.reach = reach->number(range("start.reach"));
    return start;
  }
  if (type == "twisted") {
    TwistedStart start;
    reader.vector("axis", "transform.rotate.axis", start.axis);
    require_direction(reader, "axis", start.axis);
    reader.number("angle", "start.angle", start.angle);
    return start;
  }
  if (type == "positions") {
    GivenStart start;
    const Value positions = reader.required("positions", "where each vertex is, such as [[0, 0, 0], [1, 0, 0]], in m");
    check_length(positions, facts);
    positions.each([&](const Value& at) { start.positions.push_back(at.vector<3>(range("mesh.coordinate"))); });
    return start;
  }
  return std::monostate{};
}

}  // namespace

Selection parse_selection(const Value& value, const MeshFacts& facts) {
  if (value.is_text()) {
    if (value.text() != "border") value.fail_type("vertex numbers, { \"box\": [[min], [max]] } or \"border\"");
    return BorderSelection{};
  }
  if (value.is_object()) {
    BoxRegion region;
    value.object([&](Reader& reader) { region = parse_box(reader.required("box", "two corners, [[min], [max]]")); });
    return region;
  }
  if (!value.is_array()) value.fail_type("vertex numbers, { \"box\": [[min], [max]] } or \"border\"");
  std::vector<int> vertices;
  vertices.reserve(value.size());
  value.each([&](const Value& vertex) { vertices.push_back(vertex.vertex(facts.vertices)); });
  std::vector<int> sorted = vertices;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    value.fail("names vertex " + std::to_string(*twice) + " twice; name it once");
  }
  return vertices;
}

namespace {

Keyframe parse_keyframe(const Value& value) {
  Keyframe keyframe;
  value.object([&](Reader& reader) {
    keyframe.time = reader.required("time", "when the handle is there, in s").number(range("attachment.motion.time"));
    keyframe.offset = reader.required("offset", "how far the handle is from where it starts, in m")
                          .vector<3>(range("attachment.motion.offset"));
  });
  return keyframe;
}

Attachment parse_attachment(const Value& value, const MeshFacts& facts) {
  Attachment attachment;
  value.object([&](Reader& reader) {
    const Value vertices = reader.required("vertices", "vertex numbers, or { \"box\": [[min], [max]] }");
    attachment.vertices = parse_selection(vertices, facts);
    if (const auto* list = std::get_if<std::vector<int>>(&attachment.vertices); list != nullptr && list->empty()) {
      vertices.fail("is empty; name at least one vertex");
    }
    reader.number("stiffness", "attachment.stiffness", attachment.stiffness);
    reader.each("motion", [&](const Value& moment) {
      const Keyframe keyframe = parse_keyframe(moment);
      if (!attachment.motion.empty() && keyframe.time <= attachment.motion.back().time) {
        moment.fail("its time, " + number_text(keyframe.time) + " s, must be later than the one before, " +
                    number_text(attachment.motion.back().time) + " s");
      }
      attachment.motion.push_back(keyframe);
    });
  });
  return attachment;
}

Trace parse_trace(const Value& value, const MeshFacts& facts) {
  Trace trace;
  value.object([&](Reader& reader) {
    trace.vertex = reader.required("vertex", "the number of the vertex whose path is drawn").vertex(facts.vertices);
    reader.each("around", [&](const Value& centre) {
      const int vertex = centre.vertex(facts.vertices);
      if (vertex == trace.vertex) centre.fail("is the traced vertex itself; name another one");
      if (std::find(trace.around.begin(), trace.around.end(), vertex) != trace.around.end())
        centre.fail("names vertex " + std::to_string(vertex) + " twice; name it once");
      trace.around.push_back(vertex);
    });
  });
  return trace;
}

std::vector<Trace> parse_traces(const Value& value, const MeshFacts& facts) {
  constexpr std::size_t kMostTraces = 20;  // more paths than that are a tangle
  if (value.size() > kMostTraces) value.fail("has more than 20 traces, the most a body may have");
  std::vector<Trace> traces;
  value.each([&](const Value& part) { traces.push_back(parse_trace(part, facts)); });
  return traces;
}

std::vector<double> parse_masses(const Value& value, const MeshFacts& facts, const Selection& fixed) {
  check_length(value, facts);
  // Where vertices are fixed by a region, which ones is known only when the body is built.
  const auto* fixed_list = std::get_if<std::vector<int>>(&fixed);
  std::vector<bool> may_be_zero(value.size(), fixed_list == nullptr);
  if (fixed_list != nullptr) {
    for (const int vertex : *fixed_list) {
      if (static_cast<std::size_t>(vertex) < may_be_zero.size()) may_be_zero[static_cast<std::size_t>(vertex)] = true;
    }
  }
  std::vector<double> masses;
  masses.reserve(value.size());
  value.each([&](const Value& mass) {
    const bool zero = mass.is_number() && mass.plain_number() == 0;
    if (zero && !may_be_zero[mass.index()]) mass.fail("a vertex that is not fixed needs a mass above 0");
    masses.push_back(zero ? 0 : mass.number(range("mass")));
  });
  if (std::all_of(masses.begin(), masses.end(), [](double mass) { return mass == 0; })) {
    value.fail("all masses are 0; a body needs at least one above");
  }
  return masses;
}

/// A vertex in no element gets no mass from the density.
void check_loose_vertices(const Value& mesh, const Body& body, const MeshFacts& facts) {
  if (!facts.loose || !body.masses.empty()) return;
  std::vector<bool> held(facts.in_element);
  if (const auto* fixed = std::get_if<std::vector<int>>(&body.fixed)) {
    for (const int vertex : *fixed) held[static_cast<std::size_t>(vertex)] = true;
  } else {
    return;
  }
  const auto loose = std::find(held.begin(), held.end(), false);
  if (loose == held.end()) return;
  mesh.fail("vertex " + std::to_string(loose - held.begin()) +
            " belongs to no element, so it would have no mass; give the body 'masses', or leave the vertex out");
}

void parse_motion(Reader& reader, const MeshFacts& facts, Body& body) {
  reader.vector("velocity", "velocity", body.velocity);
  reader.vector("angularVelocity", "angularVelocity", body.angularVelocity);
  if (const auto velocities = reader.find("velocities")) {
    check_length(*velocities, facts);
    if (body.velocity != Vec3{0, 0, 0} || body.angularVelocity != Vec3{0, 0, 0}) {
      velocities->fail("stands instead of 'velocity' and 'angularVelocity'; leave those out");
    }
    velocities->each([&](const Value& velocity) { body.velocities.push_back(velocity.vector<3>(range("velocity"))); });
  }
}

}  // namespace

Rotation parse_rotation(Reader& reader) {
  Rotation rotation;
  reader.vector("axis", "transform.rotate.axis", rotation.axis);
  reader.number("angle", "transform.rotate.angle", rotation.angle);
  if (rotation.angle != 0) require_direction(reader, "axis", rotation.axis);
  return rotation;
}

Transform parse_transform(Reader& reader) {
  Transform transform;
  reader.vector("translate", "transform.translate", transform.translate);
  reader.object("rotate", [&](Reader& rotate) { transform.rotate = parse_rotation(rotate); });
  reader.number("scale", "transform.scale", transform.scale);
  return transform;
}

namespace {

/// A cloth or a surface file is of what its material is for.
void suit_to_material(Reader& reader, const Value& place, Mesh& mesh) {
  const auto material = reader.find("material");
  const auto model = material && material->is_object() ? material->find("model") : std::nullopt;
  if (!model || !model->is_text()) return;
  suit(mesh, model->text());
  const auto* file = std::get_if<FileMesh>(&mesh);
  if (file != nullptr && file->shell && file->tetrahedralize != Tetrahedralize{})
    place.fail("'tetrahedralize' is for solids, and a " + in_quotes(model->text()) +
               " is a shell of the file's own triangles; remove it");
}

void check_repeat(const Value& place, const Repeat& repeat, const Body& body) {
  if (repeat.count() > kMostBodies)
    place.fail("asks for " + std::to_string(repeat.count()) + " bodies; " + std::to_string(kMostBodies) +
               " are the most");
  const Range& reach = range("transform.translate");
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (std::abs(body.transform.translate[axis]) + repeat.counts[axis] * repeat.spacing[axis] > reach.max)
      place.fail("goes further from the origin than " + number_text(reach.max) + " m; use fewer, or less spacing");
  if (std::holds_alternative<GivenStart>(body.start))
    place.fail("would put all at the same positions; leave 'start' or 'repeat' out");
}

}  // namespace

std::vector<Body> parse_body(const Value& value, const Solver& solver, const Known& known) {
  Body body;
  std::optional<Repeat> repeat;
  value.object([&](Reader& reader) {
    body.name = "body " + std::to_string(value.index());
    reader.text("name", body.name);
    const Value mesh = reader.required("mesh", "the body's shape, such as { \"box\": {} }");
    MeshFacts facts;
    body.mesh = parse_mesh(mesh, facts);
    suit_to_material(reader, mesh, body.mesh);
    body.material = default_material(body.mesh);
    reader.object("material",
                  [&](Reader& part) { body.material = parse_material(part, body.mesh, facts, solver, known); });
    reader.each("regions", [&](const Value& part) {
      body.regions.push_back(parse_material_region(part, body.mesh, body.material, solver, known));
    });
    reader.object("transform", [&](Reader& part) { body.transform = parse_transform(part); });
    parse_motion(reader, facts, body);
    reader.object("start", [&](Reader& part) { body.start = parse_start(part, facts); });
    if (const auto fixed = reader.find("fixed")) body.fixed = parse_selection(*fixed, facts);
    if (const auto masses = reader.find("masses")) body.masses = parse_masses(*masses, facts, body.fixed);
    check_loose_vertices(mesh, body, facts);
    reader.each("attachments", [&](const Value& part) { body.attachments.push_back(parse_attachment(part, facts)); });
    if (const auto constraints = reader.find("constraints"))
      constraints->each([&](const Value& part) { body.constraints.push_back(parse_constraint(part, facts)); });
    if (const auto traces = reader.find("traces")) body.traces = parse_traces(*traces, facts);
    reader.truth("autoScale", body.autoScale);
    reader.truth("autoHang", body.autoHang);
    if (const auto given = reader.find("repeat")) {
      given->object([&](Reader& part) { repeat = parse_repeat(part); });
      check_repeat(*given, *repeat, body);
    }
  });
  return repeat ? repeated(body, *repeat) : std::vector{body};
}

}  // namespace rebound::scene
