// What commands are made of: each of these changes one thing of a session, checks nothing, and books nothing but the
// work of the hand. Session::apply() alone has one, and does around it what all commands need.
#pragma once

#include "session/session.hpp"

namespace rebound::session {

class SessionEditor {
 public:
  const Session& session() const { return session_; }

  void take_hold(Hold hold);
  /// While something is held: to there, m.
  void move_hand(const sim::Vec3& target);
  void let_go();

  /// A vertex each: is it fixed? What those that are had of motion is gone.
  void set_pins(std::vector<std::uint8_t> fixed);

  void set_integrator(const std::string& id);
  /// To the energy that there is, where that is off by more than the tolerance and has not run away.
  void rebase_target();
  /// To what it was before it was rebased.
  void restore_target();
  void set_damping(const scene::Damping& damping);
  /// The next step looks back on nothing.
  void forget_state_before();
  /// In whole time steps from now on.
  void count_time_from_here();

  void set_gravity(const sim::Vec3& g);
  /// To what the description will say. Takes effect when all else has: it needs what is prepared.
  void contact_law_changes();

  /// Before the one that is at `index`; it is met in the next step.
  void insert_obstacle(int index, const scene::Obstacle& obstacle);
  void remove_obstacle(int index);
  /// Another one; contacts with the one that was there are gone.
  void replace_obstacle(int index, const scene::Obstacle& obstacle);
  /// Of the contacts that there are as well. k_c in N/m, k_f.
  void set_obstacle_springs(int index, double stiffness, double friction);
  /// From the next step on it follows a hand to where the description says.
  void lead_obstacle(int index);

  /// Bodies that cross, to where they do not; those that cannot be are left where they are.
  void push_apart();

  void restart();

 private:
  friend class Session;
  explicit SessionEditor(Session& session) : session_(session) {}
  /// When the description says what is set: puts in place what was prepared, which may be null.
  void finish(Preparation* made);
  void lose_contacts_with(int obstacle);

  Session& session_;
  bool pins_changed_ = false, contact_law_changed_ = false;
};

}  // namespace rebound::session
