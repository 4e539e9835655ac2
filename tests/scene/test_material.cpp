// Every row of the table of materials, read, written and refused as a scene; a new row needs no new test.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "scene/material.hpp"
#include "scene/ranges.hpp"
#include "scene/wording.hpp"
#include "scene_support.hpp"
#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

using nlohmann::json;

constexpr const char* kTet = R"("vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tetrahedra": [[0,1,2,3]])";
constexpr const char* kTriangle = R"("vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]])";
constexpr const char* kEdge = R"("vertices": [[0,0,0],[1,0,0]], "edges": [[0,1]])";

json mesh_of(sim::ElementKind kind) {
  constexpr const char* kMeshes[] = {kEdge, kTriangle, kTet};  // by ElementKind
  return json::parse(std::string("{") + kMeshes[static_cast<int>(kind)] + "}");
}

json scene_of(sim::ElementKind kind, const json& material, std::string_view solver) {
  return {{"rebound", 1},
          {"solver", {{"type", solver}}},
          {"bodies", json::array({{{"mesh", mesh_of(kind)}, {"material", material}}})}};
}

json material_of(const sim::MaterialInfo& info, const sim::MaterialLaw& law) {
  json material{{"model", info.id}};
  if (info.has_choice_of_law()) material["law"] = law.id;
  return material;
}

void each_law(const std::function<void(const sim::MaterialInfo&, const sim::MaterialLaw&)>& visit) {
  for (const sim::MaterialInfo& info : sim::materials())
    for (const sim::MaterialLaw& law : info.laws) {
      SCOPED_TRACE(std::string(info.id) + " " + std::string(law.id));
      visit(info, law);
    }
}

std::string_view able_solver(const sim::MaterialLaw& law) {
  const auto solvers = sim::solvers();
  return std::find_if(solvers.begin(), solvers.end(), [&](const auto& solver) { return solver.takes(law); })->id;
}

TEST(MaterialRows, AreReadAndWrittenWithWhatTheyAskFor) {
  each_law([](const sim::MaterialInfo& info, const sim::MaterialLaw& law) {
    json material = material_of(info, law);
    double value = 0.1;
    for (const auto& parameter : info.parameters) material[std::string(parameter.key)] = value += 0.07;
    const Description scene = parsed(scene_of(info.kind, material, able_solver(law)).dump());
    const Material& read = scene.bodies[0].material;
    EXPECT_EQ(read.model, info.id);
    value = 0.1;
    for (const auto& parameter : info.parameters) EXPECT_EQ(read.*parameter.value, value += 0.07) << parameter.key;
    const json written = to_json(scene)["bodies"][0]["material"];
    material["density"] = range(density_range(scene.bodies[0].mesh)).standard;
    EXPECT_EQ(written, material);
    EXPECT_EQ(parsed(to_json(scene).dump()), scene);
  });
}

TEST(MaterialRows, StartFromTheStandardsOfTheirNumbers) {
  each_law([](const sim::MaterialInfo& info, const sim::MaterialLaw& law) {
    const Material read =
        parsed(scene_of(info.kind, material_of(info, law), able_solver(law)).dump()).bodies[0].material;
    for (const auto& parameter : info.parameters)
      EXPECT_EQ(read.*parameter.value, range(parameter.range).standard) << parameter.key;
  });
}

TEST(MaterialRows, RefuseNumbersOutOfRangeAndThoseOfOthers) {
  each_law([](const sim::MaterialInfo& info, const sim::MaterialLaw& law) {
    for (const sim::MaterialInfo& other : sim::materials())
      for (const auto& parameter : other.parameters) {
        json material = material_of(info, law);
        const std::string key(parameter.key);
        material[key] = 1e30;
        const std::string message = error_in(scene_of(info.kind, material, able_solver(law)).dump());
        EXPECT_NE(message.find("/bodies/0/material/" + key + ": "), std::string::npos) << message;
        EXPECT_NE(message.find(info.asks_for(key) ? "1e30 is not within" : " instead"), std::string::npos) << message;
      }
  });
}

TEST(MaterialRows, AreRefusedBySolversThatDoNotTakeThem) {
  int refused = 0;
  each_law([&](const sim::MaterialInfo& info, const sim::MaterialLaw& law) {
    for (const sim::SolverInfo& solver : sim::solvers()) {
      const std::string message = error_in(scene_of(info.kind, material_of(info, law), solver.id).dump());
      if (solver.takes(law)) {
        EXPECT_EQ(message, "no error");
        continue;
      }
      ++refused;
      EXPECT_NE(message.find("solver " + in_quotes(solver.id) + " does not take "), std::string::npos) << message;
      EXPECT_NE(message.find("\"" + std::string(able_solver(law)) + "\""), std::string::npos) << message;
    }
  });
  EXPECT_GT(refused, 0);
}

TEST(MaterialRows, AreRefusedOnOtherElements) {
  each_law([&](const sim::MaterialInfo& info, const sim::MaterialLaw& law) {
    for (const auto kind : {sim::ElementKind::edges, sim::ElementKind::triangles, sim::ElementKind::tetrahedra}) {
      if (kind == info.kind) continue;
      const std::string message = error_in(scene_of(kind, material_of(info, law), able_solver(law)).dump());
      EXPECT_NE(message.find("/bodies/0/material/model: " + in_quotes(info.id) + " is for "), std::string::npos);
      EXPECT_NE(message.find(in_quotes(sim::usual_material(kind)->id)), std::string::npos) << message;
    }
  });
}

