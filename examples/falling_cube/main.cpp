// A soft cube falls onto the floor; ten times a second the program prints where it is and what energy it has.
#include <cstdio>

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "sim/stepper.hpp"

int main() try {
  using namespace rebound;
  scene::Description scene;  // gravity and time steps of 33 ms, if nothing else is said
  scene.timeStep = 0.01;     // s
  scene.bodies.push_back({.name = "cube", .mesh = scene::BoxMesh{}, .transform = {.translate = {0, 2, 0}}});
  scene.obstacles.push_back({.name = "floor", .shape = scene::PlaneShape{}});

  const scene::World world = scene::load_world(scene);
  sim::Model model = scene::build_model(world);
  sim::Workspace work(2);  // threads
  sim::Stepper stepper(model, work);
  sim::History history{.now = scene::starting_state(world, model)};
  sim::Ledger ledger = stepper.ledger(history.now, scene.timeStep);
  for (int frame = 1; frame <= 150; ++frame) {
    if (stepper.step(history, ledger, scene.timeStep).outcome != sim::Outcome::done) return 1;
    if (frame % 10 == 0)
      std::printf("%4.2f s: height %6.3f m, energy %8.2f J of %8.2f J\n", frame * scene.timeStep,
                  history.now.x.col(1).mean(), stepper.measured().total(), ledger.target());
  }
} catch (const rebound::InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
