// All that is known of a command stands in its Traits, right below the command: whoever wants to know something of one
// asks there. So a new command is a struct and its Traits in a file of this folder, and its name in list.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "session/commands/list.hpp"

namespace rebound::scene {
struct Description;
}

namespace rebound::session {

class Preparation;
class Session;
class SessionEditor;

/// What something is about, a word or two for the user, as in "changing material". There is no comparing them: what
/// something is decided by is a member of Traits.
struct Subject {
  std::string_view words;
};

/// Besides what CommandTraits has, for a command `c` of type C:
///   Subject subject;
///   const char* name                          its "do" in a run's file
///   void fields(auto& visitor, auto& c)       its keys there, shown to who writes or reads them; see command_text.cpp
///   void apply(SessionEditor&, const C& c)    does it; what prepare() has checked need not be checked again
/// and if it is an edit:
///   std::optional<Command> inverse(const Session&, const C& c)  what will take it back, asked before it is applied
///   void describe(const C& c, scene::Description&)  writes what it sets into a description, as far as that has it:
///                                             what waits is described before it is checked
template <class C>
struct Traits;

/// What holds of a command unless its Traits say otherwise.
struct CommandTraits {
  /// It is about what bodies compared side by side have in common, so all panes must get it.
  static constexpr bool for_all_panes = false;
  /// It moves the hand that holds a body and does nothing else: it overtakes all that waits.
  static constexpr bool moves_the_hand = false;
  /// It sets something that was otherwise, and can be undone.
  static constexpr bool is_edit = true;
  /// H changes by more than what is booked on the way: it is measured again, and the difference is booked as an edit.
  static constexpr bool changes_energy = false;
  /// A session that stands still as its step failed may try again.
  static constexpr bool clears_failure = true;

  /// Does `newer` make `older` pointless if the two follow one another?
  template <class C>
  static bool replaces(const C& /*newer*/, const C& /*older*/) {
    return true;
  }
  /// Throws InputError if it is out of range; and what of it takes long, null if nothing does.
  template <class C>
  static std::unique_ptr<Preparation> prepare(const Session&, const C&) {
    return nullptr;
  }
};

}  // namespace rebound::session
