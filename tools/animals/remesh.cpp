// Isotropic remeshing in the manner of Botsch and Kobbelt (2004), "A Remeshing Approach to Multiresolution Modeling",
// with edge lengths that follow the curvature and vertices that are put back on the implicit surface.
#include <algorithm>
#include <cmath>

#include "surface.hpp"
#include "triangle_net.hpp"

namespace rebound::animals {
namespace {

constexpr int kRounds = 10;                                // of splitting, joining and flipping
constexpr int kPolishRounds = 8;                           // of flipping and sliding only
constexpr double kTooLong = 4.0 / 3, kTooShort = 4.0 / 5;  // of the wished length: a split makes no short edges
constexpr double kGrading = 0.35;  // how much longer wished lengths may be, a metre farther away

class Remesher {
 public:
  Remesher(Mesh mesh, const Sculpture& sculpture, const EdgeLengths& lengths)
      : net_(std::move(mesh)), sculpture_(sculpture), lengths_(lengths) {}

  Mesh remesh() {
    for (int round = 0; round < kRounds; ++round) {
      wish();
      split_long();
      join_short();
      flip([this](int a, int b, int c, int d) { return evens_out(a, b, c, d); });
      slide();
    }
    for (int round = 0; round < kPolishRounds; ++round) {
      flip([this](int a, int b, int c, int d) { return opens_angles(a, b, c, d); });
      slide();
    }
    flip([this](int a, int b, int c, int d) { return opens_angles(a, b, c, d); });
    return net_.compact();
  }

 private:
  const Vector3d& at(int v) const { return net_.points[v]; }
  double relative_length(int a, int b) const { return (at(a) - at(b)).norm() / std::min(wish_[a], wish_[b]); }

  // The wished edge length at each vertex.
  void wish() {
    wish_.assign(net_.points.size(), lengths_.coarsest);
    for (std::size_t v = 0; v < wish_.size(); ++v) {
      if (net_.fans[v].empty()) continue;
      const double curvature = std::max(sculpture_.curvature(at(static_cast<int>(v))), 1e-3);
      wish_[v] = std::clamp(lengths_.turn / curvature, lengths_.finest, lengths_.coarsest);
    }
    constexpr int kSweeps = 12;
    for (int sweep = 0; sweep < kSweeps; ++sweep)
      for (const auto& [a, b] : net_.edges()) {
        const double slack = kGrading * (at(a) - at(b)).norm();
        wish_[a] = std::min(wish_[a], wish_[b] + slack);
        wish_[b] = std::min(wish_[b], wish_[a] + slack);
      }
  }

  // Longest first, or shortest first; ties by number, so that the order is always the same.
  std::vector<Edge> sorted_edges(bool longest_first) const {
    struct Ranked {
      double length;
      Edge edge;
    };
    std::vector<Ranked> ranked;
    for (const Edge& e : net_.edges()) ranked.push_back({relative_length(e[0], e[1]), e});
    std::sort(ranked.begin(), ranked.end(), [longest_first](const Ranked& l, const Ranked& r) {
      if (l.length != r.length) return longest_first == (l.length > r.length);
      return l.edge < r.edge;
    });
    std::vector<Edge> edges;
    for (const Ranked& r : ranked) edges.push_back(r.edge);
    return edges;
  }

  void split_long() {
    for (const auto& [a, b] : sorted_edges(true)) {
      if (relative_length(a, b) <= kTooLong) break;
      net_.split(a, b, sculpture_.on_surface((at(a) + at(b)) / 2));
      wish_.push_back(std::min(wish_[a], wish_[b]));
    }
  }

  void join_short() {
    for (const auto& [a, b] : sorted_edges(false)) {
      if (net_.fans[a].empty() || net_.fans[b].empty() || !net_.adjacent(a, b)) continue;
      if (relative_length(a, b) >= kTooShort) continue;
      const Vector3d middle = sculpture_.on_surface((at(a) + at(b)) / 2);
      if (net_.can_join(a, b, middle) && !makes_long(a, b, middle)) net_.join(a, b, middle);
    }
  }

  bool makes_long(int a, int b, const Vector3d& middle) const {
    const double wished = std::min(wish_[a], wish_[b]);
    for (const int end : {a, b})
      for (const int v : net_.neighbours(end))
        if (v != a && v != b && (at(v) - middle).norm() > kTooLong * std::min(wished, wish_[v])) return true;
    return false;
  }

  template <typename Improves>
  void flip(const Improves& improves) {
    for (const auto& [a, b] : net_.edges()) {
      const auto opposite = net_.opposite(a, b);
      if (!opposite) continue;
      const auto [c, d] = *opposite;
      if (net_.can_flip(a, b, c, d) && improves(a, b, c, d)) net_.flip(a, b, c, d);
    }
  }

  // Six neighbours each is ideal.
  bool evens_out(int a, int b, int c, int d) const {
    const auto excess = [this](int v, int change) {
      const int e = static_cast<int>(net_.fans[v].size()) + change - 6;
      return e * e;
    };
    return excess(a, -1) + excess(b, -1) + excess(c, 1) + excess(d, 1) <
           excess(a, 0) + excess(b, 0) + excess(c, 0) + excess(d, 0);
  }

  bool opens_angles(int a, int b, int c, int d) const {
    const double before = std::max(net_.sharpness({a, b, c}), net_.sharpness({a, b, d}));
    const double after = std::max(net_.sharpness({c, d, a}), net_.sharpness({c, d, b}));
    return after < before - 1e-3;
  }

  // Each vertex goes along the surface towards the middle of its fan, large triangles counting more where the wish is
  // for even ones.
  void slide() {
    for (std::size_t v = 0; v < net_.points.size(); ++v) {
      if (net_.fans[v].empty()) continue;
      const int i = static_cast<int>(v);
      Vector3d sum = Vector3d::Zero();
      double weight = 0;
      for (const int t : net_.fans[v]) {
        const Triangle& triangle = net_.triangles[t];
        const double area = net_.area_vector(triangle).norm();
        const double wished = (wish_[triangle[0]] + wish_[triangle[1]] + wish_[triangle[2]]) / 3;
        const double share = area / (wished * wished);
        sum += share * (at(triangle[0]) + at(triangle[1]) + at(triangle[2])) / 3;
        weight += share;
      }
      const Vector3d normal = sculpture_.normal(at(i));
      Vector3d step = sum / weight - at(i);
      step -= step.dot(normal) * normal;
      const Vector3d target = sculpture_.on_surface(at(i) + 0.7 * step);
      // Near a tight groove the way back may lead to its other side: then stay.
      if ((target - at(i)).norm() < 2 * wish_[v] && net_.can_move(i, target)) net_.points[v] = target;
    }
  }

  TriangleNet net_;
  const Sculpture& sculpture_;
  EdgeLengths lengths_;
  std::vector<double> wish_;
};

}  // namespace

Mesh remesh(Mesh mesh, const Sculpture& sculpture, const EdgeLengths& lengths) {
  for (Vector3d& p : mesh.points) p = sculpture.on_surface(p);
  return Remesher(std::move(mesh), sculpture, lengths).remesh();
}

}  // namespace rebound::animals
