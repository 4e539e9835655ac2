// Laws whose energy is infinite somewhere cannot begin there.
#pragma once

#include <string_view>

#include "scene/build.hpp"

namespace rebound::scene {

/// x: the vertices of the whole world, m. Throws InputError where an element is inside out, or has collapsed, whose law
/// does not admit that: names the body's key `where`, the element, and what would work.
void check_admitted(const WorldView& world, const sim::Points& x, std::string_view where);

}  // namespace rebound::scene
