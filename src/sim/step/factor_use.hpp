// How far one factor of a Hessian serves a solve. A direction by a factor of another place costs a fifth of one of
// Newton's own, and leaves c times the error; so the solve goes on with it while each leaves little, and while it would
// be at its end before it has cost as much as a factor.
#pragma once

#include <optional>

#include "sim/step/minimizer.hpp"

namespace rebound::sim {

class FactorUse {
 public:
  /// Of few iterations each is to be as good as it can be, and of few vertices a factor costs next to nothing.
  static bool pays(const SolveEffort& effort, Eigen::Index vertices);

  /// A factor of an earlier step is there to begin with.
  void begin_carried();
  /// One was made, where the last direction was `length` m long: its first direction is Newton's own.
  void made(double length);
  /// Its directions are for another function than the one that is there now, or one of them was cut.
  void stop() { goes_on_ = false; }
  /// May a direction by the factor be good, after one of `length` m?
  bool may_serve(double length) const;
  /// Is one of `size` m good, after one of `length` m (0: there was none)? enough: the size of the last one, m. If not,
  /// the factor has served.
  bool takes(double size, double length, bool in_contact, double enough);

  /// What the first direction by an earlier step's factor leaves, only the second tells.
  bool knows_what_is_left() const { return !carried_ || contraction_.has_value(); }
  bool began_carried() const { return began_carried_; }
  /// An earlier step's was there, and did not do.
  bool carried_was_of_no_use() const;

 private:
  bool goes_on_ = false;        ///< another direction by it may be of use
  bool carried_ = false;        ///< it is of an earlier step
  bool newest_ = false;         ///< its only direction is Newton's own, where it was made
  bool was_of_no_use_ = false;  ///< an earlier one of this solve, for a second direction
  double length_before_ = 0;    ///< of Newton's own direction before the last, m; 0: by another factor
  bool began_carried_ = false;
  bool made_new_ = false;
  std::optional<double> contraction_ = {};  ///< of the carried one: its last direction over the one before
};

}  // namespace rebound::sim
