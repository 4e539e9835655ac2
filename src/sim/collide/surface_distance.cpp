#include "sim/collide/surface_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace rebound::sim {
namespace {

// A triangle whose height is this share of its longest side has no normal: rounding decides it.
constexpr double kFlatEnough = 1e-12;
// Shares of the surface's size: what is so near to the surface is on it, and what is so near to each other is one.
constexpr double kOnSurface = 1e-12, kSamePlace = 1e-10;
// A straight way passes an edge on one side where the sine of an angle is more than this.
constexpr double kOnEdge = 1e-13;
// Of the cube over the surface's size: a volume below it is rounding.
constexpr double kNoVolume = 1e-13;

// Cells along the longest side of the box, as powers of two: about as many as there are triangles.
constexpr int kCoarsest = 3, kFinest = 6;

constexpr int kFace = 6;

double squared_distance_to_side(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double s = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (p - a - s * along).squaredNorm();
}

}  // namespace

std::shared_ptr<const SurfaceDistance> SurfaceDistance::make(const Points& points,
                                                             const std::vector<std::array<int, 3>>& triangles,
                                                             std::string& reason) {
  if (triangles.empty()) {
    reason = "it has no triangles";
    return nullptr;
  }
  std::shared_ptr<SurfaceDistance> made(new SurfaceDistance(points, triangles));
  reason = made->weigh_edges();
  if (!reason.empty()) return nullptr;
  const double enclosed = made->volume();
  if (!(std::abs(enclosed) > kNoVolume * std::pow(made->size_, 3))) reason = "it encloses no volume";
  if (reason.empty() && enclosed < 0) reason = "its triangles face inwards";
  if (!reason.empty()) return nullptr;
  made->weigh_corners();
  made->leave_out_flat_triangles();
  made->tree_ = std::make_unique<TriangleTree>(made->points_, made->triangles_);
  const double across = std::sqrt(static_cast<double>(triangles.size()));
  const int level = std::clamp(static_cast<int>(std::log2(across)), kCoarsest, kFinest);
  made->outside_ =
      std::make_unique<OutsideCells>(made->bounds(), level, [&](const Vec3& p) { return made->nearest(p).distance; });
  return made;
}

SurfaceDistance::SurfaceDistance(const Points& points, const std::vector<Triangle>& triangles)
    : points_(points), triangles_(triangles) {
  Eigen::AlignedBox3d box;
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
    double longest = 0;
    for (int corner = 0; corner < 3; ++corner) {
      box.extend(point(t, corner));
      longest = std::max(longest, (point(t, (corner + 1) % 3) - point(t, corner)).squaredNorm());
    }
    const Vec3 normal = (point(t, 1) - point(t, 0)).cross(point(t, 2) - point(t, 0));
    const double length = normal.norm();
    face_normals_.push_back(length > kFlatEnough * longest ? Vec3(normal / length) : Vec3::Zero());
  }
  size_ = box.diagonal().norm();
}

std::vector<SurfaceDistance::HalfEdge> SurfaceDistance::sorted_edges() const {
  std::vector<HalfEdge> edges;
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t)
    for (int corner = 0; corner < 3; ++corner) {
      const int from = triangles_[t][corner], to = triangles_[t][(corner + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), from < to, t, corner});
    }
  std::sort(edges.begin(), edges.end());
  return edges;
}

// Says why, if an edge is not between two triangles that agree about which side is outside.
std::string SurfaceDistance::weigh_edges() {
  edge_normals_.resize(triangles_.size());
  const std::vector<HalfEdge> edges = sorted_edges();
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    const HalfEdge& a = edges[i];
    const auto same_edge = [&](std::size_t other) {
      return other < edges.size() && edges[other].low == a.low && edges[other].high == a.high;
    };
    if (!same_edge(i + 1)) return "it has an open edge";
    const HalfEdge& b = edges[i + 1];
    if (a.forward == b.forward || same_edge(i + 2)) return "two of its triangles run the same way along an edge";
    const Vec3 &left = face_normals_[a.triangle], &right = face_normals_[b.triangle];
    const Vec3 normal = left.isZero(0) || right.isZero(0) ? Vec3(Vec3::Zero()) : Vec3(left + right);
    edge_normals_[a.triangle][a.corner] = edge_normals_[b.triangle][b.corner] = normal;
  }
  return {};
}

