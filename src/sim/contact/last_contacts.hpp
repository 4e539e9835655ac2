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
  /// Puts those that there were before first, in the order that they had, and gives them the impulses of their
  /// friction: what comes and goes is then at the end, and what is known of the others can be kept.
  void hand_on(std::vector<Contact>& contacts) const;

 private:
  const std::vector<Contact>& contacts_;
  std::vector<int> first_;  ///< a collider: its first contact, or -1
  std::vector<int> next_;   ///< a contact: the next of its collider, or -1
};

}  // namespace rebound::sim
