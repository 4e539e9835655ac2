// A soft cube falls onto the floor; every tenth of a second the program prints where it is and what energy it has.
#include <cstdio>

#include "mesh/error.hpp"
#include "session/session.hpp"

int main() try {
  using namespace rebound;
  scene::Description scene;
  scene.timeStep = 0.01;  // s
  scene::Body cube;
  cube.mesh = scene::BoxMesh{{0.5, 0.5, 0.5}, {4, 4, 4}};
  cube.transform.translate = {0, 1, 0};
  scene.bodies.push_back(cube);
  scene.obstacles.push_back({"floor", scene::PlaneShape{}});

  session::Session session(scene::load_world(scene), 1);
  for (int frame = 0; frame <= 100; ++frame) {
    if (frame % 10 == 0)
      std::printf("%4.2f s   height %6.3f m   energy %8.3f J\n", session.record().time,
                  session.state().x.col(1).mean(), session.record().measured.total());
    if (!session.step()) throw InputError(session.failure());
  }
} catch (const rebound::InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
