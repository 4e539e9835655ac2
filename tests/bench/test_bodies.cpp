#include "bench/bodies.hpp"
#include "bench/surfaces.hpp"
#include "mesh/error.hpp"
#include "mesh/geometry.hpp"

namespace rebound::bench {
namespace {

/// Every edge of a closed surface is met once in each direction.
bool closed(const mesh::Surface& surface) {
  std::map<std::array<int, 2>, int> met;
  for (const auto& t : surface.triangles)
    for (int k = 0; k < 3; ++k) ++met[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, times] : met)
    if (times != 1 || !met.contains({edge[1], edge[0]})) return false;
  return true;
}

TEST(BenchSurfaces, ABoxHasTheVerticesAndTheVolumeThatItShould) {
  const mesh::Surface box = box_surface({2, 3, 5}, {2, 3, 4});
  EXPECT_EQ(box.points.rows(), 2 * (2 * 3 + 3 * 4 + 4 * 2) + 2);
  EXPECT_EQ(box.triangles.size(), 4u * (2 * 3 + 3 * 4 + 4 * 2));
  EXPECT_TRUE(closed(box));
  EXPECT_NEAR(mesh::signed_volume(box), 30, 1e-12);
}

TEST(BenchSurfaces, AnAnimalIsClosedAndFacesOutwards) {
  const mesh::Surface animal = animal_surface({9, 10, 11}, 4, 0.05);
  EXPECT_EQ(animal.points.rows(), 2 * (9 * 10 + 10 * 11 + 11 * 9) + 2);
  EXPECT_TRUE(closed(animal));
  EXPECT_GT(mesh::signed_volume(animal), 0);
}

TEST(BenchBodies, AreOfTheSizesInTheTable) {
  for (const BodyInfo& body : bodies()) {
    const scene::World world = swinging_world(body, {});
    const auto& geometry = world.bodies[0];
    EXPECT_NEAR(geometry.vertices(), body.vertices, 0.02 * body.vertices) << body.name;
    const auto elements = static_cast<double>(geometry.element_count());
    EXPECT_NEAR(elements, body.elements, 0.02 * body.elements) << body.name;
    EXPECT_EQ(geometry.is_solid(), !body.springs) << body.name;
    for (const auto& tet : geometry.tetrahedra()) ASSERT_GT(mesh::tet_volume(geometry.rest, tet), 0) << body.name;
  }
}

// What TetGen has made once is taken from the folder of caches, to the last bit.
TEST(BenchBodies, AreFilledOnceAndKept) {
  const auto folder = std::filesystem::temp_directory_path() / ("bodies-" + std::to_string(getpid()));
  const char* usual = std::getenv("XDG_CACHE_HOME");
  const std::string before = usual != nullptr ? usual : "";
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  const auto& bar = bodies()[0];
  const scene::World made = swinging_world(bar, {});
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder / "rebound")) files.push_back(file.path());
  const scene::World kept = swinging_world(bar, {});
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(made.bodies[0].rest, kept.bodies[0].rest);
  EXPECT_TRUE(std::ranges::equal(made.bodies[0].tetrahedra(), kept.bodies[0].tetrahedra()));
  std::filesystem::resize_file(files[0], 100);
  EXPECT_EQ(swinging_world(bar, {}).bodies[0].rest, made.bodies[0].rest) << "a damaged one is made anew";
  if (usual != nullptr)
    setenv("XDG_CACHE_HOME", before.c_str(), 1);
  else
    unsetenv("XDG_CACHE_HOME");
  std::filesystem::remove_all(folder);
}

TEST(BenchBodies, TakeSettingsButNoOtherMesh) {
  const BodyInfo& bar = bodies()[0];
  const scene::World world = swinging_world(bar, {"/bodies/0/material/young=7e4", "/timeStep=0.01"});
  EXPECT_EQ(world.description.bodies[0].material.young, 7e4);
  EXPECT_EQ(world.description.timeStep, 0.01);
  EXPECT_THROW(swinging_world(bar, {R"(/bodies/0/mesh={"sphere": {}})"}), InputError);
  EXPECT_THROW(swinging_world(bar, {"/bodies/0/material/young=-1"}), InputError);
}

TEST(BenchBodies, TakeASeedForARandomStart) {
  const std::vector<std::string> random{R"(/bodies/0/start={"type": "randomized", "seed": 3})"};
  const auto start = [&](std::optional<std::uint64_t> seed) {
    const scene::World world = swinging_world(bodies()[0], random, seed);
    return sim::Points(scene::starting_state(world, scene::build_model(world)).x);
  };
  EXPECT_TRUE(start({}) == start(3));
  EXPECT_FALSE(start({}) == start(4));
}

}  // namespace
}  // namespace rebound::bench
