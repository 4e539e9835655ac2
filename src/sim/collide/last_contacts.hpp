// The contacts of the step before, by the points that they were of.
#pragma once

#include <vector>

#include "sim/energy/contacts.hpp"

namespace rebound::sim {

class LastContacts {
 public:
  /// The contacts must outlive this.
  explicit LastContacts(const std::vector<Contact>& contacts);

  /// What that collider had with that obstacle, or with any body (-1): the first of several, null if none.
  const Contact* find(int collider, int obstacle) const;
  /// Puts those that there were before first, in the order that they had: what comes and goes is then at the end, and
  /// what is known of the others can be kept.
  void put_in_order(std::vector<Contact>& contacts) const;

 private:
  std::vector<const Contact*> sorted_;
};

}  // namespace rebound::sim
