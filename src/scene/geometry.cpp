// The slow half of building a world: meshes are read, generated, repaired and filled with tetrahedra.
#include <algorithm>
#include <cstdio>
#include <numeric>

#include "mesh/error.hpp"
#include "mesh/inspect.hpp"
#include "mesh/obj.hpp"
#include "mesh/repair.hpp"
#include "mesh/shapes.hpp"
#include "mesh/solidify.hpp"
#include "mesh/structures/structures.hpp"
#include "mesh/tet_files.hpp"
#include "scene/affine_geometry.hpp"
#include "scene/build_obstacles.hpp"
#include "scene/files.hpp"
#include "scene/parse.hpp"
#include "scene/wording.hpp"
#include "sim/base/memory.hpp"

namespace rebound::scene {
namespace {

using mesh::Points;

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

Points to_points(const std::vector<Vec3>& rows) {
  Points points(static_cast<Eigen::Index>(rows.size()), 3);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int c = 0; c < 3; ++c) points(static_cast<Eigen::Index>(i), c) = rows[i][c];
  return points;
}

BodyGeometry from_tets(mesh::TetMesh tets) {
  BodyGeometry geometry;
  mesh::Boundary boundary = mesh::boundary_of(tets);
  geometry.embedding = mesh::embed_vertices(boundary.vertex_of);
  geometry.surface = std::move(boundary.surface);
  geometry.fill.assign(tets.tetrahedra.size(), 1.0);
  geometry.labels = std::move(tets.labels);
  geometry.rest = std::move(tets.points);
  geometry.elements = std::move(tets.tetrahedra);
  return geometry;
}

BodyGeometry from_triangles(mesh::Surface surface) {
  BodyGeometry geometry;
  std::vector<int> all(static_cast<std::size_t>(surface.points.rows()));
  std::iota(all.begin(), all.end(), 0);
  geometry.embedding = mesh::embed_vertices(all);
  geometry.rest = surface.points;
  geometry.elements = surface.triangles;
  geometry.surface = std::move(surface);
  return geometry;
}

BodyGeometry from_springs(mesh::SpringMesh springs) {
  BodyGeometry geometry;
  std::vector<int> all(static_cast<std::size_t>(springs.points.rows()));
  std::iota(all.begin(), all.end(), 0);
  geometry.embedding = mesh::embed_vertices(all);
  geometry.surface = {springs.points, std::move(springs.triangles)};
  geometry.rest = std::move(springs.points);
  geometry.elements = std::move(springs.edges);
  return geometry;
}

BodyGeometry from_solid(mesh::Solid solid) {
  BodyGeometry geometry;
  geometry.rest = std::move(solid.tets.points);
  geometry.elements = std::move(solid.tets.tetrahedra);
  geometry.fill = std::move(solid.fill);
  geometry.surface = std::move(solid.surface);
  geometry.embedding = std::move(solid.embedding);
  geometry.notes = std::move(solid.notes);
  return geometry;
}

mesh::SolidOptions solid_options(const Tetrahedralize& asked, const std::string& name) {
  mesh::SolidOptions options;
  options.name = name;
  options.method = mesh::solid_method(asked.method);
  if (asked.tets) {
    constexpr double kMostOff = 0.15;
    options.wanted_tets = *asked.tets;
    options.most_off = kMostOff;
  }
  options.max_volume = asked.maxVolume;
  options.quality = asked.quality;
  options.refine = asked.refine;
  return options;
}

// A shell is the file's surface, open or closed, without what a sheet cannot be made of.
BodyGeometry shell_from_file(const FileMesh& mesh, const mesh::Progress& progress) {
  std::vector<std::string> notes;
  mesh::RepairOptions options;
  options.closes = false;
  mesh::Repaired sheet = mesh::repair(mesh::read_obj(mesh.file, &notes, progress), progress, options);
  BodyGeometry geometry = from_triangles(std::move(sheet.surface));
  geometry.notes = std::move(notes);
  geometry.notes.insert(geometry.notes.end(), sheet.notes.begin(), sheet.notes.end());
  return geometry;
}

BodyGeometry from_file(const FileMesh& mesh, const mesh::Progress& progress) {
  if (mesh.shell) return shell_from_file(mesh, progress);
  std::vector<std::string> notes;
  if (mesh::is_tet_file(mesh.file)) {
    BodyGeometry geometry = from_tets(mesh::read_tets(mesh.file, &notes, progress));
    geometry.notes = std::move(notes);
    return geometry;
  }
  const mesh::Surface surface = mesh::read_obj(mesh.file, &notes, progress);
  BodyGeometry geometry =
      from_solid(mesh::solidify(surface, solid_options(mesh.tetrahedralize, mesh.file.string()), progress));
  geometry.notes.insert(geometry.notes.begin(), notes.begin(), notes.end());
  return geometry;
}

struct Size {
  double vertices = 0, tetrahedra = 0, springs = 0, triangles = 0;
};

// Of what is generated, as far as it is known before: the largest of a box and a cloth would fill any machine.
Size size_of(const Mesh& mesh) {
  const auto cells = [](double count, double tetrahedra) { return Size{count, tetrahedra * count, 0}; };
  return std::visit(Overloaded{
                        [&](const BoxMesh& box) {
                          const auto& n = box.divisions;
                          return cells(1.0 * n[0] * n[1] * n[2], box.cut);
                        },
                        [](const ClothMesh& cloth) {
                          const double n = 1.0 * cloth.divisions[0] * cloth.divisions[1];
                          return cloth.triangles ? Size{n, 0, 0, 2 * n} : Size{n, 0, 6 * n};
                        },
                        [](const DiskMesh& disk) {
                          const double n = 3.0 * disk.rings * disk.rings;
                          return Size{n, 0, 0, 2 * n};
                        },
                        [](const auto&) { return Size{}; },
                    },
                    mesh);
}

// What reading or making it, its surface and its model take at the peak, as measured on boxes and cloths of 30,000 to
// 90,000 vertices. Factors come on top, and are asked for once their size is known.
double bytes_of(const Size& size) { return 530 * size.tetrahedra + 235 * size.springs + 1200 * size.triangles; }

void require_memory_for(const std::string& place, const Size& size) {
  char what[128];
  if (size.tetrahedra > 0)
    std::snprintf(what, sizeof what, ": a body of %.0f vertices and %.0f tetrahedra", size.vertices, size.tetrahedra);
  else if (size.triangles > 0)
    std::snprintf(what, sizeof what, ": a body of %.0f vertices and %.0f triangles", size.vertices, size.triangles);
  else
    std::snprintf(what, sizeof what, ": a body of %.0f vertices and %.0f springs", size.vertices, size.springs);
  sim::require_memory(bytes_of(size), place + what);
}

// A sheet is made of its triangles' shapes at rest.
void require_areas(const std::string& place, const mesh::Surface& sheet) {
  for (std::size_t t = 0; t < sheet.triangles.size(); ++t)
    if (!mesh::has_area(sheet, sheet.triangles[t]))
      throw InputError(place + "/mesh/triangles/" + std::to_string(t) +
                       ": has no area, as its vertices lie on a line; leave it out or move one of them");
}

// place: what messages call what stands in the scene itself.
BodyGeometry load(const Mesh& mesh, const std::string& place, const mesh::Progress& progress) {
  return std::visit(
      Overloaded{
          [](const BoxMesh& box) { return from_tets(mesh::box(box.size, box.divisions, box.cut)); },
          [](const ClothMesh& cloth) {
            mesh::SpringMesh springs = mesh::cloth(cloth.size, cloth.divisions);
            if (!cloth.triangles) return from_springs(std::move(springs));
            return from_triangles({std::move(springs.points), std::move(springs.triangles)});
          },
          [](const DiskMesh& disk) { return from_triangles(mesh::disk(disk.radius, disk.rings)); },
          [](const SphereMesh& sphere) { return from_tets(mesh::sphere(sphere.radius, sphere.divisions)); },
          [](const TorusMesh& torus) { return from_tets(mesh::torus(torus.radius, torus.tube, torus.divisions)); },
          [](const StructureMesh& structure) {
            const bool fine = structure.detail == "fine";
            return from_tets(mesh::structure(structure.name, fine ? mesh::Detail::fine : mesh::Detail::coarse));
          },
          [&](const FileMesh& file) { return from_file(file, progress); },
          [&](const InlineMesh& in) {
            if (!in.tetrahedra.empty()) {
              mesh::TetMesh tets{to_points(in.vertices), in.tetrahedra};
              mesh::check_tets(place + "/mesh/tetrahedra", tets);
              return from_tets(std::move(tets));
            }
            if (!in.triangles.empty()) {
              mesh::Surface sheet{to_points(in.vertices), in.triangles};
              require_areas(place, sheet);
              return from_triangles(std::move(sheet));
            }
            return from_springs({to_points(in.vertices), in.edges, {}});
          },
      },
      mesh);
}

// As one affine body, whose mesh is of tetrahedra or a closed surface.
BodyGeometry load_whole(const Mesh& mesh, const std::string& place, const mesh::Progress& progress) {
  const auto* file = std::get_if<FileMesh>(&mesh);
  if (file != nullptr && !mesh::is_tet_file(file->file)) {
    std::vector<std::string> notes;
    BodyGeometry geometry =
        affine_from_surface(mesh::read_obj(file->file, &notes, progress), file->file.string(), progress);
    geometry.notes.insert(geometry.notes.begin(), notes.begin(), notes.end());
    return geometry;
  }
  const BodyGeometry soft = load(mesh, place, progress);
  const auto tets = soft.tetrahedra();
  BodyGeometry geometry = affine_from_tets({soft.rest, {tets.begin(), tets.end()}}, place + "/mesh");
  geometry.notes = soft.notes;
  return geometry;
}

// Any mesh, whatever its units, at a size at which gravity and 33 ms make sense.
void scale_to_one_metre(BodyGeometry& geometry) {
  const Eigen::RowVector3d low = geometry.surface.points.colwise().minCoeff();
  const Eigen::RowVector3d high = geometry.surface.points.colwise().maxCoeff();
  const double height = std::max((high - low)[1], 0.5 * (high - low).maxCoeff());
  const Eigen::RowVector3d centre = 0.5 * (low + high);
  for (Points* points : {&geometry.rest, &geometry.surface.points, &geometry.numbered}) {
    if (points->rows() == 0) continue;
    points->rowwise() -= centre;
    *points /= height;
  }
}

// Faces that two elements share are inside: where all are, nothing is seen, and nothing can be touched.
void require_surface(const std::string& place, const Body& body, const BodyGeometry& geometry) {
  if (!geometry.is_solid() || !geometry.surface.triangles.empty()) return;
  throw InputError(place + (body.name.empty() ? "" : " (" + in_quotes(body.name) + ")") +
                   ": has no surface, as each face of its tetrahedra belongs to two of them; mesh the body again");
}

}  // namespace

