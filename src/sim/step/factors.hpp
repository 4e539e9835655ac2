// What a solver keeps from step to step: factors, made ahead where they take long, and what is known of contacts.
#pragma once

#include <atomic>
#include <memory>
#include <span>

#include "sim/contact/contact_response.hpp"
#include "sim/model/model.hpp"
#include "sim/step/analysis.hpp"

namespace rebound::sim {

/// Factors that a solver will want, made apart from it.
class Factoring {
 public:
  virtual ~Factoring() = default;
  /// Any thread, while the solver goes on. Ends early, with nothing of use, once *cancel is true (it may be null).
  /// cache: where large factors may be found, and are kept otherwise; may be null.
  virtual void run(Workers& workers, const std::atomic<bool>* cancel, FactorCache* cache) = 0;
};

/// What the last digits of a solve depend on besides the model, for solvers that remember: a world that is put back to
/// where it was must round as it did then.
struct RoundingState {
  std::vector<std::uint8_t> factored;  ///< the fixed vertices that the factors have
  bool single = false;                 ///< solved in single precision
  /// What is linked in the pattern of Newton's Hessian beside its elements, as contacts come or came.
  std::vector<std::pair<int, int>> links = {};
  bool operator==(const RoundingState&) const = default;
};

class Factors {
 public:
  virtual ~Factors() = default;

  /// Model::grabs is not what it was.
  virtual void grabs_changed(Workers& workers) = 0;
  /// Model::fixed is not what it was. Where that takes other factors, the next step makes them.
  virtual void pins_changed(Workers& workers) = 0;
  /// Model::g is not what it was. Masses and all other energies must be: a model with others needs another solver.
  virtual void gravity_changed() = 0;

  /// What steps would have to factor first, with these factors of L (s^2) and if the model's pins were those of `next`,
  /// which may differ in nothing else; null if nothing. Cheap; it keeps a copy of `next`.
  virtual std::unique_ptr<Factoring> missing(const Model& next, std::span<const double> coefficients) const = 0;
  /// Takes over what missing() returned, when it has run. The model must have the pins that it was made for; grabs may
  /// have come and gone. What is not needed any more is left in `made`.
  virtual void adopt(Factoring& made, Workers& workers) = 0;
  /// Memory ran out while it was changing: lets go of all that it can make again, so that what is left is whole. Takes
  /// no memory.
  virtual void let_go() {}
  /// What it knows about the pattern, for the next solver of the same elements.
  virtual Analysis analysis() const = 0;
  /// Non-zeros of the factors so far, for reports.
  virtual double nonzeros() const = 0;

  virtual RoundingState rounding_state() const { return {}; }
  /// The model's pins, grabs and gravity are others, and solves have to round as those of a solver with this state.
  /// Factors that it did not have are made when a step wants them.
  virtual void restore_rounding(const RoundingState&, Workers&) {}

  /// How the bodies answer at Model::contacts in steps with this factor of L (s^2); null if that cannot be factored, or
  /// if this solver knows nothing of contacts. Valid until the model changes.
  virtual ContactResponse* contact_response(double, Workers&) { return nullptr; }
  /// What is known about contacts, on which the rounding of later solves depends; to be put back by recall().
  virtual ContactKnowledge contact_knowledge() const { return {}; }
  virtual void recall(const ContactKnowledge&) {}
};

}  // namespace rebound::sim
