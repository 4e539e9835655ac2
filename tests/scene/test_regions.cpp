// Bodies of several materials, and the starts that give every vertex its place.
#include <gtest/gtest.h>

#include <unistd.h>

#include <Eigen/Dense>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "mesh/error.hpp"
#include "mesh/shapes.hpp"
#include "scene/build.hpp"
#include "scene/material.hpp"
#include "scene/parse.hpp"

namespace rebound::test {
namespace {

using namespace rebound::scene;

World world_of(const std::string& body, const std::string& solver = "newton") {
  const std::string text = R"({"rebound": 1, "solver": {"type": ")" + solver + R"("}, "bodies": [)" + body + "]}";
  return load_world(parse_scene(text, "test.json", "."));
}

Description again(const World& world) { return parse_scene(to_text(world.description), "test.json", "."); }

std::string refusal(const std::string& body, const std::string& solver = "newton") {
  try {
    const World world = world_of(body, solver);
    build_model(world);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kBar =
    R"("mesh": {"box": {"size": [2, 1, 1], "divisions": [4, 2, 2]}}, "material": {"model": "stvk", "young": 1000, "density": 100})";
const std::string kRightHalf = R"("box": [[0, -1, -1], [1, 1, 1]])";

double energy_of(const World& world, const sim::Points& x) {
  sim::Workspace work(1);
  return build_model(world).energy(x, work);
}

TEST(Regions, HaveTheirOwnStiffnessAndDensity) {
  const World plain = world_of("{" + kBar + "}"),
              mixed = world_of("{" + kBar + R"(, "regions": [{)" + kRightHalf +
                               R"(, "material": {"young": 5000, "density": 300}}]})");
  EXPECT_DOUBLE_EQ(build_model(plain).M.sum(), 200);
  EXPECT_DOUBLE_EQ(build_model(mixed).M.sum(), 100 + 300);
  // Stretched as a whole, each half has the energy of its stiffness.
  sim::Points x = plain.bodies[0].rest;
  x.col(0) *= 1.1;
  EXPECT_NEAR(energy_of(mixed, x), (1 + 5) / 2.0 * energy_of(plain, x), 1e-9 * energy_of(mixed, x));
}

TEST(Regions, MayBeOfAnotherModel) {
  const World
      plain = world_of("{" + kBar + "}"),
      other = world_of(
          R"({"mesh": {"box": {"size": [2, 1, 1], "divisions": [4, 2, 2]}}, "material": {"model": "neo-hookean", "young": 1000, "density": 100}})"),
      mixed = world_of("{" + kBar + R"(, "regions": [{)" + kRightHalf + R"(, "material": {"model": "neo-hookean"}}]})");
  sim::Points x = plain.bodies[0].rest;
  x.col(0) *= 1.2;
  EXPECT_NEAR(energy_of(mixed, x), 0.5 * (energy_of(plain, x) + energy_of(other, x)), 1e-9);
  EXPECT_EQ(build_model(mixed).energies.size(), build_model(plain).energies.size() + 1);
}

TEST(Regions, TheLastOneCountsAndNumbersNameTetrahedra) {
  const World world =
      world_of("{" + kBar + R"(, "regions": [{)" + kRightHalf +
               R"(, "material": {"density": 500}}, {"elements": [0, 1, 2, 3, 4, 5], "material": {"density": 900}},
                                  {"box": [[-2, -2, -2], [2, 2, 2]], "material": {"density": 100}}]})");
  EXPECT_DOUBLE_EQ(build_model(world).M.sum(), 200);
}

// Five cells across: a shell as deep as one holds all but the 27 in the middle, wherever the body lies and
// is turned to.
TEST(Regions, AShellIsAsDeepAsItSays) {
  const std::string start =
      R"({"mesh": {"box": {"size": [1, 1, 1], "divisions": [5, 5, 5]}}, "material": {"model": "stvk", "density": 100},)"
      R"("transform": {"translate": [3, 4, 5], "rotate": {"axis": [1, 2, 3], "angle": 40}}, "regions": [{"shell": )";
  const std::string end = R"(, "material": {"density": 1100}}]})";
  EXPECT_NEAR(build_model(world_of(start + "0.199" + end)).M.sum(), 100 + 1000 * 98.0 / 125, 1e-9);
  EXPECT_NEAR(build_model(world_of(start + "1" + end)).M.sum(), 1100, 1e-9);
  const World world = world_of(start + "0.199" + end);
  EXPECT_EQ(again(world).bodies[0].regions, world.description.bodies[0].regions);
  EXPECT_NE(refusal(start + "1e-6" + end).find("/bodies/0/regions/0: holds no tetrahedron"), std::string::npos);
  EXPECT_NE(refusal(start + "0" + end).find("/bodies/0/regions/0/shell"), std::string::npos);
}

TEST(Regions, FollowTheBodysNumbersThatTheyDoNotName) {
  Body body = world_of("{" + kBar + R"(, "regions": [{)" + kRightHalf + R"(, "material": {"young": 5000}}]})")
                  .description.bodies[0];
  body.material.poisson = 0.1;
  EXPECT_DOUBLE_EQ(material_in(body.regions[0], body.material).poisson, 0.1);
  EXPECT_DOUBLE_EQ(material_in(body.regions[0], body.material).young, 5000);
}

TEST(Regions, AreWrittenAsTheyAreRead) {
  const World world = world_of(
      "{" + kBar + R"(, "regions": [{)" + kRightHalf +
      R"(, "material": {"model": "neo-hookean", "young": 5000}}, {"elements": [3], "material": {"density": 7}}]})");
  EXPECT_EQ(again(world).bodies[0].regions, world.description.bodies[0].regions);
  ASSERT_EQ(again(world).bodies[0].regions.size(), 2u);
}

/// A bar of two cells, of which the second has the label 3.
class LabelledFile : public testing::Test {
 protected:
  LabelledFile() {
    const mesh::TetMesh box = mesh::box({2, 1, 1}, {2, 1, 1});
    std::ofstream file(path_);
    file << "MeshVersionFormatted 2\nDimension 3\nVertices " << box.points.rows() << "\n";
    for (Eigen::Index v = 0; v < box.points.rows(); ++v) file << box.points.row(v) << " 0\n";
    file << "Tetrahedra " << box.tetrahedra.size() << "\n";
    for (std::size_t t = 0; t < box.tetrahedra.size(); ++t) {
      for (const int v : box.tetrahedra[t]) file << v + 1 << ' ';
      file << (t < box.tetrahedra.size() / 2 ? 1 : 3) << "\n";
    }
    file << "End\n";
  }
  ~LabelledFile() override { std::filesystem::remove(path_); }

