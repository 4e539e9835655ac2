// The hand that holds a body.
#pragma once

#include "session/commands/traits.hpp"
#include "session/surface_point.hpp"

namespace rebound::session {

struct HandTraits : CommandTraits {
  static constexpr Subject subject{"hand"};
  static constexpr bool for_all_panes = true;
  static constexpr bool moves_the_hand = true;
  static constexpr bool is_edit = false;
  static constexpr bool clears_failure = false;
};

/// Takes hold of a surface point, and of what lies within a radius of it, with springs of rest length zero to
/// `target`. Of what is held already, it changes the grip.
struct Grab {
  SurfacePoint point;
  sim::Vec3 target = sim::Vec3::Zero();  ///< m
  double strength = 1;                   ///< times the stiffness that swings the whole body about twice a second
  double radius = 0;                     ///< m, in the body at rest; 0: the point alone
};
template <>
struct Traits<Grab> : HandTraits {
  static constexpr const char* name = "grab";
  static void fields(auto& visitor, auto& c) {
    visitor.index("body", c.point.body);
    visitor.index("vertex", c.point.vertex);
    visitor.place("target", c.target);
    visitor.number("strength", "grab.strength", c.strength);
    visitor.later_number("radius", "grab.radius", c.radius);
  }
  static bool replaces(const Grab&, const Grab&) { return false; }
  static std::unique_ptr<Preparation> prepare(const Session& session, const Grab& c);
  static void apply(SessionEditor& editor, const Grab& c);
};

/// Moves the hand.
struct MoveGrab {
  sim::Vec3 target = sim::Vec3::Zero();  ///< m
};
template <>
struct Traits<MoveGrab> : HandTraits {
  static constexpr const char* name = "moveGrab";
  static void fields(auto& visitor, auto& c) { visitor.place("target", c.target); }
  static void apply(SessionEditor& editor, const MoveGrab& c);
};

struct Release {};
template <>
struct Traits<Release> : HandTraits {
  static constexpr const char* name = "release";
  static void fields(auto&, auto&) {}
  static void apply(SessionEditor& editor, const Release& c);
};

}  // namespace rebound::session
