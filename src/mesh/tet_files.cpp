#include "mesh/tet_files.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "mesh/geometry.hpp"
#include "mesh/improve.hpp"
#include "mesh/tet_formats.hpp"
#include "mesh/text.hpp"

namespace rebound::mesh {
namespace {

/// So many offending elements are named.
constexpr std::size_t kNamedTets = 5;
constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

RawTets parse_file(const std::filesystem::path& path, const Progress& progress) {
  const std::string extension = lower_extension(path);
  if (extension == ".node" || extension == ".ele") {
    auto node = path, ele = path;
    node.replace_extension(".node");
    ele.replace_extension(".ele");
    const std::string nodes = read_text_file(node, kLargestFile, progress);
    const std::string elements = read_text_file(ele, kLargestFile, progress);
    return parse_tetgen(node.string(), nodes, ele.string(), elements, progress);
  }
  if (!is_tet_file(path))
    throw MeshError(path.string() + ": '" + extension +
                    "' is not a known kind of tetrahedra; use .mesh, .msh, .node + .ele or .vtk");
  const std::string text = read_text_file(path, kLargestFile, progress);
  if (extension == ".mesh") return parse_medit(path.string(), text, progress);
  if (extension == ".msh") return parse_gmsh(path.string(), text, progress);
  return parse_vtk(path.string(), text, progress);
}

void drop_unused_vertices(TetMesh& mesh, std::vector<std::string>* notes) {
  const Eigen::Index before = mesh.points.rows();
  compact(mesh);
  const Eigen::Index dropped = before - mesh.points.rows();
  if (dropped > 0 && notes) notes->push_back(count_of(dropped, "vertex", "vertices") + " of no tetrahedron dropped");
}

[[noreturn]] void refuse_flat(const std::string& name, const std::vector<int>& flat, double mean) {
  std::string message = name + ": " + count_of(static_cast<std::int64_t>(flat.size()), "tetrahedron", "tetrahedra") +
                        " without volume (at most 1e-9 of the mean, ";
  append_number(message, mean);
  message += " m^3), the first:";
  std::vector<int> first(flat.begin(), flat.begin() + std::min(std::ptrdiff_t{kNamedTets}, std::ssize(flat)));
  for (const int t : first) (message += ' ') += std::to_string(t + 1);
  throw MeshError(message + " (counted from 1); remove them or mesh the body again", first);
}

/// They are simulated: whose mesh it is knows whether they are meant.
void note_slivers(const TetMesh& mesh, std::vector<std::string>& notes) {
  std::int64_t slivers = 0;
  double thinnest = kSliverAngle;
  std::size_t where = 0;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const double angle = min_dihedral(mesh.points, mesh.tetrahedra[t]) * 180 / kPi;
    if (angle >= kSliverAngle) continue;
    ++slivers;
    if (angle >= thinnest) continue;
    thinnest = angle;
    where = t;
  }
  if (slivers > 0)
    notes.push_back(count_of(slivers, "tetrahedron is a sliver", "tetrahedra are slivers") +
                    " (dihedral angles below 5 degrees; the least, " + degrees_text(thinnest) + ", in number " +
                    std::to_string(where + 1) + "): they are stiff, and solves converge slowly");
}

/// Elements of the same four vertices: they have no surface between them, and each other's mass.
void refuse_doubles(const std::string& name, const std::vector<Tetrahedron>& tets) {
  std::vector<std::pair<Tetrahedron, int>> sorted;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    sorted.emplace_back(tets[t], static_cast<int>(t));
    std::sort(sorted.back().first.begin(), sorted.back().first.end());
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::pair<int, int>> doubles;  // a later one, and the one that it repeats
  for (std::size_t i = 1, first = 0; i < sorted.size(); ++i) {
    if (sorted[i].first != sorted[first].first)
      first = i;
    else
      doubles.emplace_back(sorted[i].second, sorted[first].second);
  }
  if (doubles.empty()) return;
  std::sort(doubles.begin(), doubles.end());
  std::string message = name + ": " + count_of(std::ssize(doubles), "tetrahedron repeats", "tetrahedra repeat") +
                        " an earlier one, the first:";
  std::vector<int> first;
  for (const auto& [later, earlier] : doubles) {
    if (first.size() == kNamedTets) break;
    message += " " + std::to_string(later + 1) + " (of " + std::to_string(earlier + 1) + ")";
    first.push_back(later);
  }
  throw MeshError(message + ", counted from 1; write each element once", first);
}

/// A face as its tetrahedron has it.
struct TetFace {
  std::array<int, 3> vertices;  // ascending
  bool even;                    // they are counter-clockwise seen from outside
  int tet;
};

std::array<TetFace, 4> faces_of(const Tetrahedron& tet, int number) {
  std::array<TetFace, 4> faces;
  for (int f = 0; f < 4; ++f) {
    std::array<int, 3> v;
    for (int i = 0; i < 3; ++i) v[i] = tet[kTetFaces[f][i]];
    const int swaps = (v[0] > v[1]) + (v[0] > v[2]) + (v[1] > v[2]);
    std::sort(v.begin(), v.end());
    faces[f] = {v, swaps % 2 == 0, number};
  }
  return faces;
}

/// Two elements on the same side of a face that they share: a vertex has gone through the face in front of it, and to
/// turn round what is inside out does not mend that. They are simulated, as each is sound by itself.
void note_overlaps(const std::vector<Tetrahedron>& tets, std::vector<std::string>& notes) {
  std::vector<TetFace> faces;
  faces.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (const TetFace& face : faces_of(tets[t], static_cast<int>(t))) faces.push_back(face);
  std::sort(faces.begin(), faces.end(), [](const TetFace& a, const TetFace& b) {
    return std::tie(a.vertices, a.even, a.tet) < std::tie(b.vertices, b.even, b.tet);
  });
  std::vector<std::pair<int, int>> overlaps;
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i].vertices == faces[i - 1].vertices && faces[i].even == faces[i - 1].even)
      overlaps.emplace_back(faces[i - 1].tet, faces[i].tet);
  if (overlaps.empty()) return;
  std::sort(overlaps.begin(), overlaps.end());
  std::string note =
      count_of(std::ssize(overlaps), "pair of tetrahedra lies", "pairs of tetrahedra lie") +
      " on the same side of the face that they share, so they overlap, and what is there weighs twice; the "
      "first, counted from 1:";
  for (std::size_t i = 0; i < std::min(kNamedTets, overlaps.size()); ++i)
    note += (i > 0 ? ", " : " ") + std::to_string(overlaps[i].first + 1) + " with " +
            std::to_string(overlaps[i].second + 1);
  notes.push_back(note);
}

}  // namespace

