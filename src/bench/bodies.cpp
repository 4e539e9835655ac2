#include "bench/bodies.hpp"

#include <xxhash.h>

#include <array>
#include <cstring>

#include "bench/surfaces.hpp"
#include "mesh/error.hpp"
#include "mesh/tetgen.hpp"
#include "scene/parse.hpp"
#include "session/disk_cache.hpp"

namespace rebound::bench {
namespace {

using scene::World;

// The mesh stands in for the body's own, so that settings are checked against one of its kind.
constexpr const char* kSolid = R"({ "rebound": 1, "name": "benchmark", "gravity": [0, 0, 0], "bodies": [ {
  "mesh": { "box": {} }, "material": { "young": 1e5 },
  "start": { "type": "stretched", "scale": [1.2, 0.9, 1] }, "angularVelocity": [2, 1, 6] } ] })";
constexpr const char* kCloth = R"({ "rebound": 1, "name": "benchmark", "gravity": [0, 0, 0], "bodies": [ {
  "mesh": { "cloth": { "size": [1, 1], "divisions": [100, 100] } }, "material": { "stiffness": 100 },
  "start": { "type": "stretched", "scale": [1.2, 1, 0.9] }, "angularVelocity": [2, 1, 6] } ] })";

scene::Mesh& mesh_of(World& world) { return world.description.bodies[0].mesh; }

template <class Element>
std::span<const std::byte> raw_bytes(const Element* first, std::size_t count) {
  return std::as_bytes(std::span(first, count));
}

/// What a filling is known by: all of the surface.
std::string filling_name(const mesh::Surface& surface) {
  const auto points = raw_bytes(surface.points.data(), static_cast<std::size_t>(surface.points.size()));
  const auto triangles = raw_bytes(surface.triangles.data(), surface.triangles.size());
  char name[48];
  std::snprintf(name, sizeof name, "body-%016llx%016llx",
                static_cast<unsigned long long>(XXH3_64bits(points.data(), points.size())),
                static_cast<unsigned long long>(XXH3_64bits(triangles.data(), triangles.size())));
  return name;
}

