#include "sim/step/factor_use.hpp"

#include <cmath>

namespace rebound::sim {
namespace {

// A solve by one factor is to end after so many directions: one of Newton's costs about as much.
constexpr int kMostByOne = 6;
// Each is to leave no more than such a share of the error: less where contacts act, as there the next may
// well leave more.
constexpr double kMayLeave = 0.2, kMayLeaveInContact = 0.1;
constexpr Eigen::Index kFewToFactor = 100;
// Where a factor was of no use for a second direction, the next is tried once Newton's own become so much shorter.
constexpr double kConverges = 0.3;

}  // namespace

bool FactorUse::pays(const SolveEffort& effort, Eigen::Index vertices) {
  return effort.iterations > 2 * kMostByOne && vertices >= kFewToFactor;
}

void FactorUse::begin_carried() { carried_ = goes_on_ = began_carried_ = true; }

void FactorUse::made(double length) {
  length_before_ = newest_ ? length : 0;
  carried_ = false;
  newest_ = goes_on_ = made_new_ = true;
}

bool FactorUse::may_serve(double length) const {
  return goes_on_ && !(newest_ && was_of_no_use_ && length > kConverges * length_before_);
}

bool FactorUse::takes(double size, double length, bool in_contact, double enough) {
  bool good = std::isfinite(size);
  if (!(carried_ && length == 0)) {
    const double left = size / length;
    // Newton's own direction leaves c e of an error e, and one by its factor 2 c e.
    const double leaves = newest_ ? 2 * left : left;
    good = good && leaves <= (in_contact ? kMayLeaveInContact : kMayLeave) &&
           size * std::pow(leaves, kMostByOne - 1) <= enough;
    if (carried_) contraction_ = left;
    if (newest_ && !good) was_of_no_use_ = true;
  }
  if (good) newest_ = false;
  goes_on_ = good;
  return good;
}

bool FactorUse::carried_was_of_no_use() const {
  return began_carried_ && made_new_ && !(contraction_ && *contraction_ <= kMayLeave);
}

}  // namespace rebound::sim
