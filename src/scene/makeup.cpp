#include "scene/makeup.hpp"

#include <algorithm>
#include <set>

#include "mesh/error.hpp"
#include "scene/material.hpp"
#include "scene/selection.hpp"
#include "scene/wording.hpp"
#include "sim/collide/triangle_point.hpp"
#include "sim/collide/triangle_tree.hpp"

namespace rebound::scene {
namespace {

using sim::Points;

double volume(const Points& rest, const mesh::Tetrahedron& t) {
  const auto edge = [&](int k) { return sim::Vec3((rest.row(t[k]) - rest.row(t[0])).transpose()); };
  return edge(1).cross(edge(2)).dot(edge(3)) / 6;
}

double area(const Points& rest, const mesh::Triangle& t) {
  const auto edge = [&](int k) { return sim::Vec3((rest.row(t[k]) - rest.row(t[0])).transpose()); };
  return 0.5 * edge(1).cross(edge(2)).norm();
}

/// "1, 2 and 7"
std::string labels_text(const std::vector<int>& labels) {
  constexpr std::size_t kNamed = 8;
  const std::set<int> all(labels.begin(), labels.end());
  std::string text;
  std::size_t named = 0;
  for (const int label : all) {
    if (named == kNamed) return text + ", ...";
    if (named > 0) text += named + 1 == all.size() ? " and " : ", ";
    text += std::to_string(label);
    ++named;
  }
  return text;
}

std::vector<int> elements_of(const MeshLabel& wanted, const BodyGeometry& geometry, const std::string& place) {
  if (geometry.labels.empty())
    throw InputError(place +
                     "/label: this mesh gives its tetrahedra no labels, as .mesh, .msh, .ele and .vtk files may; use "
                     "'box' or 'elements'");
  std::vector<int> found;
  for (std::size_t t = 0; t < geometry.labels.size(); ++t)
    if (geometry.labels[t] == wanted.label) found.push_back(static_cast<int>(t));
  if (found.empty())
    throw InputError(place + "/label: no tetrahedron has the label " + std::to_string(wanted.label) + "; there are " +
                     labels_text(geometry.labels));
  return found;
}

sim::Vec3 centre_of(const mesh::Tetrahedron& tet, const Points& x) {
  sim::Vec3 centre = sim::Vec3::Zero();
  for (const int v : tet) centre += 0.25 * x.row(v).transpose();
  return centre;
}

std::vector<int> elements_of(const ShellRegion& shell, const BodyGeometry& geometry) {
  const mesh::Surface& surface = geometry.surface;
  const sim::TriangleTree faces(surface.points, surface.triangles);
  std::vector<int> found;
  const auto tets = geometry.tetrahedra();
  for (std::size_t t = 0; t < tets.size(); ++t) {
    const sim::Vec3 centre = centre_of(tets[t], geometry.rest);
    bool is_near = false;
    faces.visit(centre, shell.depth, [&](int face) {
      const mesh::Triangle& corners = surface.triangles[static_cast<std::size_t>(face)];
      const sim::TrianglePoint spot = sim::nearest_in_triangle(
          {surface.points.row(corners[0]), surface.points.row(corners[1]), surface.points.row(corners[2])}, centre);
      is_near = is_near || spot.squared_distance <= shell.depth * shell.depth;
      return is_near ? 0 : shell.depth;
    });
    if (is_near) found.push_back(static_cast<int>(t));
  }
  return found;
}

std::vector<int> elements_of(const MaterialRegion& region, const BodyGeometry& geometry, const Points& x,
                             const std::string& place) {
  if (const auto* numbers = std::get_if<std::vector<int>>(&region.elements)) return *numbers;
  if (const auto* label = std::get_if<MeshLabel>(&region.elements)) return elements_of(*label, geometry, place);
  if (const auto* shell = std::get_if<ShellRegion>(&region.elements)) return elements_of(*shell, geometry);
  const auto& box = std::get<BoxRegion>(region.elements);
  std::vector<int> found;
  const auto tets = geometry.tetrahedra();
  for (std::size_t t = 0; t < tets.size(); ++t)
    if (inside(box, centre_of(tets[t], x))) found.push_back(static_cast<int>(t));
  return found;
}

// What is stretched already was smaller when it had no more than its density.
double sheet_mass(const Material& material, double stretched_area) {
  const double stretch = 1 + material.pretension;
  return material.density * material.thickness * stretched_area / (stretch * stretch);
}

/// The elements that are of one law, for the vertices of the whole world, of which the body's begin with `first`.
struct Share {
  sim::Elements elements;
  std::vector<sim::MaterialValues> values;
  std::vector<double> fill, lengths;
};

Share share_of(const BodyGeometry& geometry, const Makeup& makeup, const sim::MaterialLaw* law, int first) {
  Share share;
  std::visit(
      [&](const auto& all) {
        std::decay_t<decltype(all)> mine;
        for (std::size_t e = 0; e < all.size(); ++e) {
          const Material& material = makeup.at(e);
          if (sim::find_material(material.model)->find_law(material.law) != law) continue;
          mine.push_back(all[e]);
          for (int& v : mine.back()) v += first;
          share.values.push_back(material);
          if (!geometry.fill.empty()) share.fill.push_back(geometry.fill[e]);
        }
        share.elements = std::move(mine);
      },
      geometry.elements);
  share.lengths = makeup.materials.front().restLengths;
  if (share.lengths.empty())
    for (const auto& [a, b] : geometry.edges())
      share.lengths.push_back((geometry.rest.row(a) - geometry.rest.row(b)).norm());
  return share;
}

}  // namespace

Makeup makeup_of(const WorldView& world, std::size_t b, const sim::Points& x) {
  const Body& body = world.description.bodies[b];
  const BodyGeometry& geometry = world.bodies[b];
  Makeup makeup{{body.material}, {}};
  if (!body.regions.empty()) makeup.of_element.assign(geometry.element_count(), 0);
  for (std::size_t r = 0; r < body.regions.size(); ++r) {
    const std::string place = body_place(world, b) + "/regions/" + std::to_string(r);
    const std::vector<int> elements = elements_of(body.regions[r], geometry, x, place);
    if (elements.empty())
      throw InputError(place + ": holds no tetrahedron; their centres at rest lie between " +
                       place_text(x.colwise().minCoeff()) + " and " + place_text(x.colwise().maxCoeff()));
    for (const int element : elements) {
      if (element < 0 || static_cast<std::size_t>(element) >= geometry.element_count())
        throw InputError(place + "/elements: tetrahedron " + std::to_string(element) +
                         " does not exist; the mesh has 0 to " + std::to_string(geometry.element_count() - 1));
      makeup.of_element[static_cast<std::size_t>(element)] = static_cast<int>(r) + 1;
    }
    makeup.materials.push_back(material_in(body.regions[r], body.material));
  }
  return makeup;
}

std::vector<int> region_of_elements(const WorldView& world, std::size_t b) {
  const Body& body = world.description.bodies[b];
  if (body.regions.empty()) return {};
  Eigen::Index first = 0;
  for (std::size_t before = 0; before < b; ++before) first += world.bodies[before].vertices();
  return makeup_of(world, b, undeformed(world).middleRows(first, world.bodies[b].vertices())).of_element;
}

// Lumped: a quarter of each tet's mass to its corners, a third of each triangle's, half of each loose spring's.
sim::Vector lumped_masses(const BodyGeometry& geometry, const Body& body, const Makeup& makeup) {
  if (!body.masses.empty())
    return Eigen::Map<const sim::Vector>(body.masses.data(), static_cast<Eigen::Index>(body.masses.size()));
  sim::Vector M = sim::Vector::Zero(geometry.vertices());
  const double density = body.material.density;
  const auto tets = geometry.tetrahedra();
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (const int v : tets[t]) M[v] += makeup.at(t).density * geometry.fill[t] * volume(geometry.rest, tets[t]) / 4;
  const auto triangles = geometry.triangles();
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const int v : triangles[t]) M[v] += sheet_mass(makeup.at(t), area(geometry.rest, triangles[t])) / 3;
  if (geometry.kind() != sim::ElementKind::edges) return M;
  if (!geometry.surface.triangles.empty()) {
    for (const auto& t : geometry.surface.triangles)
      for (const int v : t) M[v] += density * area(geometry.rest, t) / 3;
  } else {
    for (const auto& [a, b] : geometry.edges()) {
      const double half = 0.5 * density * (geometry.rest.row(a) - geometry.rest.row(b)).norm();
      M[a] += half;
      M[b] += half;
    }
  }
  return M;
}

// A body whose regions are of several laws has the energies of each.
sim::Energies elastic_energies(const BodyGeometry& geometry, const Makeup& makeup, const sim::Points& rest, int first) {
  std::vector<const sim::MaterialLaw*> laws;
  for (const Material& material : makeup.materials) {
    const sim::MaterialLaw* law = sim::find_material(material.model)->find_law(material.law);
    if (std::find(laws.begin(), laws.end(), law) == laws.end()) laws.push_back(law);
  }
  sim::Energies energies;
  for (const sim::MaterialLaw* law : laws) {
    const Share share = share_of(geometry, makeup, law, first);
    if (share.values.empty() && laws.size() > 1) continue;
    for (auto& energy : law->make({rest, share.elements, share.values, share.fill, share.lengths}))
      energies.push_back(std::move(energy));
  }
  return energies;
}

}  // namespace rebound::scene
