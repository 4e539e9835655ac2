// One reader a file format: from text to tetrahedra, not yet checked for their volumes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"
#include "mesh/text.hpp"

namespace rebound::mesh {

/// What a file says: coordinates three by three, and elements whose indices exist.
struct RawTets {
  std::vector<double> coordinates;
  std::vector<Tetrahedron> tetrahedra;
  std::vector<int> labels;  ///< one a tetrahedron, or none at all
  std::vector<std::string> notes;
};

/// Each throws MeshError with the place. `name` is what messages call the text.
RawTets parse_medit(const std::string& name, std::string_view text, const Progress& progress);
RawTets parse_gmsh(const std::string& name, std::string_view text, const Progress& progress);
RawTets parse_vtk(const std::string& name, std::string_view text, const Progress& progress);
RawTets parse_tetgen(const std::string& node_name, std::string_view nodes, const std::string& ele_name,
                     std::string_view elements, const Progress& progress);

/// A number of elements that follow: at most one a byte of `text`, so that no memory is taken for a lie.
std::int64_t read_count(TextReader& reader, const char* what, std::string_view text);

/// Three coordinates of at most 1e9.
void read_point(TextReader& reader, std::vector<double>& coordinates);

/// The number by which a file marks the part that an element belongs to: the next word.
int read_label(TextReader& reader, const char* what);

/// Called for every element; lets the user cancel now and then.
void check_now_and_then(const Progress& progress, const TextReader& reader, std::int64_t element);

}  // namespace rebound::mesh
