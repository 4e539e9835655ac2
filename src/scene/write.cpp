// Writing a scene back as a document.
#include <nlohmann/json.hpp>

#include "scene/files.hpp"
#include "scene/parse.hpp"
#include "scene/part_text.hpp"
#include "sim/energy/materials.hpp"

namespace rebound::scene {
namespace {

using Json = nlohmann::ordered_json;  // keys in the order of the format's description

Json write(const BoxMesh& box) {
  return {{"box", {{"size", box.size}, {"divisions", box.divisions}, {"cut", box.cut}}}};
}

Json write(const ClothMesh& cloth) { return {{"cloth", {{"size", cloth.size}, {"divisions", cloth.divisions}}}}; }

Json write(const DiskMesh& disk) { return {{"disk", {{"radius", disk.radius}, {"rings", disk.rings}}}}; }

Json write(const SphereMesh& sphere) {
  return {{"sphere", {{"radius", sphere.radius}, {"divisions", sphere.divisions}}}};
}

Json write(const TorusMesh& torus) {
  return {{"torus", {{"radius", torus.radius}, {"tube", torus.tube}, {"divisions", torus.divisions}}}};
}

Json write(const StructureMesh& structure) {
  return {{"structure", {{"name", structure.name}, {"detail", structure.detail}}}};
}

Json write(const InlineMesh& mesh) {
  Json json{{"vertices", mesh.vertices}};
  if (!mesh.tetrahedra.empty()) json["tetrahedra"] = mesh.tetrahedra;
  if (!mesh.triangles.empty()) json["triangles"] = mesh.triangles;
  if (!mesh.edges.empty() || json.size() == 1) json["edges"] = mesh.edges;
  return json;
}

// A file elsewhere than below the scene's folder keeps its full name, so that the scene may be moved.
std::string file_name(const std::filesystem::path& file, const std::filesystem::path& folder) {
  std::error_code ignored;
  const auto relative = folder.empty() ? file : std::filesystem::relative(file, folder, ignored);
  const bool below = !relative.empty() && relative.native().rfind("..", 0) != 0;
  return text_of_file(below ? relative : std::filesystem::absolute(file, ignored));
}

Json write(const FileMesh& mesh, const std::filesystem::path& folder) {
  Json json{{"file", file_name(mesh.file, folder)}};
  const Tetrahedralize& options = mesh.tetrahedralize;
  if (options == Tetrahedralize{}) return json;
  Json& part = json["tetrahedralize"] = {{"method", options.method}};
  if (options.tets) part["tets"] = *options.tets;
  if (options.maxVolume) part["maxVolume"] = *options.maxVolume;
  if (options.quality) part["quality"] = *options.quality;
  if (!options.refine) part["refine"] = false;
  return json;
}

Json write_mesh(const Mesh& mesh, const std::filesystem::path& folder) {
  if (const auto* file = std::get_if<FileMesh>(&mesh)) return write(*file, folder);
  return std::visit(
      [](const auto& shape) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, FileMesh>) {
          return {};  // written above
        } else {
          return write(shape);
        }
      },
      mesh);
}

Json write(const Material& material) {
  Json json{{"model", material.model}};
  if (const sim::MaterialInfo* info = sim::find_material(material.model)) {
    if (info->has_choice_of_law()) json["law"] = material.law;
    for (const sim::MaterialParameter& parameter : info->parameters)
      json[std::string(parameter.key)] = material.*parameter.value;
    if (info->kind == sim::ElementKind::edges && !material.restLengths.empty())
      json["restLengths"] = material.restLengths;
  }
  json["density"] = material.density;
  return json;
}

Json write(const MaterialRegion& region) {
  Json material = Json::object();
  if (region.model) material["model"] = *region.model;
  for (const auto& [key, value] : region.numbers) material[key] = value;
  Json json;
  if (const auto* box = std::get_if<BoxRegion>(&region.elements))
    json["box"] = Json::array({box->min, box->max});
  else if (const auto* shell = std::get_if<ShellRegion>(&region.elements))
    json["shell"] = shell->depth;
  else if (const auto* of_file = std::get_if<MeshLabel>(&region.elements))
    json["label"] = of_file->label;
  else
    json["elements"] = std::get<std::vector<int>>(region.elements);
  json["material"] = std::move(material);
  return json;
}

Json write(const Rotation& rotation) { return {{"axis", rotation.axis}, {"angle", rotation.angle}}; }

Json write(const Transform& transform) {
  return {{"translate", transform.translate}, {"rotate", write(transform.rotate)}, {"scale", transform.scale}};
}

