#include "bench/stiff_bodies.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mesh/error.hpp"
#include "scene/library.hpp"
#include "scene/parse.hpp"

namespace rebound::bench {

namespace {

// A row of [Chen20 Table 2], ms a step.
struct Printed {
  double semi_implicit, siere, exponential;
};

StiffBody stiffer(StiffBody body, std::string_view name, double times, const Printed& printed) {
  body.name = name;
  body.stiffer = times;
  body.printed_semi_implicit = printed.semi_implicit;
  body.printed_siere = printed.siere;
  body.printed_exponential = printed.exponential;
  return body;
}

std::vector<StiffBody> bodies_of_the_paper() {
  constexpr const char* kFine = R"(/bodies/0/mesh/structure/detail="fine")";
  // The paper's meshes have units of their own; each is made about as large as the built-in scene's.
  std::vector<StiffBody> list{
      {.name = "ball",
       .scene = "hanging-ball",
       .of_scene = {R"(/bodies/0/mesh={"file": "../meshes/ball_980.obj",
                                       "tetrahedralize": {"method": "tetgen", "tets": 4750}})",
                    "/bodies/0/transform/scale=0.2"},
       .mesh = "chen20/ball_3.node",
       .of_mesh = {R"(/bodies/0/transform={"scale": 0.1, "translate": [0, 0.3, 0]})", R"(/bodies/0/material/young=1e8)",
                   R"(/bodies/0/regions=[{"box": [[-0.055, 0.245, -0.055], [0.055, 0.355, 0.055]],
                                          "material": {"young": 1e6}}])"},
       .modes = 5,
       .printed_semi_implicit = 440,
       .printed_siere = 970,
       .printed_exponential = 360},
      {.name = "cuboid", .scene = "untwisting-cuboid", .modes = 5, .printed_siere = 1100},
      {.name = "honeycomb",
       .scene = "honeycomb-sheet",
       .of_scene = {kFine, "/bodies/0/regions/0/box=[[-3, 1.1, -2], [3, 1.3, 5]]",
                    "/bodies/0/regions/1/box=[[-3, 0.7, -2], [3, 0.9, 5]]"},
       .mesh = "chen20/hex_sheet_0.node",
       .of_mesh = {R"(/bodies/0/transform={"scale": 0.01})", R"(/bodies/0/fixed={"box": [[-9, 1.25, -9], [9, 9, 9]]})",
                   R"(/bodies/0/regions=[{"box": [[-9, -9, -1], [9, 9, 0.02]], "material": {"young": 1e8}},
                                         {"box": [[-9, -9, 0.08], [9, 9, 1]], "material": {"young": 1e8}}])"},
       .modes = 5,
       .printed_semi_implicit = 850,
       .printed_siere = 1540,
       .printed_exponential = 5370},
      {.name = "moebius",
       .scene = "moebius-ball",
       .of_scene = {kFine},
       .mesh = "chen20/moebius_0.node",
       .of_mesh = {R"(/gravity=[0, 0, -9.81])", R"(/bodies/0/transform={"scale": 0.01})",
                   R"(/bodies/0/fixed={"box": [[-9, -9, 1.1], [9, 9, 9]]})",
                   R"(/bodies/0/regions=[{"box": [[-0.3, -0.3, 0], [0.3, 0.3, 1.3]], "material": {"young": 1e10}}])"},
       .stiffer = 0.01,
       .modes = 5,
       .printed_semi_implicit = 1620,
       .printed_siere = 2230,
       .printed_exponential = 57800},
      {.name = "rope",
       .scene = "uncoiling-rope",
       .of_scene = {kFine},
       .mesh = "chen20/spring_0.node",
       .of_mesh = {R"(/bodies/0/transform={"scale": 0.02})", R"(/bodies/0/fixed={"box": [[-9, 5.3, -9], [9, 9, 9]]})"},
       .modes = 1,
       .printed_siere = 1628},  // 651 s for 400 frames
      {.name = "tower",
       .scene = "tower-in-wind",
       .of_scene = {kFine, R"(/bodies/0/transform={"scale": 0.5})", "/wind/velocity=[60, 0, 21]"},
       .mesh = "chen20/eiff_simple_0.node",
       .of_mesh = {R"(/gravity=[0, 0, -9.81])", R"(/bodies/0/fixed={"box": [[-99, -99, -1], [99, 99, 0.3]]})"},
       .modes = 5,
       .printed_semi_implicit = 6310,
       .printed_siere = 23150},
      {.name = "tree",
       .scene = "tree-in-wind",
       .of_scene = {kFine},
       .mesh = "chen20/tree_real_0.node",
       .of_mesh = {R"(/gravity=[0, 0, -9.81])", R"(/bodies/0/transform={"scale": 0.1})",
                   R"(/bodies/0/fixed={"box": [[-99, -99, -1], [99, 99, 0.2]]})"},
       .modes = 5,
       .printed_siere = 26900},
      {.name = "bridge",
       .scene = "bridge-in-wind",
       .of_scene = {kFine, "/bodies/0/material/young=1e9", "/bodies/0/regions/0/material/young=1e7"},
       .mesh = "chen20/bridge_1.node",
       .of_mesh = {R"(/bodies/0/regions=[{"box": [[-999, 6, -99], [999, 99, 999]], "material": {"young": 1e6}}])",
                   R"(/bodies/0/fixed={"box": [[-999, -1, -1], [999, -0.01, 999]]})"},
       .modes = 5,
       .printed_semi_implicit = 13750,
       .printed_siere = 45850},
  };
  // The table's peak stiffness of these three is 1e8 Pa and then 1e10 Pa, which is what the text has of
  // the moebius ball.
  const auto twice = [&](std::string_view name, std::string_view second, const Printed& printed) {
    const auto at = std::ranges::find(list, name, &StiffBody::name);
    list.insert(at + 1, stiffer(*at, second, 100 * at->stiffer, printed));
  };
  twice("ball", "ball-stiff", {420, 960, 1120});
  twice("honeycomb", "honeycomb-stiff", {840, 1560, 58400});
  twice("moebius", "moebius-stiff", {1540, 2600, 0});
  return list;
}

}  // namespace

