// Each number a person can set is refused outside its range, wherever it is set.
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "scene/identifiers.hpp"
#include "scene/method_settings.hpp"
#include "scene/ranges.hpp"
#include "scene/wording.hpp"
#include "scene_support.hpp"

namespace rebound::scene {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A document with every number in it, and where each row of the table stands.
constexpr const char* kEverything = R"({
  "rebound": 1, "timeStep": 0.01, "substeps": 2, "runaway": 50, "frames": 5, "gravity": [0, 0, 0],
  "wind": {"velocity": [1, 0, 0], "gusts": 0.5, "seed": 2, "from": 1, "until": 2, "density": 1},
  "integrator": {"type": "backward-euler", "tolerance": 0.1, "alphaMin": 0.1, "alphaMax": 1.2, "every": 2, "rho": 0.5, "modes": 9},
  "energy": [{"from": 1, "factor": 0.9, "foldTime": 2, "ground": -3}, {"from": 3, "target": 5}], "solver": {"type": "newton", "iterations": 3, "stabilizerIterations": 2, "tolerance": 1e-6},
  "damping": {"coefficient": 0.5}, "contact": {"stiffness": 1e3, "friction": 0.1, "thickness": 0.1, "distance": 0.01, "slip": 0.01, "frictionSolves": 2, "cubicStiffness": 1e6},
  "bodies": [
    {"mesh": {"box": {"size": [1, 1, 1], "divisions": [1, 1, 1]}},
     "material": {"young": 1e4, "poisson": 0.2, "density": 900},
     "regions": [{"elements": [0], "material": {"young": 1e5}}, {"label": 3, "material": {"young": 1e5}}, {"shell": 0.2, "material": {"young": 1e5}}],
     "transform": {"translate": [0, 0, 0], "rotate": {"axis": [1, 1, 0], "angle": 1}, "scale": 1},
     "velocity": [0, 0, 0], "angularVelocity": [0, 0, 0], "start": {"type": "stretched", "scale": [1, 1, 1]},
     "fixed": {"box": [[-5e5, 0, 0], [5e5, 1, 1]]},
     "attachments": [{"vertices": [0], "stiffness": 1, "motion": [{"time": 1, "offset": [0, 0, 0]}]}]},
    {"mesh": {"cloth": {"size": [1, 1], "divisions": [2, 2]}}, "material": {"density": 0.1, "stiffness": 5},
     "start": {"type": "randomized", "seed": 3}, "repeat": {"counts": [1, 2, 1], "spacing": [1, 1, 1], "turn": 5}},
    {"mesh": {"sphere": {"radius": 1, "divisions": 5}},
     "start": {"type": "pulled", "box": [[0, 0, 0], [1, 1, 1]], "offset": [0, 1, 0], "reach": 0.2}},
    {"mesh": {"torus": {"radius": 1, "tube": 0.5, "divisions": 4}}, "start": {"type": "twisted", "angle": 90}},
    {"mesh": {"vertices": [[0, 0, 0], [1, 0, 0]], "edges": [[0, 1]]},
     "material": {"density": 2, "restLengths": [1]}, "masses": [1, 1],
     "constraints": [{"rods": [[0, 1]], "length": 1},
                     {"vertices": [0], "helix": {"centre": [1, 0, 0], "axis": [0, 1, 0], "pitch": 0.5}}]},
    {"mesh": {"file": "FILE", "tetrahedralize": {"tets": 100, "maxVolume": 1, "quality": 2}}},
    {"mesh": {"box": {}}, "material": {"model": "fixed-corotated", "poisson": 0.2}},
    {"mesh": {"disk": {"radius": 1, "rings": 2}}, "material": {"thickness": 1e-2, "bending": 2, "pretension": 0.1}},
    {"mesh": {"box": {}}, "material": {"model": "affine", "stiffness": 1e6}}
  ],
  "obstacles": [
    {"plane": {"normal": [0, 1, 1], "offset": 1}, "stiffness": 1e4, "friction": 0.5, "cubicStiffness": 1e6,
     "motion": [{"time": 1, "offset": [0, 0, 0]}]},
    {"sphere": {"radius": 1}}
  ]})";