Json write(const Start& start) {
  if (const auto* randomized = std::get_if<RandomizedStart>(&start))
    return {{"type", "randomized"}, {"seed", randomized->seed}};
  if (const auto* stretched = std::get_if<StretchedStart>(&start))
    return {{"type", "stretched"}, {"scale", stretched->scale}};
  if (const auto* pulled = std::get_if<PulledStart>(&start))
    return {{"type", "pulled"},
            {"box", Json::array({pulled->box.min, pulled->box.max})},
            {"offset", pulled->offset},
            {"reach", pulled->reach}};
  if (const auto* twisted = std::get_if<TwistedStart>(&start))
    return {{"type", "twisted"}, {"axis", twisted->axis}, {"angle", twisted->angle}};
  if (const auto* given = std::get_if<GivenStart>(&start))
    return {{"type", "positions"}, {"positions", given->positions}};
  return {{"type", std::holds_alternative<PointStart>(start) ? "point" : "rest"}};
}

Json write(const Selection& selection) {
  if (std::holds_alternative<BorderSelection>(selection)) return "border";
  if (const auto* region = std::get_if<BoxRegion>(&selection))
    return {{"box", Json::array({region->min, region->max})}};
  return std::get<std::vector<int>>(selection);
}

Json write(const Attachment& attachment) {
  Json json{{"vertices", write(attachment.vertices)}, {"stiffness", attachment.stiffness}};
  for (const Keyframe& moment : attachment.motion) {
    json["motion"].push_back({{"time", moment.time}, {"offset", moment.offset}});
  }
  return json;
}

struct WriteConstraint {
  Json operator()(const Rods& rods) const {
    Json json;
    if (rods.which == Rods::Which::pairs)
      json["rods"] = rods.pairs;
    else
      json["rods"] = rods.which == Rods::Which::edges ? kRodsOfEdges : kRodsOfThreads;
    if (rods.length) json["length"] = *rods.length;
    return json;
  }
  Json operator()(const OnCurve& on) const {
    Json json{{"vertices", write(on.vertices)}};
    json[kCurves[on.curve.index()]] = std::visit(*this, on.curve);
    return json;
  }
  Json operator()(const LineCurve& line) const { return {{"direction", line.direction}}; }
  Json operator()(const CircleCurve& circle) const { return {{"centre", circle.centre}, {"normal", circle.normal}}; }
  Json operator()(const HelixCurve& helix) const {
    return {{"centre", helix.centre}, {"axis", helix.axis}, {"pitch", helix.pitch}};
  }
};

Json write(const Trace& trace) {
  Json json{{"vertex", trace.vertex}};
  if (!trace.around.empty()) json["around"] = trace.around;
  return json;
}

Json write(const Body& body, const std::filesystem::path& folder) {
  Json json{{"name", body.name}, {"mesh", write_mesh(body.mesh, folder)}, {"material", write(body.material)}};
  if (!body.regions.empty()) json["regions"] = to_json(body.regions);
  if (!body.masses.empty()) json["masses"] = body.masses;
  json["transform"] = write(body.transform);
  if (body.velocities.empty()) {
    json["velocity"] = body.velocity;
    json["angularVelocity"] = body.angularVelocity;
  } else {
    json["velocities"] = body.velocities;
  }
  json["start"] = write(body.start);
  json["fixed"] = write(body.fixed);
  for (const Attachment& attachment : body.attachments) json["attachments"].push_back(write(attachment));
  for (const HardConstraint& constraint : body.constraints)
    json["constraints"].push_back(std::visit(WriteConstraint{}, constraint));
  for (const Trace& trace : body.traces) json["traces"].push_back(write(trace));
  if (body.autoScale) json["autoScale"] = true;
  if (body.autoHang) json["autoHang"] = true;
  return json;
}

struct WriteShape {
  const std::filesystem::path& folder;

  Json operator()(const PlaneShape& plane) const {
    return {{"plane", {{"normal", plane.normal}, {"offset", plane.offset}}}};
  }
  Json operator()(const SphereShape& sphere) const { return {{"sphere", {{"radius", sphere.radius}}}}; }
  Json operator()(const BoxShape& box) const { return {{"box", {{"size", box.size}}}}; }
  Json operator()(const CapsuleShape& capsule) const {
    return {{"capsule", {{"radius", capsule.radius}, {"length", capsule.length}}}};
  }
  Json operator()(const TorusShape& torus) const {
    return {{"torus", {{"radius", torus.radius}, {"tube", torus.tube}}}};
  }
  Json operator()(const MeshShape& mesh) const { return {{"mesh", {{"file", file_name(mesh.file, folder)}}}}; }
};

}  // namespace

nlohmann::ordered_json to_json(const Obstacle& obstacle, const std::filesystem::path& folder) {
  Json json{{"name", obstacle.name}};
  json.update(std::visit(WriteShape{folder}, obstacle.shape));
  json["transform"] = write(obstacle.transform);
  json["stiffness"] = obstacle.stiffness;
  json["friction"] = obstacle.friction;
  if (obstacle.meets != kObstacleMeets[0]) json["meets"] = obstacle.meets;
  if (obstacle.is_cubic() || obstacle.cubicStiffness != Obstacle().cubicStiffness)
    json["cubicStiffness"] = obstacle.cubicStiffness;
  for (const PoseKeyframe& moment : obstacle.motion)
    json["motion"].push_back({{"time", moment.time}, {"offset", moment.offset}, {"rotate", write(moment.rotate)}});
  return json;
}

