// One running world: Algorithm 1 of [Dinev18] around an integrator, and the ledger that explains every joule.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "scene/build.hpp"
#include "session/command.hpp"
#include "session/failure_site.hpp"
#include "session/hold.hpp"
#include "session/preparation.hpp"
#include "session/traces.hpp"
#include "sim/model/visible_motion.hpp"
#include "sim/model/wind.hpp"
#include "sim/stepper.hpp"

namespace rebound::session {

struct SavedSetup;
struct SavedState;

/// What a frame leaves behind: one row of the ledger file, one point of every plot.
struct FrameRecord {
  std::int64_t frame = 0;
  double time = 0;  ///< s
  sim::Measurement measured;
  double target = 0;  ///< H_total, J
  double initial = 0;
  std::array<double, sim::kAddedCauses> added{};  ///< running sums by sim::Added, J
  /// What integrators had left off the target when others took over, which were not asked to make up for it: a running
  /// sum, J.
  double left = 0;
  std::array<double, sim::kDissipatedCauses> dissipated{};  ///< running sums by sim::Dissipated, J
  double scale = 0;                                         ///< what the tolerance is a share of, J
  /// What a runaway is measured by, J: the scale of a world that was never damped. It does not fall where a method
  /// makes energy and damping takes it.
  double reference = 0;
  std::optional<double> blend;
  std::optional<double> alpha;  ///< of a decoupled method
  double in_ripples = 0;  ///< J: what H lacks of the target, where a method takes it for motion too fast for its step
  std::optional<sim::SeenMotion> seen;  ///< once there have been enough frames
  /// Of a method that takes modes exactly: the same of the last half second or so, J, each frame counting less than the
  /// one after it.
  std::optional<sim::ModalShare> modal;
  int free_bodies = 0;  ///< then: those that nothing holds
  int iterations = 0;
  bool converged = true;           ///< every solve of the frame reached its tolerance, or what it was stopped for
  std::optional<double> residual;  ///< m/s, the largest velocity that a solve left undetermined; of solvers that look
  std::optional<double> last_correction;  ///< m/s, over the step size: the largest last correction of a solve; likewise
  // Of rods and wires, where there are any; of the frame's last step.
  std::optional<double> constraint_force;  ///< the largest, N
  double constraint_drift = 0;             ///< how far the worst one is off, m
  double constraint_work = 0;              ///< what they have done by the scheme's count, J: a running sum
  double step_ms = 0;                      ///< wall clock; the only entry that differs from run to run

  double added_total() const;
  double dissipated_total() const;
  /// How many times its target the energy is, wherever height zero was put: 1 where all is well. The one number that is
  /// said of a runaway.
  double times_its_target() const;
};

/// Beyond this many times its target no blend and no unconverged solve explains the energy: it runs away.
inline constexpr double kRunsAway = 3;
/// Where the window stops a simulation of which the scene says nothing.
inline constexpr double kUsualRunaway = 100;

class Session {
 public:
  /// threads >= 1. cache: where the factors that it begins with may be found, and are kept otherwise; may be null.
  /// Throws InputError if the scene cannot be stepped at all (integrator, solver or step size).
  Session(scene::World world, int threads, sim::FactorCache* cache = nullptr);

  /// Applies one thing that the user did, and books it. Throws InputError if it is out of range; nothing is then
  /// changed.
  void apply(const Command& command);

  /// The slow part of a command, to be run on any thread while the session goes on with what it has; null if there is
  /// none. Until it is applied, only commands that move the hand may be. Throws InputError as apply() would.
  std::unique_ptr<Preparation> preparation(const Command& command) const;
  /// Applies a command of which that is prepared: `made` has run, or is null as preparation() was. It is the same to
  /// the last byte as apply(command). What is not needed any more is left in `made`: freeing it takes a while as well.
  void apply(const Command& command, Preparation* made);
  /// Runs a preparation on the session's own threads.
  void run(Preparation& preparation) { preparation.run(work_->workers); }

  /// Advances one frame. Returns false, and changes nothing but failure(), if the step went wrong: the last finite
  /// state stays.
  bool step();

