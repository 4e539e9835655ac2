// All that a user can do to a running world, as data: the window's mouse and panels write commands, the session applies
// them between two frames and books what they did to the energy. What can be asked of any of them is here; what is
// known of each stands with it in commands/.
#pragma once

#include "session/commands/hand.hpp"
#include "session/commands/method.hpp"
#include "session/commands/obstacles.hpp"
#include "session/commands/pins.hpp"
#include "session/commands/world.hpp"

namespace rebound::session {

// Here, where every command is known: to give one back it has to be.
template <class C>
std::optional<Command> PinTraits::inverse(const Session& session, const C&) {
  return pins_of(session);
}

/// Does it only move the hand that holds a body?
bool moves_the_hand(const Command& command);
/// Is it about the one hand, the pins, the obstacles or the clock, so that bodies compared side by side must all get
/// it?
bool is_for_all(const Command& command);
/// What it changes.
Subject subject(const Command& command);
/// Writes what it sets into a description of the world; nothing where it sets nothing that a description has.
void describe(const Command& command, scene::Description& description);
/// Does `newer` make `older` pointless if the two follow one another?
bool replaces(const Command& newer, const Command& older);

}  // namespace rebound::session
