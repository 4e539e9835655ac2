#include "bench/stiff_bodies.hpp"

#include <nlohmann/json.hpp>

#include "mesh/error.hpp"
#include "scene/library.hpp"
#include "scene/parse.hpp"

namespace rebound::bench {

std::span<const StiffBody> stiff_bodies() {
  // The meshes have units of their own; each is made about as large as the built-in scene's.
  static const std::vector<StiffBody> list{
      {"ball",
       "hanging-ball",
       "chen20/ball_3.node",
       {R"(/bodies/0/transform={"scale": 0.1, "translate": [0, 0.3, 0]})", R"(/bodies/0/material/young=1e8)",
        R"(/bodies/0/regions=[{"box": [[-0.055, 0.245, -0.055], [0.055, 0.355, 0.055]], "material": {"young": 1e6}}])"},
       5,
       440,
       970,
       360},
      {"cuboid", "untwisting-cuboid", "", {}, 5, 0, 1100, 0},
      {"honeycomb",
       "honeycomb-sheet",
       "chen20/hex_sheet_0.node",
       {R"(/bodies/0/transform={"scale": 0.01})", R"(/bodies/0/fixed={"box": [[-9, 1.25, -9], [9, 9, 9]]})",
        R"(/bodies/0/regions=[{"box": [[-9, -9, -1], [9, 9, 0.02]], "material": {"young": 1e8}},
                              {"box": [[-9, -9, 0.08], [9, 9, 1]], "material": {"young": 1e8}}])"},
       5,
       850,
       1540,
       5370},
      {"moebius",
       "moebius-ball",
       "chen20/moebius_0.node",
       {R"(/gravity=[0, 0, -9.81])", R"(/bodies/0/transform={"scale": 0.01})",
        R"(/bodies/0/fixed={"box": [[-9, -9, 1.1], [9, 9, 9]]})",
        R"(/bodies/0/regions=[{"box": [[-0.3, -0.3, 0], [0.3, 0.3, 1.3]], "material": {"young": 1e10}}])"},
       5,
       1620,
       2230,
       57800},
      {"rope",
       "uncoiling-rope",
       "chen20/spring_0.node",
       {R"(/bodies/0/transform={"scale": 0.02})", R"(/bodies/0/fixed={"box": [[-9, 5.3, -9], [9, 9, 9]]})"},
       1,
       0,
       1628,  // 651 s for 400 frames
       0},
      {"tower",
       "tower-in-wind",
       "chen20/eiff_simple_0.node",
       {R"(/gravity=[0, 0, -9.81])", R"(/bodies/0/fixed={"box": [[-99, -99, -1], [99, 99, 0.3]]})"},
       5,
       6310,
       23150,
       0},
      {"tree",
       "tree-in-wind",
       "chen20/tree_real_0.node",
       {R"(/gravity=[0, 0, -9.81])", R"(/bodies/0/transform={"scale": 0.1})",
        R"(/bodies/0/fixed={"box": [[-99, -99, -1], [99, 99, 0.2]]})"},
       5,
       0,
       26900,
       0},
      {"bridge",
       "bridge-in-wind",
       "chen20/bridge_1.node",
       {R"(/bodies/0/regions=[{"box": [[-999, 6, -99], [999, 99, 999]], "material": {"young": 1e6}}])",
        R"(/bodies/0/fixed={"box": [[-999, -1, -1], [999, -0.01, 999]]})"},
       5,
       13750,
       45850,
       0},
  };
  return list;
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
  }
  for (const std::string& setting : settings) scene::apply_set(document, setting);
  return scene::load_world(scene::parse(document));
}

}  // namespace rebound::bench
