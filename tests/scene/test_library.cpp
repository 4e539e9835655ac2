// Every way in: scene files, mesh files, built-in names, and all that can be wrong with them.
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "scene/build.hpp"
#include "scene/files.hpp"
#include "scene/gallery.hpp"
#include "scene/library.hpp"
#include "scene_support.hpp"

namespace rebound::scene {
namespace fs = std::filesystem;
namespace {

std::string error_opening(const std::string& name) {
  return error_of([&] { open(name); });
}

/// Built-in scenes in a folder of the test's own.
class Library : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_.path() / "scenes");
    folder_.write("scenes/cube.json",
                  R"({"rebound": 1, "name": "A cube", "summary": "falls", "bodies": [{"mesh": {"box": {}}}]})");
    folder_.write("scenes/broken.json", "{");
    folder_.write("scenes/notes.txt", "not a scene");
    setenv("REBOUND_ASSETS", folder_.path().c_str(), 1);
  }
  void TearDown() override { unsetenv("REBOUND_ASSETS"); }
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }

  TemporaryFolder folder_;
};

TEST_F(Library, ListsAndFindsBuiltInScenes) {
  const auto scenes = list_scenes();
  ASSERT_EQ(scenes.size(), 2u);
  EXPECT_EQ(scenes[0].name, "broken");
  EXPECT_TRUE(scenes[0].summary.starts_with("unusable: ")) << scenes[0].summary;
  EXPECT_EQ(scenes[1].name, "cube");
  EXPECT_EQ(scenes[1].title, "A cube");
  EXPECT_EQ(scenes[1].summary, "falls");
  EXPECT_EQ(find_scene("cube"), folder_.path() / "scenes/cube.json");
  EXPECT_FALSE(find_scene("../scenes/cube"));
  EXPECT_EQ(open("cube").file, folder_.path() / "scenes/cube.json");
  EXPECT_EQ(open("cube", {"/timeStep=0.01", "/timeStep=0.02"}).timeStep, 0.02);
}

TEST_F(Library, ScenesThatTheGalleryDoesNotNameComeLast) {
  auto groups = gallery();
  ASSERT_EQ(groups.size(), 1u) << "there is no gallery.json";
  EXPECT_EQ(groups[0].scenes.size(), 2u);
  folder_.write("gallery.json",
                R"({"groups": [{"name": "Falling", "scenes": [{"scene": "cube", "try": "Press {stabilized}."},
                                               {"scene": "gone", "try": "Look for it."}]}]})");
  groups = gallery();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].name, "Falling");
  ASSERT_EQ(groups[0].scenes.size(), 1u);
  const auto& all = built().integrators;
  const auto key = std::find(all.begin(), all.end(), "stabilized") - all.begin() + 1;
  EXPECT_EQ(groups[0].scenes[0].hint, "Press " + std::to_string(key) + ".");
  EXPECT_TRUE(groups[0].scenes[0].picture.empty()) << "there is none";
  EXPECT_EQ(groups[1].scenes[0].scene.name, "broken");
  EXPECT_EQ(gallery_hint(folder_.path() / "scenes/cube.json"), groups[0].scenes[0].hint);
  EXPECT_EQ(gallery_hint(folder_.path() / "scenes/broken.json"), "");
  folder_.write("gallery.json", R"({"groups": [{"name": 3}]})");
  ASSERT_EQ(gallery().size(), 1u) << "a gallery that is none hides no scene";
  EXPECT_EQ(gallery()[0].scenes.size(), 2u);
}

TEST_F(Library, CallsASceneWithoutANameByItsFile) {
  folder_.write("of-mine.json", R"({"rebound": 1, "bodies": [{"mesh": {"box": {}}}]})");
  EXPECT_EQ(open(at("of-mine.json")).name, "of-mine");
  EXPECT_EQ(open(at("of-mine.json"), {"/name=\"other\""}).name, "other");
}

TEST_F(Library, SuggestsCloseNames) {
  EXPECT_EQ(error_opening("cubr"), "cubr: no such file, and no built-in scene of that name; did you mean 'cube'?");
  EXPECT_EQ(error_opening("zebra"),
            "zebra: no such file, and no built-in scene of that name; there are broken or cube");
  setenv("REBOUND_ASSETS", "/nonexistent", 1);
  EXPECT_NE(error_opening("cube").find("no built-in scenes were found"), std::string::npos);
}

