// What can be done to panes side by side: commands, and to the panes themselves. A run is a scene and a list of these.
#pragma once

#include "session/command.hpp"

namespace rebound::session {

inline constexpr int kAllPanes = -1;

/// A command and whom it is for. What is_for_all() goes to every pane, whatever stands here.
struct Addressed {
  int pane = kAllPanes;
  Command command;
  /// One turn of a slider with what was done before it: one step to undo.
  bool goes_on = false;
};

/// Another pane, with the bodies where those of `from` are now.
struct AddPane {
  int from = 0;
  std::string integrator;
};
template <>
struct Traits<AddPane> {
  static constexpr Subject subject{"panes"};
  static constexpr const char* name = "addPane";
  static void fields(auto& visitor, auto& e) {
    visitor.index("from", e.from);
    visitor.choice("type", scene::built().integrators, e.integrator);
  }
};

struct RemovePane {
  int pane = 0;
};
template <>
struct Traits<RemovePane> {
  static constexpr Subject subject{"panes"};
  static constexpr const char* name = "removePane";
  static void fields(auto& visitor, auto& e) { visitor.index("pane", e.pane); }
};

/// Takes the last edit back: pins and parameters, not the motion.
struct Undo {};
template <>
struct Traits<Undo> {
  static constexpr Subject subject{"edit"};
  static constexpr const char* name = "undo";
  static void fields(auto&, auto&) {}
};

/// Does what was taken back last again.
struct Redo {};
template <>
struct Traits<Redo> {
  static constexpr Subject subject{"edit"};
  static constexpr const char* name = "redo";
  static void fields(auto&, auto&) {}
};

using Event = std::variant<Addressed, AddPane, RemovePane, Undo, Redo>;

/// The command in it; null if it is none.
const Command* command_of(const Event& event);
bool moves_the_hand(const Event& event);
Subject subject(const Event& event);

}  // namespace rebound::session
