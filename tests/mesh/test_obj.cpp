#include <chrono>
#include <clocale>
#include <cmath>
#include <fstream>
#include <locale>
#include <random>

#include "mesh/atomic_file.hpp"
#include "mesh/geometry.hpp"
#include "mesh/obj.hpp"
#include "mesh/surfaces.hpp"

namespace rebound::mesh {
namespace {

const std::string kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

std::string refusal(const std::string& text) {
  return message_of<MeshError>([&] { parse_obj("x.obj", text); });
}

struct BadLine {
  const char* line;
  const char* column;  ///< where the message must point
  const char* says;
};

const BadLine kBadLines[] = {
    {"v nan 0 0", "3", "finite"},
    {"v 0 NaN 0", "5", "finite"},
    {"v 0 0 inf", "7", "finite"},
    {"v -inf 0 0", "3", "finite"},
    {"v infinity 0 0", "3", "finite"},
    {"v abc 0 0", "3", "'abc'"},
    {"v 1,5 2 3", "3", "with a point"},
    {"v 1 2,25 3", "5", "with a point"},
    {"v 1e39 0 0", "3", "1e9"},
    {"v 0 -2e9 0", "5", "1e9"},
    {"v 1e400 0 0", "3", "finite"},
    {"v 0x10 0 0", "3", "finite"},
    {"v 1 2 3f", "7", "'3f'"},
    {"v 1.2.3 0 0", "3", "finite"},
    {"v -- 0 0", "3", "finite"},
    {"v +-1 0 0", "3", "finite"},
    {"v 1e 0 0", "3", "finite"},
    {"v . 0 0", "3", "finite"},
    {"v", "2", "0 coordinates"},
    {"v 1", "4", "1 coordinate;"},
    {"v 1 2", "6", "2 coordinates"},
    {"v 1 2 # 3", "7", "2 coordinates"},
    {"v 1 2 3 4 5 6 7 8 9", "19", "too many"},
    {"v 1 2 3 red", "9", "'red'"},
    {"f 0 1 2", "3", "counted from 1"},
    {"f 1 2 9", "7", "vertex 9 does not exist"},
    {"f 1 2 -9", "7", "vertex -9 does not exist"},
    {"f 1 2 4", "7", "vertex 4 does not exist"},
    {"f 1 2 2147483648", "7", "not a vertex number"},
    {"f 1 2 99999999999999999999", "7", "not a vertex number"},
    {"f -2147483649 1 2", "3", "not a vertex number"},
    {"f 1 2 three", "7", "'three'"},
    {"f 1 2 3.0", "7", "'3.0'"},
    {"f 1 2", "6", "2 corners"},
    {"f 1", "4", "1 corner;"},
    {"f", "2", "0 corners"},
    {"f 1/1/1/1 2 3", "3", "too many '/'"},
    {"f 1/ 2 3", "3", "'1/'"},
    {"f /1 2 3", "3", "'/1'"},
    {"f 1//0 2 3", "3", "counted from 1"},
    {"f 1/x 2 3", "3", "'1/x'"},
    {"f 1 2 3 \\", "9", "'\\'"},
    {"f 1 2 3#1 6", "8", "before a remark"},
};

TEST(Obj, RefusesEachBadLineByItsPlace) {
  for (const BadLine& bad : kBadLines) {
    const std::string message = refusal(kTriangle + "f 1 2 3\n  \t" + bad.line + "\nf 1 2 3\n");
    const std::string place = "x.obj:5:" + std::to_string(std::stoi(bad.column) + 3) + ": ";
    EXPECT_EQ(message.substr(0, place.size()), place) << bad.line << "\n" << message;
    EXPECT_NE(message.find(bad.says), std::string::npos) << bad.line << "\n" << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_NE(message.find_first_of(";,"), std::string::npos) << "no remedy: " << message;
  }
  EXPECT_GE(std::size(kBadLines), 40u);
}

TEST(Obj, ReadsWhatProgramsWrite) {
  const Surface surface =
      parse_obj("x.obj",
                "\xEF\xBB\xBF# made by hand\r\nmtllib a.mtl\r\no thing\r\n"
                "v 0 0 0 1 0.5 0.25\r\nv +1 0 0\r\n\tv 0 1e0 -0.\r\nvt 0 0\r\nvn 0 0 1\r\n"
                "g a b\r\nusemtl m\r\ns 1\r\nf 1/1/1 2//1 3/1 # a remark\r\nf -3 -2 -1\r\nl 1 2\r\n");
  ASSERT_EQ(surface.points.rows(), 3);
  EXPECT_EQ(surface.points(1, 0), 1);
  ASSERT_EQ(surface.triangles.size(), 2u);
  EXPECT_EQ(surface.triangles[0], (Triangle{0, 1, 2}));
  EXPECT_EQ(surface.triangles[1], (Triangle{0, 1, 2}));
  // A face may stand before its vertices.
  EXPECT_EQ(parse_obj("x.obj", "f 1 2 3\n" + kTriangle).triangles.size(), 1u);
}

TEST(Obj, CutsPolygonsOfAnyOutline) {
  // An arrowhead, a comb and a hexagon: areas are those of the outlines, and no triangle is turned.
  const struct {
    std::string text;
    double area;
  } cases[] = {
      {"v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\nf 1 2 3 4\n", 1},
      {"v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\nf 4 1 2 3\n", 1},
      {"v 0 0 1\nv 5 0 1\nv 5 3 1\nv 4 3 1\nv 4 1 1\nv 3 1 1\nv 3 3 1\nv 2 3 1\nv 2 1 1\nv 1 1 1\nv 1 3 1\nv 0 3 1\n"
       "f 1 2 3 4 5 6 7 8 9 10 11 12\n",
       11},
  };
  for (const auto& c : cases) {
    std::vector<std::string> notes;
    const Surface surface = parse_obj("x.obj", c.text, &notes);
    EXPECT_EQ(std::ssize(surface.triangles), surface.points.rows() - 2);
    double area = 0;
    for (const auto& t : surface.triangles) {
      EXPECT_GT(vector_area(surface, t).z(), 0);
      area += vector_area(surface, t).norm();
    }
    EXPECT_NEAR(area, c.area, 1e-12);
    EXPECT_EQ(notes.size(), 1u);
  }
}

TEST(Obj, NamesUnusableFiles) {
  const TemporaryFolder folder;
  const auto says = [&](const std::filesystem::path& path) { return message_of<MeshError>([&] { read_obj(path); }); };
  EXPECT_NE(says(folder.path() / "none.obj").find("no such file"), std::string::npos);
  EXPECT_NE(says(folder.path()).find("is a folder"), std::string::npos);
  EXPECT_NE(says(folder.write("empty.obj", "")).find("is empty"), std::string::npos);
  EXPECT_NE(says(folder.write("blank.obj", " \n\n")).find("is empty"), std::string::npos);
  EXPECT_NE(says(folder.write("binary.obj", std::string("v 0\0 0", 7))).find("binary"), std::string::npos);
  EXPECT_NE(says(folder.write("points.obj", kTriangle)).find("holds no surface"), std::string::npos);
  EXPECT_NE(says("/dev/null").find("not a regular file"), std::string::npos);
}

TEST(Obj, NamesUnreadableFiles) {
  const TemporaryFolder folder;
  const auto locked = folder.write("locked.obj", kTriangle + "f 1 2 3\n");
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  if (std::ifstream(locked).good()) GTEST_SKIP() << "this user may read everything";
  EXPECT_NE(message_of<MeshError>([&] { read_obj(locked); }).find("cannot be opened"), std::string::npos);
}

TEST(Obj, RefusesTooMuchAtOnce) {
  const auto start = std::chrono::steady_clock::now();
  std::string face = "f";
  for (int i = 0; i < 100000; ++i) face += " 1";
  EXPECT_NE(refusal(kTriangle + face + "\n").find("more than 64 corners"), std::string::npos);
  ObjLimits limits;
  limits.vertices = 2;
  EXPECT_NE(message_of<MeshError>([&] { parse_obj("x", kTriangle, nullptr, {}, limits); }).find("2 vertices"),
            std::string::npos);
  limits = {};
  limits.triangles = 1;
  EXPECT_NE(message_of<MeshError>([&] {
              parse_obj("x", kTriangle + "f 1 2 3 1\n", nullptr, {}, limits);
            }).find("1 triangles"),
            std::string::npos);
  const TemporaryFolder folder;
  const auto huge = folder.write("huge.obj", "v");
  std::filesystem::resize_file(huge, std::uintmax_t{3} << 30);  // sparse
  EXPECT_NE(message_of<MeshError>([&] { read_obj(huge); }).find("at most 1024 MiB"), std::string::npos);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1);
}

TEST(Obj, WritesWhatReadsBackTheSame) {
  Surface surface = icosphere(1, 2);
  std::mt19937_64 random(1);
  for (Eigen::Index i = 0; i < surface.points.size(); ++i)
    surface.points.data()[i] *= std::pow(10.0, static_cast<double>(random() % 17) - 8);
  surface.points(0, 0) = 5e-324;
  surface.points(0, 1) = 0.1 + 0.2;
  surface.points(0, 2) = -0.0;
  const TemporaryFolder folder;
  write_obj(folder.path() / "a.obj", surface);
  const Surface back = read_obj(folder.path() / "a.obj");
  EXPECT_EQ(back.triangles, surface.triangles);
  EXPECT_TRUE((back.points.array() == surface.points.array()).all());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "a temporary file is left";
}

/// A comma as the decimal point, as in German, for systems without that locale.
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Obj, IsReadAlikeInEveryLocale) {
  const std::string text = "v 1234.5 0.25 -1e-3\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const Surface plain = parse_obj("x", text);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string numeric = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  const Surface german = parse_obj("x", text);
  const TemporaryFolder folder;
  write_obj(folder.path() / "a.obj", plain);
  std::setlocale(LC_ALL, numeric.c_str());
  std::locale::global(before);
  EXPECT_TRUE((plain.points.array() == german.points.array()).all());
  EXPECT_EQ(german.points(0, 0), 1234.5);
  EXPECT_TRUE((read_obj(folder.path() / "a.obj").points.array() == plain.points.array()).all());
}

TEST(Obj, CanBeCancelledAtAnyStage) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "v 0 0 " + std::to_string(i) + "\nf -1 -1 -1\n";
  std::atomic<bool> cancel{false};
  for (const std::string stage : {"checking the file", "reading faces"}) {
    cancel = false;
    Progress progress{[&](const std::string& now, double fraction) {
                        EXPECT_GE(fraction, 0);
                        EXPECT_LE(fraction, 1);
                        if (now == stage) cancel = true;
                      },
                      &cancel};
    EXPECT_THROW(parse_obj("x", text, nullptr, progress), Cancelled) << stage;
  }
}

TEST(AtomicFile, KeepsTheOldOneWhenItCannotWrite) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_file_atomically(folder.path() / "no" / "a.txt", "new"), InputError);
  const auto path = folder.write("a.txt", "old");
  write_file_atomically(path, "new");
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "new");
  EXPECT_NE(message_of<InputError>([&] { write_file_atomically(folder.path(), "x"); }).find(folder.path().string()),
            std::string::npos);
}

}  // namespace
}  // namespace rebound::mesh
