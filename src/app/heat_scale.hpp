// Which number is the hottest colour, calmly: it rises at once with what it shows, and falls slowly.
#pragma once

#include <span>

#include "session/snapshot.hpp"

namespace rebound::app {

class HeatScale {
 public:
  /// Of all panes at a new moment, so many seconds after the last one. Another field begins anew. A pane that runs away
  /// has no say where others hold: they would all be of one colour.
  void follow(std::span<const session::Snapshot> panes, double seconds);

  session::FieldKind kind() const { return kind_; }
  /// Has any body of any pane the field?
  bool has_any() const { return has_any_; }
  /// > 0; Pa, - or J/m^3.
  double top() const;

 private:
  session::FieldKind kind_ = session::FieldKind::none;
  bool has_any_ = false;
  double top_ = 0;
};

}  // namespace rebound::app
