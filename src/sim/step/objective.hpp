// What a solver minimises: a function g(x) with its gradient and Hessian. The step of a scheme is one (scheme.hpp), the
// way to rest another.
#pragma once

#include "sim/model/lasting_forces.hpp"
#include "sim/model/state.hpp"
#include "sim/step/scheme.hpp"

namespace rebound::sim {

class StepObjective;

class Objective {
 public:
  virtual ~Objective() = default;

  virtual const Model& model() const = 0;
  virtual Workspace& work() const = 0;
  /// s: |dg_i| / (m_i h) is a velocity, m/s, by which a solver tells that it has converged.
  virtual double h() const = 0;

  /// g(x), J s^2; infinite where x is not admissible.
  virtual double value(const Points& x) const = 0;
  /// The same, given E where g evaluates it.
  virtual double value_from(const Points& x, double E) const = 0;
  /// out = dg(x) (kg m), zero at fixed vertices. Returns E where g evaluates it.
  virtual double gradient(const Points& x, Points& out) const = 0;
  /// H := d2g(x) (kg), of fixed vertices their mass alone; negative curvature of single elements as asked for.
  virtual void hessian(const Points& x, Curvature curvature, HessianBlocks& H) const = 0;
  /// M + frozen_coefficient() L (s^2) is the frozen Hessian of local/global.
  virtual double frozen_coefficient() const = 0;
  /// How far along d from x all energies stay finite and admissible, as a factor of d.
  virtual double largest_step(const Points& x, const Points& d) const = 0;

  /// How high the springs of Model::contacts are at x, as far as x moves them, m: their heights where g evaluates E,
  /// over what x counts there.
  virtual void contact_heights(const Points& x, std::vector<double>& heights) const = 0;

  /// Moves x, where a solve would like to begin, back to where it may.
  virtual void begin(Points&) const {}
  /// Told of every iterate, before anything is asked there. False: g is not yet what it will be, as things still move.
  virtual bool settle(const Points&) const { return true; }
  /// Then: what dg will change by when they have, to the first order, is added to it.
  virtual void add_pull(const Points&, Points& /*gradient*/) const {}
  /// Then: x += share d, and things move by the same share of their way. Returns the share, which is admissible.
  virtual double advance(Points&, const Points& /*d*/) const { return 1; }
  /// A solve has ended at x. True: g has changed by what it has learnt there, and the solve goes on.
  virtual bool renew(const Points&) const { return false; }

  /// For solvers with a form of their own for the step of a scheme; null if this is none.
  virtual const StepObjective* step() const { return nullptr; }
};

/// Buffers of one objective, kept from frame to frame so that a step allocates nothing.
struct StepBuffers {
  Points y;
  Points base;  ///< a0 x_n + a1 x_{n-1}, which the velocity needs as well; of schemes of two steps
  Points at, gradient;
  LastingForces* forces = nullptr;  ///< where dE(x_n) may be known; null: it is worked out
  const Points* a = nullptr;        ///< a_n, m/s^2, of schemes that carry it
  const Points* push = nullptr;     ///< N, all through the step; null: nothing pushes
};

/// g(x) of one step of one scheme, and the velocity that belongs to its minimiser. See scheme.hpp.
///
/// The step's own terms, B (Model::step_energies and step_losses), act where the step ends, as what may not be crossed
/// has to be kept from there: with E gamma-wise between, the same force is that of c h^2 gamma B(x). So E stands for
/// E(gamma x + (1 - gamma) x_n) + gamma B(x) where "E" is given or returned.
///
/// A scheme may have forces of the step's beginning as well (k). There nothing has slid, so losses count w times for
/// them, w = 1 + k / (c gamma). Where the scheme keeps at the end and bodies are affine, so do barriers and what holds
/// those bodies in shape. But what holds together a body that turns is another force at the end than at the beginning:
/// that of a free rigid body, M (a x r + omega x (omega x r)) with I a + omega x I omega = 0. The difference of the two
/// is then the force of the beginning.
class StepObjective final : public Objective {
 public:
  /// Prepares y and the velocity rule. step: s, all of it, also for a stage. The past must have `before` if the scheme
  /// takes two steps. end: the share of the step that has gone by where it ends. knows_y: y is in the buffers already.
  StepObjective(const Model& model, const Scheme& scheme, double step, const Past& past, StepBuffers& buffers,
                Workspace& work, double end = 1, bool knows_y = false);

  const Model& model() const override { return model_; }
  Workspace& work() const override { return work_; }
  double h() const override { return h_; }
  const Scheme& scheme() const { return scheme_; }
  /// x_n, v_n.
  const State& now() const { return now_; }
  const Points& y() const { return buffers_.y; }
  /// Another y: for methods that move it (n x 3, m; fixed vertices where they are).
  template <class Expression>
  void set_y(const Expression& y) {
    buffers_.y = y;
  }

  double value(const Points& x) const override;
  /// E: as gradient() returns it.
  double value_from(const Points& x, double E) const override;
  double gradient(const Points& x, Points& out) const override;
  void hessian(const Points& x, Curvature curvature, HessianBlocks& H) const override;
  /// The same without the step's own terms, with E evaluated at `at`.
  void lasting_hessian(const Points& at, Curvature curvature, HessianBlocks& H) const;
  double frozen_coefficient() const override { return scheme_.c * scheme_.gamma * scheme_.gamma * h_ * h_; }
  double largest_step(const Points& x, const Points& d) const override;
  void contact_heights(const Points& x, std::vector<double>& heights) const override;
  void begin(Points& x) const override;
  bool settle(const Points& x) const override;
  void add_pull(const Points& x, Points& gradient) const override;
  double advance(Points& x, const Points& d) const override;
  bool renew(const Points& x) const override;
  const StepObjective* step() const override { return this; }

  /// v = v_{n+1} for the minimiser x; zero at fixed vertices. Returns K(v), J.
  double velocity(const Points& x, Points& v) const;

  /// gamma x + (1 - gamma) x_n, where the scheme evaluates E: at x itself where gamma = 1. Valid until the next call.
  const Points& evaluation_point(const Points& x) const;

 private:
  using Terms = std::vector<std::shared_ptr<const Energy>>;
  struct Weighted {
    const Terms& terms;
    double w;
  };
  /// What acts where the step ends, and how often it counts: of shapes, beside the once that they do with all lasting
  /// energies.
  std::array<Weighted, 3> own_terms() const;
  double weight_at_end() const { return 1 + scheme_.k / (scheme_.c * scheme_.gamma); }
  Weighted barriers() const { return {model_.step_energies, keeps_at_end_ ? weight_at_end() : 1}; }
  Weighted shapes() const { return {model_.shapes, keeps_at_end_ ? weight_at_end() - 1 : 0}; }
  void add_hessian(const Weighted& own, const Points& x, Curvature curvature, HessianBlocks& H) const;
  void forces_of_beginning(Points& dE) const;
  void add_change_of_turning_forces(Points& dE) const;

  const Model& model_;
  const Scheme scheme_;
  const double h_, end_;
  const bool keeps_at_end_;
  const State& now_;
  StepBuffers& buffers_;
  Workspace& work_;
};

}  // namespace rebound::sim
