#include "cli/loading.hpp"

#include <algorithm>
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
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (!std::holds_alternative<scene::BoxRegion>(world.description.bodies[b].fixed)) continue;
    const auto fixed = scene::fixed_by_scene(world, b);
    if (std::none_of(fixed.begin(), fixed.end(), [](std::uint8_t is) { return is != 0; }))
      std::fprintf(stderr, "note: /bodies/%zu/fixed: the box holds no vertex of the body at the start\n", b);
  }
  return world;
}

}  // namespace rebound::cli
