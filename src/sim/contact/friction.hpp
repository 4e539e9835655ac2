// Coulomb friction at the contacts of a step, after its solve [Dinev18 Sec. 4.3, Gast14].
//
// An impulse lambda_i along the surface at each pressed contact, as large as it takes to keep the point there where it
// is on the surface, and at most k_f h f_n, with f_n the contact's own force in the step:
//   |lambda_i| <= impulse k_f h f_i;   below the bound the point stays, at the bound lambda_i points against its way
// with StepForces::impulse and displacement of the method.
// The body answers as the implicit step would have answered these forces, dv = A^-1 sum U_i^T lambda_i and
// dx = displacement h dv, with A the system matrix of the step, and turns as they say (free_turns.hpp). The impulses
// are found by projected Gauss-Seidel; where contacts crowd, by a few projected gradients.
//
// Where the way in the step is not its last velocity, as in midpoint's, a point may stay in its place and still have a
// velocity. What is left of the bound takes that, in v alone. The order matters: midpoint rings, and if velocities were
// stopped first, points would go half a step's way each time that they come to rest, and a block would creep downhill.
//
// What friction takes is the work of the impulses on the way along the surface; of those that change v alone, what K
// loses. H loses the same where E is quadratic, x solved for and the state one of that step; where it is not, A^-1 is
// only about what the bodies answer. `stabilized` therefore applies it before it blends, and takes out what has gone
// wrong: little of it from what shakes (calming.hpp), more by its blend.
//
// We differ: Eq. 39 subtracts an acceleration from a velocity, and has no bound; a point on its own is stopped by at
// most k_f |dv_n| here. Changing vertex by vertex, as Eq. 39 does, brakes no more than the mass of the vertices that
// touch: a heavy block would creep down any slope. With A^-1 what hangs on them within h is braked too.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "sim/contact/contact_response.hpp"
#include "sim/model/model.hpp"
#include "sim/model/state.hpp"
#include "sim/model/step_forces.hpp"

namespace rebound::sim {

/// Whether anything is pressed and rough in a step that has reached `next` from `now`.
bool has_friction(const Model& model, const State& now, const StepForces& forces, const State& next);

/// What the impulses of a step do by their way, whatever it does to H.
struct FrictionWork {
  double taken = 0;                 ///< J, >= 0: by the way of points along their surfaces
  double made = 0;                  ///< J, >= 0: what H has more than that says, where it is known
  std::vector<double> by_surfaces;  ///< J, one per contact: by the way of the surfaces; empty without friction
  std::vector<Vec3> impulses;       ///< kg m/s, one per contact: the first of them, which hold points on their way
  std::optional<EnergyByKind> E;    ///< J, of the state that it has made, where that is known

  /// What H should gain by it, J.
  double added() const;
};

/// How a search for impulses begins.
struct FrictionStart {
  /// The friction of another method in the same step, whose impulses are nearer than those of the step before; may be
  /// null.
  const FrictionWork* like = nullptr;
  /// The impulses, one per contact, by whose friction_push() the step was solved: `next` is the answer to that. Empty:
  /// by none.
  std::span<const Vec3> pushed = {};
  /// What is to be done before `next` changes, and once its x is final, if anything. A search for impulses, which is
  /// serial, goes on beside each.
  std::function<void()> before_it_changes = {}, once_placed = {};
};

/// The friction of the step before, along the surfaces where they are now, kg m/s, one per contact; empty if there is
/// none.
std::vector<Vec3> last_impulses(const Model& model);
/// out: n x 3, N: these impulses, one per contact, as forces for h seconds.
void friction_push(const Model& model, std::span<const Vec3> impulses, double h, Points& out);

/// Changes `next`, which a step of h seconds has reached from `now`.
FrictionWork apply_friction(const Model& model, const State& now, double h, const StepForces& forces,
                            ContactResponse& response, Workers& workers, State& next, const FrictionStart& start = {});

}  // namespace rebound::sim