/// Both numbers of rows, the points, the tetrahedra.
std::vector<std::byte> packed_tets(const mesh::TetMesh& tets) {
  const std::array<std::uint64_t, 2> rows{static_cast<std::uint64_t>(tets.points.rows()), tets.tetrahedra.size()};
  std::vector<std::byte> bytes;
  for (const auto part : {raw_bytes(rows.data(), 2), raw_bytes(tets.points.data(), 3 * rows[0]),
                          raw_bytes(tets.tetrahedra.data(), rows[1])})
    bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

/// Nothing where these are no such bytes.
std::optional<mesh::TetMesh> unpacked_tets(const std::vector<std::byte>& bytes) {
  std::array<std::uint64_t, 2> rows{};
  if (bytes.size() < sizeof rows) return {};
  std::memcpy(rows.data(), bytes.data(), sizeof rows);
  const std::size_t points = 3 * rows[0] * sizeof(double), tetrahedra = rows[1] * sizeof(mesh::Tetrahedron);
  if (bytes.size() != sizeof rows + points + tetrahedra) return {};
  mesh::TetMesh tets;
  tets.points.resize(static_cast<Eigen::Index>(rows[0]), 3);
  tets.tetrahedra.resize(rows[1]);
  std::memcpy(tets.points.data(), bytes.data() + sizeof rows, points);
  std::memcpy(tets.tetrahedra.data(), bytes.data() + sizeof rows + points, tetrahedra);
  return tets;
}

/// Tetrahedra between the vertices of a surface, as the paper's bodies have them: no others inside. Once made they are
/// kept with the factors.
mesh::TetMesh tetrahedra_between(const mesh::Surface& surface) {
  session::DiskCache cache(session::DiskCache::platform_folder());
  const std::string name = filling_name(surface);
  if (auto kept = unpacked_tets(cache.find(name))) return *kept;
  mesh::TetgenOptions options;
  options.refine = false;
  const mesh::TetMesh tets = mesh::tetgen(surface, options);
  cache.keep(name, packed_tets(tets));
  return tets;
}

void fill(World& world, const mesh::Surface& surface) {
  const mesh::TetMesh tets = tetrahedra_between(surface);
  scene::InlineMesh filled;
  filled.tetrahedra = tets.tetrahedra;
  for (Eigen::Index i = 0; i < tets.points.rows(); ++i)
    filled.vertices.push_back({tets.points(i, 0), tets.points(i, 1), tets.points(i, 2)});
  mesh_of(world) = filled;
  world = scene::load_world(std::move(world.description));
}

void make_box(World& world, const scene::BoxMesh& box) {
  mesh_of(world) = box;
  world = scene::load_world(std::move(world.description));
}

/// Of the springs over two cells only those along x, as otherwise there are a fifth more than in the table.
void make_cloth(World& world) {
  constexpr std::size_t kAlongZ = 99 * 101;
  world = scene::load_world(std::move(world.description));
  auto& edges = std::get<std::vector<mesh::Edge>>(world.bodies[0].elements);
  edges.resize(edges.size() - kAlongZ);
}

// The table's bar has 290 vertices and its cube 386: those of their surfaces alone.
constexpr BodyInfo kBodies[] = {
    {"bar", "a bar's surface of 16 x 4 x 4 cells, filled", 290, 716, false, false,
     [](World& w) {
       fill(w, box_surface({2, 0.5, 0.5}, {16, 4, 4}));
     }},
    {"cube", "a cube's surface of 8 x 8 x 8 cells, filled", 386, 996, false, false,
     [](World& w) {
       fill(w, box_surface({1, 1, 1}, {8, 8, 8}));
     }},
    {"hippo", "a bumpy surface, filled", 2387, 8406, false, false,
     [](World& w) {
       fill(w, animal_surface({20, 20, 20}, 8, 0.03));
     }},
    {"bunny-slide", "a bumpy surface, filled", 4497, 15408, false, false,
     [](World& w) {
       fill(w, animal_surface({27, 27, 28}, 8, 0.1));
     }},
    {"cactus", "a bumpy surface, filled", 5261, 17187, false, false,
     [](World& w) {
       fill(w, animal_surface({29, 29, 31}, 16, 0.03));
     }},
    {"cloth", "a square cloth of 100 x 100 cells", 10201, 50200, true, false, make_cloth},
    {"dog", "a bumpy surface, filled", 28390, 117423, false, false,
     [](World& w) {
       fill(w, animal_surface({69, 69, 68}, 4, 0.06));
     }},
    {"bunny", "a bumpy surface, filled", 34844, 121058, false, false,
     [](World& w) {
       fill(w, animal_surface({76, 76, 77}, 20, 0.04));
     }},
    {"solid", "a block of 32 x 32 x 31 cells of five tetrahedra; not in the table", 34848, 158720, false, false,
     [](World& w) {
       make_box(w, {{1, 1, 1}, {32, 32, 31}, 5});
     }},
    {"thin-250k", "a bumpy surface, filled", 71724, 255462, false, true,
     [](World& w) {
       fill(w, animal_surface({109, 109, 110}, 20, 0.04));
     }},
    {"thin-500k", "a bumpy surface, filled", 144153, 526510, false, true,
     [](World& w) {
       fill(w, animal_surface({155, 155, 155}, 20, 0.04));
     }},
    {"solid-6k", "a block of 11 x 11 x 10 cells of five tetrahedra", 1584, 6050, false, true,
     [](World& w) {
       make_box(w, {{1, 1, 1}, {11, 11, 10}, 5});
     }},
    {"solid-24k", "a block of 17 x 17 x 17 cells of five tetrahedra", 5832, 24565, false, true,
     [](World& w) {
       make_box(w, {{1, 1, 1}, {17, 17, 17}, 5});
     }},
    {"solid-110k", "a block of 28 x 28 x 28 cells of five tetrahedra", 24389, 109760, false, true,
     [](World& w) {
       make_box(w, {{1, 1, 1}, {28, 28, 28}, 5});
     }},
    {"solid-250k", "a block of 37 x 37 x 37 cells of five tetrahedra", 54872, 253265, false, true,
     [](World& w) {
       make_box(w, {{1, 1, 1}, {37, 37, 37}, 5});
     }},
    {"solid-500k", "a block of 47 x 46 x 46 cells of five tetrahedra", 106032, 497260, false, true,
     [](World& w) {
       make_box(w, {{1, 1, 1}, {47, 46, 46}, 5});
     }},
};

}  // namespace

std::span<const BodyInfo> bodies() { return kBodies; }

scene::World swinging_world(const BodyInfo& body, const std::vector<std::string>& settings,
                            std::optional<std::uint64_t> seed) {
  scene::Document document = scene::parse_document(body.springs ? kCloth : kSolid, "the benchmark's scene", "");
  for (const std::string& setting : settings) {
    if (setting.starts_with("/bodies/0/mesh"))
      throw InputError("--set /bodies/0/mesh: a benchmark makes its own meshes; `rebound run` takes others");
    scene::apply_set(document, setting);
  }
  World world{scene::parse(document), {}};
  scene::Body& made = world.description.bodies[0];
  made.name = body.name;
  if (auto* start = std::get_if<scene::RandomizedStart>(&made.start); start != nullptr && seed) start->seed = *seed;
  body.make(world);
  return world;
}

}  // namespace rebound::bench