  std::string body(int label) const {
    return R"({"mesh": {"file": ")" + path_.string() +
           R"("}, "material": {"model": "stvk", "density": 100}, "regions": [{"label": )" + std::to_string(label) +
           R"(, "material": {"density": 300}}]})";
  }
  const std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / ("labelled " + std::to_string(getpid()) + ".mesh");
};

TEST_F(LabelledFile, SaysWhatARegionIs) {
  const World world = world_of(body(3));
  EXPECT_DOUBLE_EQ(build_model(world).M.sum(), 100 + 300);
  EXPECT_EQ(again(world).bodies[0].regions, world.description.bodies[0].regions);
  EXPECT_NE(refusal(body(2)).find("/bodies/0/regions/0/label: no tetrahedron has the label 2; there are 1 and 3"),
            std::string::npos)
      << refusal(body(2));
}

TEST(Regions, AreRefusedByNameWhereTheyMakeNoSense) {
  const auto with = [](const std::string& region) { return "{" + kBar + R"(, "regions": [)" + region + "]}"; };
  EXPECT_NE(refusal(with(R"({"box": [[5, 5, 5], [6, 6, 6]], "material": {"young": 1}})"))
                .find("/bodies/0/regions/0: holds no tetrahedron"),
            std::string::npos);
  EXPECT_NE(refusal(with(R"({"elements": [100000], "material": {"young": 1}})"))
                .find("tetrahedron 100000 does not exist; the mesh has 0 to 95"),
            std::string::npos);
  EXPECT_NE(refusal(with(R"({"material": {"young": 1}})")).find("needs either 'box'"), std::string::npos);
  EXPECT_NE(refusal(with(R"({"label": 2, "material": {"young": 1}})"))
                .find("regions/0/label: this mesh gives its tetrahedra no labels"),
            std::string::npos);
  EXPECT_NE(refusal(with(R"({"label": 2, "elements": [1], "material": {"young": 1}})")).find("needs either 'box'"),
            std::string::npos);
  EXPECT_NE(refusal(with("{" + kRightHalf + R"(, "material": {"stiffness": 1}})"))
                .find("'stvk' has 'young' (Pa) and 'poisson' instead"),
            std::string::npos);
  EXPECT_NE(refusal(with("{" + kRightHalf + R"(, "material": {"young": -1}})")).find("/regions/0/material/young"),
            std::string::npos);
  EXPECT_NE(
      refusal(
          R"({"mesh": {"box": {}}, "regions": [{"box": [[-1, -1, -1], [1, 1, 1]], "material": {"model": "stvk"}}]})",
          "local-global")
          .find("solver 'local-global' does not take 'stvk'"),
      std::string::npos);
  EXPECT_NE(
      refusal(
          R"({"mesh": {"cloth": {}}, "regions": [{"box": [[-1, -1, -1], [1, 1, 1]], "material": {"stiffness": 5}}]})")
          .find("only bodies of tetrahedra have regions"),
      std::string::npos);
}

TEST(Starts, ATwistTurnsOneEndAgainstTheOther) {
  const World world = world_of("{" + kBar + R"(, "start": {"type": "twisted", "axis": [2, 0, 0], "angle": 90}})");
  const sim::Model model = build_model(world);
  const sim::Points rest = undeformed(world), x = starting_state(world, model).x;
  for (Eigen::Index v = 0; v < x.rows(); ++v) {
    const double angle = 0.5 * rest(v, 0) * std::numbers::pi / 2;
    EXPECT_NEAR(x(v, 0), rest(v, 0), 1e-12);
    EXPECT_NEAR(x(v, 1), std::cos(angle) * rest(v, 1) - std::sin(angle) * rest(v, 2), 1e-12);
    EXPECT_NEAR(x(v, 2), std::sin(angle) * rest(v, 1) + std::cos(angle) * rest(v, 2), 1e-12);
  }
  // With an end that is held, nothing begins pinched there.
  const World held = world_of(
      "{" + kBar +
      R"(, "fixed": {"box": [[-2, -2, -2], [-0.99, 2, 2]]}, "start": {"type": "twisted", "axis": [2, 0, 0], "angle": 90}})");
  const sim::Points turned = starting_state(held, build_model(held)).x;
  for (Eigen::Index v = 0; v < x.rows(); ++v) {
    const double angle = 0.5 * (rest(v, 0) + 1) * std::numbers::pi / 2;
    EXPECT_NEAR(turned(v, 1), std::cos(angle) * rest(v, 1) - std::sin(angle) * rest(v, 2), 1e-12);
    EXPECT_NEAR(turned(v, 2), std::sin(angle) * rest(v, 1) + std::cos(angle) * rest(v, 2), 1e-12);
  }
  EXPECT_NE(refusal("{" + kBar + R"(, "start": {"type": "twisted", "axis": [0, 0, 0]}})").find("has no length"),
            std::string::npos);
}

TEST(Starts, PositionsAreWhereTheVerticesBegin) {
  const std::string springs =
      R"({"mesh": {"vertices": [[0, 0, 0], [1, 0, 0]], "edges": [[0, 1]]}, "masses": [1, 1], "fixed": [0], "start": {"type": "positions", "positions": [[9, 9, 9], [0, 2, 0]]}})";
  const World world = world_of(springs);
  const sim::Points x = starting_state(world, build_model(world)).x;
  EXPECT_EQ(x.row(0), Eigen::RowVector3d(0, 0, 0)) << "it is fixed";
  EXPECT_EQ(x.row(1), Eigen::RowVector3d(0, 2, 0));
  EXPECT_EQ(again(world).bodies[0].start, world.description.bodies[0].start);
  EXPECT_NE(
      refusal(
          R"({"mesh": {"vertices": [[0, 0, 0], [1, 0, 0]], "edges": [[0, 1]]}, "masses": [1, 1], "start": {"type": "positions", "positions": [[0, 0, 0]]}})")
          .find("1 entries for 2 vertices"),
      std::string::npos);
  EXPECT_NE(
      refusal(R"({"mesh": {"box": {}}, "start": {"type": "positions", "positions": [[0, 0, 0]]}})").find("vertices"),
      std::string::npos);
}

}  // namespace
}  // namespace rebound::test
