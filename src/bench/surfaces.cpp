#include "bench/surfaces.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

namespace rebound::bench {
namespace {

using mesh::Surface;
using Lattice = std::array<int, 3>;

class BoxSkin {
  struct Quad {
    std::array<int, 4> corners;  ///< counter-clockwise from outside
    bool even;
  };

 public:
  explicit BoxSkin(const Lattice& divisions) : divisions_(divisions) {
    for (int axis = 0; axis < 3; ++axis)
      for (const bool upper : {false, true}) add_side(axis, upper);
  }

  /// Places each vertex by its share of the way along x, y and z.
  template <class Place>
  Surface placed(const Place& place) const {
    Surface surface;
    surface.points.resize(static_cast<Eigen::Index>(number_of_.size()), 3);
    for (const auto& [at, number] : number_of_) {
      Eigen::Vector3d share;
      for (int k = 0; k < 3; ++k) share[k] = static_cast<double>(at[k]) / divisions_[k];
      surface.points.row(number) = place(share).transpose();
    }
    for (const Quad& quad : quads_) add_triangles(quad, surface);
    return surface;
  }

 private:
  void add_side(int axis, bool upper) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int j = 0; j < divisions_[v]; ++j)
      for (int i = 0; i < divisions_[u]; ++i) {
        const auto corner = [&](int di, int dj) {
          Lattice at{};
          at[axis] = upper ? divisions_[axis] : 0;
          at[u] = i + di;
          at[v] = j + dj;
          return number_of_.try_emplace(at, static_cast<int>(number_of_.size())).first->second;
        };
        const int a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
        quads_.push_back({upper ? std::array{a, b, c, d} : std::array{a, d, c, b}, (i + j) % 2 == 0});
      }
  }

  /// Cut along the shorter diagonal; where they are alike diagonals alternate, so that the surface has no grain.
  static void add_triangles(const Quad& quad, Surface& surface) {
    const auto& [a, b, c, d] = quad.corners;
    const auto length = [&](int from, int to) { return (surface.points.row(from) - surface.points.row(to)).norm(); };
    const double ac = length(a, c), bd = length(b, d);
    const bool alike = std::abs(ac - bd) < 1e-9 * ac;
    if (alike ? quad.even : ac < bd) {
      surface.triangles.push_back({a, b, c});
      surface.triangles.push_back({a, c, d});
    } else {
      surface.triangles.push_back({a, b, d});
      surface.triangles.push_back({b, c, d});
    }
  }

  Lattice divisions_;
  std::map<Lattice, int> number_of_;
  std::vector<Quad> quads_;
};

/// How far a bump about `direction` reaches at the point `u` of the unit sphere.
double bump(const Eigen::Vector3d& u, const Eigen::Vector3d& direction, double height, double sharpness) {
  return height * std::exp(sharpness * (u.dot(direction.normalized()) - 1));
}

}  // namespace

Surface box_surface(const std::array<double, 3>& size, const std::array<int, 3>& divisions) {
  return BoxSkin(divisions).placed([&](const Eigen::Vector3d& share) -> Eigen::Vector3d {
    return (share.array() - 0.5) * Eigen::Array3d(size[0], size[1], size[2]);
  });
}

Surface animal_surface(const std::array<int, 3>& divisions, int folds, double depth) {
  return BoxSkin(divisions).placed([&](const Eigen::Vector3d& share) -> Eigen::Vector3d {
    // The tangent spreads the vertices evenly over the ball.
    const Eigen::Vector3d u = (std::numbers::pi / 4 * (2 * share.array() - 1)).tan().matrix().normalized();
    double radius = 0.35;
    for (const double side : {-1.0, 1.0}) {
      radius += bump(u, {side, -1.1, 0.9}, 0.2, 12) + bump(u, {side, -1.1, -0.9}, 0.2, 12);  // legs
      radius += bump(u, {0.45 * side, 1, 0.5}, 0.2, 16);                                     // ears
    }
    const double fold = std::sin(folds * u.x()) * std::sin(folds * u.y() + 1) * std::sin(folds * u.z() + 2);
    return radius * (1 + depth * fold) * u;
  });
}

}  // namespace rebound::bench
