#include <cmath>
#include <map>
#include <numbers>

#include "mesh/structures/recipes.hpp"

namespace rebound::mesh {
namespace {

using Eigen::Vector2d;
using Place = std::array<long, 2>;

Place place_of(const Vector2d& p) { return {std::lround(p.x() * 1e5), std::lround(p.y() * 1e5)}; }

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// The end of a wall: its two edges, seen along the wall.
using Door = std::array<Vector2d, 2>;

// A triangle whose sides are the ends of three walls, 120 degrees apart.
struct Junction {
  Vector2d centre;
  std::array<Vector2d, 3> corners;
  std::array<double, 3> angles;  // of the walls, in degrees

  Junction(const Vector2d& at, bool upwards, double wall) : centre(at) {
    for (std::size_t k = 0; k < 3; ++k) {
      angles[k] = (upwards ? 90 : -90) + 120.0 * static_cast<double>(k);
      const double t = radians(angles[k] + 60);
      corners[k] = centre + wall / std::sqrt(3) * Vector2d(std::cos(t), std::sin(t));
    }
  }
  Door door(std::size_t k) const { return {corners[(k + 2) % 3], corners[k]}; }
};

// Blocks that stand on outlines in the plane, in layers.
class Sheet {
 public:
  Sheet(Blocks& body, double depth, int layers) : body_(body), depth_(depth), layers_(layers) {}

  template <std::size_t N>
  void raise(const std::array<Vector2d, N>& outline) {
    for (int k = 0; k < layers_; ++k) {
      std::array<int, N> low, high;
      for (std::size_t c = 0; c < N; ++c) {
        low[c] = column(outline[c])[static_cast<std::size_t>(k)];
        high[c] = column(outline[c])[static_cast<std::size_t>(k) + 1];
      }
      if constexpr (N == 3)
        body_.prism(low, high);
      else
        body_.hexahedron(low, high);
    }
  }

 private:
  const std::vector<int>& column(const Vector2d& p) {
    std::vector<int>& points = columns_[place_of(p)];
    if (points.empty())
      for (int k = 0; k <= layers_; ++k)
        points.push_back(body_.point({p.x(), p.y(), depth_ * (1.0 * k / layers_ - 0.5)}));
    return points;
  }

  Blocks& body_;
  double depth_;
  int layers_;
  std::map<Place, std::vector<int>> columns_;
};

}  // namespace

Blocks honeycomb(Detail detail) {
  const bool fine = detail == Detail::fine;
  const int layers = fine ? 4 : 5, columns = fine ? 9 : 7, rows = fine ? 7 : 6;
  const double side = 0.1, wall = 0.022, depth = 0.1;
  const double width = std::sqrt(3) * side, height = 1.5 * side, middle = (columns - 0.5) * width / 2;
  std::vector<Junction> junctions;
  std::map<Place, std::size_t> at;
  for (int row = 0; row < 2 * rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const bool upwards = row % 2 == 1;
      const double shift = (row + 1) / 2 % 2 * width / 2;
      const Vector2d centre(column * width + shift - middle, row / 2 * height + (upwards ? side / 2 : 0));
      at[place_of(centre)] = junctions.size();
      junctions.emplace_back(centre, upwards, wall);
    }
  Blocks body;
  Sheet sheet(body, depth, layers);
  for (std::size_t from = 0; from < junctions.size(); ++from) {
    const Junction& here = junctions[from];
    sheet.raise(here.corners);
    for (std::size_t k = 0; k < 3; ++k) {
      const double angle = radians(here.angles[k]);
      const auto to = at.find(place_of(here.centre + side * Vector2d(std::cos(angle), std::sin(angle))));
      if (to == at.end() || to->second < from) continue;
      const Junction& there = junctions[to->second];
      std::size_t back = 0;
      while (std::remainder(there.angles[back] - here.angles[k] - 180, 360) != 0) ++back;
      // Walls are two blocks long.
      const auto [left, right] = here.door(k);
      const auto [far_left, far_right] = there.door(back);
      const Vector2d half_left = (left + far_right) / 2, half_right = (right + far_left) / 2;
      sheet.raise(std::array{left, right, half_right, half_left});
      sheet.raise(std::array{half_left, half_right, far_left, far_right});
    }
  }
  return body;
}

}  // namespace rebound::mesh