const std::map<std::string, std::string> kPlaces{
    {"timeStep", "/timeStep"},
    {"substeps", "/substeps"},
    {"runaway", "/runaway"},
    {"frames", "/frames"},
    {"gravity", "/gravity/1"},
    {"wind.velocity", "/wind/velocity/0"},
    {"wind.gusts", "/wind/gusts"},
    {"wind.seed", "/wind/seed"},
    {"wind.from", "/wind/from"},
    {"wind.until", "/wind/until"},
    {"wind.density", "/wind/density"},
    {"integrator.tolerance", "/integrator/tolerance"},
    {"integrator.alphaMin", "/integrator/alphaMin"},
    {"integrator.alphaMax", "/integrator/alphaMax"},
    {"integrator.every", "/integrator/every"},
    {"integrator.rho", "/integrator/rho"},
    {"integrator.modes", "/integrator/modes"},
    {"energy.from", "/energy/0/from"},
    {"energy.factor", "/energy/0/factor"},
    {"energy.foldTime", "/energy/0/foldTime"},
    {"energy.ground", "/energy/0/ground"},
    {"energy.target", "/energy/1/target"},
    {"solver.iterations", "/solver/iterations"},
    {"solver.stabilizerIterations", "/solver/stabilizerIterations"},
    {"solver.tolerance", "/solver/tolerance"},
    {"damping.coefficient", "/damping/coefficient"},
    {"damping.coefficient.drag", "/damping/coefficient"},
    {"damping.coefficient.rayleigh", "/damping/coefficient"},
    {"damping.mass", "/damping/mass"},
    {"seed", "/bodies/1/start/seed"},
    {"mesh.coordinate", "/bodies/4/mesh/vertices/1/0"},
    {"mesh.size", "/bodies/0/mesh/box/size/2"},
    {"mesh.box.divisions", "/bodies/0/mesh/box/divisions/0"},
    {"mesh.cloth.divisions", "/bodies/1/mesh/cloth/divisions/1"},
    {"mesh.sphere.radius", "/bodies/2/mesh/sphere/radius"},
    {"mesh.sphere.divisions", "/bodies/2/mesh/sphere/divisions"},
    {"mesh.disk.radius", "/bodies/7/mesh/disk/radius"},
    {"mesh.disk.rings", "/bodies/7/mesh/disk/rings"},
    {"material.thickness", "/bodies/7/material/thickness"},
    {"material.rigidity", "/bodies/8/material/stiffness"},
    {"material.bending", "/bodies/7/material/bending"},
    {"material.pretension", "/bodies/7/material/pretension"},
    {"mesh.torus.radius", "/bodies/3/mesh/torus/radius"},
    {"mesh.torus.tube", "/bodies/3/mesh/torus/tube"},
    {"mesh.torus.divisions", "/bodies/3/mesh/torus/divisions"},
    {"mesh.tetrahedralize.tets", "/bodies/5/mesh/tetrahedralize/tets"},
    {"mesh.tetrahedralize.maxVolume", "/bodies/5/mesh/tetrahedralize/maxVolume"},
    {"mesh.tetrahedralize.quality", "/bodies/5/mesh/tetrahedralize/quality"},
    {"material.young", "/bodies/0/material/young"},
    {"material.poisson", "/bodies/0/material/poisson"},
    {"material.poisson.from0", "/bodies/6/material/poisson"},
    {"material.density", "/bodies/0/material/density"},
    {"material.density.cloth", "/bodies/1/material/density"},
    {"material.density.springs", "/bodies/4/material/density"},
    {"material.stiffness", "/bodies/1/material/stiffness"},
    {"material.restLength", "/bodies/4/material/restLengths/0"},
    {"mass", "/bodies/4/masses/1"},
    {"transform.translate", "/bodies/0/transform/translate/0"},
    {"transform.rotate.axis", "/bodies/0/transform/rotate/axis/0"},
    {"transform.rotate.angle", "/bodies/0/transform/rotate/angle"},
    {"transform.scale", "/bodies/0/transform/scale"},
    {"repeat.counts", "/bodies/1/repeat/counts/1"},
    {"repeat.spacing", "/bodies/1/repeat/spacing/2"},
    {"repeat.turn", "/bodies/1/repeat/turn"},
    {"velocity", "/bodies/0/velocity/0"},
    {"angularVelocity", "/bodies/0/angularVelocity/2"},
    {"start.scale", "/bodies/0/start/scale/1"},
    {"start.offset", "/bodies/2/start/offset/1"},
    {"start.angle", "/bodies/3/start/angle"},
    {"start.reach", "/bodies/2/start/reach"},
    {"region.element", "/bodies/0/regions/0/elements/0"},
    {"region.label", "/bodies/0/regions/1/label"},
    {"region.shell", "/bodies/0/regions/2/shell"},
    {"region", "/bodies/0/fixed/box/1/0"},
    {"attachment.stiffness", "/bodies/0/attachments/0/stiffness"},
    {"attachment.motion.time", "/bodies/0/attachments/0/motion/0/time"},
    {"attachment.motion.offset", "/bodies/0/attachments/0/motion/0/offset/0"},
    {"constraint.length", "/bodies/4/constraints/0/length"},
    {"constraint.centre", "/bodies/4/constraints/1/helix/centre/0"},
    {"constraint.direction", "/bodies/4/constraints/1/helix/axis/0"},
    {"constraint.pitch", "/bodies/4/constraints/1/helix/pitch"},
    {"contact.stiffness", "/contact/stiffness"},
    {"contact.cubicStiffness", "/contact/cubicStiffness"},
    {"contact.friction", "/contact/friction"},
    {"contact.thickness", "/contact/thickness"},
    {"contact.distance", "/contact/distance"},
    {"contact.slip", "/contact/slip"},
    {"contact.frictionSolves", "/contact/frictionSolves"},
    {"obstacle.normal", "/obstacles/0/plane/normal/0"},
    {"obstacle.offset", "/obstacles/0/plane/offset"},
    {"obstacle.size", "/obstacles/1/sphere/radius"},
    {"obstacle.stiffness", "/obstacles/0/stiffness"},
    {"obstacle.cubicStiffness", "/obstacles/0/cubicStiffness"},
    {"obstacle.friction", "/obstacles/0/friction"},
    {"obstacle.motion.time", "/obstacles/0/motion/0/time"},
    {"obstacle.motion.offset", "/obstacles/0/motion/0/offset/1"},
};
// Set on the command line or in the window only.
const std::set<std::string> kElsewhere{"threads",        "contact.firmness", "wind.speed",   "wind.angle",
                                       "grab.strength",  "grab.radius",      "grab.reach",   "record.fps",
                                       "measure.starts", "record.width",     "record.height"};

