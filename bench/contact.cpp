// What contacts cost: frames of a body that lies on the floor, beside frames of the same body falling freely, in turn.
// The body of `rebound bench` that is named (cactus: 17,000 tetrahedra), with `stabilized` on two threads.
//   rebound_bench_contact [BODY [FRICTION SHARE]]
#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "bench/bodies.hpp"
#include "bench/interleave.hpp"
#include "session/session.hpp"

namespace rebound::session {
namespace {

constexpr int kSettling = 150;  // frames
constexpr int kMeasured = 300;

scene::World world_of(const std::string& body) {
  for (const bench::BodyInfo& info : bench::bodies())
    if (info.name == body)
      return bench::swinging_world(
          info, {"/gravity=[0,-2,0]", "/damping={\"type\":\"rigid-preserving\",\"coefficient\":0.1}"});
  throw std::runtime_error("no body is called " + body);
}

/// A floor that the body rests on with a share of its surface: as soft as it takes to sink in that far.
scene::Obstacle soft_floor(const scene::World& world, double share) {
  std::vector<double> heights;
  const auto& points = world.bodies[0].surface.points;
  for (Eigen::Index i = 0; i < points.rows(); ++i) heights.push_back(points(i, 1));
  std::sort(heights.begin(), heights.end());
  const auto count = static_cast<std::size_t>(share * static_cast<double>(heights.size()));
  double depths = 0;
  for (std::size_t i = 0; i < count; ++i) depths += heights[count] - heights[i];
  const sim::Model model = scene::build_model(world);
  scene::Obstacle floor;
  floor.shape = scene::PlaneShape{{0, 1, 0}, heights[count]};
  floor.stiffness = model.M.sum() * model.g.norm() / depths;
  return floor;
}

std::unique_ptr<Session> above(const scene::World& world, const scene::Obstacle& floor) {
  scene::World copy = world;
  copy.description.bodies[0].angularVelocity = {0, 0, 0};
  copy.description.bodies[0].start = {};
  copy.description.obstacles.push_back(floor);
  return std::make_unique<Session>(std::move(copy), 2);
}

void advance(Session& session) {
  if (!session.step()) throw std::runtime_error(session.failure());
}

void compare(const scene::World& world, double share, double friction) {
  scene::Obstacle floor = soft_floor(world, share);
  floor.friction = friction;
  const auto lying = above(world, floor);
  std::get<scene::PlaneShape>(floor.shape).offset -= 1e5;
  const auto falling = above(world, floor);
  for (int frame = 0; frame < kSettling; ++frame) {
    advance(*lying);
    advance(*falling);
  }
  bench::Times with, without;
  double contacts = 0, pressed = 0, iterations = 0;
  for (int frame = 0; frame < kMeasured; ++frame) {
    advance(*lying);
    advance(*falling);
    with.add(lying->record().step_ms);
    without.add(falling->record().step_ms);
    iterations += (lying->record().iterations - falling->record().iterations) / double{kMeasured};
    contacts += static_cast<double>(lying->contacts().size()) / kMeasured;
    for (const sim::Contact& c : lying->contacts()) pressed += (c.height(lying->state().x) < 0) / double{kMeasured};
  }
  const auto points = static_cast<double>(world.bodies[0].surface.points.rows());
  std::printf("%8.2f %10.0f %8.1f %10.0f %8.1f %12.2f %12.2f %8.2f %12.2f %12.1f\n", friction, contacts,
              100 * contacts / points, pressed, 100 * pressed / points, without.median(), with.median(),
              with.median() / without.median(), with.max(), iterations);
  std::fflush(stdout);
}

}  // namespace
}  // namespace rebound::session

int main(int count, char** arguments) {
  using namespace rebound::session;
  const rebound::scene::World world = world_of(count > 1 ? arguments[1] : "cactus");
  std::printf("%8s %10s %8s %10s %8s %12s %12s %8s %12s %12s\n", "friction", "contacts", "percent", "pressed",
              "percent", "without, ms", "with, ms", "ratio", "slowest, ms", "more solves");
  if (count > 3) return compare(world, std::stod(arguments[3]), std::stod(arguments[2])), 0;
  for (const double friction : {0.0, 0.8})
    for (const double share : {0.01, 0.035, 0.044, 0.1}) compare(world, share, friction);
}
