// One step of a model by chosen methods, with all that acts in it: lines 5 to 21 of [Dinev18 Algorithm 1]. Handles and
// obstacles move, contacts are found, the integrator solves, friction and damping act, and the ledger is told what each
// of them did to the energy. What lasts from step to step is the caller's (model, history, ledger), or in memory().
//
//   sim::Workspace work(2);                                      // threads
//   sim::Stepper stepper(model, work);                           // stabilized, local/global
//   sim::History history{.now = start};
//   sim::Ledger ledger = stepper.ledger(start, 0.033);
//   while (stepper.step(history, ledger, 0.033).outcome == sim::Outcome::done) draw(history.now.x);
#pragma once

#include <span>
#include <utility>

#include "sim/contact/contact_model.hpp"
#include "sim/damp/damping.hpp"
#include "sim/integrate/integrator.hpp"

namespace rebound::sim {

struct IntegratorInfo;
struct SolverInfo;

/// Who moves handles and obstacles while a step is made. By itself: nobody does.
class Motion {
 public:
  virtual ~Motion() = default;
  /// Puts the targets of Model::attachments where they are at the end of the step. Returns whether any may have moved.
  virtual bool move_handles(Model&) { return false; }
  /// Puts Model::obstacles where they are at the end of the step, with `before` where they were at its beginning.
  virtual void move_obstacles(Model&) {}
  /// force := one that no energy knows of, all through the step of h seconds, n x 3, N; the ledger books its work as
  /// the wind's. Returns whether there is any.
  virtual bool push(const Model&, const State& /*now*/, double /*h*/, Points& /*force*/) { return false; }
  /// To whom the ledger books what an obstacle does.
  virtual Added mover(int /*obstacle*/) const { return Added::motion; }
};

/// What the target is asked to do in a step: what it has above `ground` is multiplied by `keep`.
struct Wish {
  double ground = 0;  ///< J
  double keep = 1;
  /// As far as the method by itself goes, which is backward Euler at the most: it is asked for all at once. Else what
  /// the method leaves is taken from velocities.
  bool by_method_alone = false;

  double change(double target) const { return keep == 1 ? 0 : (keep - 1) * (target - ground); }
};

struct StepSettings {
  SolverSettings solver;
  BlendSettings blend;
  Unresolved unresolved = Unresolved::moving;
  AlphaSettings alpha{};
  double rho = kUsualRho;   ///< of generalized-alpha, 0 to 1
  int modes = kUsualModes;  ///< of siere, 1 to 60
  Wish wish;
  DampingCoefficients damping;
  /// How many frames a step is, where that is a rate a frame; empty: it is one a second.
  std::optional<double> frames_per_step;
};

/// Something has changed v after a step by dv. That is no acceleration to go on with: BDF2, which begins its next step
/// with v_n + (v_n - v_{n-1})/3, would have half as much of it again in the end. So the point before has it as well.
void changed_after_step(History& history, const Points& dv);

class Stepper {
 public:
  /// The model and the workspace must outlive it, and be no other's while it makes a step. solver, integrator, damping:
  /// identifiers of the registry. Throws std::invalid_argument where there is none of that name, which says those that
  /// are, or where the model is not fit to be stepped: no vertices, a mass that is none, a vertex that it has not.
  explicit Stepper(Model& model, Workspace& work, std::string_view integrator = "stabilized",
                   std::string_view solver = "local-global", std::string_view damping = "rigid-preserving");
  /// The same with a solver that has been made for the model. Its settings, `settings.solver`, are the caller's to say.
  Stepper(Model& model, Workspace& work, std::unique_ptr<Minimizer> solver);

  StepSettings settings;

  /// A ledger for a world that begins here, in what it touches; the first step will be of h seconds. Throws as step().
  Ledger ledger(const State& start, double h);

