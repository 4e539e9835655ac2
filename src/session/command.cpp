#include "session/event.hpp"

namespace rebound::session {

bool moves_the_hand(const Command& command) {
  return std::visit([]<class C>(const C&) { return Traits<C>::moves_the_hand; }, command);
}

bool is_for_all(const Command& command) {
  return std::visit([]<class C>(const C&) { return Traits<C>::for_all_panes; }, command);
}

Subject subject(const Command& command) {
  return std::visit([]<class C>(const C&) { return Traits<C>::subject; }, command);
}

void describe(const Command& command, scene::Description& description) {
  std::visit(
      [&]<class C>(const C& c) {
        if constexpr (Traits<C>::is_edit) Traits<C>::describe(c, description);
      },
      command);
}

bool replaces(const Command& newer, const Command& older) {
  if (newer.index() != older.index()) return false;
  return std::visit([&]<class C>(const C& c) { return Traits<C>::replaces(c, std::get<C>(older)); }, newer);
}

// ---- events ----

const Command* command_of(const Event& event) {
  const auto* addressed = std::get_if<Addressed>(&event);
  return addressed != nullptr ? &addressed->command : nullptr;
}

bool moves_the_hand(const Event& event) {
  const Command* command = command_of(event);
  return command != nullptr && moves_the_hand(*command);
}

Subject subject(const Event& event) {
  if (const Command* command = command_of(event)) return subject(*command);
  return std::visit(
      []<class E>(const E&) -> Subject {
        if constexpr (std::is_same_v<E, Addressed>) {
          return {};
        } else {
          return Traits<E>::subject;
        }
      },
      event);
}

}  // namespace rebound::session
