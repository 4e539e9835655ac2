// From a description to something that can be simulated: geometry (slow to make, kept), then masses and energies from
// it (fast, made anew whenever a material changes).
#pragma once

#include <map>
#include <memory>
#include <span>

#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"
#include "scene/body_list.hpp"
#include "scene/description.hpp"
#include "sim/base/elements.hpp"
#include "sim/energy/attachments.hpp"
#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::scene {

inline sim::Vec3 to_eigen(const Vec3& v) { return {v[0], v[1], v[2]}; }

/// What a body is made of before it has a material: vertices and elements in body coordinates, and the surface that is
/// seen, hung on the vertices.
struct BodyGeometry {
  mesh::Points rest;               ///< n x 3, m, the body's `scale` applied
  sim::Elements elements;          ///< edges (springs), triangles or tetrahedra
  std::vector<double> fill;        ///< a tet: the share of its volume that is material
  std::vector<int> labels;         ///< a tet: the number by which its file marks the part that it is of; may be empty
  mesh::Surface surface;           ///< as loaded, in the same coordinates as `rest`
  mesh::Embedding embedding;       ///< of `surface` in `rest`
  std::vector<std::string> notes;  ///< what was mended, for the user
  // Of an affine body alone: what a scene speaks of by numbers are not the four vertices that carry it.
  mesh::Points numbered;                     ///< m, the vertices of its mesh, where `rest` is
  mesh::Embedding numbering;                 ///< of them in `rest`
  std::shared_ptr<const BodyGeometry> soft;  ///< what it was before it became affine; may be null

  /// One tetrahedron, on which all else hangs.
  bool is_affine() const { return !numbering.vertices.empty(); }
  /// The vertices that scenes, tables of states and traces number: those of the mesh.
  int numbered_vertices() const { return static_cast<int>(is_affine() ? numbered.rows() : rest.rows()); }
  /// Where they are when the body's vertices are at x; of velocities, how fast they are.
  mesh::Points numbered_at(const mesh::Points& x) const { return is_affine() ? numbering.apply(x) : x; }
  /// One of them, in the vertices of a world in which the body's begin with `first`.
  sim::BodyPoint numbered_point(int vertex, int first) const;

  int vertices() const { return static_cast<int>(rest.rows()); }
  sim::ElementKind kind() const { return sim::kind_of(elements); }
  bool is_solid() const { return kind() == sim::ElementKind::tetrahedra; }
  std::size_t element_count() const {
    return std::visit([](const auto& list) { return list.size(); }, elements);
  }
  /// None where the elements are of another kind.
  std::span<const mesh::Edge> edges() const { return of_kind<mesh::Edge>(); }
  std::span<const mesh::Triangle> triangles() const { return of_kind<mesh::Triangle>(); }
  std::span<const mesh::Tetrahedron> tetrahedra() const { return of_kind<mesh::Tetrahedron>(); }

 private:
  template <class Element>
  std::span<const Element> of_kind() const {
    const auto* list = std::get_if<std::vector<Element>>(&elements);
    return list != nullptr ? std::span<const Element>(*list) : std::span<const Element>();
  }
};

/// What obstacles made of meshes are, by file and scale.
using MeshSurfaces = std::map<std::pair<std::filesystem::path, double>, std::shared_ptr<const sim::SurfaceDistance>>;

/// What contacts need to know of shapes.
struct ContactShapes {
  MeshSurfaces obstacles;
  std::vector<std::shared_ptr<const sim::ContactBody>> bodies;  ///< one a body; empty unless bodies may meet
};

struct World {
  Description description;
  std::vector<BodyGeometry> bodies;
  ContactShapes contact_shapes{};
};

/// A world whose geometry others have as well: what never changes is kept once.
struct SharedWorld {
  SharedWorld(World world)
      : description(std::move(world.description)),
        bodies(std::move(world.bodies)),
        contact_shapes(std::move(world.contact_shapes)) {}

