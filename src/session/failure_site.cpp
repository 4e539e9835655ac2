#include "session/failure_site.hpp"

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <cstdio>

#include "scene/wording.hpp"
#include "sim/linear/small_pairs.hpp"

namespace rebound::session {
namespace {

std::optional<FailureSite::Vertex> first_not_finite(const sim::Model& model, const sim::State& state) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const auto [first, count] = model.bodies[b];
    for (int v = first; v < first + count; ++v)
      if (!state.x.row(v).allFinite() || !state.v.row(v).allFinite())
        return FailureSite::Vertex{static_cast<int>(b), v - first};
  }
  return {};
}

/// Columns: the edges from a tetrahedron's first corner.
Eigen::Matrix3d edges_of(const sim::Points& x, const mesh::Tetrahedron& t, int first) {
  Eigen::Matrix3d D;
  for (int k = 1; k < 4; ++k) D.col(k - 1) = (x.row(first + t[k]) - x.row(first + t[0])).transpose();
  return D;
}

double stretch_of_tet(const sim::Points& rest, const sim::Points& x, const mesh::Tetrahedron& t, int first) {
  const Eigen::Matrix3d F = edges_of(x, t, first) * edges_of(rest, t, 0).inverse();
  // The scale keeps the squares of an explosion in range.
  const double scale = F.cwiseAbs().maxCoeff();
  if (!(scale > 0) || !std::isfinite(scale)) return scale;
  const Eigen::Matrix3d S = F / scale;
  return scale * std::sqrt(std::max(0.0, sim::symmetric_values(Eigen::Matrix3d(S.transpose() * S))[2]));
}

/// Of the edge that is stretched most.
double stretch_of_triangle(const sim::Points& rest, const sim::Points& x, const mesh::Triangle& t, int first) {
  double most = 0;
  for (int k = 0; k < 3; ++k) {
    const int a = t[k], b = t[(k + 1) % 3];
    most = std::max(most, (x.row(first + a) - x.row(first + b)).stableNorm() / (rest.row(a) - rest.row(b)).norm());
  }
  return most;
}

double stretch_of_spring(double rest, const sim::Points& x, const mesh::Edge& e, int first) {
  const double length = (x.row(first + e[0]) - x.row(first + e[1])).stableNorm();
  return rest > 0 ? length / rest : 0;
}

std::optional<FailureSite::Element> most_stretched(const scene::WorldView& world, const sim::Model& model,
                                                   const sim::Points& x) {
  std::optional<FailureSite::Element> worst;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const scene::BodyGeometry& body = world.bodies[b];
    const int first = model.bodies[b].first;
    const auto& given = world.description.bodies[b].material.restLengths;
    const std::size_t count = body.element_count();
    const auto edges = body.edges();
    for (std::size_t e = 0; e < count; ++e) {
      double stretch = 0;
      if (body.is_solid()) {
        stretch = stretch_of_tet(body.rest, x, body.tetrahedra()[e], first);
      } else if (edges.empty()) {
        stretch = stretch_of_triangle(body.rest, x, body.triangles()[e], first);
      } else {
        const double rest = given.empty() ? (body.rest.row(edges[e][0]) - body.rest.row(edges[e][1])).norm() : given[e];
        stretch = stretch_of_spring(rest, x, edges[e], first);
      }
      if (!worst || stretch > worst->stretch) worst = {static_cast<int>(b), static_cast<int>(e), body.kind(), stretch};
    }
  }
  return worst;
}

std::string name_of(const scene::WorldView& world, int body) {
  return "body " + scene::in_quotes(world.description.bodies[static_cast<std::size_t>(body)].name);
}

}  // namespace

std::string three_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

FailureSite find_failure_site(const scene::WorldView& world, const sim::Model& model, const sim::State& last,
                              const sim::State& broken) {
  FailureSite failure_site;
  const bool whole = broken.x.rows() == last.x.rows() && broken.v.rows() == last.v.rows();
  if (whole) failure_site.vertex = first_not_finite(model, broken);
  failure_site.element = most_stretched(world, model, whole && !failure_site.vertex ? broken.x : last.x);
  return failure_site;
}

std::string wording(const FailureSite& failure_site, const scene::WorldView& world) {
  std::string text;
  if (const auto& vertex = failure_site.vertex)
    text = name_of(world, vertex->body) + ": vertex " + std::to_string(vertex->vertex) + " is not finite";
  if (const auto& element = failure_site.element) {
    if (!failure_site.vertex || failure_site.vertex->body != element->body)
      text += (text.empty() ? "" : ", ") + name_of(world, element->body) + ": ";
    else
      text += ", ";
    constexpr std::array<const char*, 3> kNames{"spring ", "triangle ", "tetrahedron "};  // by ElementKind
    text += kNames[static_cast<std::size_t>(element->kind)] + std::to_string(element->element) +
            (failure_site.vertex ? " was" : " is") + " stretched to " + three_digits(element->stretch) +
            " times its length";
  }
  return text;
}

std::string wording(const sim::TooWide& too_wide, const scene::WorldView& world) {
  const std::string& name = world.description.bodies[static_cast<std::size_t>(too_wide.body)].name;
  const std::string parts = "parts of body " + (name.empty() ? std::to_string(too_wide.body) : "'" + name + "'");
  constexpr double kNone = 1e-3;  // of the distance: no smaller one would do
  if (too_wide.gap < kNone * too_wide.distance)
    return parts +
           " are as thick as they are far apart at rest; set /contact/thickness lower, or /contact/self to "
           "false";
  return parts + " are " + three_digits(too_wide.gap) + " m apart at rest, and the barrier begins at " +
         three_digits(too_wide.distance) + " m; set /contact/distance below that, or /contact/self to false";
}

std::string wording(const sim::Crossing& crossing, bool at_start, const scene::WorldView& world) {
  const auto named = [&](const sim::CrossingTriangle& of) {
    const bool is_body = of.body >= 0;
    const auto at = static_cast<std::size_t>(is_body ? of.body : of.obstacle);
    const std::string& name = is_body ? world.description.bodies[at].name : world.description.obstacles[at].name;
    const std::string number = std::to_string(at);
    return (is_body ? "body " : "obstacle ") + (name.empty() ? number : "'" + name + "'") +
           (of.triangle >= 0 ? " (triangle " + std::to_string(of.triangle) + ")" : "");
  };
  const std::string one = named(crossing.one), other = named(crossing.other);
  if (at_start)
    return one + " passes through " + other +
           ", and a barrier begins where nothing does; move them apart, or meet by springs";
  return one + " could not be kept out of " + other + "; take a smaller time step, or move them more slowly";
}

}  // namespace rebound::session
