// What scenes mean, and what is said about those that mean nothing.
#include <Eigen/Geometry>
#include <clocale>
#include <cstdlib>
#include <locale>
#include <nlohmann/json.hpp>

#include "scene/method_settings.hpp"
#include "scene/wording.hpp"
#include "scene_support.hpp"

namespace rebound::scene {
namespace {

constexpr const char* kFull = R"({
  // the contract's sample
  "rebound": 1,
  "name": "Spinning cube", "summary": "spins",
  "timeStep": 0.02, "frames": 12,
  "gravity": [0, 1, 2],
  "wind": { "velocity": [5, 0, -1], "gusts": 0.25, "seed": 3, "from": 0.5, "until": 4, "density": 2 },
  "integrator": { "type": "bdf2", "tolerance": 0.5, "forwardBlend": false,
    "alphaMin": 0.5, "alphaMax": 2, "every": 3, "base": "sdirk2", "rho": 0.25, "modes": 7, "unresolved": "held" },
  "energy": [ { "factor": 0.95 }, { "from": 1, "foldTime": 2, "ground": -3 }, { "from": 4, "target": 7 } ],
  "solver": { "type": "local-global", "iterations": 6.0, "stabilizerIterations": 1 },
  "damping": { "type": "rigid-preserving", "coefficient": 0.25, "per": "second" },
  "bodies": [
    { "name": "cube",
      "mesh": { "box": { "size": [1, 2, 3], "divisions": [1, 2, 1], "cut": 5 } },
      "material": { "model": "arap", "young": 2e5, "poisson": 0.25, "density": 500 },
      "transform": { "translate": [0, 1, 0], "rotate": { "axis": [0, 1, 1], "angle": 30 }, "scale": 0.5 },
      "velocity": [1, 2, 3], "angularVelocity": [0, 0, 15], /* rad/s */
      "start": { "type": "randomized", "seed": 9007199254740991 },
      "fixed": [0, 11],
      "attachments": [ { "vertices": { "box": [[0, 0, 0], [1, 1, 1]] }, "stiffness": 1e3,
                         "motion": [ { "time": 0, "offset": [0, 0, 0] }, { "time": 0.1, "offset": [0, 1, 0] } ] } ] },
    { "mesh": { "cloth": { "size": [1, 2], "divisions": [3, 4] } }, "start": { "type": "point" } },
    { "mesh": { "sphere": { "radius": 2, "divisions": 4 } }, "start": { "type": "stretched", "scale": [1, -1, 0] } },
    { "mesh": { "torus": { "radius": 2, "tube": 1, "divisions": 4 } }, "autoScale": true, "autoHang": true },
    { "mesh": { "vertices": [[0, 0, 0], [1.5, 0, 0]], "edges": [[0, 1]] },
      "material": { "model": "springs", "law": "hookean", "stiffness": 7, "restLengths": [1], "density": 2 },
      "masses": [0, 0.5], "velocities": [[0, 0, 0], [0.1, 1e-30, 0]], "fixed": [0],
      "traces": [ { "vertex": 1, "around": [0] }, { "vertex": 0 } ] },
    { "mesh": { "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tetrahedra": [[0, 1, 2, 3]] },
      "fixed": { "box": [[0, 0, 0], [1, 1, 1]] } }
  ],
  "obstacles": [
    { "name": "ground", "plane": { "normal": [0, 1, 1], "offset": -0.5 }, "stiffness": 2e4, "friction": 0.75 },
    { "sphere": { "radius": 2 }, "transform": { "translate": [1, 2, 3], "rotate": { "axis": [0, 0, 1], "angle": 45 }, "scale": 3 } },
    { "box": { "size": [1, 2, 3] },
      "motion": [ { "time": 0.5, "offset": [0, 1, 0] }, { "time": 1, "rotate": { "axis": [1, 0, 0], "angle": -90 } } ] },
    { "capsule": { "radius": 0.1, "length": 0.3 } },
    { "torus": { "radius": 2, "tube": 0.25 } }
  ],
  "contact": { "bodies": false, "self": true, "stiffness": 500, "friction": 0.3, "thickness": 0.02 }
})";