  /// From history.now over h seconds. If the outcome is not `done`, or an energy has thrown, nothing has changed:
  /// neither model, history, ledger nor memory. Velocities of vertices that are fixed now are taken away and booked as
  /// an edit's, and where h is another than in the step before, `history.before` is not looked at. Throws
  /// std::invalid_argument where the model is not fit to be stepped, states do not fit it, a setting is out of its
  /// range, h is no positive number, or the model has constraints or contacts that the integrator or the solver, where
  /// they were chosen by name, do not take.
  StepReport step(History& history, Ledger& ledger, double h, Motion& motion);
  /// Nothing moves but the bodies.
  StepReport step(History& history, Ledger& ledger, double h);
  /// What the last step has left, if it was done.
  const Measurement& measured() const { return measured_; }
  /// Where a step that was not done was going to: it may be not finite.
  const State& attempted() const { return next_; }

  /// Other methods, from the next step on; std::invalid_argument as above. Where the solver was chosen by name, its
  /// settings are those that the integrator is best with, as in the constructor.
  void set_integrator(std::string_view id);
  /// One of your own. It is taken to look back at the step before.
  void set_integrator(std::unique_ptr<Integrator> integrator);
  void set_damping(std::string_view id);
  Minimizer& solver() { return *solver_; }
  Factors& factors() { return solver_->factors(); }
  const Factors& factors() const { return std::as_const(*solver_).factors(); }
  /// Another model of the same vertices and the solver that is made for it, at once. Leaves the old solver in `solver`.
  /// That is then one of the caller's own. Throws as the constructors.
  void exchange(Model& model, std::unique_ptr<Minimizer>& solver);

  /// Finds the contacts of a step of h seconds from there, without making it.
  void find_contacts(const History& history, double h);
  /// Another law of contacts between bodies, or another shape of theirs: they are found anew.
  void contact_law_changed(const History& history, double h);

  /// What a step looks at besides model, history and ledger.
  struct Memory {
    ContactMemory contacts;
    StepMemory method;
  };
  /// What the method remembers of the last step.
  const StepMemory& method_memory() const { return method_memory_; }
  Memory memory() const { return {contacts_->memory(*model_), method_memory_}; }
  void recall(const Memory& memory);
  /// What follows is not the motion that was.
  void forget();

 private:
  void stop_fixed(History& history, Ledger& ledger) const;
  StepReport attempt(const History& history, Ledger& ledger, double h, Motion& motion);
  const History& on_its_way(const History& history, const Points* push, double h);
  void follow_wish(const Ledger& ledger, double fallen);
  void rub_and_damp(const StepInput& input, Motion& motion, Ledger& ledger, StepReport& report, double& damped);
  double hold(const State& before, StepReport& report);
  double rub_after_solve(const StepInput& input, const StepForces& forces, const Motion& motion, Ledger& ledger);
  void book_surfaces(const State& now, const StepReport& report, const Motion& motion, Ledger& ledger) const;
  double moment_arm(const History& history) const;
  void choose_contacts();

  Model* model_;
  Workspace& work_;
  const IntegratorInfo* integrator_info_ = nullptr;  ///< where they were chosen by name
  const SolverInfo* solver_info_ = nullptr;
  std::unique_ptr<Minimizer> solver_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Damping> damping_;
  std::unique_ptr<ContactModel> contacts_;
  std::span<const BodyPoint> known_colliders_;  ///< that have been checked
  bool barrier_ = false;                        ///< that is its kind
  bool looks_back_ = false;                     ///< the integrator, to the step before
  State next_;
  State solved_;    ///< what a step with hard constraints has solved, before anything else acts
  Points damped_;   ///< m/s, what damping did to v, where the next step looks back
  Points push_;     ///< N
  History pushed_;  ///< of use while a step is under way
  Measurement measured_;
  StepMemory method_memory_;
  std::string_view stage_;  ///< of the step under way
  double last_h_ = 0;       ///< s, of the step before; 0: unknown
};

/// What became of a step, as the end of a sentence.
std::string_view in_words(Outcome outcome);

/// How far H may be above the ledger's target, J, before a step is taken for an explosion: where one has long been
/// seen, and the numbers that it is to be looked into with are still good.
double energy_limit(const Model& model, const Ledger& ledger);

}  // namespace rebound::sim
