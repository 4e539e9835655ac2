// Every way in: scene files, mesh files, built-in names, and all that can be wrong with them.
#include <sys/stat.h>

#include <cstdlib>

#include "scene/files.hpp"
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
