#include <filesystem>
#include <map>

#include "bench/bodies.hpp"
#include "bench/interleave.hpp"
#include "bench/stiff_bodies.hpp"
#include "bench/suite.hpp"
#include "mesh/error.hpp"

namespace rebound::bench {
namespace {

using Names = std::vector<std::string>;

TEST(BenchNames, AreChosenWholeOrByWhatTheyBeginWith) {
  std::size_t small = 0;
  for (const BodyInfo& body : bodies()) small += !body.growth;
  ASSERT_LT(small, bodies().size());
  EXPECT_EQ(chosen({}).size(), 3 * small);
  EXPECT_EQ(chosen({"frame/"}).size(), small);
  EXPECT_EQ(chosen({"frame/thin"}), (Names{"frame/thin-250k", "frame/thin-500k"}));
  EXPECT_EQ(chosen({"frame/solid"}), Names{"frame/solid"}) << "and none that is larger";
  EXPECT_EQ(chosen({"frame/cl"}), Names{"frame/cloth"});
  EXPECT_EQ(chosen({"frame/bunny"}), Names{"frame/bunny"}) << "and not frame/bunny-slide";
  EXPECT_EQ(chosen({"frame/bunny-"}), Names{"frame/bunny-slide"});
  EXPECT_EQ(chosen({"local"}).size(), small);
  EXPECT_EQ(chosen({"newton"}).size(), small - 1) << "a cloth has no rubber";
  EXPECT_EQ(chosen({"assembly/cactus"}), Names{"assembly/cactus"});
  EXPECT_EQ(chosen({"global/cube", "global/cu"}), Names{"global/cube"});
  EXPECT_EQ(chosen({"siere"}).size(), stiff_bodies().size());
  EXPECT_EQ(chosen({"siere/honey"}), (Names{"siere/honeycomb", "siere/honeycomb-stiff"}));
  EXPECT_EQ(chosen({"siere/honeycomb"}), Names{"siere/honeycomb"});
  try {
    chosen({"nothing of the kind"});
    FAIL();
  } catch (const InputError& error) {
    for (const char* word : {"nothing of the kind", "global/BODY", "bunny-slide", "solid", "siere/BODY", "moebius"})
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word;
  }
  try {
    chosen({"frame/bunnny"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'frame/bunny'"), std::string::npos) << error.what();
  }
}

TEST(BenchMeshes, AFolderWithoutThePapersBodiesIsRefused) {
  const std::filesystem::path empty = std::filesystem::path(testing::TempDir()) / "no bodies";
  std::filesystem::create_directories(empty);
  for (const auto& folder : {empty, empty / "not there"}) try {
      require_bodies_in(folder);
      FAIL() << folder;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(folder.string()), std::string::npos) << error.what();
    }
}

// What stands for a body of the paper has its size, within 5 %.
TEST(BenchMeshes, BodiesHaveThePapersSizes) {
  const std::map<std::string_view, std::pair<double, double>> sizes{
      {"ball", {1018, 4637}},   {"cuboid", {1245, 4624}},  {"honeycomb", {3642, 9850}}, {"moebius", {5829, 16857}},
      {"rope", {12791, 47279}}, {"tower", {16027, 69271}}, {"tree", {24533, 79217}},    {"bridge", {30133, 99455}}};
  for (const StiffBody& body : stiff_bodies()) {
    const scene::World world = stiff_world(body, {}, {});
    const auto [vertices, elements] = sizes.at(body.name.substr(0, body.name.find("-stiff")));
    EXPECT_NEAR(world.bodies[0].vertices(), vertices, 0.05 * vertices) << body.name;
    EXPECT_NEAR(static_cast<double>(world.bodies[0].element_count()), elements, 0.05 * elements) << body.name;
  }
}

TEST(BenchMeshes, TheStifferRowsOfThePapersTableAreAHundredTimesAsStiff) {
  const auto young = [](std::string_view name) {
    const auto body = std::ranges::find(stiff_bodies(), name, &StiffBody::name);
    const scene::World world = stiff_world(*body, {}, {});
    const scene::Body& solid = world.description.bodies[0];
    std::vector<double> values{solid.material.young};
    for (const scene::MaterialRegion& region : solid.regions) values.push_back(region.numbers.at("young"));
    return values;
  };
  for (const auto& [name, peak] : {std::pair("ball", 1e8), std::pair("honeycomb", 1e8), std::pair("moebius", 1e8)}) {
    const std::vector<double> soft = young(name), stiff = young(std::string(name) + "-stiff");
    EXPECT_NEAR(*std::ranges::max_element(soft), peak, 1e-6 * peak) << name;
    ASSERT_EQ(stiff.size(), soft.size());
    for (std::size_t i = 0; i < soft.size(); ++i) EXPECT_NEAR(stiff[i], 100 * soft[i], 1e-6 * stiff[i]) << name;
  }
}

TEST(BenchTimes, KnowTheirMedianAndMaximum) {
  Times odd;
  for (const double ms : {5.0, 1.0, 9.0}) odd.add(ms);
  EXPECT_EQ(odd.median(), 5);
  EXPECT_EQ(odd.max(), 9);
  Times even;
  for (const double ms : {5.0, 1.0, 9.0, 7.0}) even.add(ms);
  EXPECT_EQ(even.median(), 6);
}

TEST(BenchTimes, AreTakenInTurnAndOftenEnough) {
  std::string order;
  const auto slow = [&](char who) {
    return [&order, who] {
      order += who;
      return 400.0;
    };
  };
  const Interleaved times = interleave({slow('a'), slow('b')}, slow('r'));
  const std::string round = std::string(10, 'a') + std::string(10, 'b') + 'r';
  EXPECT_EQ(order, round + round + round);
  EXPECT_EQ(times.ours[1].count(), 30);
  EXPECT_EQ(times.reference.count(), 3);
  // Quick ones go on for 0.3 s, and do not wait for a reference that has had its second.
  order.clear();
  const Interleaved quick = interleave({[] { return 1.0; }}, [] { return 200.0; });
  EXPECT_EQ(quick.ours[0].count(), 300);
  EXPECT_EQ(quick.reference.count(), 5);
  EXPECT_EQ(interleave({[] { return 1.0; }}, {}).reference.count(), 0);
}

}  // namespace
}  // namespace rebound::bench
