#include "sim/model/ledger.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {

void Sum::add(double term) {
  const double next = sum_ + term;
  correction_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
  sum_ = next;
}

Ledger::Ledger(const Measurement& start, double floor)
    : initial_(start.total()), lowest_gravity_(start.gravity), floor_(floor) {}

void Ledger::observe(const Measurement& m) { lowest_gravity_ = std::min(lowest_gravity_, m.gravity); }

double Ledger::added() const {
  double total = 0;
  for (const Sum& s : added_) total += s.value();
  return total;
}

double Ledger::dissipated() const {
  double total = 0;
  for (const Sum& s : dissipated_) total += s.value();
  return total;
}

double Ledger::target() const { return initial_ + added() - dissipated(); }

double Ledger::scale() const { return std::max(target() - lowest_gravity_, floor_); }

double Ledger::undamped_scale() const { return std::max(target() + dissipated() - lowest_gravity_, floor_); }

}  // namespace rebound::sim