BodyGeometry load_body(const Description& description, std::size_t b, const mesh::Progress& progress) {
  const Body& body = description.bodies[b];
  const std::string place = description.place("/bodies/" + std::to_string(b));
  require_memory_for(place, size_of(body.mesh));
  BodyGeometry geometry =
      is_whole(body.material) ? load_whole(body.mesh, place, progress) : load(body.mesh, place, progress);
  require_memory_for(place,
                     {static_cast<double>(geometry.vertices()), static_cast<double>(geometry.tetrahedra().size()),
                      static_cast<double>(geometry.edges().size()), static_cast<double>(geometry.triangles().size())});
  require_surface(place, body, geometry);
  if (body.autoScale) scale_to_one_metre(geometry);
  for (Points* points : {&geometry.rest, &geometry.surface.points, &geometry.numbered}) *points *= body.transform.scale;
  return geometry;
}

World load_world(Description description, const mesh::Progress& progress) {
  // What was read has been checked; whether it may be read from where it lies is asked there.
  if (description.file.empty() && !is_confined()) check(description);
  World world;
  for (std::size_t b = 0; b < description.bodies.size(); ++b) {
    BodyGeometry geometry = load_body(description, b, progress);
    if (bodies_may_meet(description)) world.contact_shapes.bodies.push_back(contact_body(geometry));
    world.bodies.push_back(std::move(geometry));
  }
  world.contact_shapes.obstacles = load_surfaces(description, progress);
  world.description = std::move(description);
  return world;
}

}  // namespace rebound::scene