TEST_F(Library, NamesWhatKeepsAFileFromBeingRead) {
  fs::create_directory(at("folder"));
  folder_.write("empty.json", "");
  folder_.write("plain.json", scene_with(kCube));
  fs::create_symlink("nowhere", at("dangling.json"));
  fs::create_symlink("loop.json", at("loop.json"));
  mkfifo(at("pipe.json").c_str(), 0600);
  EXPECT_EQ(error_opening(at("none.json")), at("none.json") + ": no such file");
  EXPECT_EQ(error_opening(at("none/none.json")),
            at("none/none.json") + ": no such file: its folder does not exist either");
  EXPECT_EQ(error_opening(at("plain.json/x.json")),
            at("plain.json/x.json") + ": no such file: part of its path is a file, not a folder");
  EXPECT_EQ(error_opening(at("folder")), at("folder") + ": is a folder, not a file");
  EXPECT_EQ(error_opening(at("empty.json")), at("empty.json") + ": is empty");
  EXPECT_EQ(error_opening(at("dangling.json")), at("dangling.json") + ": is a link to a file that does not exist");
  EXPECT_EQ(error_opening(at("pipe.json")), at("pipe.json") + ": is no regular file");
  EXPECT_NE(error_opening(at("loop.json")).find("cannot be read: "), std::string::npos);
  EXPECT_NE(error_opening(std::string(5000, 'n') + ".json").find("cannot be read: File name too long"),
            std::string::npos);
  EXPECT_NE(error_opening("").find("is empty"), std::string::npos);
  EXPECT_EQ(error_opening("/dev/zero"), "/dev/zero: is no regular file");
}

TEST_F(Library, ToldFromWhatIsOfAnotherKind) {
  folder_.write("a.ply", "ply\nformat ascii 1.0\n");
  folder_.write("letter", "\n Dear all\n");
  for (const char* name : {"a.ply", "letter"})
    EXPECT_EQ(error_opening(at(name)), at(name) + ": is no scene, which is a JSON object, and no mesh by its ending, " +
                                           ".obj, .mesh, .msh, .node, .ele, .vtk");
  // Where the ending says that it is meant to be one, the reader says where it stumbles.
  folder_.write("letter.json", "Dear all\n");
  EXPECT_NE(error_opening(at("letter.json")).find("letter.json:1:1: "), std::string::npos);
  int written = 0;
  for (const char* begin : {"", " \n", "// a comment\n", "\xef\xbb\xbf"}) {
    const std::string name = "scene " + std::to_string(written++);
    folder_.write(name, begin + scene_with(kCube));
    EXPECT_EQ(scene::open(at(name)).bodies.size(), 1u);
  }
}

TEST_F(Library, NamesMissingPermission) {
  folder_.write("mine.json", scene_with(kCube));
  fs::create_directory(at("closed"));
  folder_.write("closed/inside.json", scene_with(kCube));
  chmod(folder_.path().c_str(), 0755);
  chmod(at("mine.json").c_str(), 0);
  chmod(at("closed").c_str(), 0);
  // Root may read everything: so as nobody, for a moment.
  constexpr uid_t kNobody = 65534;
  const bool root = geteuid() == 0;
  if (root && seteuid(kNobody) != 0) GTEST_SKIP() << "cannot become another user";
  const std::string file = error_opening(at("mine.json"));
  const std::string folder = error_opening(at("closed/inside.json"));
  ASSERT_EQ(seteuid(root ? 0 : geteuid()), 0);
  chmod(at("closed").c_str(), 0700);
  EXPECT_EQ(file, at("mine.json") + ": cannot be read: no permission");
  EXPECT_EQ(folder, at("closed/inside.json") + ": cannot be read: no permission for its folder");
}

TEST_F(Library, MakesASceneAroundAMesh) {
  folder_.write("bunny.OBJ", "v 0 0 0\n");
  const Description scene =
      open(at("bunny.OBJ"), {"/bodies/0/material/young=5e4", "/bodies/0/mesh/tetrahedralize/tets=500"});
  EXPECT_EQ(scene.name, "bunny");
  ASSERT_EQ(scene.bodies.size(), 1u);
  const Body& body = scene.bodies[0];
  EXPECT_TRUE(body.autoHang && body.autoScale);
  EXPECT_EQ(body.material.young, 5e4);
  EXPECT_EQ(std::get<FileMesh>(body.mesh).file, folder_.path() / "bunny.OBJ");
  EXPECT_EQ(std::get<FileMesh>(body.mesh).tetrahedralize.tets, 500);
  EXPECT_EQ(error_opening(at("none.obj")), at("none.obj") + ": no such file");
  EXPECT_NE(error_of([&] { open(at("bunny.OBJ"), {"/timeStep=0"}); }).find("/timeStep (as set"), std::string::npos);
}