void SurfaceDistance::weigh_corners() {
  vertex_normals_.assign(static_cast<std::size_t>(points_.rows()), Vec3::Zero());
  std::vector<std::uint8_t> next_to_flat(vertex_normals_.size(), 0);
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t)
    for (int corner = 0; corner < 3; ++corner) {
      const Vec3 a = point(t, (corner + 1) % 3) - point(t, corner), b = point(t, (corner + 2) % 3) - point(t, corner);
      const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
      vertex_normals_[triangles_[t][corner]] += angle * face_normals_[t];
      if (face_normals_[t].isZero(0)) next_to_flat[triangles_[t][corner]] = 1;
    }
  for (std::size_t v = 0; v < next_to_flat.size(); ++v)
    if (next_to_flat[v]) vertex_normals_[v].setZero();
}

double SurfaceDistance::volume() const {
  const Vec3 origin = point(0, 0);
  double six = 0;
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t)
    six += (point(t, 0) - origin).dot((point(t, 1) - origin).cross(point(t, 2) - origin));
  return six / 6;
}

void SurfaceDistance::leave_out_flat_triangles() {
  std::size_t kept = 0;
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    if (face_normals_[t].isZero(0)) continue;
    triangles_[kept] = triangles_[t];
    face_normals_[kept] = face_normals_[t];
    edge_normals_[kept] = edge_normals_[t];
    ++kept;
  }
  triangles_.resize(kept);
  face_normals_.resize(kept);
  edge_normals_.resize(kept);
}

SurfaceDistance::Candidate SurfaceDistance::closest(const Vec3& p) const {
  Candidate best{std::numeric_limits<double>::infinity(), point(0, 0)};
  tree_->visit(p, best.squared, [&](int t) {
    try_triangle(t, p, best);
    return std::sqrt(best.squared);
  });
  return best;
}

// The distance from an edge does not change along it, and that from a face changes alike everywhere.
Eigen::Matrix3d SurfaceDistance::curvature(const Vec3& p) const {
  const Candidate at = closest(p);
  const double distance = std::sqrt(at.squared);
  if (at.feature == kFace || !(distance > kOnSurface * size_)) return Eigen::Matrix3d::Zero();
  const Vec3 away = p - at.point, n = away / distance;
  Eigen::Matrix3d K = Eigen::Matrix3d::Identity() - n * n.transpose();
  if (const int corner = at.feature - 3; corner >= 0) {
    const Vec3 along = (point(at.triangle, (corner + 1) % 3) - point(at.triangle, corner)).normalized();
    K -= along * along.transpose();
  }
  return K / (away.dot(pseudonormal(at)) < 0 ? -distance : distance);
}

Nearest SurfaceDistance::nearest(const Vec3& p) const {
  const Candidate best = closest(p);
  const Vec3 side = pseudonormal(best), away = p - best.point;
  const double distance = std::sqrt(best.squared);
  const bool inside = away.dot(side) < 0;
  // On the surface itself the direction is that of the feature.
  Vec3 normal = side;
  if (distance > kOnSurface * size_) normal = inside ? Vec3(-away) : away;
  const double length = normal.norm();
  return {inside ? -distance : distance, length > 0 ? Vec3(normal / length) : Vec3::UnitY(), best.point};
}

// The nearest point of a triangle, by the regions of its plane in which a corner, an edge or the face is nearest. Of
// triangles that are equally near the first one counts, in whichever order they are tried.
void SurfaceDistance::try_triangle(int t, const Vec3& p, Candidate& best) const {
  const auto offer = [&](const Vec3& q, int feature) {
    const double squared = (p - q).squaredNorm();
    if (squared < best.squared || (squared == best.squared && t < best.triangle)) best = {squared, q, t, feature};
  };
  const Vec3& normal = face_normals_[t];
  const double height = normal.dot(p - point(t, 0)), at_least = std::abs(height) - kOnSurface * size_;
  if (at_least > 0 && at_least * at_least > best.squared) return;
  bool over_face = true;
  for (int corner = 0; corner < 3; ++corner) {
    const Vec3 a = point(t, corner), along = point(t, (corner + 1) % 3) - a;
    const double squared = along.squaredNorm();
    const double s = (p - a).dot(along) / squared;
    if (normal.cross(along).dot(p - a) < 0) over_face = false;
    if (s <= 0) {
      offer(a, corner);
    } else if (s < 1) {
      offer(a + s * along, 3 + corner);
    }
  }
  if (over_face) offer(p - height * normal, kFace);
}