  Description description;
  BodyList bodies;
  ContactShapes contact_shapes;
};

/// A description and the geometry of its bodies, wherever the two are kept: a material can be tried on bodies that go
/// on with another one.
struct WorldView {
  WorldView(const World& world) : WorldView(world.description, world) {}
  WorldView(const SharedWorld& world) : WorldView(world.description, world) {}
  /// AnyWorld: World or SharedWorld.
  template <class AnyWorld>
  WorldView(const Description& d, const AnyWorld& world)
      : description(d), bodies(world.bodies), contact_shapes(world.contact_shapes) {}

  const Description& description;
  BodyList bodies;
  const ContactShapes& contact_shapes;
};

/// Reads and makes all meshes. A description that was made in memory is checked as a file is. Throws InputError;
/// Cancelled if progress says so.
World load_world(Description description, const mesh::Progress& progress = {});

/// One body of it, scaled, in the form that its material asks for. Throws as above.
BodyGeometry load_body(const Description& description, std::size_t body, const mesh::Progress& progress = {});

/// The description with `fixed` of the bodies that have other vertices pinned now: a scene to be saved. pinned:
/// vertices of the whole world.
Description with_pins(const Description& description, const BodyList& bodies, std::span<const int> pinned);

/// May these bodies meet one another, or themselves?
bool bodies_may_meet(const Description& description);
/// What contacts of a body with others and itself need, from the rest of its geometry. Takes about as long as reading
/// it.
std::shared_ptr<const sim::ContactBody> contact_body(const BodyGeometry& geometry);
/// The law of those contacts, between these shapes.
sim::BodyContactLaw contact_law(const BodyContact& contact,
                                const std::vector<std::shared_ptr<const sim::ContactBody>>& bodies);
/// Throws InputError where a barrier, rods or wires are asked for with a method that cannot have them, and names those
/// that can.
void check_contact(const Description& description);

/// Where every vertex is as its mesh says, placed: n x 3, m.
sim::Points undeformed(const WorldView& world);
/// Where every vertex begins, bodies one after the other: transform, start and velocities applied.
sim::State starting_state(const WorldView& world, const sim::Model& model);

/// The vertices that a selection means, of those that are numbered. x: where those are.
std::vector<int> selected_vertices(const Selection& selection, const BodyGeometry& geometry, const sim::Points& x);

/// Masses, energies, attachments and obstacles (at their first keyframe), and what is fixed at the start.
sim::Model build_model(const WorldView& world);

/// What is to be held and holds nothing, a line each: "/bodies/0/fixed: no vertex lies in the box".
std::vector<std::string> empty_selections(const WorldView& world);
/// Which of its numbered vertices the scene holds: of an affine body they hold it as a whole.
std::vector<int> held_by_scene(const WorldView& world, std::size_t body);
/// Which of a body's vertices the scene fixes, one entry each. Throws InputError if an affine body cannot be held so.
std::vector<std::uint8_t> fixed_by_scene(const WorldView& world, std::size_t body);

/// One attachment of the model that a keyframed motion moves.
struct MovingHandle {
  int attachment = 0;            ///< index into Model::attachments.items
  sim::Vec3 start;               ///< m
  std::vector<Keyframe> motion;  ///< offsets from `start`

  sim::Vec3 at(double time) const;
};
std::vector<MovingHandle> moving_handles(const WorldView& world, const sim::Model& model);

/// What `rebound check` and the window say about a world before it runs.
struct WorldFacts {
  int colliders = 0;  ///< points that bump into obstacles
  int vertices = 0, tetrahedra = 0, springs = 0, triangles = 0, surface_triangles = 0;
  double mass = 0;             ///< kg
  double model_megabytes = 0;  ///< elements and state, estimated
};
WorldFacts facts(const WorldView& world, const sim::Model& model);

}  // namespace rebound::scene
