// Contacts by a barrier (barrier.hpp), with friction within the solve (sliding.hpp): a step begins where nothing
// crosses, no line search goes through anything, and where it ends is looked at once more. Of obstacles and bodies
// alike.
//
// kappa is chosen when it is first wanted, so that a barrier at half of its distance is 60 times as stiff as what it
// holds: the masses of the surface over h^2, and the bodies' own stiffness there. Where it was as stiff as that, an
// impact of 4 m/s at 1/120 s took Newton 200 iterations, from 20 to 200 times about ten. It rises where gaps come near
// the rounding of coordinates and still shrink, by two, up to a hundred times [Li20 Supplement 2.2]. What that does to
// E the ledger books as the guard's.
#pragma once

#include "sim/contact/contact_model.hpp"
#include "sim/contact/crossing_search.hpp"
#include "sim/contact/sliding.hpp"

namespace rebound::sim {

class BarrierContacts final : public ContactModel {
 public:
  ContactStart begin_step(Model& model, const History& history, double h, double arm, Workspace& work) override;
  void abandon_step(Model& model) override;
  double end_step(Model& model, const State& now, const State& next, const FrictionWork& friction) override;
  std::optional<Crossing> crossing(const Model& model, const Points& x, Workspace& work) override;
  void forget(Model& model) override;
  void law_changed(Model& model, const History& history, double h, double arm, Workspace& work) override;
  void model_replaced() override;
  ContactMemory memory(const Model& model) const override;
  void recall(const ContactMemory& memory, Model& model) override;

 private:
  /// Makes surface and barrier what the model asks for.
  void prepare(const Model& model, double h, Workers& workers);
  /// What a solve that has given up could not get past.
  std::optional<Crossing> nearest_pair(const Points& x) const;

  const Model* model_ = nullptr;  ///< whose surface it is
  BodyContactLaw law_;
  std::shared_ptr<const ContactSurface> surface_;
  std::shared_ptr<Barrier> barrier_;
  std::optional<CrossingSearch> crossings_;  ///< of the surface
  BarrierMemory memory_, before_;
  std::optional<TooWide> too_wide_;  ///< of the surface and the law that there are
  Points free_;                      ///< where nothing crosses, as is known
  Points p_;
};

/// kappa, J/m^2, that a step of h seconds wants at that distance.
double barrier_stiffness(const Model& model, const ContactSurface& surface, double distance, double h);

}  // namespace rebound::sim
