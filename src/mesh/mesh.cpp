#include "mesh/mesh.hpp"

#include <algorithm>
#include <unordered_map>

namespace rebound::mesh {

Points Embedding::apply(const Eigen::Ref<const Points>& x) const {
  Points surface(static_cast<Eigen::Index>(vertices.size()), 3);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    Eigen::RowVector3d point = Eigen::RowVector3d::Zero();
    for (int j = 0; j < 4; ++j) point += weights[i][j] * x.row(vertices[i][j]);
    surface.row(static_cast<Eigen::Index>(i)) = point;
  }
  return surface;
}

Embedding embed_vertices(const std::vector<int>& vertices) {
  Embedding embedding;
  for (const int v : vertices) {
    embedding.vertices.push_back({v, v, v, v});
    embedding.weights.push_back({1, 0, 0, 0});
  }
  return embedding;
}

Boundary boundary_of(const TetMesh& mesh) {
  // A face that two tets share appears twice; what appears once is boundary.
  struct Face {
    Triangle sorted;
    Triangle outward;
  };
  std::vector<Face> faces;
  faces.reserve(4 * mesh.tetrahedra.size());
  for (const auto& t : mesh.tetrahedra) {
    for (const Triangle f : {Triangle{t[0], t[2], t[1]}, Triangle{t[0], t[1], t[3]}, Triangle{t[1], t[2], t[3]},
                             Triangle{t[0], t[3], t[2]}}) {
      Triangle sorted = f;
      std::sort(sorted.begin(), sorted.end());
      faces.push_back({sorted, f});
    }
  }
  std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.sorted < b.sorted; });

  Boundary boundary;
  std::unordered_map<int, int> index_of;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].sorted == faces[i].sorted) ++end;
    if (end == i + 1) {
      Triangle triangle;
      for (int k = 0; k < 3; ++k) {
        const auto [it, added] = index_of.try_emplace(faces[i].outward[k], static_cast<int>(boundary.vertex_of.size()));
        if (added) boundary.vertex_of.push_back(it->first);
        triangle[k] = it->second;
      }
      boundary.surface.triangles.push_back(triangle);
    }
    i = end;
  }
  boundary.surface.points.resize(static_cast<Eigen::Index>(boundary.vertex_of.size()), 3);
  for (std::size_t i = 0; i < boundary.vertex_of.size(); ++i)
    boundary.surface.points.row(static_cast<Eigen::Index>(i)) = mesh.points.row(boundary.vertex_of[i]);
  return boundary;
}

}  // namespace rebound::mesh
