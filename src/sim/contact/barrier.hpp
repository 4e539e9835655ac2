// A potential that keeps surfaces apart: it begins at a distance d^ and is infinite where they touch.
//
// Source: [Li20] (barrier, mollifier, line search by continuous collision detection), [Li21] (thick ones), with areas
// as in [Li23], so that a finer mesh of the same surface has the same force.
//   B(x) = kappa sum_pairs A m b(u),   u = (d - xi) / d^,   b(u) = -(u - 1)^2 ln u for u < 1, else 0
//   kappa: J/m^2 of area in contact    A: area of the pair, m^2    d: its distance    xi: its offset
// A point has the area of a third of its triangles, two crossing edges the product of their widths times pi/2: all
// crossings of two nets of edges in a unit of area then have area 1, however fine the nets are. Each of the three ways
// to look at two bodies (points of one, of the other, edges) has a third; against an obstacle the points of the body
// have all of it. Two ropes are looked at one way, edges and edges; the width of a rope is that of its barrier.
//
// A point near an edge is near both of its triangles: counted with them, minus the edge, plus the corners [Li23], each
// feature that is nearest counts once. m(c) = c/e (2 - c/e) for c = |ea x eb|^2 < e = 1e-3 |ea0|^2 |eb0|^2, else 1:
// edges that are all but parallel, whose distance has a kink, fade out [Li20 Eq. 24].
//
// We differ: b is a function of the distance, not of its square, and has no unit; crossing edges have an area of their
// own. Edges near a corner of the other body are counted as often as they are near.
#pragma once

#include "sim/collide/continuous.hpp"
#include "sim/contact/contact_search.hpp"
#include "sim/contact/corner_carriers.hpp"

namespace rebound::sim {

/// b(u) and its first two derivatives; infinite for u <= 0.
struct BarrierValue {
  double b = 0, db = 0, ddb = 0;
};
BarrierValue barrier(double u);

/// Where surfaces push each other away.
struct BarrierTouch {
  Vec3 at, n;        ///< m; unit, towards the first of the two
  double force = 0;  ///< N
  double gap = 0;    ///< m
};
/// Those of a model's barrier at x; none where it has none.
std::vector<BarrierTouch> barrier_touches(const Model& model, const Points& x);

/// kappa of the same, J/m^2; 0 where there is none.
double barrier_firmness(const Model& model);

/// A part of B: some corners of a pair, or a point above a plane.
struct BarrierTerm {
  FeaturePair kind;
  std::array<int, 4> points{-1, -1, -1, -1};  ///< of the surface
  double area = 0;                            ///< m^2, with its sign: terms are added and taken away
  double offset = 0;                          ///< m
  double parallel = 0;                        ///< e of two edges, m^4; 0: of no use
  int plane = -1;                             ///< the obstacle that is one; then `nearest` has its normal in r
  FeatureDistance nearest{};                  ///< of a plane: squared = height^2

  double gap() const;  ///< m
};

class Barrier final : public Energy {
 public:
  /// Model and workers must outlive it; the model must be that of the surface.
  Barrier(const Model& model, std::shared_ptr<const ContactSurface> surface, Workers& workers);

  double distance = 1e-3;  ///< d^, m
  double stiffness = 1;    ///< kappa, J/m^2
  /// m: no correction of a solve is longer.
  double reach = 1;

  /// A step begins at x, which is admissible; what moves is where it was.
  void begin_step(const Points& x);
  /// The terms at x, of those that are closer than d^.
  const std::vector<BarrierTerm>& terms(const Points& x) const;
  /// The smallest gap, m; infinite where nothing is near.
  double smallest_gap(const Points& x) const;
  /// The bodies that may touch while points go from x to x + d, as Model::touching.
  void find_touching(const Points& x, const Points& d, std::vector<std::pair<int, int>>& touching) const;
  const ContactSurface& surface() const { return surface_; }
  const Points& places(const Points& x) const;
  /// How far obstacles have come on their way in the step, 0 to 1, where a solve has ended: 1 unless it gave up.
  double progress() const { return obstacles_move() ? progress_ : 1; }
  std::vector<BarrierTouch> touches(const Points& x) const;

