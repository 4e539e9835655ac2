// "mesh": { "box" | "cloth" | "disk" | "sphere" | "torus" | "structure" | "file" | "vertices": ... }
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "mesh/structures/structures.hpp"
#include "scene/files.hpp"
#include "scene/parse_body.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {
namespace {

constexpr std::int64_t kMostVertices = 2'000'000;  // what 33 ms could ever move is a hundredth of it

void check_vertex_number(const Value& place, double vertices) {
  if (vertices <= static_cast<double>(kMostVertices)) return;
  place.fail("would have " + number_text(std::round(vertices)) + " vertices, and " + std::to_string(kMostVertices) +
             " are the most; use fewer divisions");
}

BoxMesh parse_box(const Value& value, MeshFacts& facts) {
  BoxMesh box;
  value.object([&](Reader& reader) {
    reader.vector("size", "mesh.size", box.size);
    reader.integers("divisions", "mesh.box.divisions", box.divisions);
    if (const auto cut = reader.find("cut")) {
      const double tetrahedra = cut->is_number() ? cut->plain_number() : 0;
      if (tetrahedra != 5 && tetrahedra != 6) cut->fail_type("5 or 6 (tetrahedra a cell)");
      box.cut = static_cast<int>(tetrahedra);
    }
  });
  std::int64_t vertices = 1;
  for (const int divisions : box.divisions) vertices *= divisions + 1;
  check_vertex_number(value, static_cast<double>(vertices));
  facts.vertices = vertices;
  return box;
}

ClothMesh parse_cloth(const Value& value, MeshFacts& facts) {
  ClothMesh cloth;
  value.object([&](Reader& reader) {
    reader.vector("size", "mesh.size", cloth.size);
    reader.integers("divisions", "mesh.cloth.divisions", cloth.divisions);
  });
  facts.vertices = std::int64_t{cloth.divisions[0] + 1} * (cloth.divisions[1] + 1);
  check_vertex_number(value, static_cast<double>(*facts.vertices));
  return cloth;
}

DiskMesh parse_disk(const Value& value, MeshFacts& facts) {
  DiskMesh disk;
  value.object([&](Reader& reader) {
    reader.number("radius", "mesh.disk.radius", disk.radius);
    reader.integer("rings", "mesh.disk.rings", disk.rings);
  });
  facts.vertices = 1 + std::int64_t{3} * disk.rings * (disk.rings + 1);
  check_vertex_number(value, static_cast<double>(*facts.vertices));
  return disk;
}

SphereMesh parse_sphere(const Value& value) {
  SphereMesh sphere;
  value.object([&](Reader& reader) {
    reader.number("radius", "mesh.sphere.radius", sphere.radius);
    reader.integer("divisions", "mesh.sphere.divisions", sphere.divisions);
  });
  return sphere;
}

TorusMesh parse_torus(const Value& value) {
  TorusMesh torus;
  value.object([&](Reader& reader) {
    reader.number("radius", "mesh.torus.radius", torus.radius);
    reader.number("tube", "mesh.torus.tube", torus.tube);
    reader.integer("divisions", "mesh.torus.divisions", torus.divisions);
    if (torus.tube >= torus.radius) {
      reader.fail("the tube (" + number_text(torus.tube) + " m) must be thinner than the ring's radius (" +
                  number_text(torus.radius) + " m)");
    }
  });
  // Volume of the torus over that of a cell.
  const double cells_a_tube = torus.divisions;
  check_vertex_number(value,
                      std::numbers::pi * std::numbers::pi / 4 * torus.radius / torus.tube * std::pow(cells_a_tube, 3));
  return torus;
}

StructureMesh parse_structure(const Value& value) {
  StructureMesh structure;
  value.object([&](Reader& reader) {
    reader.required("name", "one of " + either(mesh::structure_names()));
    reader.choice("name", mesh::structure_names(), structure.name);
    reader.choice("detail", {"coarse", "fine"}, structure.detail);
  });
  return structure;
}

Tetrahedralize parse_tetrahedralize(Reader& reader) {
  Tetrahedralize options;
  reader.choice("method", {"auto", "tetgen", "lattice"}, options.method);
  reader.integer("tets", "mesh.tetrahedralize.tets", options.tets);
  reader.number("maxVolume", "mesh.tetrahedralize.maxVolume", options.maxVolume);
  reader.number("quality", "mesh.tetrahedralize.quality", options.quality);
  reader.truth("refine", options.refine);
  if (options.quality && !options.refine)
    reader.fail("'quality' is what refining is for, and 'refine' is false; leave one out");
  return options;
}

FileMesh parse_file(const Value& value, Reader& mesh) {
  FileMesh result;
  result.file = parse_mesh_file(value);
  const std::string name = value.text();
  if (const auto options = mesh.find("tetrahedralize")) {
    if (!is_surface_file(name)) {
      options->fail("only a surface (.obj) is cut into tetrahedra, and " + in_quotes(name) +
                    " holds tetrahedra; remove it");
    }
    options->object([&](Reader& reader) { result.tetrahedralize = parse_tetrahedralize(reader); });
  }
  return result;
}

template <std::size_t N>
void parse_elements(const Value& value, MeshFacts& facts, std::vector<std::array<int, N>>& into) {
  into.reserve(value.size());
  value.each([&](const Value& element) {
    into.push_back(element.vertices<N>(facts.vertices));
    for (const int vertex : into.back()) facts.in_element[static_cast<std::size_t>(vertex)] = true;
  });
}

InlineMesh parse_inline(const Value& vertices, Reader& mesh, MeshFacts& facts) {
  InlineMesh result;
  const Range& coordinate = range("mesh.coordinate");
  vertices.each([&](const Value& vertex) { result.vertices.push_back(vertex.vector<3>(coordinate)); });
  if (result.vertices.empty()) vertices.fail("a mesh needs at least one vertex");
  check_vertex_number(vertices, static_cast<double>(result.vertices.size()));
  facts.vertices = static_cast<std::int64_t>(result.vertices.size());
  facts.in_element.assign(result.vertices.size(), false);

  const auto edges = mesh.find("edges"), triangles = mesh.find("triangles"), tetrahedra = mesh.find("tetrahedra");
  if (edges && tetrahedra) mesh.fail("has both 'edges' and 'tetrahedra'; make two bodies of it");
  if (triangles && (edges || tetrahedra)) mesh.fail("has 'triangles' and other elements; make two bodies of it");
  if (!edges && !tetrahedra && !triangles)
    mesh.required("edges", "'vertices' go with 'edges', 'triangles' or 'tetrahedra' ([] for loose points)");
  if (edges) {
    parse_elements(*edges, facts, result.edges);
    facts.edges = static_cast<std::int64_t>(result.edges.size());
  } else if (triangles) {
    parse_elements(*triangles, facts, result.triangles);
    if (result.triangles.empty()) triangles->fail("is empty; give at least one, or use 'edges': [] for loose points");
  } else {
    parse_elements(*tetrahedra, facts, result.tetrahedra);
    if (result.tetrahedra.empty()) tetrahedra->fail("is empty; give at least one, or use 'edges': [] for loose points");
  }
  facts.loose = std::find(facts.in_element.begin(), facts.in_element.end(), false) != facts.in_element.end();
  return result;
}

}  // namespace

