// The strict reading of JSON, and --set.
#include <chrono>
#include <random>

#include "scene_support.hpp"

namespace rebound::scene {
namespace {

TEST(Document, RefusesDeepNestingWithoutRecursion) {
  for (const std::string& open : {std::string("["), std::string("{\"a\":")}) {
    std::string text;
    for (int i = 0; i < 1'000'000; ++i) text += open;
    EXPECT_NE(error_in(text).find("nested deeper than 64 levels"), std::string::npos);
  }
  // 64 levels are fine, whatever they mean.
  EXPECT_NO_THROW(parse_document(std::string(64, '[') + std::string(64, ']'), "x", {}));
  EXPECT_THROW(parse_document(std::string(65, '[') + std::string(65, ']'), "x", {}), InputError);
}

TEST(Document, RefusesMoreThan16MiB) {
  const TemporaryFolder folder;
  const auto file = folder.write("large.json", std::string(std::size_t{17} << 20, ' '));
  EXPECT_NE(error_of([&] { load_document(file); }).find("larger than 16 MiB"), std::string::npos);
  EXPECT_NE(error_in(std::string(std::size_t{17} << 20, ' ')).find("larger than 16 MiB"), std::string::npos);
}

TEST(Document, NamesTheLineQuicklyInLargeFiles) {
  std::string vertices = "[0,0,0]";
  const int count = 1'000'000;
  for (int i = 1; i < count; ++i) vertices += ",\n[0,0,0]";
  const std::string text = scene_with("\"mesh\": {\"vertices\": [" + vertices + ",[1e9,0,0]], \"edges\": []}");
  ASSERT_LT(text.size(), kLargestSceneFile);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(error_in(text), "test.json:1000000: /bodies/0/mesh/vertices/1000000/0: 1e9 is not within -1e6 to 1e6 m");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Document, RefusesDuplicateKeys) {
  EXPECT_EQ(error_in("{\n\"rebound\": 1,\n\"rebound\": 1}"),
            "test.json:3:9: the key 'rebound' appears twice in one object");
  EXPECT_NO_THROW(parse_document(R"({"a": {"b": 1}, "c": {"b": 1}})", "x", {}));
}

TEST(Document, KeepsMessagesOneShortLine) {
  const std::string name(5000, 'k');
  const std::string message =
      error_in("{\"rebound\": 1, \"" + name + "\": 1, \"bodies\": [{\"mesh\": {\"box\": {}}}]}");
  EXPECT_LT(message.size(), 700u) << message;
  const std::string newline = error_of([] { parse_scene("[", "two\nlines.json", {}); });
  EXPECT_TRUE(newline.starts_with("two?lines.json:1:2: ")) << newline;
  EXPECT_NE(error_in(R"({"rebound": 1, "a\nb": 1, "bodies": [{"mesh": {"box": {}}}]})").find("unknown key 'a?b'"),
            std::string::npos);
}

TEST(Document, FindsElementsByPointer) {
  const std::string text = "{\"a/b\": [1,\n{\"c~\":\n 2}],\n\"d\": 3\n}";
  EXPECT_EQ(locate(text, "/a~1b/1/c~0").line, 3u);
  EXPECT_EQ(locate(text, "/a~1b/1").line, 2u);
  EXPECT_EQ(locate(text, "/d").line, 4u);
  EXPECT_TRUE(locate(text, "/d").exact);
  EXPECT_EQ(locate(text, "/a~1b/1/none").line, 2u);
  EXPECT_FALSE(locate(text, "/a~1b/1/none").exact);
  EXPECT_EQ(locate(text, "").line, 1u);
}

// Whatever stands in a file: either a document or an InputError, never another exception or a crash.
TEST(Document, SurvivesMutatedText) {
  const std::string text = scene_with(
      R"("mesh": {"box": {"size": [1, 2, 3]}}, "fixed": {"box": [[0,0,0],[1,1,1]]}, "start": {"type": "point"}, "masses": [1e3])");
  std::mt19937 random(1);
  const std::string alphabet = "{}[]\",:0123456789.eE+-/*\\u\x80\xff\n truefalsn";
  for (int round = 0; round < 20'000; ++round) {
    std::string mutated = text;
    for (unsigned edit = 0; edit <= random() % 4; ++edit) {
      const std::size_t at = random() % mutated.size();
      const char c = alphabet[random() % alphabet.size()];
      switch (random() % 4) {
        case 0:
          mutated[at] = c;
          break;
        case 1:
          mutated.insert(at, 1, c);
          break;
        case 2:
          mutated.erase(at, 1 + random() % 5);
          break;
        default:
          mutated.insert(at, mutated.substr(random() % mutated.size(), random() % 20));
          break;
      }
    }
    error_in(mutated);
  }
}

// ---- --set ----

struct SetCase {
  const char* assignment;
  const char* part;  // of the message
};

TEST(Set, ChangesTheDocumentBeforeItIsRead) {
  Document document = parse_document(scene_with(kCube), "test.json", {});
  for (const char* assignment :
       {"/timeStep=0.5", "/bodies/0/material/young=2e5", "/solver/iterations=3", "/gravity=[0,0,1]",
        "/integrator/type=\"bdf2\"", "/bodies/0/fixed=[]", "/bodies/0/fixed/-=3", "/bodies/-={\"mesh\":{\"cloth\":{}}}",
        "/bodies/1/mesh/cloth/divisions=[2,2]"}) {
    apply_set(document, assignment);
  }
  const Description scene = parse(document);
  EXPECT_EQ(scene.timeStep, 0.5);
  EXPECT_EQ(scene.bodies[0].material.young, 2e5);
  EXPECT_EQ(scene.solver.iterations, 3);
  EXPECT_EQ(scene.gravity[2], 1);
  EXPECT_EQ(scene.integrator.type, "bdf2");
  EXPECT_EQ(std::get<std::vector<int>>(scene.bodies[0].fixed), std::vector<int>{3});
  EXPECT_EQ(std::get<ClothMesh>(scene.bodies[1].mesh).divisions[0], 2);
}

TEST(Set, SaysWhatIsWrongWithIt) {
  const SetCase cases[] = {
      {"timeStep=1", "begins with /"},
      {"=1", "begins with /"},
      {"/timeStep", "has no '='"},
      {"/timeStep=", "has no value"},
      {"/timeStep=1,2", "syntax error"},
      {"/timeStep=NaN", "is not JSON"},
      {"/integrator/type=bdf2", "a text needs quotes"},
      {"/timeStep={\"a\":1,\"a\":1}", "appears twice"},
      {"/a~2b=1", "'~' must be written ~0"},
      {"/bodies/1/name=\"x\"", "/bodies has 1 element, so none is number 1"},
      {"/bodies/x/name=\"x\"", "must be a number below 1"},
      {"/bodies/99999999999/name=1", "must be a number below 1"},
      {"/bodies/-/name=1", "must be a number below 1"},
      {"/bodies/0/attachments/0/stiffness=1", "there is no list at /bodies/0/attachments"},
      {"/rebound/x=1", "neither an object nor an array"},
  };
  for (const SetCase& test : cases) {
    Document document = parse_document(scene_with(kCube), "test.json", {});
    const std::string message = error_of([&] { apply_set(document, test.assignment); });
    EXPECT_TRUE(message.starts_with("--set ")) << message;
    EXPECT_NE(message.find(test.part), std::string::npos) << message;
    EXPECT_TRUE(document.settings.empty());
  }
}

TEST(Set, IsCheckedLikeTheFile) {
  const auto with = [](const std::string& assignment) {
    Document document = parse_document(scene_with(kCube), "test.json", {});
    apply_set(document, assignment);
    return error_of([&] { parse(document); });
  };
  EXPECT_EQ(with("/timeStep=0"), "test.json: /timeStep (as set on the command line): 0 is not within 1e-5 to 1 s");
  EXPECT_EQ(
      with("/bodies/0/material/yuong=1"),
      "test.json: /bodies/0/material/yuong (as set on the command line): unknown key 'yuong'; did you mean 'young'?");
  EXPECT_EQ(with("/sovler/iterations=1"),
            "test.json: /sovler (as set on the command line): unknown key 'sovler'; did you mean 'solver'?");
  std::string deep = "/timeStep=";
  for (int i = 0; i < 100000; ++i) deep += '[';
  EXPECT_NE(error_of([&] {
              Document document = parse_document(scene_with(kCube), "test.json", {});
              apply_set(document, deep);
            }).find("deeper than 64"),
            std::string::npos);
}

}  // namespace
}  // namespace rebound::scene
