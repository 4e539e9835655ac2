#include "sim/collide/contact_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace rebound::sim {
namespace {

// A surface's way down to the nearest spot; longer ones go astray.
constexpr int kMostMoves = 32;
// A face is along a direction up to this cosine: bodies bend while they slide over one another.
constexpr double kAlong = 0.1;

template <class Elements>
std::vector<TreeBox> boxes_of(const Elements& elements, const Points& x) {
  std::vector<TreeBox> boxes;
  boxes.reserve(elements.size());
  for (const auto& element : elements) {
    TreeBox box;
    for (const int v : element) box.extend(TreeBox::around(x.row(v).transpose()));
    boxes.push_back(box);
  }
  return boxes;
}

bool is_before(const BodyPoint& a, const BodyPoint& b) {
  return std::tie(a.vertices, a.weights) < std::tie(b.vertices, b.weights);
}

template <class Elements>
double mean_edge(const Elements& elements, const Points& x) {
  double sum = 0;
  std::size_t count = 0;
  for (const auto& element : elements)
    for (std::size_t a = 0; a < element.size(); ++a)
      for (std::size_t b = a + 1; b < element.size(); ++b, ++count)
        sum += (x.row(element[a]) - x.row(element[b])).norm();
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

}  // namespace

ContactBody::ContactBody(BodyShape shape)
    : shape_(std::move(shape)),
      rest_corners_(static_cast<Eigen::Index>(shape_.corners.size()), 3),
      faces_around_(shape_.corners.size(), shape_.faces) {
  for (std::size_t c = 0; c < shape_.corners.size(); ++c)
    rest_corners_.row(static_cast<Eigen::Index>(c)) = shape_.corners[c].of(shape_.rest).transpose();
  corners_in_order_.resize(shape_.corners.size());
  std::iota(corners_in_order_.begin(), corners_in_order_.end(), 0);
  std::sort(corners_in_order_.begin(), corners_in_order_.end(), [&](int a, int b) {
    return is_before(shape_.corners[static_cast<std::size_t>(a)], shape_.corners[static_cast<std::size_t>(b)]);
  });
  const auto face_boxes = boxes_of(shape_.faces, rest_corners_);
  surface_ = BoxTree(face_boxes);
  elements_ = is_solid() ? BoxTree(boxes_of(shape_.tets, shape_.rest)) : surface_;
  if (is_bare()) {
    edge_ = mean_edge(shape_.edges, shape_.rest);
  } else {
    edge_ = is_solid() && shape_.cage.empty() ? mean_edge(shape_.tets, shape_.rest)
                                              : mean_edge(shape_.faces, rest_corners_);
  }
  for (const auto& tet : shape_.tets) {
    double squared = 0;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b)
        squared = std::max(squared, (shape_.rest.row(tet[a]) - shape_.rest.row(tet[b])).squaredNorm());
    widths_.push_back(static_cast<float>(std::sqrt(squared)));
  }
}

bool ContactBody::can_be_pressed(const BodyPoint& point, const Vec3& n, const Points& x, int first) const {
  BodyPoint within = point;
  for (int& v : within.vertices) v -= first;
  const auto at = std::lower_bound(
      corners_in_order_.begin(), corners_in_order_.end(), within,
      [&](int c, const BodyPoint& p) { return is_before(shape_.corners[static_cast<std::size_t>(c)], p); });
  if (at == corners_in_order_.end() || is_before(within, shape_.corners[static_cast<std::size_t>(*at)])) return true;
  const auto faces = faces_around_.of(*at);
  return faces.empty() || std::any_of(faces.begin(), faces.end(), [&](int face) {
           const Vec3 normal = area_normal(corners(face, x, first));
           return normal.dot(n) < -kAlong * normal.norm();
         });
}

bool ContactBody::touch(int a, int b) const {
  for (const int c : face_at(a))
    for (const int d : face_at(b))
      if (c == d) return true;
  return false;
}

Corners ContactBody::corners(int face, const Points& x, int first) const {
  Corners at;
  for (int c = 0; c < 3; ++c) {
    const BodyPoint& point = corner(face, c);
    at[static_cast<std::size_t>(c)].setZero();
    for (int j = 0; j < 4; ++j)
      if (point.weights[j] != 0)
        at[static_cast<std::size_t>(c)] += point.weights[j] * x.row(first + point.vertices[j]).transpose();
  }
  return at;
}

Corners ContactBody::rest_corners(int face) const {
  const auto& f = face_at(face);
  return {rest_corners_.row(f[0]), rest_corners_.row(f[1]), rest_corners_.row(f[2])};
}

SurfaceSpot ContactBody::way_out(int tet, const Vec3& X) const {
  SurfaceSpot best;
  best.face = surface_.nearest(X, std::numeric_limits<double>::infinity(), [&](int face, double bound) {
    const TrianglePoint point = nearest_in_triangle(rest_corners(face), X);
    if (point.squared_distance < bound) best.point = point;
    return point.squared_distance;
  });
  if (best.face >= 0 && shape_.fill[static_cast<std::size_t>(tet)] < 1 && is_outside(best, X)) best.face = -1;
  return best;
}

// By the normals of all faces that meet at the spot, each weighted by its angle there [Baerentzen05].
bool ContactBody::is_outside(const SurfaceSpot& spot, const Vec3& X) const {
  const auto& face = face_at(spot.face);
  std::array<int, 3> used{};
  int count = 0;
  for (int c = 0; c < 3; ++c)
    if (spot.point.weights[c] > 0) used[static_cast<std::size_t>(count++)] = face[static_cast<std::size_t>(c)];
  Vec3 side = Vec3::Zero();
  for (const int f : faces_around_.of(used[0])) {
    const auto& other = face_at(f);
    bool has_all = true;
    for (int k = 0; k < count; ++k) has_all = has_all && std::find(other.begin(), other.end(), used[k]) != other.end();
    if (!has_all) continue;
    const Corners at = rest_corners(f);
    const Vec3 normal = area_normal(at);
    const double length = normal.norm();
    if (!(length > 0)) continue;
    const auto c = static_cast<std::size_t>(std::find(other.begin(), other.end(), used[0]) - other.begin());
    const Vec3 a = at[(c + 1) % 3] - at[c], b = at[(c + 2) % 3] - at[c];
    side += (count == 1 ? std::atan2(length, a.dot(b)) : 1.0) / length * normal;
  }
  return side.dot(X - spot.point.at) > 0;
}

SurfaceSpot ContactBody::descend(int face, const Vec3& p, const Points& x, int first) const {
  SurfaceSpot best{face, nearest_in_triangle(corners(face, x, first), p)};
  for (int moves = 0; moves < kMostMoves; ++moves) {
    const int here = best.face;
    for (const int c : face_at(here))
      for (const int f : faces_around_.of(c)) {
        if (f == here) continue;
        const TrianglePoint point = nearest_in_triangle(corners(f, x, first), p);
        if (point.squared_distance < best.point.squared_distance) best = {f, point};
      }
    if (best.face == here) break;
  }
  return best;
}

}  // namespace rebound::sim
