// Repulsion springs [Dinev18 Sec. 4.3] at obstacles (detect.hpp) and between bodies (body_contacts.hpp), found anew for
// every step. Their springs hold energy that was nowhere before: it is there for as long as bodies sink in, and is not
// booked. Friction acts after the solve (friction.hpp).
//
// Obstacles and bodies that ask for it meet by energies of the third power instead (cubic_contacts.hpp), and those are
// booked in the same way: they are in H, what comes in with a body or an obstacle is not booked, what moving obstacles
// do is theirs, and friction is dissipated.
#pragma once

#include <optional>

#include "sim/contact/contact_model.hpp"
#include "sim/contact/cubic_contacts.hpp"

namespace rebound::sim {

class PenaltyContacts final : public ContactModel {
 public:
  ContactStart begin_step(Model& model, const History& history, double h, double arm, Workspace& work) override;
  void abandon_step(Model& model) override;
  void rub(double impulse, double h, const Points& x, Points& v, ConstraintFriction& rubbed) override;
  double end_step(Model& model, const State& now, const State& next, const FrictionWork& friction) override;
  void forget(Model& model) override;
  void law_changed(Model& model, const History& history, double h, double arm, Workspace& work) override;
  ContactMemory memory(const Model& model) const override;
  void recall(const ContactMemory& memory, Model& model) override;
  void model_replaced() override { cubic_.reset(); }

 private:
  /// There while bodies may meet by springs.
  std::optional<BodyContactSearch>& search_of(const Model& model);
  /// Puts energies of the third power into the model, or takes them out.
  void place_cubic(Model& model, const State& now, double h, Workers& workers);

  std::shared_ptr<const CubicContacts> cubic_;  ///< in the model; null: none
  std::optional<BodyContactSearch> search_;
  BodyContactLaw law_;         ///< that the search is for
  BodyContactMemory before_;   ///< of the search, when the step was begun
  std::vector<Contact> last_;  ///< of the step before the one that was begun
  bool begun_ = false;         ///< a step, of which nobody knows yet whether it happens
};

}  // namespace rebound::sim
