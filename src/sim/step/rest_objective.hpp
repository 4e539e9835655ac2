// The way to rest: g(x) = T^2 E(x), whose minimum is where a body hangs still. Its Hessian is taken as M + T^2 d2E,
// that of a step of backward Euler of T seconds without its inertia, so that it can be factored where a body is held by
// nothing.
#pragma once

#include "sim/step/objective.hpp"

namespace rebound::sim {

class RestObjective final : public Objective {
 public:
  /// T, s: so long that masses hardly count.
  static constexpr double kTime = 30;

  /// Both must outlive this.
  RestObjective(const Model& model, Workspace& work) : model_(model), work_(work) {}

  const Model& model() const override { return model_; }
  Workspace& work() const override { return work_; }
  double h() const override { return kTime; }
  double value(const Points& x) const override { return value_from(x, model_.energy(x, work_)); }
  double value_from(const Points&, double E) const override { return kTime * kTime * E; }
  double gradient(const Points& x, Points& out) const override;
  void hessian(const Points& x, Curvature curvature, HessianBlocks& H) const override;
  double frozen_coefficient() const override { return kTime * kTime; }
  double largest_step(const Points& x, const Points& d) const override { return model_.largest_step(x, d, work_); }
  void contact_heights(const Points& x, std::vector<double>& heights) const override;

 private:
  const Model& model_;
  Workspace& work_;
};

}  // namespace rebound::sim