// With the kind of damping that this row of the table is about.
Document everything(const TemporaryFolder& folder, std::string_view key = {}) {
  std::string text = kEverything;
  text.replace(text.find("FILE"), 4, folder.write("shape.obj", "v 0 0 0\n").filename().string());
  Document document = parse_document(text, "test.json", folder.path());
  for (const char* type : {"drag", "rayleigh"})
    if (key == damping_range(type)) (*document.root)["damping"]["type"] = type;
  if (key == "damping.mass") (*document.root)["damping"]["type"] = "rayleigh";
  return document;
}

TEST(Ranges, TableIsSound) {
  std::set<std::string_view> keys;
  for (const Range& row : ranges()) {
    SCOPED_TRACE(row.key);
    EXPECT_TRUE(keys.insert(row.key).second);
    EXPECT_LT(row.min, row.max);
    EXPECT_TRUE(permits(row, row.standard));
    EXPECT_TRUE(permits(row, row.min));
    EXPECT_TRUE(permits(row, row.max));
    EXPECT_TRUE(!row.logarithmic || row.min > 0);
    EXPECT_FALSE(row.doc.empty());
    EXPECT_TRUE(kPlaces.contains(std::string(row.key)) != kElsewhere.contains(std::string(row.key)));
  }
  EXPECT_THROW(range("no such key"), std::logic_error);
}

TEST(Ranges, NeverPermitWhatIsNotFinite) {
  for (const Range& row : ranges()) {
    for (const double value : {kNaN, kInfinity, -kInfinity, 1e30, -1e30, std::nextafter(row.max, kInfinity)}) {
      const std::string message = error_of([&] { checked(row.key, value, "--option"); });
      EXPECT_TRUE(message.starts_with("--option: " + number_text(value) + " is not ")) << message;
    }
    EXPECT_EQ(checked(row.key, row.standard, "--option"), row.standard);
  }
  EXPECT_EQ(error_of([] { checked("timeStep", 0, "--time-step"); }), "--time-step: 0 is not within 1e-5 to 1 s");
  EXPECT_EQ(error_of([] { checked("threads", 1.5, "--threads"); }), "--threads: 1.5 is not a whole number");
}