std::filesystem::path parse_mesh_file(const Value& value) {
  const std::string name = value.text();
  if (name.empty()) value.fail("must name a file");
  if (!is_mesh_file(name))
    value.fail(in_quotes(name) + " is no kind of mesh file; known are " + either(mesh_extensions()));
  const auto file = file_of(name, value.document().folder);
  // Asked first: whether a file is there that may not be read is nobody's business.
  if (is_confined() && !lies_below(file, value.document().folder))
    value.fail(in_quotes(file.string()) +
               " lies outside of the scene's folder, and --confined refuses that; put the mesh "
               "beside the scene, or leave the option out");
  if (const auto problem = file_problem(file)) value.fail(in_quotes(file.string()) + ": " + *problem);
  return file;
}

std::string only_shape(Reader& reader, const std::vector<std::string>& shapes) {
  std::vector<std::string> given;
  for (const std::string& shape : shapes) {
    if (reader.find(shape)) given.push_back(shape);
  }
  if (given.empty()) {
    reader.finish();  // a misspelt shape is the likeliest reason
    reader.fail("has no shape; give one of " + either(shapes));
  }
  if (given.size() > 1) reader.fail("has more than one shape, " + given[0] + " and " + given[1] + "; leave one");
  return given[0];
}

Mesh parse_mesh(const Value& value, MeshFacts& facts) {
  static const std::vector<std::string> shapes{"box",   "cloth",     "disk", "sphere",
                                               "torus", "structure", "file", "vertices"};
  Mesh mesh;
  value.object([&](Reader& reader) {
    const std::string given = only_shape(reader, shapes);
    const Value shape = *reader.find(given);
    if (given == "box") mesh = parse_box(shape, facts);
    if (given == "cloth") mesh = parse_cloth(shape, facts);
    if (given == "disk") mesh = parse_disk(shape, facts);
    if (given == "sphere") mesh = parse_sphere(shape);
    if (given == "torus") mesh = parse_torus(shape);
    if (given == "structure") mesh = parse_structure(shape);
    if (given == "file") mesh = parse_file(shape, reader);
    if (given == "vertices") mesh = parse_inline(shape, reader, facts);
  });
  return mesh;
}

}  // namespace rebound::scene
