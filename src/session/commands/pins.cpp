#include "session/commands/pins.hpp"

#include "mesh/error.hpp"
#include "session/session_editor.hpp"

namespace rebound::session {
namespace {

/// A vertex each: is it fixed?
using Fixed = std::vector<std::uint8_t>;

Fixed with(const Session& session, const std::vector<SurfacePoint>& points, std::uint8_t value) {
  Fixed fixed = session.model().fixed;
  for (const int v : carriers(session, points)) fixed[static_cast<std::size_t>(v)] = value;
  return fixed;
}

Fixed none(const Session& session) { return Fixed(session.model().fixed.size(), 0); }

Fixed only(const Session& session, const std::vector<int>& vertices) {
  Fixed fixed = none(session);
  for (const int v : vertices) {
    if (v < 0 || v >= session.model().vertices())
      throw InputError("there is no vertex " + std::to_string(v) + " to be pinned");
    fixed[static_cast<std::size_t>(v)] = 1;
  }
  return fixed;
}

}  // namespace

std::optional<Command> pins_of(const Session& session) {
  const Fixed& fixed = session.model().fixed;
  SetPins pins;
  for (std::size_t v = 0; v < fixed.size(); ++v)
    if (fixed[v]) pins.vertices.push_back(static_cast<int>(v));
  return pins;
}

std::unique_ptr<Preparation> Traits<Pin>::prepare(const Session& session, const Pin& pin) {
  return Preparation::of_pins(session, with(session, pin.points, 1));
}
void Traits<Pin>::apply(SessionEditor& editor, const Pin& pin) {
  editor.set_pins(with(editor.session(), pin.points, 1));
}

std::unique_ptr<Preparation> Traits<Unpin>::prepare(const Session& session, const Unpin& unpin) {
  return Preparation::of_pins(session, with(session, unpin.points, 0));
}
void Traits<Unpin>::apply(SessionEditor& editor, const Unpin& unpin) {
  editor.set_pins(with(editor.session(), unpin.points, 0));
}

std::unique_ptr<Preparation> Traits<UnpinAll>::prepare(const Session& session, const UnpinAll&) {
  return Preparation::of_pins(session, none(session));
}
void Traits<UnpinAll>::apply(SessionEditor& editor, const UnpinAll&) { editor.set_pins(none(editor.session())); }

std::unique_ptr<Preparation> Traits<SetPins>::prepare(const Session& session, const SetPins& set) {
  return Preparation::of_pins(session, only(session, set.vertices));
}
void Traits<SetPins>::apply(SessionEditor& editor, const SetPins& set) {
  editor.set_pins(only(editor.session(), set.vertices));
}

}  // namespace rebound::session
