#include "cli/loading.hpp"

#include <cstdio>

#include "cli/progress_bar.hpp"

namespace rebound::cli {

scene::World load_world(scene::Description description, const Interruption& interruption) {
  ProgressBar bar;
  scene::World world =
      scene::load_world(std::move(description),
                        {[&](const std::string& stage, double share) { bar.show(share, stage); }, interruption.flag()});
  bar.clear();
  for (const auto& body : world.bodies)
    for (const auto& note : body.notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  return world;
}

}  // namespace rebound::cli