constexpr const char* kTetrahedronFile = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

// A file system takes any bytes for a name; JSON and fonts do not.
TEST_F(Library, OpensMeshesWhoseNamesAreNotUtf8) {
  fs::create_directory(folder_.path() / "d\xc3");
  for (const std::string name :
       {"caf\xe9.obj", "d\xc3/\xff\xed\xa0\x80\xc0\xaf.obj", "caf\xc3\xa9.obj", "\xef\x83\xa9.obj"}) {
    const fs::path file = folder_.write(name, kTetrahedronFile);
    const Description scene = open(file.string());
    const std::string text = to_json(scene, folder_.path()).dump();  // throws for what is not UTF-8
    EXPECT_EQ(std::get<FileMesh>(scene.bodies[0].mesh).file, file);
    const Description again = parse_scene(text, "again.json", folder_.path());
    EXPECT_EQ(std::get<FileMesh>(again.bodies[0].mesh).file, file) << text;
    EXPECT_EQ(load_world(again).bodies[0].surface.triangles.size(), 4u);
  }
  EXPECT_EQ(open(at("caf\xe9.obj")).name, "caf\xef\xbf\xbd");
  EXPECT_EQ(open(at("caf\xc3\xa9.obj")).name, "caf\xc3\xa9");
  // The character that stands for a byte elsewhere is what it is in a file of that name.
  folder_.write("\xe9.obj", kTetrahedronFile);
  const Description scene = open(at("\xef\x83\xa9.obj"));
  EXPECT_EQ(std::get<FileMesh>(scene.bodies[0].mesh).file, at("\xef\x83\xa9.obj"));
}

TEST_F(Library, MessagesAboutMeshesKeepTheFolder) {
  fs::create_directory(folder_.path() / "deep");
  const fs::path file = folder_.write("deep/line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  const std::string message = error_of([&] { load_world(open(file.string())); });
  EXPECT_EQ(message.rfind(file.string() + ": ", 0), 0u) << message;
}

TEST(Geometry, ABodyWithoutASurfaceIsRefusedByName) {
  // A tetrahedron, and the same in four: each face belongs to two.
  const std::string corners = R"("vertices": [[0,0,0],[4,0,0],[0,4,0],[0,0,4],[1,1,1]])";
  const auto refusal = [&](const std::string& tets) {
    return error_of([&] {
      load_world(parsed(scene_with(R"("name": "knot", "mesh": {)" + corners + R"(, "tetrahedra": )" + tets + "}")));
    });
  };
  EXPECT_EQ(
      refusal("[[0,1,2,3],[0,1,2,4],[0,1,4,3],[0,4,2,3],[4,1,2,3]]").rfind("/bodies/0 ('knot'): has no surface", 0),
      0u);
  EXPECT_EQ(refusal("[[0,1,2,4],[0,1,4,3],[4,1,2,0]]")
                .rfind("/bodies/0/mesh/tetrahedra: 1 tetrahedron repeats an earlier one, the first: 3 (of 1)", 0),
            0u);
}

TEST_F(Library, OpensAFileBeforeABuiltInSceneOfItsName) {
  const auto before = fs::current_path();
  const TemporaryFolder elsewhere;
  fs::current_path(elsewhere.path());
  fs::create_directory("cube");
  const Description from_library = open("cube");
  fs::remove("cube");
  elsewhere.write("cube", R"({"rebound": 1, "name": "mine", "bodies": [{"mesh": {"box": {}}}]})");
  const Description from_file = open("cube");
  fs::current_path(before);
  EXPECT_EQ(from_library.name, "A cube");
  EXPECT_EQ(from_file.name, "mine");
}

TEST(Assets, AreFoundFromTheProgramsFolder) {
  unsetenv("REBOUND_ASSETS");
  const auto assets = assets_folder();
  if (!fs::is_directory(fs::path(REBOUND_SOURCE_DIR) / "assets/scenes")) GTEST_SKIP() << "no scenes yet";
  ASSERT_TRUE(assets.has_value());
  EXPECT_TRUE(fs::equivalent(*assets, fs::path(REBOUND_SOURCE_DIR) / "assets"));
}

}  // namespace
}  // namespace rebound::scene
