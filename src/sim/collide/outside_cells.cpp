#include "sim/collide/outside_cells.hpp"

#include <cmath>
#include <numbers>

namespace rebound::sim {
namespace {

// For the rounding of a point's cell.
constexpr double kMargin = 1e-9;

}  // namespace

OutsideCells::OutsideCells(const Eigen::AlignedBox3d& box, int level,
                           const std::function<double(const Vec3&)>& distance)
    : box_(box), side_(box.sizes().maxCoeff() / (1 << level)) {
  counts_ = (box.sizes() / side_).array().ceil().cast<int>().max(1);
  outside_.assign(static_cast<std::size_t>(counts_.prod()), 0);
  look_at(Eigen::Array3i::Zero(), 1 << level, distance);
}

// A cube of cells is outside as a whole, inside as a whole, or looked at in eight parts.
void OutsideCells::look_at(const Eigen::Array3i& first, int cells, const std::function<double(const Vec3&)>& distance) {
  const Eigen::Array3i end = (first + cells).min(counts_);
  if ((first >= end).any()) return;
  const Vec3 middle = box_.min() + side_ * (first.cast<double>() + 0.5 * cells).matrix();
  const double reach = 0.5 * std::numbers::sqrt3 * cells * side_ * (1 + kMargin), away = distance(middle);
  if (away > reach) {
    for (int z = first.z(); z < end.z(); ++z)
      for (int y = first.y(); y < end.y(); ++y)
        for (int x = first.x(); x < end.x(); ++x) outside_[index({x, y, z})] = 1;
    return;
  }
  if (away < -reach || cells == 1) return;
  const int half = cells / 2;
  for (int part = 0; part < 8; ++part)
    look_at(first + half * Eigen::Array3i(part & 1, part >> 1 & 1, part >> 2), half, distance);
}

}  // namespace rebound::sim
