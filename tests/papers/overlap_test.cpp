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

}  // namespace
}  // namespace rebound::test