TEST(Parse, ReadsEveryKey) {
  const Description scene = parsed(kFull);
  EXPECT_EQ(scene.name, "Spinning cube");
  EXPECT_EQ(scene.timeStep, 0.02);
  EXPECT_EQ(scene.gravity, (Vec3{0, 1, 2}));
  EXPECT_EQ(scene.integrator, (Integrator{"bdf2", 0.5, false, "held", 0.5, 2, 3, "sdirk2", 0.25, 7}));
  EXPECT_EQ(scene.wind, (Wind{{5, 0, -1}, 0.25, 3, 0.5, 4, 2}));
  EXPECT_EQ(scene.energy,
            (std::vector<EnergyPiece>{{0, 0.95, {}, {}, {}}, {1, 1, 2.0, -3.0, {}}, {4, 1, {}, {}, 7.0}}));
  EXPECT_EQ(scene.solver, (Solver{"local-global", 6, 1}));
  EXPECT_EQ(scene.damping, (Damping{"rigid-preserving", 0.25, "second"}));
  EXPECT_EQ(scene.contact, (BodyContact{false, true, 500, 0.3, 0.02}));
  ASSERT_EQ(scene.bodies.size(), 6u);
  const Body& cube = scene.bodies[0];
  EXPECT_EQ(std::get<BoxMesh>(cube.mesh), (BoxMesh{{1, 2, 3}, {1, 2, 1}, 5}));
  EXPECT_EQ(cube.transform, (Transform{{0, 1, 0}, {{0, 1, 1}, 30}, 0.5}));
  EXPECT_EQ(std::get<RandomizedStart>(cube.start).seed, 9007199254740991u);
  EXPECT_EQ(std::get<std::vector<int>>(cube.fixed), (std::vector<int>{0, 11}));
  EXPECT_EQ(std::get<BoxRegion>(cube.attachments[0].vertices), (BoxRegion{{0, 0, 0}, {1, 1, 1}}));
  EXPECT_EQ(cube.attachments[0].motion[1], (Keyframe{0.1, {0, 1, 0}}));
  EXPECT_TRUE(std::holds_alternative<PointStart>(scene.bodies[1].start));
  EXPECT_EQ(std::get<StretchedStart>(scene.bodies[2].start).scale, (Vec3{1, -1, 0}));
  EXPECT_TRUE(scene.bodies[3].autoHang && scene.bodies[3].autoScale);
  EXPECT_EQ(scene.bodies[4].masses, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(scene.bodies[4].material.restLengths, std::vector<double>{1});
  EXPECT_EQ(scene.bodies[4].traces, (std::vector<Trace>{{1, {0}}, {0, {}}}));
  EXPECT_EQ(std::get<InlineMesh>(scene.bodies[5].mesh).tetrahedra.size(), 1u);
}

TEST(Parse, ReadsAndWritesTheProjection) {
  for (const std::string name : {"on-demand", "none", "clamp", "absolute"}) {
    const Description scene = parsed(R"({"rebound": 1, "bodies": [{"mesh": {"box": {}}}],
        "solver": {"type": "newton", "projection": ")" +
                                     name + "\"}}");
    EXPECT_EQ(scene.solver.projection, name);
    EXPECT_EQ(sim::kProjections[static_cast<std::size_t>(solver_settings(scene).projection)], name);
    EXPECT_EQ(parsed(to_text(scene)).solver, scene.solver);
  }
}

TEST(Parse, ReadsObstacles) {
  const auto obstacles = parsed(kFull).obstacles;
  ASSERT_EQ(obstacles.size(), 5u);
  EXPECT_EQ(obstacles[0], (Obstacle{"ground", PlaneShape{{0, 1, 1}, -0.5}, {}, 2e4, 0.75}));
  EXPECT_EQ(obstacles[1], (Obstacle{"obstacle 1", SphereShape{2}, {{1, 2, 3}, {{0, 0, 1}, 45}, 3}, 1e5, 0}));
  EXPECT_EQ(obstacles[2].shape, ObstacleShape(BoxShape{{1, 2, 3}}));
  EXPECT_EQ(obstacles[2].motion, (std::vector<PoseKeyframe>{{0.5, {0, 1, 0}, {}}, {1, {0, 0, 0}, {{1, 0, 0}, -90}}}));
  EXPECT_EQ(obstacles[3].shape, ObstacleShape(CapsuleShape{0.1, 0.3}));
  EXPECT_EQ(obstacles[4].shape, ObstacleShape(TorusShape{2, 0.25}));
}

TEST(Parse, ObstaclesHaveDefaults) {
  const auto obstacles = parsed(R"({"rebound": 1, "bodies": [{"mesh": {"box": {}}}], "obstacles": [
      {"plane": {}}, {"sphere": {}}, {"box": {}}, {"capsule": {}}, {"torus": {}}]})")
                             .obstacles;
  const std::vector<ObstacleShape> shapes{PlaneShape{}, SphereShape{}, BoxShape{}, CapsuleShape{}, TorusShape{}};
  ASSERT_EQ(obstacles.size(), shapes.size());
  for (std::size_t o = 0; o < shapes.size(); ++o)
    EXPECT_EQ(obstacles[o], (Obstacle{"obstacle " + std::to_string(o), shapes[o], {}, 1e5, 0}));
}