TEST(Presets, AreNumbersOfEveryLawOfTheirKind) {
  std::set<std::pair<sim::ElementKind, std::string_view>> names;
  for (const MaterialPreset& preset : presets()) {
    SCOPED_TRACE(preset.id);
    EXPECT_TRUE(names.emplace(preset.kind, preset.id).second) << "twice";
    each_law([&](const sim::MaterialInfo& info, const sim::MaterialLaw& law) {
      if (info.kind != preset.kind || info.is_whole) return;
      json material = material_of(info, law);
      material["preset"] = preset.id;
      const Description scene = parsed(scene_of(info.kind, material, able_solver(law)).dump());
      const json written = to_json(scene)["bodies"][0]["material"];
      for (const auto& [key, value] : numbers_of(preset)) EXPECT_EQ(written.at(std::string(key)), value) << key;
      EXPECT_FALSE(written.contains("preset")) << "its numbers are, whatever it will mean one day";
      EXPECT_EQ(parsed(to_json(scene).dump()), scene);
    });
  }
  for (const char* known : {"jelly", "rubber", "flesh", "wood", "steel"})
    EXPECT_NE(find_preset(sim::ElementKind::tetrahedra, known), nullptr) << known;
}

TEST(Presets, GiveWayToWhatIsWritten) {
  const json material{{"model", "stvk"}, {"preset", "steel"}, {"young", 5}};
  const Material read = parsed(scene_of(sim::ElementKind::tetrahedra, material, "newton").dump()).bodies[0].material;
  EXPECT_EQ(read.young, 5);
  EXPECT_EQ(read.density, find_preset(sim::ElementKind::tetrahedra, "steel")->density);
  json scene = scene_of(sim::ElementKind::tetrahedra, {{"model", "stvk"}}, "newton");
  scene["bodies"][0]["regions"] =
      json::array({{{"elements", {0}}, {"material", {{"preset", "wood"}, {"density", 3}}}}});
  const Body body = parsed(scene.dump()).bodies[0];
  EXPECT_EQ(material_in(body.regions[0], body.material).young, 1e10);
  EXPECT_EQ(material_in(body.regions[0], body.material).density, 3);
}

TEST(Presets, AreRefusedByNameWhereTheyAreOfSomethingElse) {
  const auto error = [](sim::ElementKind kind, const json& material) {
    return error_in(scene_of(kind, material, "newton").dump());
  };
  const std::string unknown = error(sim::ElementKind::tetrahedra, {{"preset", "stele"}});
  EXPECT_NE(unknown.find("/bodies/0/material/preset: unknown preset of tetrahedra 'stele'; did you mean 'steel'"),
            std::string::npos)
      << unknown;
  const std::string foreign = error(sim::ElementKind::triangles, {{"preset", "jelly"}});
  EXPECT_NE(foreign.find("unknown preset of triangles 'jelly'; known are silk, "), std::string::npos) << foreign;
  const std::string whole = error(sim::ElementKind::tetrahedra, {{"model", "affine"}, {"preset", "steel"}});
  EXPECT_NE(whole.find("'affine' has no presets; give its 'stiffness' (Pa)"), std::string::npos) << whole;
}

TEST(Material, ElementsOfAMeshAreThoseOfItsGeometry) {
  for (const std::string mesh :
       {R"("mesh": {"box": {"divisions": [1, 1, 1]}})", R"("mesh": {"cloth": {"divisions": [2, 2]}})",
        R"("mesh": {"sphere": {"divisions": 4}})", R"("mesh": {"torus": {"divisions": 3}})",
        R"("mesh": {"vertices": [[0, 0, 0]], "edges": []}, "masses": [1])"}) {
    const World world = load_world(parsed(scene_with(mesh)));
    EXPECT_EQ(world.bodies[0].kind(), element_kind(world.description.bodies[0].mesh)) << mesh;
    EXPECT_EQ(world.description.bodies[0].material, default_material(world.description.bodies[0].mesh)) << mesh;
  }
}

TEST(Material, OneCheckForCommandsAndScenes) {
  Body body;
  const auto check = [&](std::string_view solver) {
    return error_of([&] { check_material(body, solver, "/bodies/2"); });
  };
  EXPECT_EQ(check("local-global"), "no error");
  body.material.model = "rubber";
  EXPECT_EQ(check("newton").find("/bodies/2/material/model: there is no material 'rubber' in this version; "
                                 "tetrahedra may be 'arap', "),
            0u);
  body.material.model = "springs";
  EXPECT_EQ(check("local-global"),
            "/bodies/2/material/model: 'springs' is for edges, and this mesh has tetrahedra; use 'arap'");
  body.mesh = ClothMesh{};
  EXPECT_EQ(check("local-global"), "no error");
  body.material.law = "cubic";
  EXPECT_EQ(check("newton"), "/bodies/2/material/law: unknown law 'cubic' of 'springs'; use 'hookean' or 'squared'");
  body.material.law = "squared";
  EXPECT_EQ(check("newton"), "no error");
  EXPECT_EQ(check("local-global"),
            "/bodies/2/material/law: solver 'local-global' does not take law 'squared'; set /solver/type to "
            "\"quasi-newton\", \"newton\", \"newton-cg\" or \"gast\", or use law 'hookean'");
  body.material.restLengths = {1, -1};
  EXPECT_EQ(check("newton"), "/bodies/2/material/restLengths: -1 is not within 0 to 1e6 m");
  body.material.restLengths.clear();
  body.material.density = 0;
  EXPECT_EQ(check("newton"), "/bodies/2/material/density: 0 is not within 0.001 to 1e5 kg/m^2");
}

}  // namespace
}  // namespace rebound::scene