std::int64_t read_count(TextReader& reader, const char* what, std::string_view text) {
  return reader.integer(what, 0, static_cast<std::int64_t>(std::min<std::size_t>(text.size(), INT32_MAX)));
}

void read_point(TextReader& reader, std::vector<double>& coordinates) {
  constexpr double largest = 1e9;
  for (int k = 0; k < 3; ++k) {
    const Word word = reader.expect("a coordinate");
    double value = 0;
    if (!parse_number(word.text, value))
      reader.fail(
          word, "coordinate " + in_quotes(word.text) + " is not a finite number; write it with a point, such as -0.25");
    if (std::abs(value) > largest)
      reader.fail(word, "coordinate " + in_quotes(word.text) + " is larger than 1e9; scale the mesh down");
    coordinates.push_back(value);
  }
}

// Some programs write it with a point.
int read_label(TextReader& reader, const char* what) {
  const Word word = reader.expect(what);
  double value = 0;
  if (!parse_number(word.text, value) || value != std::floor(value) ||
      std::abs(value) > std::numeric_limits<int>::max())
    reader.fail(word, in_quotes(word.text) + " stands where " + what + ", a whole number, should");
  return static_cast<int>(value);
}

void check_now_and_then(const Progress& progress, const TextReader& reader, std::int64_t element) {
  constexpr std::int64_t often = 8192;
  if (element % often == 0) progress.step("reading tetrahedra", reader.fraction());
}

bool is_tet_file(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path);
  return extension == ".mesh" || extension == ".msh" || extension == ".vtk" || extension == ".node" ||
         extension == ".ele";
}

void check_tets(const std::string& name, TetMesh& mesh, std::vector<std::string>* notes) {
  if (mesh.tetrahedra.empty())
    throw MeshError(name + ": holds no tetrahedra; export the volume mesh, or load a surface as .obj");
  double sum = 0;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    for (const int v : mesh.tetrahedra[t])
      if (v < 0 || v >= mesh.points.rows())
        throw MeshError(name + ": tetrahedron " + std::to_string(t + 1) + " names vertex " + std::to_string(v) +
                        ", which does not exist; there are " + std::to_string(mesh.points.rows()));
    sum += std::abs(tet_volume(mesh.points, mesh.tetrahedra[t]));
  }
  const double mean = sum / static_cast<double>(mesh.tetrahedra.size());
  std::vector<int> flat;
  std::int64_t turned = 0;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const double volume = tet_volume(mesh.points, mesh.tetrahedra[t]);
    if (!(std::abs(volume) > 1e-9 * mean)) flat.push_back(static_cast<int>(t));
    if (volume >= 0) continue;
    std::swap(mesh.tetrahedra[t][2], mesh.tetrahedra[t][3]);
    ++turned;
  }
  if (!flat.empty()) refuse_flat(name, flat, mean);
  refuse_doubles(name, mesh.tetrahedra);
  if (turned > 0 && notes)
    notes->push_back(count_of(turned, "tetrahedron was", "tetrahedra were") + " inside out and turned round");
  if (!notes) return;
  note_overlaps(mesh.tetrahedra, *notes);
  note_slivers(mesh, *notes);
}

TetMesh read_tets(const std::filesystem::path& path, std::vector<std::string>* notes, const Progress& progress) {
  RawTets raw = parse_file(path, progress);
  TetMesh mesh;
  mesh.points =
      Eigen::Map<const Points>(raw.coordinates.data(), static_cast<Eigen::Index>(raw.coordinates.size() / 3), 3);
  mesh.tetrahedra = std::move(raw.tetrahedra);
  mesh.labels = std::move(raw.labels);
  if (notes) notes->insert(notes->end(), raw.notes.begin(), raw.notes.end());
  check_tets(path.string(), mesh, notes);
  drop_unused_vertices(mesh, notes);
  progress.step("reading tetrahedra", 1);
  return mesh;
}

}  // namespace rebound::mesh
