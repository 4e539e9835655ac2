// Which bodies touch one another in a step, what else holds or touches them, and what obstacles push them with.
#pragma once

#include "sim/integrate/integrator.hpp"
#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {

/// Bodies that touch one another: most often one alone.
struct TouchingBodies {
  std::vector<BodyRange> bodies;
  std::vector<std::uint8_t> in_hand;  ///< of each, 1: vertices of it are fixed, or a hand has it
  bool free = true;                   ///< nothing else holds or touches any of them
  Vec3 pushed = Vec3::Zero();         ///< N, what obstacles do to them along their normals
  Vec3 carried = Vec3::Zero();        ///< m/s, how fast these obstacles go, along `pushed`
  /// Their motion that a step takes nothing of, as it begins and where it ends. Of free ones that is the best-fitting
  /// rigid one; of those that only obstacles touch what of v_cm goes along these, and with them.
  RigidMotion kept_before, kept;
};

class TouchingGroups {
 public:
  /// Of a step that has reached x, whose forces are these. The groups' motions are for others to find.
  void find(const StepInput& input, const StepForces& forces, const Points& x);

  /// A body or several each, or none.
  std::vector<TouchingBodies>& all() { return groups_; }
  const std::vector<TouchingBodies>& all() const { return groups_; }
  /// Does something touch something, at some time in the step? And where it ends?
  bool pressed() const { return pressed_; }
  bool pressed_at_end() const { return pressed_at_end_; }
  /// Does anything but contact and gravity act on a body?
  bool any_in_hand() const;
  /// N, by obstacles on a body, along their normals.
  const Vec3& push_on(std::size_t body) const { return pushes_[body]; }
  /// n x 3, N: the gradient of the step's own energies at x, where bodies touch by them.
  const Points& dE_of_terms() const { return dE_; }

 private:
  void hold_what_energies_push(const StepInput& input, const StepForces& forces, const Points& x);
  void find_pushes(const StepInput& input, const StepForces& forces, const Points& x);

  std::vector<TouchingBodies> groups_;
  std::vector<std::size_t> joined_;            ///< with which other body; the last one of such a row is its own
  std::vector<std::uint8_t> held_;             ///< 1: something but other bodies acts on it
  std::vector<std::uint8_t> in_hand_;          ///< 1: something but contact does
  std::vector<const Energy*> pushing_;         ///< those that may act on bodies as a whole, besides gravity
  std::vector<Vec3> pushes_;                   ///< N, of each body
  std::vector<double> powers_, group_powers_;  ///< W, what pushes do by going along themselves
  Points dE_;                                  ///< N, of what acts at the end of a step
  bool pressed_ = false, pressed_at_end_ = false;
};

}  // namespace rebound::sim