TEST(Parse, ReadsWhatMeetsByTheThirdPower) {
  const Description scene = parsed(R"({"rebound": 1, "bodies": [{"mesh": {"box": {}}}],
      "contact": {"type": "cubic", "cubicStiffness": 2e6, "friction": 0.5},
      "obstacles": [{"torus": {}, "meets": "cubic"}, {"plane": {}, "cubicStiffness": 3e9}]})");
  EXPECT_EQ(scene.solver.type, "newton") << "which takes them";
  EXPECT_TRUE(scene.contact.is_cubic());
  EXPECT_EQ(scene.contact.cubicStiffness, 2e6);
  EXPECT_TRUE(scene.obstacles[0].is_cubic());
  EXPECT_EQ(scene.obstacles[0].cubicStiffness, Obstacle().cubicStiffness);
  EXPECT_EQ(scene.obstacles[1].meets, "spring");
  EXPECT_EQ(scene.obstacles[1].cubicStiffness, 3e9);
  EXPECT_EQ(parsed(to_text(scene)).obstacles, scene.obstacles);
  EXPECT_EQ(parsed(to_text(scene)).contact, scene.contact);
}

TEST(Parse, ObstacleMeshesAreRelativeToTheScene) {
  const TemporaryFolder folder;
  folder.write("shape.obj", "v 0 0 0\n");
  const auto file = folder.write("scene.json", R"({"rebound": 1, "bodies": [{"mesh": {"box": {}}}],
      "obstacles": [{"mesh": {"file": "./shape.obj"}, "transform": {"scale": 2}}]})");
  const Description scene = read_scene(file);
  EXPECT_EQ(std::get<MeshShape>(scene.obstacles[0].shape).file, folder.path() / "shape.obj");
  EXPECT_EQ(to_json(scene, folder.path())["obstacles"][0]["mesh"]["file"], "shape.obj");
  EXPECT_EQ(to_json(scene, "/elsewhere")["obstacles"][0]["mesh"]["file"], (folder.path() / "shape.obj").string());
}

TEST(Parse, FillsInTheDefaults) {
  const Description scene = parsed(scene_with(kCube));
  Description expected;
  Body body;
  body.name = "body 0";
  expected.bodies.push_back(body);
  EXPECT_EQ(scene, expected);
  EXPECT_EQ(scene.gravity, (Vec3{0, -9.81, 0}));
  EXPECT_EQ(scene.integrator.type, "stabilized");
  EXPECT_FALSE(scene.solver.stabilizerIterations.has_value());
}

TEST(Parse, ChoosesMaterialAndDensityByTheMesh) {
  EXPECT_EQ(parsed(scene_with(kCube)).bodies[0].material, Material{});
  const Material cloth = parsed(scene_with(R"("mesh": {"cloth": {}})")).bodies[0].material;
  EXPECT_EQ(cloth.model, "springs");
  EXPECT_EQ(cloth.density, 0.3);
  const Material loose =
      parsed(scene_with(R"("mesh": {"vertices": [[0,0,0],[1,0,0]], "edges": [[0,1]]})")).bodies[0].material;
  EXPECT_EQ(loose.density, 1);
}

TEST(Parse, WritesBackWhatItRead) {
  const Description scene = parsed(kFull);
  const std::string text = to_json(scene).dump(2);
  EXPECT_EQ(parsed(text), scene);
  EXPECT_EQ(to_json(parsed(text)).dump(2), text);
  const Description least = parsed(scene_with(kCube));
  EXPECT_EQ(parsed(to_json(least).dump()), least);
}

