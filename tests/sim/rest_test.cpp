// The energy of what lies or hangs still, by closed forms.
#include "sim/rest.hpp"

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace rebound::test {
namespace {

constexpr double kG = 9.81;

Model weight() {
  Model model = free_vertices(1);
  model.g = {0, -kG, 0};
  model.energies.push_back(std::make_unique<Gravity>(model.M, model.g));
  return model;
}

TEST(Rest, OfAWeightOnASpringIsItsStretch) {
  Model model = weight();
  model.attachments.items.push_back({BodyPoint::at_vertex(0), 250, Vec3::Zero()});
  Workspace work(1);
  const auto E = rest_energy(model, Points::Zero(1, 3), work);
  ASSERT_TRUE(E);
  EXPECT_NEAR(*E, -kG * kG / (2 * 250), 1e-9);
}

TEST(Rest, OfWhatFallsOnAFloorIsThere) {
  Model model = weight();
  Obstacle floor;
  floor.shape = Plane{};
  floor.stiffness = 1e4;
  model.obstacles.push_back(floor);
  model.colliders.push_back(BodyPoint::at_vertex(0));
  model.extent = 1;
  Points from = Points::Zero(1, 3);
  from(0, 1) = 3;
  Workspace work(1);
  const auto E = rest_energy(model, from, work);
  ASSERT_TRUE(E);
  EXPECT_NEAR(*E, -kG * kG / (2 * 1e4), 1e-6);
}

TEST(Rest, OfWhatFallsForEverIsNotFound) {
  Workspace work(1);
  EXPECT_FALSE(rest_energy(weight(), Points::Zero(1, 3), work));
}

TEST(Rest, LetsTheHandGoFirst) {
  Model model = weight();
  model.attachments.items.push_back({BodyPoint::at_vertex(0), 250, Vec3::Zero()});
  model.grabs.items.push_back({BodyPoint::at_vertex(0), 1e4, Vec3(1, 0, 0)});
  Workspace work(1);
  const auto E = rest_energy(model, Points::Zero(1, 3), work);
  ASSERT_TRUE(E);
  EXPECT_NEAR(*E, -kG * kG / (2 * 250), 1e-9);
}

}  // namespace
}  // namespace rebound::test
