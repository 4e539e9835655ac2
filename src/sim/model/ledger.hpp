// The energy that should be there: H_total = H_initial + H_added - H_diss [Dinev18 Eq. 37], with the cause of each
// entry. The session writes it, integrators read it.
#pragma once

#include <array>

#include "sim/model/measure.hpp"

namespace rebound::sim {

/// A running sum that keeps the digits a plain one would lose over millions of frames (Neumaier).
class Sum {
 public:
  void add(double term);
  double value() const { return sum_ + correction_; }

 private:
  double sum_ = 0, correction_ = 0;
};

/// Why energy came in. All may be negative. wish: the target was asked to change, and nothing else did.
enum class Added { user, motion, edit, guard, wish, wind };
inline constexpr int kAddedCauses = 6;
/// Where energy went. Never negative. unresolved: given up, as motion that a step of this length cannot show.
enum class Dissipated { damping, friction, unresolved };
inline constexpr int kDissipatedCauses = 3;

class Ledger {
 public:
  Ledger() = default;
  /// floor: the scale below which an energy error is never resolved, J, > 0.
  Ledger(const Measurement& start, double floor);

  void add(Added cause, double joules) { added_[static_cast<int>(cause)].add(joules); }
  void dissipate(Dissipated cause, double joules) { dissipated_[static_cast<int>(cause)].add(joules); }
  /// Tells the ledger what the world looks like after a frame.
  void observe(const Measurement& m);

  double initial() const { return initial_; }
  double added(Added cause) const { return added_[static_cast<int>(cause)].value(); }
  double dissipated(Dissipated cause) const { return dissipated_[static_cast<int>(cause)].value(); }
  double added() const;
  double dissipated() const;
  /// H_total, J.
  double target() const;

  /// What an energy error is measured against, J. Eq. 24 takes H_total, which depends on where height zero is and may
  /// be 0 or negative; we take the target's height above the lowest gravity potential seen: with no gravity H_total
  /// itself.
  double scale() const;
  /// All that was ever put in, what was dissipated since included, J: the scale of a world that was never damped. It
  /// does not fall where a method makes energy and damping takes it.
  double undamped_scale() const;

 private:
  double initial_ = 0, lowest_gravity_ = 0, floor_ = 0;
  std::array<Sum, kAddedCauses> added_;
  std::array<Sum, kDissipatedCauses> dissipated_;
};

}  // namespace rebound::sim