TEST(Parse, WritesMeshFilesRelativeToTheScene) {
  const TemporaryFolder folder;
  folder.write("shape.obj", "v 0 0 0\n");
  const auto file = folder.write(
      "scene.json", scene_with(R"("mesh": {"file": "./shape.obj", "tetrahedralize": {"tets": 50, "refine": false}})"));
  const Description scene = read_scene(file);
  EXPECT_EQ(scene.file, file);
  EXPECT_EQ(std::get<FileMesh>(scene.bodies[0].mesh).file, folder.path() / "shape.obj");
  const auto mesh = to_json(scene, folder.path())["bodies"][0]["mesh"];
  EXPECT_EQ(mesh["file"], "shape.obj");
  EXPECT_EQ(mesh["tetrahedralize"]["tets"], 50);
  EXPECT_EQ(mesh["tetrahedralize"]["refine"], false);
  EXPECT_EQ(to_json(scene, "/elsewhere")["bodies"][0]["mesh"]["file"], (folder.path() / "shape.obj").string());
}

TEST(Parse, RepeatsABody) {
  const std::string body = R"("mesh": {"box": {}}, "name": "cube", "velocity": [1, 0, 0],
      "transform": {"translate": [1, 2, 3], "rotate": {"axis": [0, 0, 1], "angle": 90}, "scale": 0.5})";
  const std::string repeat = R"("counts": [3, 2, 2], "spacing": [0.5, 1, 2])";
  const Body one = parsed(scene_with(body)).bodies.at(0);
  const auto all = parsed(scene_with(body + R"(, "repeat": {)" + repeat + "}")).bodies;
  ASSERT_EQ(all.size(), 12u);
  for (std::size_t b = 0; b < all.size(); ++b) {
    Body expected = one;
    expected.name = "cube " + std::to_string(b);
    const double i = static_cast<double>(b % 3), j = static_cast<double>(b / 3 % 2), k = static_cast<double>(b / 6);
    expected.transform.translate = {1 + 0.5 * (i - 1), 2 + j, 3 + 2 * (k - 0.5)};
    EXPECT_EQ(all[b], expected) << b;
  }
  // All of them are there once it is saved.
  const Description saved = parsed(scene_with(body + R"(, "repeat": {)" + repeat + R"(, "turn": 20})"));
  EXPECT_EQ(parsed(to_text(saved)).bodies, saved.bodies);
}

TEST(Parse, TurnsWhatItRepeats) {
  const auto turned = [](const std::string& turns) {
    return parsed(scene_with(R"("mesh": {"box": {}}, "transform": {"rotate": {"axis": [0, 3, 0], "angle": 350}},
        "repeat": {"counts": [10, 10, 10], )" +
                             turns + "}"))
        .bodies;
  };
  const auto turn_of = [](const Rotation& r) {
    const Eigen::Vector3d axis(r.axis[0], r.axis[1], r.axis[2]);
    return Eigen::Quaterniond(Eigen::AngleAxisd(r.angle * M_PI / 180, axis.normalized()));
  };
  const Eigen::Quaterniond given = turn_of({{0, 3, 0}, 350});
  double most = 0;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Body& body : turned(R"("turn": 40, "seed": 2)")) {
    const Eigen::AngleAxisd by(turn_of(body.transform.rotate) * given.inverse());
    const double degrees = std::min(by.angle(), 2 * M_PI - by.angle()) * 180 / M_PI;
    EXPECT_LE(degrees, 40 + 1e-9);
    most = std::max(most, degrees);
    sum += by.axis();
  }
  EXPECT_GT(most, 39);
  EXPECT_LT(sum.norm(), 3 * std::sqrt(1000.0)) << "no direction is preferred";
  EXPECT_EQ(turned(R"("turn": 40, "seed": 2)"), turned(R"("turn": 40, "seed": 2)"));
  EXPECT_NE(turned(R"("turn": 40, "seed": 2)"), turned(R"("turn": 40, "seed": 3)"));
}

TEST(Parse, NamesFileLineAndElement) {
  EXPECT_EQ(error_in("{\n \"rebound\": 1,\n \"bodies\": [\n {\n  \"mesh\": {\"box\": {}},\n  \"material\":\n {\n "
                     "\"young\": -3\n } } ] }"),
            "test.json:8: /bodies/0/material/young: -3 is not within 0.01 to 1e12 Pa");
  EXPECT_EQ(
      error_in("{\n\"rebound\": 1,\n\"bodies\": [{\n\"mesh\": {\"box\": {}},\n\"velocity\": [0,\n0,\n9e9\n] } ] }"),
      "test.json:7: /bodies/0/velocity/2: 9e9 is not within -1e5 to 1e5 m/s");
  EXPECT_EQ(error_in("{\n\"rebound\": 1,\n\"bodies\": [\n{\n\"yuong\": 3,\n\"mesh\": {\"box\": {}}}]}"),
            "test.json:5: /bodies/0/yuong: unknown key 'yuong'; known here: name, mesh, material, regions, transform, "
            "velocity, "
            "angularVelocity, velocities, start, fixed, masses, attachments, constraints, traces, autoScale, autoHang "
            "or repeat");
}

