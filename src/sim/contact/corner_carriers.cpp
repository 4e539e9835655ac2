#include "sim/contact/corner_carriers.hpp"

#include <algorithm>

namespace rebound::sim {

void add_by_vertices(const Carriers& carriers, const Vector12& by_corners, Points& gradient) {
  for (int c = 0; c < 4; ++c) {
    const BodyPoint* carrier = carriers[static_cast<std::size_t>(c)];
    if (carrier == nullptr) continue;
    for (std::size_t k = 0; k < 4; ++k)
      if (carrier->weights[k] != 0)
        gradient.row(carrier->vertices[k]) += carrier->weights[k] * by_corners.segment<3>(3 * c).transpose();
  }
}

// Range r begins at columns r / kColumnRanges, rounded down.
std::uint32_t ranges_of(const Carriers& carriers, int columns) {
  std::uint32_t ranges = 0;
  for (const BodyPoint* carrier : carriers)
    for (std::size_t k = 0; carrier != nullptr && k < 4; ++k)
      if (carrier->weights[k] != 0)
        ranges |= 1u << ((std::int64_t{kColumnRanges} * (carrier->vertices[k] + 1) - 1) / columns);
  return ranges;
}

void add_by_vertices(const Carriers& carriers, const Matrix12& by_corners, HessianBlocks& H, const ColumnRange& in) {
  for (int b = 0; b < 4; ++b) {
    const BodyPoint* other = carriers[static_cast<std::size_t>(b)];
    if (other == nullptr) continue;
    for (std::size_t l = 0; l < 4; ++l) {
      const int column = other->vertices[l];
      if (other->weights[l] == 0 || !in.has(column)) continue;
      for (int a = 0; a < 4; ++a) {
        const BodyPoint* one = carriers[static_cast<std::size_t>(a)];
        if (one == nullptr) continue;
        const Eigen::Matrix3d block = other->weights[l] * by_corners.block<3, 3>(3 * a, 3 * b);
        for (std::size_t k = 0; k < 4; ++k)
          if (one->weights[k] != 0 && one->vertices[k] >= column)
            H.add(one->vertices[k], column, one->weights[k] * block);
      }
    }
  }
}

void LinkList::add(const Carriers& carriers) {
  std::array<int, 16> vertices{};
  auto end = vertices.begin();
  for (const BodyPoint* carrier : carriers)
    for (std::size_t k = 0; carrier != nullptr && k < 4; ++k)
      if (carrier->weights[k] != 0 && std::find(vertices.begin(), end, carrier->vertices[k]) == end)
        *end++ = carrier->vertices[k];
  std::sort(vertices.begin(), end);
  const auto count = static_cast<std::size_t>(end - vertices.begin());
  if (count == count_ && std::equal(vertices.begin(), end, last_.begin())) return;
  last_ = vertices;
  count_ = count;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) links_.emplace_back(vertices[i], vertices[j]);
}

void LinkList::finish() {
  const auto first = links_.begin() + static_cast<std::ptrdiff_t>(before_);
  std::sort(first, links_.end());
  links_.erase(std::unique(first, links_.end()), links_.end());
}

}  // namespace rebound::sim
