#include "scene/selection.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "scene/wording.hpp"

namespace rebound::scene {

std::string body_place(const WorldView& world, std::size_t body) {
  return world.description.place("/bodies/" + std::to_string(body));
}

std::string place_text(const Eigen::RowVector3d& x) {
  return "[" + number_text(x[0]) + ", " + number_text(x[1]) + ", " + number_text(x[2]) + "]";
}

bool inside(const BoxRegion& box, const sim::Vec3& at) {
  for (int c = 0; c < 3; ++c)
    if (at[c] < box.min[c] || at[c] > box.max[c]) return false;
  return true;
}

std::vector<int> border_of(const BodyGeometry& geometry) {
  std::map<std::pair<int, int>, int> sides;
  for (const mesh::Triangle& t : geometry.surface.triangles)
    for (int k = 0; k < 3; ++k) ++sides[std::minmax(t[k], t[(k + 1) % 3])];
  std::set<int> border;
  for (const auto& [edge, count] : sides)
    if (count == 1)
      for (const int corner : {edge.first, edge.second})
        border.insert(geometry.embedding.vertices[static_cast<std::size_t>(corner)][0]);
  return {border.begin(), border.end()};
}

std::vector<int> selected(const Selection& selection, const BodyGeometry& geometry, const sim::Points& x) {
  if (const auto* vertices = std::get_if<std::vector<int>>(&selection)) return *vertices;
  if (std::holds_alternative<BorderSelection>(selection)) return border_of(geometry);
  const auto& box = std::get<BoxRegion>(selection);
  std::vector<int> found;
  for (int i = 0; i < x.rows(); ++i)
    if (inside(box, x.row(i).transpose())) found.push_back(i);
  return found;
}

std::vector<int> selected_vertices(const Selection& selection, const BodyGeometry& geometry, const sim::Points& x) {
  return selected(selection, geometry, x);
}

}  // namespace rebound::scene
