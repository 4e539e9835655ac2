// How the minimum of a step's objective is found. One interface for local/global and Newton, so that every implicit
// integrator runs on both.
#pragma once

#include <atomic>
#include <functional>
#include <span>

#include "sim/step/analysis.hpp"
#include "sim/contact/contact_response.hpp"
#include "sim/step/objective.hpp"

namespace rebound::sim {

enum class Outcome { done, not_finite, ran_away, factor_failed, damping_failed };

struct SolveReport {
  Outcome outcome = Outcome::done;
  int iterations = 0;
};

/// Asked before each correction with x and E(x), for schemes that evaluate E at x itself; true ends the solve. A solver
/// that goes on to convergence asks once, before the first.
using StopRule = std::function<bool(const Points& x, double E)>;

/// E along a line, for searches on it.
class EnergyLine {
 public:
  virtual ~EnergyLine() = default;
  /// The line x(alpha) = (1 - alpha) from + alpha to. Both must stay until the next call. E_from: E(from), J; an
  /// evaluation of less than full precision is shifted to meet it.
  virtual void prepare(const Points& from, const Points& to, double E_from, Workspace& work) = 0;
  /// E(x(alpha)), J, 0 <= alpha <= 1.
  virtual double value(double alpha, Workspace& work) = 0;
};

/// Evaluates the energy itself.
class ExactLine final : public EnergyLine {
 public:
  explicit ExactLine(const Model& model) : model_(model) {}
  void prepare(const Points& from, const Points& to, double, Workspace&) override {
    from_ = &from;
    to_ = &to;
  }
  double value(double alpha, Workspace& work) override {
    x_.noalias() = *from_ + alpha * (*to_ - *from_);
    return model_.energy(x_, work);
  }

 private:
  const Model& model_;
  const Points *from_ = nullptr, *to_ = nullptr;
  Points x_;
};

/// Factors that a minimizer will want, made apart from it.
class Factoring {
 public:
  virtual ~Factoring() = default;
  /// Any thread, while the minimizer goes on. Ends early, with nothing of use, once *cancel is true (it may be null).
  /// cache: where large factors may be found, and are kept otherwise; may be null.
  virtual void run(Workers& workers, const std::atomic<bool>* cancel, FactorCache* cache) = 0;
};

/// What the last digits of a solve depend on besides the model, for solvers that remember: a world that is put back to
/// where it was must round as it did then.
struct RoundingState {
  std::vector<std::uint8_t> factored;  ///< the fixed vertices that the factors have
  bool single = false;                 ///< solved in single precision
  bool operator==(const RoundingState&) const = default;
};

class Minimizer {
 public:
  virtual ~Minimizer() = default;

  /// Improves x until it no longer changes, `stop` says so, or `iterations` corrections are made. If the outcome is not
  /// `done`, x is of no use.
  virtual SolveReport minimize(const StepObjective& g, int iterations, const StopRule& stop, Points& x) = 0;

  /// Fewer iterations for the same result, if this solver has a way; the result of one iteration is the same.
  virtual void set_acceleration(bool) {}
  /// Model::grabs is not what it was.
  virtual void grabs_changed(Workers& workers) = 0;
  /// Model::fixed is not what it was. Where that takes other factors, the next step makes them.
  virtual void pins_changed(Workers& workers) = 0;
  /// Model::g is not what it was. Masses and all other energies must be: a model with others needs another minimizer.
  virtual void gravity_changed() = 0;

  /// What steps would have to factor first, with these factors of L (s^2) and if the model's pins were those of `next`,
  /// which may differ in nothing else; null if nothing. Cheap; it keeps a copy of `next`.
  virtual std::unique_ptr<Factoring> missing(const Model& next, std::span<const double> coefficients) const = 0;
  /// Takes over what missing() returned, when it has run. The model must have the pins that it was made for; grabs may
  /// have come and gone. What is not needed any more is left in `made`.
  virtual void adopt(Factoring& made, Workers& workers) = 0;
  /// What it knows about the pattern, for the next minimizer of the same elements.
  virtual Analysis analysis() const = 0;

  virtual RoundingState rounding_state() const { return {}; }
  /// The model's pins, grabs and gravity are others, and solves have to round as those of a minimizer with this
  /// rounding_state. Factors that it did not have are made when a step wants them.
  virtual void restore_rounding(const RoundingState&, Workers&) {}

  /// How the bodies answer at Model::contacts in steps with this factor of L (s^2); null if that cannot be factored, or
  /// if this solver knows nothing of contacts. Valid until the model changes.
  virtual ContactResponse* contact_response(double, Workers&) { return nullptr; }
  /// What is known about contacts, on which the rounding of later solves depends; to be put back by recall().
  virtual ContactKnowledge contact_knowledge() const { return {}; }
  virtual void recall(const ContactKnowledge&) {}
  /// E along a line, as cheaply as this solver can. Valid until the model changes.
  virtual EnergyLine& line() = 0;
  /// Non-zeros of the factors so far, for reports.
  virtual double nonzeros() const = 0;
};

/// Below this share of x a correction is not resolved in double precision.
inline constexpr double kNegligible = 1e-16;
/// Is a correction d to x as small as that?
bool negligible(const Points& d, const Points& x);

}  // namespace rebound::sim