TEST(Parse, NamesWhatWouldWork) {
  EXPECT_EQ(
      error_in(scene_with(R"("mesh": {"cloth": {}}, "material": {"law": "squared"})")),
      "test.json:1: /bodies/0/material/law: solver 'local-global' does not take law 'squared'; set /solver/type to "
      "\"quasi-newton\", \"newton\", \"newton-cg\" or \"gast\", or use law 'hookean'");
  EXPECT_NE(error_in(R"({"rebound": 7, "bodies": []})").find("is format 7, and this version reads format 1"),
            std::string::npos);
  EXPECT_NE(error_in(R"({"rebund": 1, "bodies": []})").find("/rebund: unknown key 'rebund'; did you mean 'rebound'?"),
            std::string::npos);
}

TEST(Parse, TakesWhatTheSimulationAtHandCanDo) {
  Known known{{"bdf2", "siere"}, {"local-global", "newton"}, {"springs", "arap", "stvk"}, {"hookean", "squared"}};
  const auto parse_with = [&](const std::string& text) { return parse_scene(text, "test.json", {}, known); };
  const std::string start = R"({"rebound": 1, "integrator": {"type": "siere"}, "solver": {"type": ")";
  const std::string end =
      R"("}, "bodies": [{"mesh": {"box": {}}, "material": {"model": "stvk"}}, {"mesh": {"cloth": {}},
    "material": {"law": "squared"}}]})";
  EXPECT_EQ(parse_with(start + "newton" + end).integrator.type, "siere");
  EXPECT_NE(error_of([&] { parse_with(start + "local-global" + end); })
                .find("solver 'local-global' does not take 'stvk'; set /solver/type to \"quasi-newton\", \"newton\", "
                      "\"newton-cg\" or \"gast\", or use 'arap'"),
            std::string::npos);
}

/// A decimal comma and dots between thousands, for the C library and for streams, while it lives.
class GermanLocale {
 public:
  GermanLocale() : before_(std::setlocale(LC_ALL, nullptr)), streams_(std::locale()) {
    // Made here, as few machines have it.
    const std::string make =
        "localedef --no-archive -i de_DE -f UTF-8 '" + (folder_.path() / "de_DE.UTF-8").string() + "' >/dev/null 2>&1";
    made_ = std::system(make.c_str()) == 0;
    setenv("LOCPATH", folder_.path().c_str(), 1);
    std::locale::global(std::locale(std::locale::classic(), new Commas));
    made_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr && made_;
  }
  ~GermanLocale() {
    std::locale::global(streams_);
    std::setlocale(LC_ALL, before_.c_str());
    unsetenv("LOCPATH");
  }
  bool made() const { return made_; }

 private:
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  TemporaryFolder folder_;
  std::string before_;
  std::locale streams_;
  bool made_ = false;
};

TEST(Parse, ReadsTheSameNumbersInEveryLocale) {
  const Description expected = parsed(kFull);
  const std::string text = to_json(expected).dump();
  const std::string message = error_in(R"({"rebound": 1, "timeStep": 1234.5})");
  const GermanLocale german;
  EXPECT_EQ(parsed(kFull), expected);
  EXPECT_EQ(to_json(parsed(kFull)).dump(), text);
  EXPECT_EQ(error_in(R"({"rebound": 1, "timeStep": 1234.5})"), message);
  EXPECT_NE(message.find("1234.5 is not within"), std::string::npos) << message;
  EXPECT_NE(error_in(R"({"rebound": 1, "timeStep": 0,5})").find("test.json:1:30: syntax error"), std::string::npos);
  if (!german.made()) GTEST_SKIP() << "localedef cannot make a German locale here: only streams were checked";
  EXPECT_EQ(std::localeconv()->decimal_point, std::string(","));
}

TEST(Wording, FindsTheNearestName) {
  const std::vector<std::string> names{"young", "poisson", "density", "timeStep"};
  EXPECT_EQ(nearest("yuong", names), "young");
  EXPECT_EQ(nearest("Young", names), "young");
  EXPECT_EQ(nearest("dt", names), "");
  EXPECT_EQ(nearest("time_step", names), "timeStep");
  EXPECT_EQ(nearest("youngsModulus", names), "young");
  EXPECT_EQ(nearest(std::string(100000, 'x'), names), "");
  EXPECT_EQ(one_line("a\nb\x01"), "a?b?");
  EXPECT_EQ(number_text(1e-5), "1e-5");
  EXPECT_EQ(number_text(1e6), "1e6");
  EXPECT_EQ(number_text(-9.81), "-9.81");
}

