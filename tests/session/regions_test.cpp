// Regions of a body that are set while it moves: as if the scene had them, taken back, recorded, and seen.
#include <gtest/gtest.h>

#include "mesh/error.hpp"
#include "session/region_show.hpp"
#include "session/timeline.hpp"
#include "sim/model/measure.hpp"
#include "support/runs.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

/// Stiffer where x > 0.2, in the world at the start.
scene::MaterialRegion stiff_side() {
  return {scene::BoxRegion{{0.2, -9, -9}, {9, 9, 9}}, {}, {{"young", 1e6}, {"poisson", 0.3}}};
}
/// The same, told by numbers.
scene::MaterialRegion stiff_side(const Session& s) {
  const scene::BodyGeometry& geometry = s.world().bodies[0];
  const sim::Points x = scene::undeformed(s.world());
  std::vector<int> inside;
  for (std::size_t t = 0; t < geometry.tetrahedra().size(); ++t) {
    double middle = 0;
    for (const int v : geometry.tetrahedra()[t]) middle += 0.25 * x(v, 0);
    if (middle > 0.2) inside.push_back(static_cast<int>(t));
  }
  scene::MaterialRegion region = stiff_side();
  region.elements = inside;
  return region;
}

TEST(Regions, SetBeforeTheFirstFrameTheyAreThoseOfAScene) {
  auto d = spinning_cube(4, 2e4);
  d.bodies[0].start = scene::StretchedStart{{1.2, 0.9, 0.95}};
  Session set = open(d);
  set.apply(SetRegions{0, {stiff_side(set)}});
  d.bodies[0].regions = {stiff_side()};
  Session as_scene = open(d);
  d.bodies[0].regions.clear();
  Session plain = open(d);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(set.step());
    ASSERT_TRUE(as_scene.step());
    ASSERT_TRUE(plain.step());
  }
  EXPECT_EQ(set.state().x, as_scene.state().x);
  EXPECT_NE(set.state().x, plain.state().x);
}

TEST(Regions, AreAsHeavyAsTheySay) {
  Session s = open(spinning_cube(4));
  const double mass = s.model().M.sum();
  scene::MaterialRegion everything = stiff_side();
  everything.elements = scene::BoxRegion{{-9, -9, -9}, {9, 9, 9}};
  everything.numbers["density"] = 3 * s.description().bodies[0].material.density;
  s.apply(SetRegions{0, {everything}});
  EXPECT_NEAR(s.model().M.sum(), 3 * mass, 1e-12 * mass);
  s.apply(SetRegions{0, {}});
  EXPECT_NEAR(s.model().M.sum(), mass, 1e-12 * mass);
}

TEST(Regions, WhatTheyDoToTheEnergyIsBookedAsAnEdit) {
  auto d = spinning_cube(4, 2e4);
  d.bodies[0].start = scene::StretchedStart{{1.2, 0.9, 0.95}};
  Session s = open(d);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(s.step());
  const sim::Points x = s.state().x;
  sim::Workspace work{1};
  const double before = sim::measure(s.model(), s.state(), work).total();
  s.apply(SetRegions{0, {stiff_side(s)}});
  EXPECT_EQ(s.state().x, x) << "nothing jumps";
  const double more = sim::measure(s.model(), s.state(), work).total() - before;
  EXPECT_GT(more, 1);
  EXPECT_NEAR(s.record().added[static_cast<std::size_t>(sim::Added::edit)], more, 1e-9 * before);
}

TEST(Regions, WhatCannotBeIsRefusedInALine) {
  Session s = open(spinning_cube(2));
  const auto of = [](std::vector<int> elements, double young) {
    return SetRegions{0, {{std::move(elements), {}, {{"young", young}}}}};
  };
  EXPECT_EQ(refusal(s, of({0, 40}, 1e6)),
            "/bodies/0/regions/0/elements: tetrahedron 40 does not exist; the mesh has 0 to 39");
  EXPECT_EQ(refusal(s, of({}, 1e6)).find("/bodies/0/regions/0: holds no tetrahedron"), 0u);
  EXPECT_EQ(refusal(s, of({1}, -1)).find("/bodies/0/regions/0/material/young: -1 is not within"), 0u);
  EXPECT_NE(refusal(s, SetRegions{0, {{std::vector<int>{1}, "stvk", {}}}}).find("does not take 'stvk'"),
            std::string::npos);
  EXPECT_TRUE(s.description().bodies[0].regions.empty());
  EXPECT_TRUE(s.step());
  Session cloth = open(hanging_cloth(4, 50));
  EXPECT_EQ(refusal(cloth, of({1}, 1e6)), "/bodies/0/regions: only soft bodies of tetrahedra have regions");
}