std::vector<SurfaceDistance::Crossing> SurfaceDistance::crossings(const StraightWay& way) const {
  std::vector<Crossing> all;
  const double length = way.along.norm();
  outside_->visit_rest(way, [&](const WayPart& part) {
    const double reach = 0.5 * (part.end - part.begin) * length;
    tree_->visit(way.at(0.5 * (part.begin + part.end)), reach, [&](int t) {
      if (const auto crossed = crossing(t, way)) all.push_back(*crossed);
      return reach;
    });
  });
  // What lies next to two parts has been seen twice.
  std::ranges::sort(all, {}, [](const Crossing& c) { return std::pair(c.share, c.triangle); });
  const auto same = [](const Crossing& a, const Crossing& b) { return a.triangle == b.triangle; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

// A way through an edge or a corner, as far as can be told, crosses all of the triangles there: none slips in between.
std::optional<SurfaceDistance::Crossing> SurfaceDistance::crossing(int t, const StraightWay& way) const {
  const Vec3& normal = face_normals_[t];
  const double before = normal.dot(way.from - point(t, 0)), after = normal.dot(way.at(1) - point(t, 0));
  if ((before < 0) == (after < 0)) return std::nullopt;
  bool left = true, right = true;
  for (int corner = 0; corner < 3; ++corner) {
    const int a = triangles_[t][corner], b = triangles_[t][(corner + 1) % 3];
    const Vec3 begin = points_.row(a).transpose() - way.from, end = points_.row(b).transpose() - way.from;
    const double side = begin.cross(end).dot(way.along);
    const double rounding = kOnEdge * begin.norm() * end.norm() * way.along.norm();
    left = left && side >= -rounding;
    right = right && side <= rounding;
  }
  if (!left && !right) return std::nullopt;
  return Crossing{before / (before - after), t, before >= 0, normal};
}

Vec3 SurfaceDistance::pseudonormal(const Candidate& at) const {
  if (at.feature == kFace) return face_normals_[at.triangle];
  const Vec3& normal = at.feature < 3 ? vertex_normals_[triangles_[at.triangle][at.feature]]
                                      : edge_normals_[at.triangle][at.feature - 3];
  return normal.isZero(0) ? normal_around(at.point) : normal;
}

// Of a point of the surface whose neighbours do not tell all that meets there, as flat triangles lie between.
Vec3 SurfaceDistance::normal_around(const Vec3& q) const {
  const double near = kSamePlace * size_;
  std::vector<int> meeting;
  tree_->visit(q, near, [&](int t) {
    Candidate at{std::numeric_limits<double>::infinity(), q};
    try_triangle(t, q, at);
    if (at.squared <= near * near) meeting.push_back(t);
    return near;
  });
  std::sort(meeting.begin(), meeting.end());
  Vec3 sum = Vec3::Zero();
  for (const int t : meeting) sum += angle_at(t, q, near) * face_normals_[t];
  return sum;
}

// The angle that a triangle has around one of its points.
double SurfaceDistance::angle_at(int t, const Vec3& q, double near) const {
  for (int corner = 0; corner < 3; ++corner) {
    if ((q - point(t, corner)).norm() > near) continue;
    const Vec3 a = point(t, (corner + 1) % 3) - point(t, corner), b = point(t, (corner + 2) % 3) - point(t, corner);
    return std::atan2(a.cross(b).norm(), a.dot(b));
  }
  for (int corner = 0; corner < 3; ++corner)
    if (squared_distance_to_side(q, point(t, corner), point(t, (corner + 1) % 3)) <= near * near)
      return std::numbers::pi;
  return 2 * std::numbers::pi;
}

}  // namespace rebound::sim
