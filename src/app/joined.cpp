#include "app/joined.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "mesh/error.hpp"
#include "mesh/obj.hpp"
#include "scene/library.hpp"

namespace rebound::app {
namespace {

bool is_solid(const scene::Body& body) {
  static const std::set<std::string> kOthers{"springs", "membrane", "affine"};
  return !kOthers.contains(body.material.model);
}

std::string unused_name(const scene::Description& scene, const std::string& name) {
  const auto is_used = [&](const std::string& wanted) {
    return std::ranges::any_of(scene.bodies, [&](const scene::Body& body) { return body.name == wanted; });
  };
  std::string free = name;
  for (int i = 2; is_used(free); ++i) free = name + " " + std::to_string(i);
  return free;
}

}  // namespace

bool is_readable_surface(const std::filesystem::path& file) {
  try {
    return mesh::read_obj(file).points.rows() > 0;
  } catch (const InputError&) {
    return false;
  }
}

scene::Description joined(scene::Description scene, const std::filesystem::path& file, bool shell,
                          const render::Box& bodies, const render::Vec3& at) {
  scene::Description alone = shell ? scene::scene_for_shell(file) : scene::scene_for_mesh(file);
  scene::Body body = std::move(alone.bodies.front());
  body.name = unused_name(scene, body.name);
  body.autoHang = false;
  // Of itself it would be 1 m tall, and its middle at the origin.
  const float size = bodies.isEmpty() ? 1 : bodies.sizes().maxCoeff();
  if (size > 0 && std::isfinite(size)) body.transform.scale = size;
  body.transform.translate = {at.x(), at.y(), at.z()};
  if (shell) {
    scene.integrator = alone.integrator;
    scene.solver = alone.solver;
  } else if (const auto like = std::ranges::find_if(scene.bodies, is_solid); like != scene.bodies.end()) {
    body.material = like->material;
  }
  scene.bodies.push_back(std::move(body));
  // It is in no file as it is now.
  scene.file.clear();
  return scene;
}

}  // namespace rebound::app