TEST(Ranges, HoldInScenesForEveryNumberAndOddValue) {
  const TemporaryFolder folder;
  ASSERT_NO_THROW(parse(everything(folder)));
  int refused = 0;
  for (const auto& [key, place] : kPlaces) {
    const Range& row = range(key);
    for (const double value :
         {-1.0, 0.0, 1e30, -1e30, 1e-30, 0.5, row.min, row.max, std::nextafter(row.min, -kInfinity)}) {
      SCOPED_TRACE(place + " = " + number_text(value));
      Document document = everything(folder, key);
      apply_set(document, place + "=" + nlohmann::json(value).dump());
      const std::string message = error_of([&] { parse(document); });
      // Limits of the whole (so many vertices) may refuse what the number's own range permits, at another place.
      const bool named = message.find(": " + place + " ") != std::string::npos;
      EXPECT_EQ(named && message.find(" is not ") != std::string::npos, !permits(row, value)) << message;
      refused += named ? 1 : 0;
    }
    for (const char* word : {"NaN", "Infinity", "-Infinity", "1e400", "null", "\"1\"", "true", "[1]", "{}"}) {
      Document document = everything(folder, key);
      const std::string message = error_of([&, place = place] {
        apply_set(document, place + "=" + word);
        parse(document);
      });
      EXPECT_NE(message.find(place), std::string::npos) << message;
    }
  }
  EXPECT_GT(refused, 120);
}

TEST(Ranges, DefaultsAreThoseOfTheDescription) {
  const Description scene;
  EXPECT_EQ(scene.timeStep, range("timeStep").standard);
  EXPECT_EQ(scene.frames, range("frames").standard);
  EXPECT_EQ(scene.gravity[1], range("gravity").standard);
  EXPECT_EQ(scene.integrator.tolerance, range("integrator.tolerance").standard);
  EXPECT_EQ(solver_settings(scene).iterations, range("solver.iterations").standard);
  EXPECT_EQ(scene.damping.coefficient, range("damping.coefficient").standard);
  EXPECT_EQ(BoxMesh{}.divisions[0], range("mesh.box.divisions").standard);
  EXPECT_EQ(ClothMesh{}.divisions[0], range("mesh.cloth.divisions").standard);
  EXPECT_EQ(SphereMesh{}.radius, range("mesh.sphere.radius").standard);
  EXPECT_EQ(SphereMesh{}.divisions, range("mesh.sphere.divisions").standard);
  EXPECT_EQ(TorusMesh{}.radius, range("mesh.torus.radius").standard);
  EXPECT_EQ(TorusMesh{}.tube, range("mesh.torus.tube").standard);
  EXPECT_EQ(TorusMesh{}.divisions, range("mesh.torus.divisions").standard);
  EXPECT_EQ(Material{}.young, range("material.young").standard);
  EXPECT_EQ(Material{}.poisson, range("material.poisson").standard);
  EXPECT_EQ(Material{}.density, range("material.density").standard);
  EXPECT_EQ(DiskMesh{}.radius, range("mesh.disk.radius").standard);
  EXPECT_EQ(DiskMesh{}.rings, range("mesh.disk.rings").standard);
  EXPECT_EQ(Material{}.thickness, range("material.thickness").standard);
  EXPECT_EQ(Material{}.bending, range("material.bending").standard);
  EXPECT_EQ(Material{}.pretension, range("material.pretension").standard);
  EXPECT_EQ(Material{}.stiffness, range("material.stiffness").standard);
  EXPECT_EQ(BodyContact{}.stiffness, range("contact.stiffness").standard);
  EXPECT_EQ(BodyContact{}.cubicStiffness, range("contact.cubicStiffness").standard);
  EXPECT_EQ(Obstacle{}.cubicStiffness, range("obstacle.cubicStiffness").standard);
  EXPECT_EQ(BodyContact{}.friction, range("contact.friction").standard);
  EXPECT_EQ(Attachment{}.stiffness, range("attachment.stiffness").standard);
  EXPECT_EQ(static_cast<double>(RandomizedStart{}.seed), range("seed").standard);
}

}  // namespace
}  // namespace rebound::scene
