// "obstacles": [ { "plane" | "sphere" | "box" | "capsule" | "torus" | "mesh": ..., where it is, how it goes } ]
#include <cmath>
#include <nlohmann/json.hpp>

#include "scene/files.hpp"
#include "scene/parse_body.hpp"
#include "scene/part_text.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {
namespace {

PlaneShape parse_plane(Reader& reader) {
  PlaneShape plane;
  reader.vector("normal", "obstacle.normal", plane.normal);
  reader.number("offset", "obstacle.offset", plane.offset);
  constexpr double kShortestNormal = 1e-6;  // below it a direction has lost its digits
  if (std::hypot(plane.normal[0], plane.normal[1], plane.normal[2]) < kShortestNormal)
    reader.find("normal")->fail("has no length, so no direction; give one such as [0, 1, 0]");
  return plane;
}

TorusShape parse_torus(Reader& reader) {
  TorusShape torus;
  reader.number("radius", "obstacle.size", torus.radius);
  reader.number("tube", "obstacle.size", torus.tube);
  if (torus.tube >= torus.radius) {
    reader.fail("the tube (" + number_text(torus.tube) + " m) must be thinner than the ring's radius (" +
                number_text(torus.radius) + " m)");
  }
  return torus;
}

MeshShape parse_solid(Reader& reader) {
  const Value file = reader.required("file", "a closed surface (.obj)");
  MeshShape mesh{parse_mesh_file(file)};
  if (!is_surface_file(mesh.file)) file.fail(in_quotes(file.text()) + " is no surface; an obstacle is made of an .obj");
  return mesh;
}

ObstacleShape parse_shape(const std::string& kind, const Value& value) {
  ObstacleShape shape;
  value.object([&](Reader& reader) {
    if (kind == "plane") shape = parse_plane(reader);
    if (kind == "sphere") reader.number("radius", "obstacle.size", shape.emplace<SphereShape>().radius);
    if (kind == "box") reader.vector("size", "obstacle.size", shape.emplace<BoxShape>().size);
    if (kind == "capsule") {
      auto& capsule = shape.emplace<CapsuleShape>();
      reader.number("radius", "obstacle.size", capsule.radius);
      reader.number("length", "obstacle.size", capsule.length);
    }
    if (kind == "torus") shape = parse_torus(reader);
    if (kind == "mesh") shape = parse_solid(reader);
  });
  return shape;
}

PoseKeyframe parse_pose_keyframe(const Value& value) {
  PoseKeyframe keyframe;
  value.object([&](Reader& reader) {
    keyframe.time = reader.required("time", "when the obstacle is there, in s").number(range("obstacle.motion.time"));
    reader.vector("offset", "obstacle.motion.offset", keyframe.offset);
    reader.object("rotate", [&](Reader& rotate) { keyframe.rotate = parse_rotation(rotate); });
  });
  return keyframe;
}

}  // namespace

Obstacle parse_obstacle(const Value& value) {
  static const std::vector<std::string> shapes(kObstacleShapes.begin(), kObstacleShapes.end());
  Obstacle obstacle;
  value.object([&](Reader& reader) {
    obstacle.name = "obstacle " + std::to_string(value.index());
    // What is misspelt is told before what is missing.
    reader.text("name", obstacle.name);
    reader.object("transform", [&](Reader& part) { obstacle.transform = parse_transform(part); });
    reader.number("stiffness", "obstacle.stiffness", obstacle.stiffness);
    reader.number("friction", "obstacle.friction", obstacle.friction);
    reader.number("cubicStiffness", "obstacle.cubicStiffness", obstacle.cubicStiffness);
    reader.choice("meets", {kObstacleMeets.begin(), kObstacleMeets.end()}, obstacle.meets);
    reader.each("motion", [&](const Value& moment) {
      const PoseKeyframe keyframe = parse_pose_keyframe(moment);
      if (!obstacle.motion.empty() && keyframe.time <= obstacle.motion.back().time) {
        moment.fail("its time, " + number_text(keyframe.time) + " s, must be later than the one before, " +
                    number_text(obstacle.motion.back().time) + " s");
      }
      obstacle.motion.push_back(keyframe);
    });
    const std::string kind = only_shape(reader, shapes);
    obstacle.shape = parse_shape(kind, *reader.find(kind));
  });
  return obstacle;
}

void check_obstacle(const Obstacle& obstacle) {
  Document document;
  document.root = owned(to_json(obstacle));
  document.name = "obstacle";
  (void)parse_obstacle(Value(document, *document.root));
}

}  // namespace rebound::scene