TEST(Parse, AMembraneMakesTrianglesOfClothsAndSurfaces) {
  const TemporaryFolder folder;
  folder.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const auto scene = parse_scene(R"({"rebound": 1, "solver": {"type": "newton"}, "bodies": [
    {"mesh": {"cloth": {}}, "material": {"model": "membrane"}, "fixed": "border"},
    {"mesh": {"cloth": {}}},
    {"mesh": {"disk": {"radius": 2, "rings": 5}}, "material": {"law": "neo-hookean", "thickness": 0.01, "bending": 0.5,
                                                               "pretension": 0.1}},
    {"mesh": {"file": "sheet.obj"}, "material": {"model": "membrane"}},
    {"mesh": {"file": "sheet.obj"}},
    {"mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}}]})",
                                 "test.json", folder.path());
  const auto& b = scene.bodies;
  EXPECT_TRUE(std::get<ClothMesh>(b[0].mesh).triangles);
  EXPECT_TRUE(std::holds_alternative<BorderSelection>(b[0].fixed));
  EXPECT_EQ(b[0].material.law, "stvk");
  EXPECT_EQ(b[0].material.density, 1000);
  EXPECT_FALSE(std::get<ClothMesh>(b[1].mesh).triangles);
  EXPECT_EQ(b[1].material.model, "springs");
  EXPECT_EQ(b[2].material.model, "membrane");
  EXPECT_EQ(b[2].material.thickness, 0.01);
  EXPECT_EQ(b[2].material.bending, 0.5);
  EXPECT_EQ(b[2].material.pretension, 0.1);
  EXPECT_EQ(std::get<DiskMesh>(b[2].mesh).rings, 5);
  EXPECT_TRUE(std::get<FileMesh>(b[3].mesh).shell);
  EXPECT_FALSE(std::get<FileMesh>(b[4].mesh).shell);
  EXPECT_EQ(b[5].material.model, "membrane");
  EXPECT_TRUE(parse_scene(to_text(scene, folder.path()), "test.json", folder.path()) == scene);
}

// A program's own description is held to what a scene file is.
TEST(MadeInMemory, IsCheckedAsAFileIs) {
  const auto refusal = [](const auto& change) {
    Description d;
    d.bodies.emplace_back().mesh = BoxMesh{.divisions = {1, 1, 1}};
    d.obstacles.emplace_back();
    change(d);
    try {
      load_world(d);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([](Description&) {}), "");
  const std::vector<std::pair<std::string, std::function<void(Description&)>>> cases{
      {"/bodies/0/material/young", [](auto& d) { d.bodies[0].material.young = -1e5; }},
      {"/bodies/0/material/young", [](auto& d) { d.bodies[0].material.young = kNaN; }},
      {"/bodies/0/material/density", [](auto& d) { d.bodies[0].material.density = -1; }},
      {"/bodies/0/velocity/1", [](auto& d) { d.bodies[0].velocity[1] = kNaN; }},
      {"/bodies/0/transform/scale", [](auto& d) { d.bodies[0].transform.scale = 0; }},
      {"/bodies/0/regions/0/material",
       [](auto& d) {
         d.bodies[0].regions = {{std::vector<int>{0}, {}, {{"yuong", 1}}}};
       }},
      {"/bodies", [](auto& d) { d.bodies.clear(); }},
      {"/obstacles/0/stiffness", [](auto& d) { d.obstacles[0].stiffness = -1e6; }},
      {"/obstacles/0/meets", [](auto& d) { d.obstacles[0].meets = "glue"; }},
      {"/contact/type", [](auto& d) { d.contact.type = "glue"; }},
      {"/timeStep", [](auto& d) { d.timeStep = -1; }},
      {"/gravity/0", [](auto& d) { d.gravity[0] = kNaN; }},
      {"/solver/iterations", [](auto& d) { d.solver.iterations = -5; }},
      {"/integrator/type", [](auto& d) { d.integrator.type = "rk4"; }},
  };
  for (const auto& [place, change] : cases)
    EXPECT_TRUE(refusal(change).starts_with("scene: " + place)) << place << ": " << refusal(change);
}

}  // namespace
}  // namespace rebound::scene
