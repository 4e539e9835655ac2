// A weighted sum of a few vertices: a point of a body, or the difference of two.
#pragma once

#include "sim/energy/attachments.hpp"

namespace rebound::sim {

struct BodyRow {
  /// A point in a lattice, minus a point between three points in a lattice.
  static constexpr int kMost = 16;

  int count = 0;
  std::array<int, kMost> vertices{};    ///< each once; those from `count` on are not used
  std::array<double, kMost> weights{};  ///< sum to 1 for a point, to 0 for a difference

  BodyRow() = default;
  BodyRow(const BodyPoint& point) {
    for (int j = 0; j < 4; ++j)
      if (point.weights[j] != 0) add(point.vertices[j], point.weights[j]);
  }
  void add(int vertex, double weight) {
    vertices[count] = vertex;
    weights[count] = weight;
    ++count;
  }
  /// The sum over n x 3 rows.
  Vec3 of(const Points& x) const {
    Vec3 sum = Vec3::Zero();
    for (int j = 0; j < count; ++j) sum += weights[j] * x.row(vertices[j]).transpose();
    return sum;
  }
  bool operator==(const BodyRow& other) const {
    if (count != other.count) return false;
    for (int j = 0; j < count; ++j)
      if (vertices[j] != other.vertices[j] || weights[j] != other.weights[j]) return false;
    return true;
  }
};

}  // namespace rebound::sim
