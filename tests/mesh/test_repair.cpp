#include <cmath>

#include "mesh/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/inspect.hpp"
#include "mesh/repair.hpp"
#include "mesh/surfaces.hpp"

namespace rebound::mesh {
namespace {

bool notes_say(const Repaired& repaired, const std::string& words) {
  for (const auto& note : repaired.notes)
    if (note.find(words) != std::string::npos) return true;
  return false;
}

/// Loaded vertices lie where their repaired ones do.
void expect_in_place(const Surface& loaded, const Repaired& repaired, double tolerance) {
  ASSERT_EQ(std::ssize(repaired.vertex_of), loaded.points.rows());
  for (std::size_t i = 0; i < repaired.vertex_of.size(); ++i) {
    if (repaired.vertex_of[i] < 0) continue;
    const auto moved =
        repaired.surface.points.row(repaired.vertex_of[i]) - loaded.points.row(static_cast<Eigen::Index>(i));
    EXPECT_LE(moved.norm(), tolerance);
  }
}

TEST(Repair, LeavesAGoodSurfaceAlone) {
  const Surface ball = icosphere(1, 2);
  const Repaired repaired = repair(ball);
  EXPECT_TRUE(repaired.notes.empty()) << repaired.notes[0];
  EXPECT_EQ(repaired.surface.triangles, ball.triangles);
  EXPECT_TRUE(repaired.surface.points == ball.points);
}

TEST(Repair, ClosesAHoleToWhatWasThere) {
  Surface ball = icosphere(1, 3);
  const double whole = signed_volume(ball);
  ball.triangles.erase(ball.triangles.begin() + 100);
  const Repaired one = repair(ball);
  EXPECT_TRUE(topology_of(one.surface).closed());
  EXPECT_NEAR(signed_volume(one.surface), whole, 1e-12) << "a missing triangle comes back";
  EXPECT_TRUE(notes_say(one, "1 hole closed (3 boundary edges"));
  EXPECT_EQ(one.triangle_of.back(), -1);

  // A polar cap becomes a flat lid: the volume below it is known.
  const double height = 0.9;
  Surface cap = cut_sphere(1, 5, height);
  const Repaired lid = repair(cap);
  const Topology topology = topology_of(lid.surface);
  EXPECT_TRUE(topology.closed() && topology.manifold() && topology.oriented());
  const double cut_off = M_PI * std::pow(1 - height, 2) * (3 - (1 - height)) / 3;
  EXPECT_NEAR(signed_volume(lid.surface), signed_volume(icosphere(1, 5)) - cut_off, 0.2 * cut_off)
      << "the rim is as jagged as the triangles";
  expect_in_place(cap, lid, 0);
}

TEST(Repair, LeavesWideOpeningsOpen) {
  const Repaired half = repair(cut_sphere(1, 3, 0));
  EXPECT_FALSE(topology_of(half.surface).closed());
  EXPECT_TRUE(notes_say(half, "1 opening left open"));
  EXPECT_FALSE(topology_of(repair(grid_surface(1, 3)).surface).closed());
}

TEST(Repair, WeldsWhatLiesInOnePlace) {
  for (const int kind : {14, 15}) {
    const Surface loose = odd_surface(kind, 1);
    const Repaired repaired = repair(loose);
    EXPECT_EQ(repaired.surface.points.rows(), 162) << odd_name(kind);
    EXPECT_TRUE(topology_of(repaired.surface).closed()) << odd_name(kind);
    EXPECT_TRUE(notes_say(repaired, "welded"));
    expect_in_place(loose, repaired, 1e-7 * bounding_box(loose).diagonal().norm());
  }
  EXPECT_FALSE(notes_say(repair(odd_surface(21, 1)), "welded")) << "what is apart stays apart";
}

TEST(Repair, TurnsEverythingOutwards) {
  const double volume = signed_volume(odd_surface(8, 1));
  ASSERT_LT(volume, 0);
  const Repaired turned = repair(odd_surface(8, 1));
  EXPECT_NEAR(signed_volume(turned.surface), -volume, 1e-12);
  EXPECT_TRUE(notes_say(turned, "1 part was inside out"));
  const Repaired mixed = repair(odd_surface(7, 1));
  EXPECT_TRUE(topology_of(mixed.surface).oriented());
  EXPECT_GT(signed_volume(mixed.surface), 0);
  EXPECT_TRUE(notes_say(mixed, "turned round to agree"));
}

TEST(Repair, TellsCavitiesFromPartsWithin) {
  const Surface outer = icosphere(1, 2);
  Surface inner = icosphere(0.5, 2);
  const double v_outer = signed_volume(outer), v_inner = signed_volume(inner);
  EXPECT_NEAR(signed_volume(repair(together(outer, inner)).surface), v_outer + v_inner, 1e-12);
  turn_all(inner);
  const Repaired hollow = repair(together(outer, inner));
  EXPECT_NEAR(signed_volume(hollow.surface), v_outer - v_inner, 1e-12);
  EXPECT_TRUE(notes_say(hollow, "1 cavity"));
  // The same body, all of it inside out.
  Surface all = together(outer, inner);
  turn_all(all);
  EXPECT_NEAR(signed_volume(repair(all).surface), v_outer - v_inner, 1e-12);
}

TEST(Repair, DropsWhatSaysNothing) {
  const Repaired doubled = repair(odd_surface(5, 1));
  EXPECT_EQ(doubled.surface.triangles.size(), 320u);
  EXPECT_TRUE(notes_say(doubled, "stood twice"));
  const Repaired flat = repair(odd_surface(22, 1));
  EXPECT_EQ(flat.surface.triangles.size(), 320u);
  EXPECT_TRUE(notes_say(flat, "10 triangles without area"));
  Surface loose = icosphere(1, 1);
  loose.points.conservativeResize(50, 3);
  loose.points.bottomRows(8).setConstant(100);
  const Repaired unused = repair(loose);
  EXPECT_EQ(unused.surface.points.rows(), 42);
  EXPECT_EQ(unused.vertex_of[49], -1);
  EXPECT_TRUE(notes_say(unused, "8 vertices of no triangle"));
}

TEST(Repair, RefusesWhatHasNoArea) {
  Surface line;
  line.points.resize(3, 3);
  line.points << 0, 0, 0, 1, 1, 1, 2, 2, 2;
  line.triangles = {{0, 1, 2}};
  EXPECT_THROW(repair(line), MeshError);
  EXPECT_THROW(repair(Surface{}), MeshError);
  line.points(2, 0) = NAN;
  EXPECT_THROW(repair(line), MeshError);
  line.triangles = {{0, 1, 3}};
  EXPECT_NE(message_of<MeshError>([&] { repair(line); }).find("vertex 4, which does not exist"), std::string::npos);
}

}  // namespace
}  // namespace rebound::mesh
