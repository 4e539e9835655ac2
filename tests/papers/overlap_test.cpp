// How far bodies are inside one another, of cubes whose overlap is known.
#include <gtest/gtest.h>

#include "papers/overlap.hpp"
#include "scene/build.hpp"
#include "scene/parse.hpp"
#include "session/session.hpp"

namespace rebound::test {
namespace {

/// Of two cubes of 1 m whose centres are so far apart along x.
double overlap_of(double distance, const std::string& contact) {
  const std::string text = R"({"rebound": 1, "contact": )" + contact + R"(, "bodies": [
      {"mesh": {"box": {"divisions": [4, 4, 4]}},
       "repeat": {"counts": [2, 1, 1], "spacing": [)" +
                           std::to_string(distance) + R"(, 1, 1]}}]})";
  const session::Session session(scene::load_world(scene::parse_scene(text, "two cubes", {})), 1);
  return papers::Overlap(session.model(), 1).deepest(session.model(), session.state().x);
}

TEST(Overlap, OfTwoCubesIsTheirDepth) {
  EXPECT_NEAR(overlap_of(0.9, R"({"bodies": true})"), 0.1, 1e-12);
  EXPECT_NEAR(overlap_of(0.99, R"({"bodies": true})"), 0.01, 1e-12);
  EXPECT_EQ(overlap_of(1.01, R"({"bodies": true})"), 0);
}

TEST(Overlap, OfWhatDoesNotMeetIsNone) { EXPECT_EQ(overlap_of(0.9, R"({"bodies": false})"), 0); }

// The tets of a lattice reach beyond the surface that hangs in it, where nothing is to be seen.
TEST(Overlap, OfALatticeIsThatOfItsSurface) {
  const auto scene = [](double x, double y, double z) {
    return R"({"rebound": 1, "contact": {"bodies": true}, "bodies": [
      {"mesh": {"file": ")" REBOUND_SOURCE_DIR R"(/assets/meshes/bunny.obj",
                "tetrahedralize": {"method": "lattice", "tets": 2000}}},
      {"mesh": {"box": {"size": [0.02, 0.02, 0.02], "divisions": [1, 1, 1]}}, "transform": {"translate": [)" +
           std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "]}}]}";
  };
  const auto open = [](const std::string& text) {
    return session::Session(scene::load_world(scene::parse_scene(text, "a bunny and a cube", {})), 1);
  };
  const session::Session far = open(scene(0, 9, 0));
  const mesh::Points surface = far.surface(0);
  Eigen::Index top = 0;
  const double highest = surface.col(1).maxCoeff(&top);
  const double reaches = far.state().x.topRows(far.world().bodies[0].rest.rows()).col(1).maxCoeff();
  ASSERT_GT(reaches, highest + 0.005);
  for (const double gap : {0.002, -0.002}) {
    const session::Session near = open(scene(surface(top, 0), highest + 0.01 + gap, surface(top, 2)));
    const double found = papers::Overlap(near.model(), 1).deepest(near.model(), near.state().x);
    EXPECT_NEAR(found, gap < 0 ? 0.002 : 0, 0.002) << gap;
    EXPECT_EQ(found > 0, gap < 0) << gap;
  }
}

}  // namespace
}  // namespace rebound::test
