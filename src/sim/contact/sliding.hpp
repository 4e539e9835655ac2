// Friction between surfaces that a barrier keeps apart, within the solve.
//
// Source: [Li20 Sec. 5]: Coulomb's law, smooth where it sticks, with normal forces lambda and tangents T of the step's
// beginning:
//   D(x) = sum mu lambda f0(|u|),   u = T^T (way of one side - way of the other) in the step
//   f0' = f1(y) = 2 y/e - y^2/e^2 for y < e, else 1,   e = epsilon_v h
// Where it is asked for, the step is solved again with lambda and T of where the solve has ended (Alg. 1).
// Its gradient is a force, and D no energy. What it takes in a step is mu lambda f1(y) y [You26 Sec. 5.5, with its f1].
// What is held creeps, by up to epsilon_v: that is the price of a force that is smooth.
#pragma once

#include "sim/contact/barrier.hpp"

namespace rebound::sim {

/// f1(y) and its derivative, and f0(y), m; y >= 0.
struct Slip {
  double f0, f1, df1;
};
Slip slip(double y, double e);

class Sliding final : public Energy {
 public:
  /// In a step of h seconds that begins at x, where the barrier is; all must outlive it. The barrier's things that move
  /// are where they were.
  Sliding(const Model& model, const Barrier& barrier, const Points& x, double h);
  /// Nothing can come of it in this step.
  bool empty() const { return touches_.empty() && solves_ == 1; }
  double loss(const Points& x) const override;

  EnergyKind kind() const override { return EnergyKind::contact; }
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets&) const override {}
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override;
  void add_pattern(std::vector<std::pair<int, int>>& links) const override;
  bool has_new_links(const Points&) const override { return !links_asked_; }
  double begin(const Points& from, const Points& to, double end) const override;
  bool renew(const Points& x) const override;
  double work_of_movers(const Points& x) const override;

 private:
  using Tangents = Eigen::Matrix<double, 3, 2>;
  struct Touch {
    std::vector<std::pair<int, double>> carriers;  ///< vertices, and their weights in the way
    Tangents T;
    double bound;  ///< mu lambda, N
    Vec3 start;    ///< m, their weighted places at the beginning
    Vec3 moved;    ///< m, what moving things do in the step besides
  };
  /// What a solve has seen of a touch so far.
  struct Glide {
    Eigen::Vector2d u;  ///< m, where its Hessian was last asked for; 0: nowhere yet
    double steady;      ///< below this share of what is left to e, a change of u is that of a touch that goes on
    bool goes_on;       ///< it holds, or slides, and is taken to end so
  };
  /// Those at x, which is where the step begins or where a solve has ended.
  void find_touches(const Points& x, bool at_end) const;
  Eigen::Vector2d way(const Touch& touch, const Points& x) const;
  void begin_glides() const;
  void follow(Glide& glide, const Eigen::Vector2d& u) const;

  const Model& model_;
  const Barrier& barrier_;
  const double e_step_;  ///< m, the way within which friction grows, of a whole step
  const int solves_;
  const Points x_n_;
  // These are part of the solve.
  mutable int solve_ = 1;
  mutable double share_ = 1;                            ///< of the step, until where the solve ends
  mutable double e_ = e_step_;                          ///< e_step_ until there
  mutable std::vector<Touch> touches_, first_touches_;  ///< the second where there are several solves
  mutable std::vector<Glide> glides_;                   ///< of the touches
  mutable bool links_asked_ = false;                    ///< the pattern is that of these touches
  mutable std::vector<Eigen::Matrix3d> blocks_;         ///< of the touches, where the Hessian was last asked for
};

}  // namespace rebound::sim
