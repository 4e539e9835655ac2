#include "session/commands/hand.hpp"

#include <algorithm>

#include "mesh/error.hpp"
#include "scene/ranges.hpp"
#include "session/session_editor.hpp"

namespace rebound::session {

std::unique_ptr<Preparation> Traits<Grab>::prepare(const Session& session, const Grab& grab) {
  (void)body_point(session, grab.point);
  if (!grab.target.allFinite()) throw InputError("grab: the hand is nowhere; give it a place");
  scene::checked("grab.strength", grab.strength, "grab");
  scene::checked("grab.radius", grab.radius, "grab");
  return nullptr;
}

void Traits<Grab>::apply(SessionEditor& editor, const Grab& grab) {
  // What stands still cannot be pulled at: its energy is that of the step that failed.
  if (!editor.session().failure().empty()) return;
  const sim::Model& model = editor.session().model();
  const auto [first, count] = model.bodies[static_cast<std::size_t>(grab.point.body)];
  // k = (2 pi 2 Hz)^2 m: the body swings about twice a second on the hand, whatever it weighs.
  const double k = 158 * grab.strength * model.M.segment(first, count).sum();
  editor.take_hold(hold(editor.session(), grab.point, grab.radius, k, grab.target));
  Traits<MoveGrab>::apply(editor, MoveGrab{grab.target});
}

void Traits<MoveGrab>::apply(SessionEditor& editor, const MoveGrab& move) {
  const Session& session = editor.session();
  const auto& grab = session.grab();
  if (!grab || !move.target.allFinite() || !session.failure().empty()) return;
  // A hand can be flung out of the window: its reach is ten body sizes, its pull a hundred body weights.
  const sim::Model& model = session.model();
  const sim::Vec3 at = grab->springs.front().point.of(session.state().x);
  const double reach = std::min(10 * model.extent, 100 * 9.81 * model.M.sum() / grab->stiffness());
  const sim::Vec3 pull = move.target - at;
  editor.move_hand(pull.norm() > reach ? sim::Vec3(at + pull * (reach / pull.norm())) : move.target);
}

void Traits<Release>::apply(SessionEditor& editor, const Release&) { editor.let_go(); }

}  // namespace rebound::session