// A block of 4 x 4 x 4 cells; what its outer cells and what its inner ones are made of.
TEST(Regions, AreSeenWhereTheyComeToTheSurfaceAndMarkedWhereTheyDoNot) {
  auto d = spinning_cube(4);
  d.bodies[0].transform.rotate = {};
  Session plain = open(d);
  EXPECT_EQ(regions_of(plain), nullptr);
  const sim::Points x = scene::undeformed(plain.world());
  const sim::Vec3 low = x.colwise().minCoeff(), high = x.colwise().maxCoeff(), cell = (high - low) / 4;
  const auto corner = [](const sim::Vec3& v) { return scene::Vec3{v[0], v[1], v[2]}; };
  scene::MaterialRegion outer = stiff_side(), inner = stiff_side();
  outer.elements = scene::BoxRegion{corner(low), corner({low[0] + 1.01 * cell[0], high[1], high[2]})};
  inner.elements = scene::BoxRegion{corner(low + 0.99 * cell + sim::Vec3(cell[0], 0, 0)), corner(high - 0.99 * cell)};
  d.bodies[0].regions = {outer, inner};
  Session s = open(d);
  const auto seen = regions_of(s);
  ASSERT_TRUE(seen);
  const SeenRegions& body = seen->at(0);
  ASSERT_EQ(body.tetrahedra.size(), 3u);
  const int all = static_cast<int>(s.world().bodies[0].tetrahedra().size());
  EXPECT_EQ(body.tetrahedra[0] + body.tetrahedra[1] + body.tetrahedra[2], all);
  EXPECT_EQ(4 * body.tetrahedra[1], all) << "one layer of four";

  const mesh::Points surface = s.surface(0, x);
  for (Eigen::Index i = 0; i < surface.rows(); ++i) {
    const auto& [region, share] = body.surface[static_cast<std::size_t>(i)];
    const int layer = static_cast<int>(std::lround((surface(i, 0) - low[0]) / cell[0]));
    EXPECT_EQ(region, layer <= 1 ? 1 : 0) << i;
    if (layer == 1) {
      EXPECT_TRUE(share > 0 && share < 1) << "half of what surrounds it is not of the region: " << share;
    } else {
      EXPECT_EQ(share, layer == 0 ? 1 : 0) << i;
    }
  }

  EXPECT_EQ(static_cast<int>(body.inner.size()), body.tetrahedra[2]);
  std::vector<InnerPlace> places;
  find_inner_places(s, *seen, s.state().x, places);
  ASSERT_EQ(places.size(), body.inner.size());
  ASSERT_FALSE(places.empty());
  for (const InnerPlace& place : places) {
    EXPECT_EQ(place.region, 2);
    EXPECT_TRUE((place.at.array() > (low + cell).array()).all() && (place.at.array() < (high - cell).array()).all());
  }
}

// Set, edited, taken back; then the file gives the same bytes.
TEST(Regions, ARunWithThemIsReplayed) {
  Timeline timeline(std::make_unique<Session>(scene::load_world(spinning_cube(3, 2e4)), 1));
  const auto post = [&](Command c) { timeline.apply(Event(Addressed{kAllPanes, std::move(c)})); };
  const auto go_on = [&] {
    for (int i = 0; i < 3; ++i) timeline.step();
  };
  go_on();
  SetRegions set{0, {stiff_side(timeline.ensemble().first())}};
  post(set);
  go_on();
  set.regions[0].numbers["young"] = 5e6;
  post(set);
  set.regions.push_back({std::vector<int>{0, 1, 2}, {}, {{"poisson", 0.2}}});
  post(set);
  go_on();
  timeline.apply(Event(Undo{}));
  EXPECT_EQ(timeline.ensemble().first().description().bodies[0].regions.size(), 1u);
  go_on();
  const auto file = std::filesystem::path(testing::TempDir()) / "regions.run";
  timeline.journal().write(file);
  const Journal journal = Journal::read(file);
  Ensemble again(std::make_unique<Session>(scene::load_world(journal.scene()), 1));
  for (std::size_t next = 0;;) {
    ASSERT_EQ(divergence(journal, again), "");
    for (; next < journal.entries().size() && journal.entries()[next].frame == again.frame(); ++next)
      again.apply(journal.entries()[next].event);
    if (again.frame() == journal.last()) break;
    again.step();
  }
  EXPECT_EQ(again.first().description().bodies[0].regions, timeline.ensemble().first().description().bodies[0].regions);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace rebound::test
