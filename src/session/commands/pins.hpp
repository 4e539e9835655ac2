// Vertices that hold still.
#pragma once

#include <vector>

#include "session/commands/traits.hpp"
#include "session/surface_point.hpp"

namespace rebound::session {

/// What is pinned now, to be put back.
std::optional<Command> pins_of(const Session& session);

struct PinTraits : CommandTraits {
  static constexpr Subject subject{"pins"};
  static constexpr bool for_all_panes = true;
  template <class C>
  static std::optional<Command> inverse(const Session& session, const C&);
  template <class C>
  static void describe(const C&, scene::Description&) {}
};

struct Pin {
  std::vector<SurfacePoint> points;
};
template <>
struct Traits<Pin> : PinTraits {
  static constexpr const char* name = "pin";
  static constexpr bool changes_energy = true;
  static void fields(auto& visitor, auto& c) { visitor.points("points", c.points); }
  static bool replaces(const Pin&, const Pin&) { return false; }
  static std::unique_ptr<Preparation> prepare(const Session& session, const Pin& c);
  static void apply(SessionEditor& editor, const Pin& c);
};

struct Unpin {
  std::vector<SurfacePoint> points;
};
template <>
struct Traits<Unpin> : PinTraits {
  static constexpr const char* name = "unpin";
  static void fields(auto& visitor, auto& c) { visitor.points("points", c.points); }
  static bool replaces(const Unpin&, const Unpin&) { return false; }
  static std::unique_ptr<Preparation> prepare(const Session& session, const Unpin& c);
  static void apply(SessionEditor& editor, const Unpin& c);
};

struct UnpinAll {};
template <>
struct Traits<UnpinAll> : PinTraits {
  static constexpr const char* name = "unpinAll";
  static void fields(auto&, auto&) {}
  static std::unique_ptr<Preparation> prepare(const Session& session, const UnpinAll& c);
  static void apply(SessionEditor& editor, const UnpinAll& c);
};

/// These vertices are fixed and no others: how pins are put back.
struct SetPins {
  std::vector<int> vertices;  ///< of the whole world, bodies one after the other
};
template <>
struct Traits<SetPins> : PinTraits {
  static constexpr const char* name = "setPins";
  static constexpr bool changes_energy = true;
  static void fields(auto& visitor, auto& c) { visitor.indices("vertices", c.vertices); }
  static std::unique_ptr<Preparation> prepare(const Session& session, const SetPins& c);
  static void apply(SessionEditor& editor, const SetPins& c);
};

}  // namespace rebound::session
