// Springs of rest length zero from points of a body to user-controlled points (handles) [Dinev18 Sec. 4.3]:
// E = sum k/2 |sum_j b_j x_j - target|^2. A handle is not a degree of freedom; moving it changes E, and the ledger
// books that as the user's work.
#pragma once

#include "sim/energy/energy.hpp"

namespace rebound::sim {

/// A point of a body: up to four vertices with weights that sum to 1 (unused places: weight 0).
struct BodyPoint {
  std::array<int, 4> vertices{0, 0, 0, 0};
  std::array<double, 4> weights{1, 0, 0, 0};

  static BodyPoint at_vertex(int v) { return {{v, v, v, v}, {1, 0, 0, 0}}; }
  /// Where the point is, n x 3 positions given; of velocities, its velocity.
  Vec3 of(const Points& x) const;
};

struct Attachment {
  BodyPoint point;
  double stiffness = 0;  ///< k, N/m
  Vec3 target;           ///< m
  /// How far the target has come since the last step, m.
  Vec3 moved = Vec3::Zero();

  void move_to(const Vec3& goal) {
    moved += goal - target;
    target = goal;
  }
};

class Attachments final : public Energy {
 public:
  EnergyKind kind() const override { return EnergyKind::attachment; }
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets& L) const override;
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override;

  /// J: targets that jump at the start of a step do the work E(x_n, after) - E(x_n, before). By so much is that above
  /// the work of targets that go along with it, whose points are displaced by dx, n x 3, in its mean: sum k dx . moved.
  double work_of_jumps(const Points& dx) const;
  /// The next step begins.
  void forget_moves();

  std::vector<Attachment> items;
};

}  // namespace rebound::sim