  /// All that the next frame depends on.
  SavedState save() const;
  /// Back to where a session of this scene was: every frame from there on is the same to the last byte. May have to
  /// factor where materials, solver or pins were others. Where memory runs out, here or in apply(), the session is of
  /// no use until a later restore() succeeds.
  void restore(const SavedState& saved);
  /// Another session of the same scene, with the same bodies where they are now.
  std::unique_ptr<Session> twin() const;

  /// Why the last step did not happen, in one line; empty while all is well. A reset, or a command that changes how
  /// steps are made, clears it.
  const std::string& failure() const { return failure_; }
  /// How the last step ended: done while all is well.
  sim::Outcome outcome() const { return failure_.empty() ? sim::Outcome::done : outcome_; }
  /// It stands still at its start, for what its scene asks of contacts.
  bool cannot_begin() const { return !failure_.empty() && cannot_begin_; }
  /// What passes through what, if it is that for which it stands still.
  std::optional<sim::Crossing> crossing() const { return failure_.empty() ? std::nullopt : crossing_; }
  /// Where it broke, while there is a failure().
  std::optional<FailureSite> failure_site() const { return failure_.empty() ? std::nullopt : failure_site_; }

  /// The last frame, commands applied since included.
  const FrameRecord& record() const { return record_; }
  std::int64_t frame() const { return record_.frame; }
  const sim::State& state() const { return history_.now; }
  /// What the next step will look back on.
  const sim::History& history() const { return history_; }
  const sim::Ledger& ledger() const { return ledger_; }
  const scene::SharedWorld& world() const { return world_; }
  const scene::Description& description() const { return world_.description; }
  /// Grows whenever the description may have changed; no two sessions have the same.
  std::uint64_t revision() const { return revision_; }
  const sim::Model& model() const { return *model_; }
  /// n x 3, where the surface of a body is now, m.
  mesh::Points surface(int body) const { return surface(body, history_.now.x); }
  /// The same with the world's vertices at x, n x 3, m.
  mesh::Points surface(int body, const sim::Points& x) const;

  /// h^2 lambda_max(M^-1 L): above about 10, 33 ms is hard for this body.
  double stiffness_number() const;
  /// What the user should know about the numbers of this world, one line; empty if all is well.
  std::string warning() const;
  /// lambda_max(M^-1 L), 1/s^2.
  double stiffest() const { return stiffest_; }
  /// Where it lies still, as far as a wish has asked for it; may be null.
  const std::shared_ptr<const Rest>& rest() const { return rest_; }
  /// How the solves of the last frame got there, one after the other; empty before there is one, and of solvers that do
  /// not look (SolverInfo::tells_how).
  const std::vector<sim::SolveIterate>& solves() const { return solves_.iterates; }
  /// From the next frame on, also where the iterates were, of at most so many (at least 2) an even sample.
  void keep_places_of_solves(std::size_t most) { solves_.places.emplace(most); }
  /// Those of the last frame; nothing while nobody has asked for them.
  const std::optional<sim::IteratePlaces>& places_of_solves() const { return solves_.places; }
  /// Of one step, s: a frame has one or more.
  double step_size() const;
  /// What steps are solved with, and what it would have to factor for others.
  const sim::Factors& factors() const { return std::as_const(*stepper_).factors(); }
  double factor_nonzeros() const { return factors().nonzeros(); }
  /// Where the vertices that the scene traces have been since the last reset.
  const std::vector<TracePath>& traces() const { return traces_.paths(); }
  /// The integrator that left the energy to which the target was rebased last; empty if it was not.
  const std::string& left_by() const { return left_by_; }
  /// What a switch that rebases the target would book now, J: 0 within the tolerance, and of a runaway.
  double left_at_a_switch() const;
  /// What is held, while something is.
  const std::optional<Hold>& grab() const { return grab_; }
  /// A rod or wire, and with what force it held in the last step.
  struct ConstraintForce {
    double force = 0;    ///< N: a rod's tension, negative where it is pressed; of a wire how hard it pushes
    sim::Vec3 on_first;  ///< what acts on its first vertex, N
    double error = 0;    ///< how far it is off, m
  };
  /// One per constraint of the model; forces are 0 before there has been a step.
  std::vector<ConstraintForce> constraint_forces() const;
  /// The contacts of the last step, pressed or not; of the first one before there has been any.
  const std::vector<sim::Contact>& contacts() const { return model_->contacts.items; }
  /// Where an obstacle would be if it did not have to follow a hand first.
  sim::Pose obstacle_goal(int obstacle) const;
  /// Are all vertices that carry this surface point fixed?
  bool is_pinned(const SurfacePoint& point) const;
  /// What takes back what the command would do now, the motion aside; nothing for what is no edit: the hand, a reset.
  std::optional<Command> inverse(const Command& command) const;
  int threads() const { return work_->workers.threads(); }
  /// From now on so many, at least 1. The results are the same.
  void use_threads(int threads) { work_->workers.use(threads); }

