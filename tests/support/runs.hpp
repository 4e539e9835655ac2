// A run with some of everything in it, for what records, replays and rewinds.
#pragma once

#include "session/ensemble.hpp"
#include "support/worlds.hpp"

namespace rebound::test {

inline scene::Description eventful_scene(int divisions = 3) {
  auto d = spinning_cube(divisions, 1e5);
  d.gravity = {0, -1, 0};
  d.bodies[0].angularVelocity = {0, 5, 0};
  d.bodies[0].attachments.push_back({std::vector<int>{0}, 1e3, {{0, {0, 0, 0}}, {0.5, {0, 0.1, 0}}}});
  d.bodies[0].traces = {{3, {0}}};
  d.damping.coefficient = 0.01;
  return d;
}

/// What happens before a frame of it; after frame 24 nothing more does.
inline std::vector<session::Event> eventful(std::int64_t frame) {
  using namespace rebound::session;
  const auto all = [](Command command) { return Event(Addressed{kAllPanes, std::move(command)}); };
  switch (frame) {
    case 2:
      return {all(Grab{{0, 6}, {0.9, 0.5, 0.5}, 1}), AddPane{0, "backward-euler"}};
    case 5:
      return {all(MoveGrab{{0.9, 0.8125, 0.5}})};
    case 6:
      return {all(Pin{{{0, 1}, {0, 2}}}), Event(Addressed{1, SetSubsteps{2}})};
    case 9:
      return {AddPane{1, "bdf2"}, all(MoveGrab{{0.9, 0.9, 0.5}}), Undo{}};
    case 12:
      return {all(Release{}), Redo{}};
    case 15:
      return {Event(Addressed{0, SetIntegrator{"newmark"}}), RemovePane{1}, all(UnpinAll{})};
    case 17:
      return {Undo{}, Undo{}, all(SetGravity{{0, -3, 0}})};
    case 20:
      return {all(Reset{})};
    case 22:
      return {Event(Addressed{2, SetTimeStep{0.02}})};
    default:
      return {};
  }
}

}  // namespace rebound::test
