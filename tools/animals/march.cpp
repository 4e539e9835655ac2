#include <cmath>

#include "surface.hpp"

namespace rebound::animals {
namespace {

// A cube's corner k lies at (k & 1, k >> 1 & 1, k >> 2 & 1). Six tetrahedra share the diagonal 0-7: each walks from 0
// to 7 along one order of the axes. Neighbouring cubes cut their common face alike, so the surface has no cracks.
constexpr int kTetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

class Marcher {
 public:
  Marcher(const Sculpture& sculpture, double cell) : cell_(cell) {
    for (int axis = 0; axis < 3; ++axis) size_[axis] = static_cast<int>((kHigh[axis] - kLow[axis]) / cell) + 2;
    const std::size_t count = static_cast<std::size_t>(size_[0]) * size_[1] * size_[2];
    value_.resize(count);
    crossing_.assign(count * 8, -1);
    for (int z = 0; z < size_[2]; ++z)
      for (int y = 0; y < size_[1]; ++y)
        for (int x = 0; x < size_[0]; ++x) value_[index(x, y, z)] = sculpture.value(position(x, y, z));
  }

  Mesh march() {
    for (int z = 0; z + 1 < size_[2]; ++z)
      for (int y = 0; y + 1 < size_[1]; ++y)
        for (int x = 0; x + 1 < size_[0]; ++x)
          for (const auto& tetrahedron : kTetrahedra) cut({x, y, z}, tetrahedron);
    return std::move(mesh_);
  }

 private:
  static constexpr double kLow[3] = {-1, -0.1, -1}, kHigh[3] = {1, 1.3, 1};

  std::size_t index(int x, int y, int z) const { return (static_cast<std::size_t>(z) * size_[1] + y) * size_[0] + x; }
  // Half a cell off the symmetry plane: no vertex lies exactly where two mirror images meet.
  Vector3d position(int x, int y, int z) const {
    return {kLow[0] + (x + 0.5) * cell_, kLow[1] + y * cell_, kLow[2] + z * cell_};
  }
  std::size_t corner_index(const Triangle& cube, int corner) const {
    return index(cube[0] + (corner & 1), cube[1] + (corner >> 1 & 1), cube[2] + (corner >> 2 & 1));
  }
  Vector3d corner_position(const Triangle& cube, int corner) const {
    return position(cube[0] + (corner & 1), cube[1] + (corner >> 1 & 1), cube[2] + (corner >> 2 & 1));
  }

  // The vertex on the edge between two corners of a cube. Its lower corner has fewer bits, and owns the edge.
  int vertex_between(const Triangle& cube, int a, int b) {
    if ((a & b) != a) std::swap(a, b);
    const std::size_t low = corner_index(cube, a), high = corner_index(cube, b);
    int& vertex = crossing_[low * 8 + (b ^ a)];
    if (vertex < 0) {
      vertex = static_cast<int>(mesh_.points.size());
      // Not too near a corner, where many triangles would shrink to nothing.
      const double t = std::clamp(value_[low] / (value_[low] - value_[high]), 0.05, 0.95);
      mesh_.points.push_back((1 - t) * corner_position(cube, a) + t * corner_position(cube, b));
    }
    return vertex;
  }

  void emit(const Triangle& cube, int inner, int outer, Triangle triangle) {
    const Vector3d& p = mesh_.points[triangle[0]];
    const Vector3d normal = (mesh_.points[triangle[1]] - p).cross(mesh_.points[triangle[2]] - p);
    if (normal.dot(corner_position(cube, outer) - corner_position(cube, inner)) < 0)
      std::swap(triangle[1], triangle[2]);
    mesh_.triangles.push_back(triangle);
  }

  void cut(const Triangle& cube, const int (&tetrahedron)[4]) {
    int inside[4], outside[4], insides = 0, outsides = 0;
    for (const int corner : tetrahedron)
      (value_[corner_index(cube, corner)] < 0 ? inside[insides++] : outside[outsides++]) = corner;
    if (insides == 0 || outsides == 0) return;
    if (insides == 2) {
      const int a = vertex_between(cube, inside[0], outside[0]), b = vertex_between(cube, inside[0], outside[1]);
      const int c = vertex_between(cube, inside[1], outside[1]), d = vertex_between(cube, inside[1], outside[0]);
      emit_quad(cube, inside, outside, {a, b, c, d});
      return;
    }
    const int* lone = insides == 1 ? inside : outside;
    const int* others = insides == 1 ? outside : inside;
    emit(cube, inside[0], outside[0],
         {vertex_between(cube, lone[0], others[0]), vertex_between(cube, lone[0], others[1]),
          vertex_between(cube, lone[0], others[2])});
  }

  void emit_quad(const Triangle& cube, const int* inside, const int* outside, const std::array<int, 4>& q) {
    // Both halves turn the same way, so one test (on the quad's area vector) serves both.
    const auto& p = mesh_.points;
    const Vector3d area = (p[q[2]] - p[q[0]]).cross(p[q[3]] - p[q[1]]);
    const Vector3d outwards = corner_position(cube, outside[0]) + corner_position(cube, outside[1]) -
                              corner_position(cube, inside[0]) - corner_position(cube, inside[1]);
    const bool flip = area.dot(outwards) < 0;
    mesh_.triangles.push_back(flip ? Triangle{q[0], q[2], q[1]} : Triangle{q[0], q[1], q[2]});
    mesh_.triangles.push_back(flip ? Triangle{q[0], q[3], q[2]} : Triangle{q[0], q[2], q[3]});
  }

  double cell_;
  std::array<int, 3> size_;
  std::vector<double> value_;
  std::vector<int> crossing_;  // eight a grid point, by the corner across the edge
  Mesh mesh_;
};

}  // namespace

Mesh march(const Sculpture& sculpture, double cell) { return Marcher(sculpture, cell).march(); }

}  // namespace rebound::animals
