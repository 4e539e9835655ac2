#include <gtest/gtest.h>

#include "app/messages.hpp"

namespace rebound::test {
namespace {

TEST(Messages, WhoClicksIsToldOfNoFile) {
  const std::string file = "/home/me/a scene.json";
  EXPECT_EQ(app::without_place(file + ": /obstacles/1/meets: integrator 'rebound' keeps no constraints; set x", file),
            "Integrator 'rebound' keeps no constraints; set x");
  EXPECT_EQ(app::without_place(file + ": no such mesh", file), "No such mesh");
  EXPECT_EQ(app::without_place("'b' is pinned in part", file), "'b' is pinned in part");
  EXPECT_EQ(app::without_place("/other.json: /bodies: none", file), "/other.json: /bodies: none");
  EXPECT_EQ(app::without_place("there is no vertex 9", {}), "there is no vertex 9");
}

}  // namespace
}  // namespace rebound::test
