// `rebound measure` on a small body: what the table says of methods whose faults are known.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "mesh/error.hpp"
#include "motion/kept.hpp"
#include "motion/measure.hpp"
#include "scene/material.hpp"
#include "scene/parse.hpp"

namespace rebound::test {
namespace {

class Memory final : public sim::FactorCache {
 public:
  std::vector<std::byte> find(const std::string& name) override { return kept[name]; }
  void keep(const std::string& name, std::span<const std::byte> bytes) override {
    kept[name] = {bytes.begin(), bytes.end()};
  }
  std::map<std::string, std::vector<std::byte>> kept;
};

scene::Description spinning_box() {
  return scene::parse_scene(R"({"rebound": 1, "name": "box", "gravity": [0, 0, 0],
    "bodies": [{"name": "box", "mesh": {"box": {"size": [1, 1, 1], "divisions": [3, 3, 3]}},
    "material": {"model": "arap", "young": 1e5, "density": 1000},
    "start": {"type": "stretched", "scale": [1.2, 1, 1]}, "angularVelocity": [0, 0, 6]}]})",
                            "box", ".");
}

std::vector<motion::Row> measured(const std::vector<std::string>& integrators, sim::FactorCache* cache,
                                  int starts = 1) {
  return motion::measure(spinning_box(), integrators, {.frames = 180, .starts = starts, .cache = cache},
                         {[](const std::string&, double) {}, [](const motion::Row&) {}});
}

TEST(Measure, TellsWhatDiesFromWhatMovesOn) {
  const auto rows = measured({"backward-euler", "rebound", "forward-euler"}, nullptr);
  const auto seen = [](const motion::Row& row) { return row.visible_kinetic / row.reference_visible_kinetic; };
  EXPECT_LT(seen(rows[0]), 0.2);
  EXPECT_NEAR(seen(rows[1]), 1, 0.05);
  EXPECT_LE(rows[1].bands.below_4, std::max(0.01, rows[1].reference_bands.below_4));
  EXPECT_LT(rows[1].path_error, 0.03);
  EXPECT_GT(rows[0].path_error, 0.1);
  EXPECT_LT(*rows[1].angular_momentum_error, 1e-10);
  EXPECT_GT(*rows[0].angular_momentum_error, 0.1);
  EXPECT_FALSE(rows[1].blew_up_at);
  ASSERT_TRUE(rows[2].blew_up_at);
  EXPECT_LE(*rows[2].blew_up_at, 180);
  for (const motion::Row& row : rows) EXPECT_LT(row.reference_path_error, 0.01);
}

TEST(Measure, AKeptReferenceGivesTheSameRowAndADamagedOneIsMadeAnew) {
  Memory cache;
  const auto first = measured({"bdf2"}, &cache);
  ASSERT_EQ(cache.kept.size(), 2);
  const auto again = measured({"bdf2"}, &cache);
  EXPECT_EQ(first[0].path_error, again[0].path_error);
  EXPECT_EQ(first[0].reference_visible_kinetic, again[0].reference_visible_kinetic);
  for (auto& [name, bytes] : cache.kept) {
    ASSERT_TRUE(motion::find(&cache, name)) << name;
    bytes[bytes.size() / 2] ^= std::byte{1};
    EXPECT_FALSE(motion::find(&cache, name)) << name;
    bytes.resize(bytes.size() / 2);
    EXPECT_FALSE(motion::find(&cache, name)) << name;
  }
  EXPECT_EQ(measured({"bdf2"}, &cache)[0].path_error, first[0].path_error);
}

TEST(Measure, ARunIsKeptUnderItsBodiesTooAndNotUnderTheNamesOfTheirFilesAlone) {
  const scene::World world = scene::load_world(spinning_box());
  scene::World other = world, torn = world;
  other.bodies[0].rest(0, 0) += 1e-9;
  std::get<std::vector<mesh::Tetrahedron>>(torn.bodies[0].elements).pop_back();
  EXPECT_EQ(motion::kept_name(world, 180), motion::kept_name(world, 180));
  for (const std::string& name :
       {motion::kept_name(other, 180), motion::kept_name(torn, 180), motion::kept_name(world, 90)})
    EXPECT_NE(motion::kept_name(world, 180), name);
}

TEST(Measure, OfSeveralStartsTheMean) {
  const auto row = measured({"bdf2"}, nullptr, 3)[0];
  scene::Description stiffer = spinning_box(), softer = stiffer;
  scene::scale_stiffness(stiffer, 1 + motion::kStiffnessStep);
  scene::scale_stiffness(softer, 1 - motion::kStiffnessStep);
  double path = 0, visible = 0, least = INFINITY, most = 0;
  for (const scene::Description& description : {softer, spinning_box(), stiffer}) {
    const auto one = motion::measure(description, {"bdf2"}, {.frames = 180},
                                     {[](const std::string&, double) {}, [](const motion::Row&) {}})[0];
    EXPECT_EQ(one.starts, 1);
    EXPECT_EQ(one.visible_least, one.visible_most);
    path += one.path_error / 3;
    visible += one.visible_kinetic / 3;
    least = std::min(least, one.visible_least);
    most = std::max(most, one.visible_most);
  }
  EXPECT_EQ(row.starts, 3);
  EXPECT_NEAR(row.path_error, path, 1e-12 * path);
  EXPECT_NEAR(row.visible_kinetic, visible, 1e-12 * visible);
  EXPECT_EQ(row.visible_least, least);
  EXPECT_EQ(row.visible_most, most);
  EXPECT_LT(least, most);
}

TEST(Measure, AReferenceIsASentence) {
  const motion::Reference reference = motion::parse_reference("newmark/8x30");
  EXPECT_EQ(reference.integrator, "newmark");
  EXPECT_EQ(reference.substeps, 8);
  EXPECT_EQ(reference.iterations, 30);
  for (const char* wrong : {"newmark", "newmark/8", "newmark/8x", "newmark/8x30x2", "newmark/0x30", "newmark/8x-1"})
    EXPECT_THROW(motion::parse_reference(wrong), InputError) << wrong;
}

TEST(Table, ColumnsHoldWhateverIsInThem) {
  motion::Row row;
  row.integrator = "energy-constrained";
  const std::string head = motion::table_head();
  EXPECT_EQ(motion::table_line(row).size(), head.size());
  row.path_error = row.worst_energy_error = 1.234e101;
  row.bands.below_4 = 12345.678;
  row.late_amplitude = 1e9;
  row.angular_momentum_error = 1e-12;
  row.blew_up_at = 123456;
  row.ms_per_step = 98765.4321;
  EXPECT_EQ(motion::table_line(row).size(), head.size()) << head << "\n" << motion::table_line(row);
}

}  // namespace
}  // namespace rebound::test