 private:
  friend class SessionEditor;
  Session(const Session& from);
  static std::uint64_t first_revision();

  void restart();
  void change(const Command& command, Preparation* made);
  double booked_edit(const sim::Measurement& before, const sim::Measurement& now) const;
  void take_over(Preparation& made);
  void take_over_forms(Preparation& made);
  bool take_forms(const SavedSetup& setup);
  void set_grab(std::optional<Hold> grab);
  void choose_integrator(const std::string& id);
  void choose_damping(const scene::Damping& damping);
  void place_obstacles(double time);
  std::string explain(const sim::StepReport& report) const;
  std::string explain_constraint(int worst) const;
  void look_at_constraints();
  std::string remedy() const;
  void watch_for_a_sunken_target(const sim::StepReport& report);
  void remember(const sim::Measurement& m);
  void remember_modes(const std::optional<sim::ModalShare>& now, double h);
  bool has_run_away();

  scene::SharedWorld world_;
  std::unique_ptr<sim::Workspace> work_;
  std::unique_ptr<sim::Model> model_;
  std::unique_ptr<sim::Stepper> stepper_;  ///< of *model_
  double stiffest_ = 0;                    ///< 1/s^2
  std::shared_ptr<const Rest> rest_;
  std::vector<scene::MovingHandle> handles_;
  /// One per obstacle: is it on its way to where a hand has put it?
  std::vector<std::uint8_t> led_;
  std::vector<sim::SkinTriangle> skin_;  ///< what the wind blows at; empty until there is any
  sim::History history_;
  sim::History frame_start_;  ///< of use while a frame of several steps is under way
  sim::Ledger ledger_;
  sim::VisibleMotion visible_motion_;  ///< since the last jump
  Traces traces_;
  sim::SolveTrace solves_;
  std::optional<Hold> grab_;
  FrameRecord record_;
  double left_ = 0;      ///< J, of what is booked as sim::Added::guard
  std::string left_by_;  ///< the integrator that left some of that last
  std::string failure_;
  sim::Outcome outcome_ = sim::Outcome::done;  ///< of the last failure
  bool cannot_begin_ = false;
  std::optional<sim::Crossing> crossing_;    ///< of the last failure
  std::optional<FailureSite> failure_site_;  ///< of the last failure
  bool damaged_ = false;  ///< memory ran out in apply() or restore(): model and solver are to be made anew
  std::uint64_t revision_ = first_revision();
  int full_backward_frames_ = 0;
  bool grew_ = false;       ///< has the energy come further off its target in the last frame?
  double time_origin_ = 0;  ///< s, when the present time step was set; time is counted from there in whole steps
  std::int64_t frame_origin_ = 0;
  /// Of the state saved or restored last, which the next one shares.
  mutable std::shared_ptr<const SavedSetup> saved_setup_;
  mutable std::shared_ptr<const sim::State> saved_now_;
  mutable std::uint64_t saved_revision_ = 0;
};

/// Throws where `session` stands still for what no film and no measurement can tell of: for want of memory
/// (sim::OutOfMemory), or at its start, for what its scene asks of contacts (InputError).
void require_a_motion(const Session& session);

}  // namespace rebound::session