  EnergyKind kind() const override { return EnergyKind::contact; }
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets&) const override {}
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override;
  void add_pattern(std::vector<std::pair<int, int>>& links) const override;
  bool has_new_links(const Points& x) const override;
  bool has_barrier() const override { return true; }
  double clearance(const Points& x) const override { return smallest_gap(x); }
  double largest_step(const Points& x, const Points& d, Workspace&) const override;
  double begin(const Points& from, const Points& to, double end) const override;
  bool settle(const Points& x) const override;
  void add_pull(const Points& x, Points& gradient) const override;
  double advance(const Points& x, const Points& d) const override;
  double work_of_movers(const Points& x) const override;

 private:
  bool obstacles_move() const;
  /// How much further than d^ the list of near pairs looks, on both sides, as a share of d^.
  static constexpr double kMargin = 1;

  void update_list() const;
  /// Can this pair of the list be closer than d^, as far as both of its objects have moved since?
  bool may_push(std::size_t pair) const;
  void collect(std::size_t begin, std::size_t end, std::vector<BarrierTerm>& terms) const;
  void collect_point(std::size_t begin, std::size_t end, std::vector<BarrierTerm>& terms) const;
  /// Whether it is nearer than d^. `area` is added to that of the term of the same nearest features, if there is one
  /// among those from `first` on.
  bool add_point_term(FeaturePair kind, const std::array<int, 4>& corners, double area, double offset,
                      std::size_t first, std::vector<BarrierTerm>& terms) const;
  void add_inner_features(int point, int face, double offset, std::size_t first, std::vector<BarrierTerm>& terms) const;
  void add_planes(std::vector<BarrierTerm>& terms) const;
  std::array<Vec3, 2> plane_at(int obstacle, double progress) const;
  FourPoints corners(const BarrierTerm& term) const;
  Vector12 gradient_of(const BarrierTerm& term, double& value) const;
  Matrix12 hessian_of(const BarrierTerm& term, Curvature curvature) const;
  /// Of points of the surface; -1 for none.
  Carriers carriers(const std::array<int, 4>& points) const;
  /// How much of the way from p to p + d is free; the list of what is near is of all that comes near within the first
  /// `known` m of it.
  double free_share(const Points& p, const Points& d, double from_progress, double to_progress, double known) const;
  /// The same of what planes allow, and of a piece of the way without planes.
  double share_to_planes(const Points& p, const Points& d, double from_progress, double to_progress) const;
  double share_of_piece(const Points& p, const Points& d, bool known) const;
  /// m, of the point that has moved farthest; infinite where there are others now.
  double moved_since(const Points& before) const;

  const Model& model_;
  const std::shared_ptr<const ContactSurface> kept_;
  const ContactSurface& surface_;
  Workers& workers_;
  // What follows is about the last x that was asked for; no answer depends on it.
  mutable ContactSearch search_;
  mutable Points p_;                          ///< of the surface
  mutable Points p_list_;                     ///< where the list was made
  mutable Points p_links_;                    ///< where links were last asked for by that list
  mutable std::vector<NearPair> near_;        ///< closer than (1 + 2 kMargin) d^ there
  mutable std::vector<float> near_gaps_;      ///< of the list, there, rounded down, m
  mutable std::vector<double> moved_;         ///< since the list was made, of each object the point that moved most, m
  mutable std::vector<std::uint8_t> linked_;  ///< of the list: near enough to be linked
  mutable std::vector<std::size_t> pieces_;   ///< of the list; points are not cut in two
  mutable std::vector<std::vector<BarrierTerm>> by_piece_;
  mutable std::vector<BarrierTerm> terms_;
  mutable Points p_terms_;
  mutable std::vector<Vector12> gradients_;
  mutable std::vector<Matrix12> hessians_;
  mutable std::vector<std::uint32_t> ranges_;  ///< those of H's columns that each term has a part in
  mutable std::vector<NearPair> on_the_way_;
  mutable std::vector<std::array<int, 2>> near_objects_;
  mutable Points p_from_, p_way_, p_piece_;
  // This is part of the solve.
  mutable double progress_ = 1;
  mutable double end_ = 1;  ///< the progress that a solve ends with
  mutable Points begin_, accepted_;
};

}  // namespace rebound::sim
