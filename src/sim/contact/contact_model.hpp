// How a step meets obstacles and other bodies. A contact model is begun before each step, when it puts into the model
// what acts in that step: Model::contacts, springs that every solver takes, or Model::step_energies, whose links come
// and go and whose Energy::largest_step bounds a line search. It keeps what one step has to know of the one before.
#pragma once

#include "sim/contact/body_contacts.hpp"
#include "sim/contact/friction.hpp"
#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

/// What the next step has to know of the last one.
struct ContactMemory {
  std::vector<Contact> contacts;  ///< of the last step, in the model since
  BodyContactMemory bodies;
};

class ContactModel {
 public:
  virtual ~ContactModel() = default;

  /// Finds what may meet in a step of h seconds from history.now, and puts it into the model. arm: Scheme::moment_arm()
  /// of the step, 0 for one that solves nothing.
  virtual void begin_step(Model& model, const History& history, double h, double arm, Workers& workers) = 0;
  /// The step that was begun has not happened: this and the model are as they were.
  virtual void abandon_step(Model& model) = 0;
  /// The step that was begun has gone from `now` to `next`; friction: that of Model::contacts, after the solve. Returns
  /// what friction within the solve took, J.
  virtual double end_step(Model& model, const State& now, const State& next, const FrictionWork& friction) = 0;

  /// What follows is not the motion that was; of contacts between bodies there are none.
  virtual void forget(Model& model) = 0;
  /// Model::body_contact or Model::contact_bodies is not what it was; the other arguments as for begin_step().
  virtual void law_changed(Model& model, const History& history, double h, double arm, Workers& workers) = 0;

  virtual ContactMemory memory(const Model& model) const = 0;
  virtual void recall(const ContactMemory& memory, Model& model) = 0;
};

}  // namespace rebound::sim
