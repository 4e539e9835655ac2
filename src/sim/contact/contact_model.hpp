// How a step meets obstacles and other bodies. A contact model is begun before each step, when it puts into the model
// what acts in that step: Model::contacts, springs that every solver takes, or Model::step_energies, whose links come
// and go and whose Energy::largest_step bounds a line search. It keeps what one step has to know of the one before.
#pragma once

#include "sim/contact/body_contacts.hpp"
#include "sim/contact/crossing.hpp"
#include "sim/contact/friction.hpp"
#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

struct ConstraintFriction;

/// Of a barrier.
struct BarrierMemory {
  double stiffness = 0, first = 0;  ///< kappa, J/m^2, and what it was chosen as; 0: not yet
  double gap = 0;                   ///< m, the smallest when the last step ended
  double wanted = 0;                ///< kappa of the next step, where it has to rise; 0: as it is
  bool counted = false;             ///< B is part of the energy that was measured last
};

/// What the next step has to know of the last one.
struct ContactMemory {
  std::vector<Contact> contacts;  ///< of the last step, in the model since
  BodyContactMemory bodies;
  BarrierMemory barrier{};
};

/// A body whose parts are nearer to each other at rest than a barrier between them begins.
struct TooWide {
  int body;
  double gap;       ///< m, at rest
  double distance;  ///< m, of the barrier
};

/// How the beginning of a step went.
struct ContactStart {
  std::optional<TooWide> too_wide;   ///< the step cannot be made
  std::optional<Crossing> crossing;  ///< surfaces that may not, do: the step cannot be made
  double stiffened = 0;              ///< J: what E(x_n) has more than after the step before, by another stiffness
};

class ContactModel {
 public:
  virtual ~ContactModel() = default;

  /// Finds what may meet in a step of h seconds from history.now, and puts it into the model. arm: Scheme::moment_arm()
  /// of the step, 0 for one that solves nothing.
  virtual ContactStart begin_step(Model& model, const History& history, double h, double arm, Workspace& work) = 0;
  /// The step that was begun has not happened: this and the model are as they were.
  virtual void abandon_step(Model& model) = 0;
  /// Friction after the solve by Model::step_energies that have no losses for it: changes v, which was reached together
  /// with x, and adds to `rubbed`. impulse: s, of a force that acts at x, what it has added to m v.
  virtual void rub(double /*impulse*/, double /*h*/, const Points& /*x*/, Points& /*v*/, ConstraintFriction&) {}
  /// The step that was begun has gone from `now` to `next`; friction: that of Model::contacts, after the solve. Returns
  /// what friction within the solve took, J.
  virtual double end_step(Model& model, const State& now, const State& next, const FrictionWork& friction) = 0;

  /// What may not cross and does at x, where a step has ended.
  virtual std::optional<Crossing> crossing(const Model&, const Points& /*x*/, Workspace&) { return std::nullopt; }

  /// What follows is not the motion that was; of contacts between bodies there are none.
  virtual void forget(Model& model) = 0;
  /// Model::body_contact or Model::contact_bodies is not what it was; the other arguments as for begin_step().
  virtual void law_changed(Model& model, const History& history, double h, double arm, Workspace& work) = 0;
  /// From now on it is another model's, of the same vertices.
  virtual void model_replaced() {}

  virtual ContactMemory memory(const Model& model) const = 0;
  virtual void recall(const ContactMemory& memory, Model& model) = 0;
};

/// The kind that the model's law asks for.
std::unique_ptr<ContactModel> make_contact_model(const Model& model);

}  // namespace rebound::sim
