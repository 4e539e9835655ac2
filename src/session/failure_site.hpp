// Where a simulation broke: the first vertex that is nowhere, and the element that was pulled furthest from its shape.
#pragma once

#include <optional>
#include <string>

#include "scene/build.hpp"
#include "sim/contact/contact_model.hpp"

namespace rebound::session {

struct FailureSite {
  struct Vertex {
    int body = 0, vertex = 0;  ///< of that body
  };
  struct Element {
    int body = 0, element = 0;  ///< its tetrahedron, triangle or spring of that number
    sim::ElementKind kind = sim::ElementKind::tetrahedra;
    double stretch = 1;  ///< largest singular value of F, or length / length at rest
  };
  std::optional<Vertex> vertex;    ///< the first whose place or velocity is not finite
  std::optional<Element> element;  ///< the most stretched one
};

/// last: the last good state. broken: what the step made of it; if it is finite, elements are judged by that.
FailureSite find_failure_site(const scene::WorldView& world, const sim::Model& model, const sim::State& last,
                              const sim::State& broken);

/// "310", "1.2e+05".
std::string three_digits(double value);

/// "body 'cube': vertex 3 is not finite, tetrahedron 12 is stretched to 310 times its length".
std::string wording(const FailureSite& failure_site, const scene::WorldView& world);

/// "parts of body 'a' are 1.2 mm apart at rest ...".
std::string wording(const sim::TooWide& too_wide, const scene::WorldView& world);
/// "body 'a' (triangle 3) passes through body 'b' (triangle 12) at the start; ...".
std::string wording(const sim::Crossing& crossing, bool at_start, const scene::WorldView& world);

}  // namespace rebound::session
