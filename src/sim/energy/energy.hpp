// E(x), the potential energy of a batch of elements, as every solver sees it.
//
//   E(x) = 1/2 sum_i w_i |G_i x - p_i|_F^2,   p_i the projection of G_i x        [Dinev18 Eq. 26, with the half]
//   L    = sum_i w_i G_i^T G_i                (n x n, shared by x, y and z)      [Dinev18 Eq. 27]
//
// M + c gamma^2 h^2 L is the frozen Hessian of local/global; dE is the exact gradient, so one interface serves all.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/body_range.hpp"
#include "sim/base/types.hpp"
#include "sim/base/workspace.hpp"
#include "sim/energy/curvature.hpp"
#include "sim/energy/element_field.hpp"
#include "sim/linear/hessian.hpp"

namespace rebound::sim {

class FloatBatch;
struct FloatKernel;
struct Partition;

/// Solid elements that are turned inside out.
struct InsideOut {
  int elements = 0;
  double energy = 0;          ///< J, held in them
  std::vector<Vec3> middles;  ///< of each, m
};

enum class EnergyKind { elastic, gravity, attachment, contact };
inline constexpr int kEnergyKinds = 4;

class Energy {
 public:
  virtual ~Energy() = default;

  virtual EnergyKind kind() const = 0;

  /// E(x) in joules; x is n x 3.
  virtual double value(const Points& x, Workspace& work) const = 0;

  /// gradient += dE(x) (n x 3, newtons). Returns E(x), which comes with it for nothing.
  virtual double add_gradient(const Points& x, Points& gradient, Workspace& work) const = 0;

  /// Appends the entries of L (N/m), those of the lower triangle alone: row >= column. The places must not depend on x
  /// or on the material.
  virtual void add_laplacian(Triplets& L) const = 0;

  /// H += d2E(x), in places of L's pattern, with the negative curvature of single elements counted as asked for.
  virtual void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const = 0;

  /// Appends the pairs (i >= j) of vertices that it links now, where links come and go; L has all others.
  virtual void add_pattern(std::vector<std::pair<int, int>>&) const {}
  /// May it link others at x than add_pattern() said when it was last asked?
  virtual bool has_new_links(const Points& /*x*/) const { return true; }
  /// Is E infinite somewhere?
  virtual bool has_barrier() const { return false; }
  /// How far along d this energy stays finite and admissible, as a factor of d: x + s d is so for 0 <= s <= that. It
  /// may be said no farther than anybody steps (kFarthestStep).
  virtual double largest_step(const Points& /*x*/, const Points& /*d*/, Workspace&) const {
    return std::numeric_limits<double>::infinity();
  }

  /// m: how far its nearest parts are from where it is infinite; infinite itself where none are near.
  virtual double clearance(const Points& /*x*/) const { return std::numeric_limits<double>::infinity(); }

  /// A solve will begin at `to` if the way there from `from`, which is admissible, is: returns how much of it is.
  /// end: the share of the step that has gone by where the solve ends.
  virtual double begin(const Points& /*from*/, const Points& /*to*/, double /*end*/) const { return 1; }
  /// Told of every iterate, before anything is asked there. Returns whether all that this energy depends on besides x
  /// is where it is when the step ends; while it is not, a solve goes on.
  virtual bool settle(const Points& /*x*/) const { return true; }
  /// While it does not: adds to dE what it will change by when x stays and all else comes to where it ends, to
  /// the first order.
  virtual void add_pull(const Points& /*x*/, Points& /*gradient*/) const {}
  /// Then x goes along d, and all else comes along by the same share of its way: returns the largest that is
  /// admissible, at most 1, and takes it.
  virtual double advance(const Points& /*x*/, const Points& /*d*/) const { return 1; }
  /// A solve has ended at x. True: this energy has changed by what it has learnt there, and the solve goes on.
  virtual bool renew(const Points& /*x*/) const { return false; }
  /// J: what moving things have done to the bodies by this energy on the way to x, since the step began.
  virtual double work_of_movers(const Points& /*x*/) const { return 0; }
  /// J, >= 0: what the force of this potential, if it is one of Model::step_losses, has taken on the way to x.
  virtual double loss(const Points& /*x*/) const { return 0; }

  /// Adds its elements that are inside out at x.
  virtual void find_inside_out(const Points&, InsideOut&) const {}

  /// Appends what its elements go through at x, in their order. Only energies of a body's stretching have any.
  virtual void add_element_fields(const Points&, std::vector<ElementField>&, Workspace&) const {}

  /// Have the elements a form for the single-precision solver?
  virtual bool has_float_batch() const { return false; }
  /// That form; null if there is none. place[v]: where vertex v stands in the solver's order.
  virtual std::unique_ptr<FloatBatch> float_batch(std::span<const int> place, const Partition& partition,
                                                  const FloatKernel& kernel) const;
  /// Is dE the same everywhere?
  virtual bool has_constant_gradient() const { return false; }
  /// Is it known to push and turn none of these bodies as a whole? Of an energy that does not know, methods that keep
  /// the momenta of free bodies look at the gradient.
  virtual bool is_internal(std::span<const BodyRange> /*bodies*/) const { return false; }
};

}  // namespace rebound::sim
