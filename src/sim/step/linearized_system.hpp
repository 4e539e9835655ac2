// The equations of motion linearised about a state, and what semi-implicit steps and eigenmodes are made of:
//
//   S = M + h D + h^2 K = (1 + h a) M + h c + (h b + h^2) K,   K = d2E(x_n), D = a M + b K + c the damping
//
// in coordinates scaled by the root of the masses, S~ = M^-1/2 S M^-1/2. Without the drag c the modes K w = lambda M w
// are orthonormal eigenvectors of S~ with theta = (1 + h a) + (h b + h^2) lambda, so they are looked for before the
// drag is added. K is exact: it may be indefinite, and S~ with it.
#pragma once

#include "sim/linear/lowest_pairs.hpp"
#include "sim/step/linear_damping.hpp"
#include "sim/step/tangent_matrix.hpp"

namespace rebound::sim {

class LinearizedSystem final : public InvertedMatrix {
 public:
  /// The model must outlive this. known: as for TangentMatrix.
  explicit LinearizedSystem(const Model& model, std::shared_ptr<const ComponentAnalysis> known = nullptr);

  /// S~ at x, without the drag c. Nothing can be solved with it until it is factored.
  void assemble(const Points& x, double h, LinearDamping damping, Workspace& work);
  /// S~ += h c M^-1, h_c in kg. It is to be factored anew, and its eigenvectors are modes no longer.
  void add_drag(double h_c);
  /// What solve() needs. False if S~ is not finite or singular.
  bool factor();
  /// What solve() and the search for modes need: where S~ is indefinite, the factor of one that is not as well.
  bool factor_for_modes();
  /// K~ at x alone; nothing can be solved with it.
  void assemble_stiffness(const Points& x, Workspace& work);

  /// S~ or K~, as HessianBlocks::matrix().
  const SparseMatrix& matrix() const { return tangent_.blocks().matrix(); }
  /// to := S~ from, or K~ from; columns of 3n.
  void multiply(const Eigen::MatrixXd& from, Eigen::MatrixXd& to) override;
  void multiply(const Vector& from, Vector& to);
  /// b := S~^-1 b; one column, or all of them.
  void solve(Vector& b);
  void solve(Eigen::MatrixXd& b);
  void precondition(Eigen::Ref<Eigen::MatrixXd> b) override;
  double offset() const override { return offset_; }
  void sharpen(double shift) override;
  /// Undoes it: until then nothing can be solved with S~.
  void restore();
  int size() const override { return 3 * model_.vertices(); }
  /// Zero at fixed vertices.
  void restrict(Eigen::MatrixXd& columns) const override;
  int free() const override;
  Workers& workers() override { return *workers_; }

  /// h b + h^2, by which theta counts lambda, and theta of lambda = 0.
  double stiffness_factor() const { return stiffness_factor_; }
  double mass_factor() const { return mass_factor_; }
  double lambda(double theta) const { return (theta - mass_factor_) / stiffness_factor_; }

  /// The root of each coordinate's mass, kg^1/2.
  const Vector& root_mass() const { return root_mass_; }
  /// M^1/2 v of vectors a vertex, and M^-1/2 f of forces; 0 at fixed vertices.
  void scale_motion(const Points& v, Vector& scaled) const;
  void scale_force(const Points& f, Vector& scaled) const;
  Vector scaled_motion(const Points& v) const;
  Vector scaled_force(const Points& f) const;
  /// M^-1/2 q; and at += that.
  Points motion(const Vector& scaled) const;
  void add_motion(const Vector& scaled, Points& at) const;

  bool positive_definite() const { return definite_; }

 private:
  void weigh();
  void solve_once(Vector& b);
  void clear_fixed(Vector& scaled) const;
  bool factor_shifted(double mu);
  bool factor_enlarged();

  const Model& model_;
  TangentMatrix tangent_;
  Vector root_mass_;
  double mass_factor_ = 1, stiffness_factor_ = 0;
  bool definite_ = true;
  bool sharpened_ = false;
  double offset_ = 0;           ///< mu: the factor is that of S~ + mu
  Workers* workers_ = nullptr;  ///< of the last assembly
  Vector masses_;               ///< those that S has, kg
  Vector scale_;                ///< M^-1/2, a number a vertex
  Vector diagonal_;             ///< of S~, while another is factored
  Vector wanted_, image_, column_;
  Points from_, to_;
  std::vector<double> panel_, panel_image_;  ///< HessianBlocks::Panel
};

}  // namespace rebound::sim