nlohmann::ordered_json to_json(const std::vector<EnergyPiece>& energy) {
  Json pieces = Json::array();
  for (const EnergyPiece& piece : energy) {
    Json json{{"from", piece.from}};
    if (piece.target) {
      json["target"] = *piece.target;
    } else {
      json["factor"] = piece.factor;
      if (piece.foldTime) json["foldTime"] = *piece.foldTime;
      json["ground"] = piece.ground ? Json(*piece.ground) : Json("rest");
    }
    pieces.push_back(std::move(json));
  }
  return pieces;
}

nlohmann::ordered_json to_json(const std::vector<MaterialRegion>& regions) {
  Json json = Json::array();
  for (const MaterialRegion& region : regions) json.push_back(write(region));
  return json;
}

nlohmann::ordered_json to_json(const Description& scene, const std::filesystem::path& folder) {
  const Integrator& integrator = scene.integrator;
  const Solver& solver = scene.solver;
  const Damping& damping = scene.damping;
  Json json{{"rebound", 1},
            {"name", scene.name},
            {"summary", scene.summary},
            {"timeStep", scene.timeStep},
            {"substeps", scene.substeps},
            {"frames", scene.frames},
            {"gravity", scene.gravity}};
  if (const auto& wind = scene.wind)
    json["wind"] = {{"velocity", wind->velocity}, {"gusts", wind->gusts}, {"seed", wind->seed},
                    {"from", wind->from},         {"until", wind->until}, {"density", wind->density}};
  if (scene.runaway) json["runaway"] = *scene.runaway;
  json["integrator"] = {{"type", integrator.type},
                        {"tolerance", integrator.tolerance},
                        {"forwardBlend", integrator.forwardBlend},
                        {"unresolved", integrator.unresolved},
                        {"alphaMin", integrator.alphaMin},
                        {"alphaMax", integrator.alphaMax},
                        {"every", integrator.every},
                        {"base", integrator.base},
                        {"rho", integrator.rho},
                        {"modes", integrator.modes}};
  json["solver"] = {{"type", solver.type}};
  if (solver.acceleration) json["solver"]["acceleration"] = *solver.acceleration;
  if (solver.tolerance) json["solver"]["tolerance"] = *solver.tolerance;
  if (solver.projection != Solver{}.projection) json["solver"]["projection"] = solver.projection;
  if (solver.iterationsByNeed) json["solver"]["iterations"] = "auto";
  if (solver.iterations) json["solver"]["iterations"] = *solver.iterations;
  if (solver.stabilizerIterations) {
    json["solver"]["stabilizerIterations"] = *solver.stabilizerIterations;
  } else {
    json["solver"]["stabilizerIterations"] = "adaptive";
  }
  json["damping"] = {{"type", damping.type}, {"coefficient", damping.coefficient}, {"per", damping.per}};
  if (damping.mass != 0) json["damping"]["mass"] = damping.mass;
  if (!scene.energy.empty()) json["energy"] = to_json(scene.energy);
  json["contact"] = {
      {"bodies", scene.contact.bodies}, {"self", scene.contact.self}, {"friction", scene.contact.friction}};
  if (scene.contact.type != BodyContact().type) json["contact"]["type"] = scene.contact.type;
  if (scene.contact.is_cubic() || scene.contact.cubicStiffness != BodyContact().cubicStiffness)
    json["contact"]["cubicStiffness"] = scene.contact.cubicStiffness;
  if (scene.contact.is_barrier()) {
    if (scene.contact.firmness) json["contact"]["stiffness"] = *scene.contact.firmness;
  } else {
    json["contact"]["stiffness"] = scene.contact.stiffness;
  }
  if (scene.contact.slip != BodyContact().slip) json["contact"]["slip"] = scene.contact.slip;
  if (scene.contact.frictionSolves != BodyContact().frictionSolves)
    json["contact"]["frictionSolves"] = scene.contact.frictionSolves;
  if (scene.contact.distance) json["contact"]["distance"] = *scene.contact.distance;
  if (scene.contact.thickness) json["contact"]["thickness"] = *scene.contact.thickness;
  json["bodies"] = Json::array();
  for (const Body& body : scene.bodies) json["bodies"].push_back(write(body, folder));
  for (const Obstacle& obstacle : scene.obstacles) json["obstacles"].push_back(to_json(obstacle, folder));
  return json;
}

std::string to_text(const Description& scene, const std::filesystem::path& folder) {
  using Json = nlohmann::ordered_json;
  return to_json(scene, folder).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rebound::scene