std::span<const StiffBody> stiff_bodies() {
  static const std::vector<StiffBody> list = bodies_of_the_paper();
  return list;
}

void require_bodies_in(const std::filesystem::path& meshes) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(meshes, ignored))
    throw InputError("--meshes: " + meshes.string() + " is not a folder");
  const auto bodies = stiff_bodies();
  if (std::ranges::none_of(bodies, [&](const StiffBody& body) { return has_own_mesh(body, meshes); }))
    throw InputError("--meshes: " + meshes.string() + " holds none of the papers' bodies; the first is looked for as " +
                     (meshes / bodies.front().mesh).string());
}

bool has_own_mesh(const StiffBody& body, const std::filesystem::path& meshes) {
  std::error_code ignored;
  return !body.mesh.empty() && !meshes.empty() && std::filesystem::exists(meshes / body.mesh, ignored);
}

scene::World stiff_world(const StiffBody& body, const std::filesystem::path& meshes,
                         const std::vector<std::string>& settings) {
  const auto file = scene::find_scene(std::string(body.scene));
  if (!file) throw InputError("bench: the scene '" + std::string(body.scene) + "' is not among the built-in ones");
  scene::Document document = scene::load_document(*file);
  if (has_own_mesh(body, meshes)) {
    (*document.root)["bodies"][0]["mesh"] = {{"file", std::filesystem::absolute(meshes / body.mesh).string()}};
    for (const std::string& setting : body.of_mesh) scene::apply_set(document, setting);
  } else {
    for (const std::string& setting : body.of_scene) scene::apply_set(document, setting);
  }
  nlohmann::json& solid = (*document.root)["bodies"][0];
  const auto stiffen = [&](nlohmann::json& material) {
    if (body.stiffer != 1) material["young"] = body.stiffer * material.at("young").get<double>();
  };
  stiffen(solid["material"]);
  if (solid.contains("regions"))
    for (nlohmann::json& region : solid["regions"]) stiffen(region["material"]);
  for (const std::string& setting : settings) scene::apply_set(document, setting);
  return scene::load_world(scene::parse(document));
}

}  // namespace rebound::bench
