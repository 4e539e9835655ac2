// Our own answer: an L-stable step that hardly damps what the eye sees, and then mends by number what it has lost.
//
//   1  TR-BDF2 (two_stage.hpp), pushed by the friction of the step before, and what friction differs from that. Where
//      that has made energy, as much as all but moves, it is solved again, pushed by its own friction.
//   2  What is known without a solve is restored. A body that nothing holds or touches turns as far as its L says
//      (missing_turn); it, and bodies that touch nothing but one another, get back their momenta:
//        v_cm = v_cm,n + h g,   omega = I(x)^+ L_n about the centre of mass
//   3  The brake, where the step has made energy, were it only as much as is in the ripples of 5: backward Euler,
//   blended
//      in until that is gone (brake.hpp); then 2 again, and what that has put in comes out of d of 5 at once. What is
//      within the tolerance may stay, if 5 can take it out of the motion, or if it is a tenth of the tolerance at most.
//   4  What a contact behind a barrier has taken comes back while it throws bodies off (restitution.hpp).
//   5  Energy that the step has lost else goes back into the motion that is there:
//        d = v - u,   v += beta d
//        u: what a step takes nothing of. Of a free body its best-fitting rigid motion; of one that only obstacles
//           touch what of v_cm goes along these, so that what slides is not sped up by its shiver; 0 of what is held
//        K(v + beta d) - K(v) = a (2 beta + beta^2),   a = 1/2 |d|_M^2,   since d is M-orthogonal to u
//        beta = sqrt(1 - e/a) - 1, within +-rate h; where the brake had found e = 0 from -1 on.
//      At most as much as TR-BDF2 takes of a motion of d's pace, and a share of the rest: that has gone into ripples,
//      which are too fast for this step, and give it back over seconds.
//   6  Of what is missing then, ripples hold as much as a multiple of d's K; where nothing is held, and the step ends
//   with
//      nothing that touches, as much as d's K and the elastic energy, and no more than the tolerance. The rest is given
//      up, and booked.
//
// e = E(x) + K(v) - H_total as in [Dinev18 Eq. 20], but hands that move go along with the step (TwoStage::jumps): a
// stiff spring that jumps at its start would do work that no motion of this step can hold. The exact motion is a fixed
// point of 2 to 6, so the order stays two. Why each of the parts is there, what was tried instead, and where it fails:
// docs/methods/rebound.md.
#pragma once

#include "sim/integrate/brake.hpp"
#include "sim/integrate/restitution.hpp"
#include "sim/integrate/touching_groups.hpp"
#include "sim/integrate/two_stage.hpp"

namespace rebound::sim {

class Rebound final : public Integrator {
 public:
  StepReport step(const StepInput& input, State& next) override;
  const Scheme* scheme(const History& history) const override { return solves_.scheme(history); }

 private:
  /// Of d, J.
  struct Motion {
    double K = 0, K_before = 0;
    double change = 0;     ///< K of what d has gained
    double K_of_thin = 0;  ///< of K: of sheets, nets and ropes
  };
  struct Returned {
    double energy = 0;  ///< J: what v += beta d has added
    double K = 0;       ///< J: of d since
  };

  /// J: of `missing`, what no later step could give back to d, which has K.
  double given_up(const StepInput& input, double missing, double K, double E) const;
  /// Where e joules are too many; infinite: where there is nothing to blend with.
  void brake(const StepInput& input, double e, StepReport& report, State& next);
  void restore(const StepInput& input, State& state);
  static void restore(const StepInput& input, TouchingBodies& group, bool turns, State& next);
  struct Impulse {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  };
  static Impulse given(const StepInput& input, const BodyRange& body, const Vec3& centre_before, const Vec3& centre,
                       const Points& x);
  /// Of friction and of what the step is pushed by; null: nothing pushes the solve.
  const Points* push(const StepInput& input);
  /// Has friction that differs from what has pushed the solve made e, most of what moves?
  bool shakes_by_friction(const StepInput& input, double e) const;
  bool rubs(const StepInput& input, const FrictionWork& friction, const State& next) const;
  static void find_slide(const StepInput& input, TouchingBodies& group, const State& next);
  /// J: what it has put in, at most `most`.
  double throw_off(const StepInput& input, double most, State& next, WorkOfMovers& movers);
  double carried_momentum(const StepInput& input, const State& state) const;
  Motion motion(const StepInput& input, const State& next) const;
  /// How far above the target solved_ may be, J.
  double tolerated(const StepInput& input) const;
  /// Of 5, but for what e asks: rate h, and downwards.
  double most_beta(const StepInput& input) const;
  double most_taken(const StepInput& input) const;
  /// Does a barrier press, or did it as the step began?
  bool behind_barrier(const StepInput& input) const;
  Returned return_energy(const StepInput& input, double e, bool balanced, State& next) const;

  TwoStage solves_{keeping_at_end(kTrBdf2)};
  Brake brake_;
  State solved_;
  State unturned_;
  Points way_;
  std::vector<Vec3> rubbed_by_;  ///< kg m/s, one per contact: the friction that pushes the solve; empty: none
  Points push_;                  ///< N, of that
  FrictionWork friction_;
  Ledger allowed_;  ///< the step's, without what is in ripples
  TouchingGroups groups_;
  bool rubs_ = false;  ///< what all but lies, and shakes
};

}  // namespace rebound::sim
