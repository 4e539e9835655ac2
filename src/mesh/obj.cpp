#include "mesh/obj.hpp"

#include <tiny_obj_loader.h>

#include <istream>
#include <streambuf>

#include "mesh/atomic_file.hpp"
#include "mesh/obj_scan.hpp"
#include "mesh/polygon.hpp"
#include "mesh/text.hpp"

namespace rebound::mesh {
namespace {

constexpr int kFacesBetweenChecks = 8192;

/// A text in memory as a stream, without a copy.
class MemoryBuffer : public std::streambuf {
 public:
  explicit MemoryBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // only ever read
    setg(begin, begin, begin + text.size());
  }
};

/// Gathers triangles while tinyobjloader walks through the faces.
struct Faces {
  const Points& points;
  std::int64_t expected;
  const Progress& progress;
  std::vector<Triangle> triangles;
  std::int64_t vertices = 0;  ///< met so far: negative indices count back from here
  std::int64_t met = 0;
  bool out_of_range = false;

  void add(const tinyobj::index_t* corners, int count) {
    if (++met % kFacesBetweenChecks == 0)
      progress.step("reading faces", static_cast<double>(met) / static_cast<double>(expected));
    std::vector<int> indices;
    for (int i = 0; i < count; ++i) {
      const int index = corners[i].vertex_index;
      if (index == 0) break;  // a remark behind the corners: the scan has refused every other zero
      indices.push_back(static_cast<int>(index > 0 ? index - 1 : vertices + index));
      // The scan has checked every corner; this holds whatever the two readers should ever see differently.
      if (indices.back() < 0 || indices.back() >= points.rows()) out_of_range = true;
    }
    if (out_of_range) return;
    if (indices.size() == 3) {
      triangles.push_back({indices[0], indices[1], indices[2]});
      return;
    }
    std::vector<Eigen::Vector3d> outline;
    for (const int i : indices) outline.push_back(points.row(i).transpose());
    for (const Triangle& t : triangulate_polygon(outline))
      triangles.push_back({indices[t[0]], indices[t[1]], indices[t[2]]});
  }
};

void parse_faces(const std::string& name, std::string_view text, Faces& faces) {
  MemoryBuffer buffer(text);
  std::istream stream(&buffer);
  tinyobj::callback_t callbacks;
  callbacks.vertex_cb = [](void* user, tinyobj::real_t, tinyobj::real_t, tinyobj::real_t, tinyobj::real_t) {
    ++static_cast<Faces*>(user)->vertices;
  };
  callbacks.index_cb = [](void* user, tinyobj::index_t* corners, int count) {
    static_cast<Faces*>(user)->add(corners, count);
  };
  std::string warnings, errors;
  const bool read = tinyobj::LoadObjWithCallback(stream, callbacks, &faces, nullptr, &warnings, &errors);
  if (!read || faces.out_of_range || faces.met != faces.expected || faces.vertices != faces.points.rows())
    throw MeshError(name + ": cannot be read as OBJ" + (errors.empty() ? "" : " (" + errors + ")") +
                    "; export the mesh again, with one element a line");
}

}  // namespace

Surface parse_obj(const std::string& name, std::string_view text, std::vector<std::string>* notes,
                  const Progress& progress, const ObjLimits& limits) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  ObjScan scan = scan_obj(name, text, progress, limits);
  Surface surface;
  {
    Faces faces{scan.points, scan.faces, progress, {}};
    faces.triangles.reserve(static_cast<std::size_t>(scan.faces));
    parse_faces(name, text, faces);
    surface.triangles = std::move(faces.triangles);
  }
  surface.points = std::move(scan.points);
  if (notes && scan.polygons > 0)
    notes->push_back(count_of(scan.polygons, "face") + " of more than three corners cut into triangles");
  progress.step("reading faces", 1);
  return surface;
}

Surface read_obj(const std::filesystem::path& path, std::vector<std::string>* notes, const Progress& progress,
                 const ObjLimits& limits) {
  const std::string text = read_text_file(path, limits.bytes, progress);
  return parse_obj(path.string(), text, notes, progress, limits);
}

void write_obj(const std::filesystem::path& path, const Surface& surface, std::span<const Edge> edges) {
  std::string text;
  for (Eigen::Index i = 0; i < surface.points.rows(); ++i) {
    text += 'v';
    for (int k = 0; k < 3; ++k) {
      text += ' ';
      append_number(text, surface.points(i, k));
    }
    text += '\n';
  }
  for (const Triangle& t : surface.triangles) {
    text += 'f';
    for (const int v : t) text += ' ' + std::to_string(v + 1);
    text += '\n';
  }
  for (const Edge& edge : edges) text += "l " + std::to_string(edge[0] + 1) + ' ' + std::to_string(edge[1] + 1) + '\n';
  write_file_atomically(path, text);
}

}  // namespace rebound::mesh
