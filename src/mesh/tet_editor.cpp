#include "mesh/tet_editor.hpp"

#include <algorithm>

#include "mesh/geometry.hpp"

namespace rebound::mesh {
namespace {

/// The other two corners of a tet in the order that makes (a, b, c, d) positive.
Edge rest_of(const Tetrahedron& tet, int a, int b) {
  for (int i = 0; i < 4; ++i) {
    if (tet[i] != a) continue;
    for (int k = 0; k < 3; ++k)
      if (tet[kTetFaces[i][k]] == b) return {tet[kTetFaces[i][(k + 1) % 3]], tet[kTetFaces[i][(k + 2) % 3]]};
  }
  return {-1, -1};
}

Triangle sorted(Triangle face) {
  std::sort(face.begin(), face.end());
  return face;
}

bool has(const Tetrahedron& tet, int vertex) { return std::find(tet.begin(), tet.end(), vertex) != tet.end(); }

}  // namespace

TetEditor::TetEditor(const TetMesh& mesh, const std::vector<int>& kept)
    : points_(static_cast<std::size_t>(mesh.points.rows())),
      movable_(points_.size(), 1),
      tets_(mesh.tetrahedra),
      stiffness_(tets_.size()),
      around_(points_.size()),
      changed_(points_.size(), 0) {
  for (std::size_t v = 0; v < points_.size(); ++v) points_[v] = point(mesh.points, static_cast<int>(v));
  for (int t = 0; t < tets(); ++t) link(t);
  for (const int v : kept) movable_[v] = 0;
  for (const int v : boundary_of(mesh).vertex_of) movable_[v] = 0;
}

TetMesh TetEditor::result() const {
  TetMesh mesh;
  mesh.points.resize(static_cast<Eigen::Index>(points_.size()), 3);
  for (std::size_t v = 0; v < points_.size(); ++v)
    mesh.points.row(static_cast<Eigen::Index>(v)) = points_[v].transpose();
  for (int t = 0; t < tets(); ++t)
    if (alive(t)) mesh.tetrahedra.push_back(tets_[t]);
  return mesh;
}

double TetEditor::median_stiffness() const {
  std::vector<double> all;
  for (int t = 0; t < tets(); ++t)
    if (alive(t)) all.push_back(stiffness_[t]);
  if (all.empty()) return 0;
  const auto middle = all.begin() + std::ssize(all) / 2;
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

std::vector<int> TetEditor::around(int a, int b) const {
  std::vector<int> both;
  for (const int t : around_[a])
    if (has(tets_[t], b)) both.push_back(t);
  return both;
}

Triangle TetEditor::facing(int tet, int corner) const {
  const auto& [i, j, k] = kTetFaces[corner];
  return {tets_[tet][i], tets_[tet][j], tets_[tet][k]};
}

int TetEditor::across(int tet, int corner) const {
  const Triangle face = facing(tet, corner);
  for (const int t : around(face[0], face[1]))
    if (t != tet && has(tets_[t], face[2])) return t;
  return -1;
}

std::vector<int> TetEditor::ring(int a, int b) const {
  std::vector<Edge> links;
  for (const int t : around(a, b)) links.push_back(rest_of(tets_[t], a, b));
  if (links.size() < 3) return {};
  std::vector<int> ring{links[0][0]};
  int next = links[0][1];
  while (next != ring[0] && ring.size() < links.size()) {
    ring.push_back(next);
    const auto on = std::find_if(links.begin(), links.end(), [next](const Edge& link) { return link[0] == next; });
    if (on == links.end()) return {};
    next = (*on)[1];
  }
  if (next != ring[0] || ring.size() != links.size()) return {};
  return ring;
}

Wall TetEditor::wall(const std::vector<int>& tets) const {
  Wall faces;
  for (const int t : tets)
    for (int corner = 0; corner < 4; ++corner) faces.push_back(facing(t, corner));
  std::vector<Triangle> keys(faces.size());
  std::transform(faces.begin(), faces.end(), keys.begin(), sorted);
  std::vector<Triangle> in_order = keys;
  std::sort(in_order.begin(), in_order.end());
  Wall once;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto [first, last] = std::equal_range(in_order.begin(), in_order.end(), keys[f]);
    if (last - first == 1) once.push_back(faces[f]);
  }
  return once;
}

double TetEditor::worst_of(const std::vector<int>& tets) const {
  double worst = 0;
  for (const int t : tets) worst = std::max(worst, stiffness_[t]);
  return worst;
}

int TetEditor::last_change_at(int tet) const {
  int last = 0;
  for (const int v : tets_[tet]) last = std::max(last, changed_[v]);
  return last;
}

void TetEditor::replace(const std::vector<int>& old, const std::vector<Tetrahedron>& fresh) {
  ++changes_;
  for (const int t : old) unlink(t);
  std::size_t slot = 0;
  for (const Tetrahedron& tet : fresh) {
    int t = tets();
    if (slot < old.size()) {
      t = old[slot++];
      tets_[t] = tet;
    } else {
      tets_.push_back(tet);
      stiffness_.push_back(0);
    }
    link(t);
  }
  for (; slot < old.size(); ++slot) tets_[old[slot]] = {-1, -1, -1, -1};
}

void TetEditor::move(int vertex, const Eigen::Vector3d& to) {
  points_[vertex] = to;
  ++changes_;
  for (const int t : around_[vertex]) {
    for (const int v : tets_[t]) changed_[v] = changes_;
    const auto& [a, b, c, d] = tets_[t];
    stiffness_[t] = tet_stiffness(points_[a], points_[b], points_[c], points_[d]);
  }
}

int TetEditor::add(const Eigen::Vector3d& point) {
  points_.push_back(point);
  movable_.push_back(1);
  around_.emplace_back();
  changed_.push_back(changes_);
  return static_cast<int>(points_.size()) - 1;
}

void TetEditor::link(int tet) {
  const auto& [a, b, c, d] = tets_[tet];
  stiffness_[tet] = tet_stiffness(points_[a], points_[b], points_[c], points_[d]);
  for (const int v : tets_[tet]) {
    around_[v].push_back(tet);
    changed_[v] = changes_;
  }
}

void TetEditor::unlink(int tet) {
  for (const int v : tets_[tet]) {
    std::erase(around_[v], tet);
    changed_[v] = changes_;
  }
}

}  // namespace rebound::mesh
