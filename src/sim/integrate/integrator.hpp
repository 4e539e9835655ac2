// A time integrator: (x_n, v_n) -> (x_{n+1}, v_{n+1}).
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "sim/base/memory.hpp"
#include "sim/contact/contact_model.hpp"
#include "sim/contact/friction.hpp"
#include "sim/model/ledger.hpp"
#include "sim/model/moving_things.hpp"
#include "sim/step/linear_damping.hpp"
#include "sim/step/minimizer.hpp"

namespace rebound::sim {

struct Modes;

/// When a solver that takes a fixed number of iterations may stop before it.
enum class Ending {
  after_all,  ///< never
  by_need,    ///< once a correction is a share of the first one that nobody sees in the motion
  converged,  ///< once it is one that no method amplifies: for those whose velocity is explicit
};

struct SolverSettings {
  int iterations = 10;                       ///< of the first solve, of both stages together where it has two; at most
  std::optional<int> stabilizer_iterations;  ///< of the backward Euler solve; empty: adaptive. 1 is the paper's
  Ending ending = Ending::after_all;         ///< of each solve
  bool to_tolerance = false;              ///< each solve goes on to `tolerance`; `iterations` is no more than a bound
  bool accelerated = false;               ///< Anderson's, of solvers that have it
  double tolerance = kVelocityTolerance;  ///< of solvers that look at what velocity is undetermined, m/s
  Projection projection = Projection::on_demand;  ///< of solvers that have a choice

  SolveEffort effort(int most) const;
};

/// How a method that searches for it chooses alpha [You26 4.4, 5.6].
struct AlphaSettings {
  double min = 0, max = 1.1;
  int every = 1;  ///< it is searched for once the energy was this many steps in a row on one side of the target
  bool on_sdirk2 = false;  ///< instead of on backward Euler
};

struct BlendSettings {
  double tolerance = 0.01;    ///< epsilon of [Dinev18 Eq. 24]
  bool forward_blend = true;  ///< blend with forward Euler where midpoint lost energy
};

/// What becomes of energy that a step cannot resolve.
enum class Unresolved { heat, moving, held };

/// How many modes siere takes exactly where nothing else is asked for, and at the most.
inline constexpr int kUsualModes = 5, kMostModes = 60;

/// What a method remembers of its last step.
struct StepMemory {
  /// Midpoint held the energy: a hint at what is worth looking at first. It changes no more than rounding.
  bool held = false;
  /// It was all backward Euler, below which no wish can be met.
  bool sunken = false;
  /// For so many steps in a row the energy was above the target without a correction; negative: below.
  int one_sided = 0;
  /// Where the search for the next step's modes begins; null: anywhere.
  std::shared_ptr<const Modes> modes = nullptr;
  /// What held the equations of Model::constraints, N; null if there are none.
  std::shared_ptr<const Vector> constraint_forces = nullptr;
  /// How many directions an exponential step needed, where the next one looks first; 0: unknown.
  int directions = 0;
  /// With which the next step's solver may begin.
  CarriedFactor factor = {};
  /// J: StepReport::in_ripples of it.
  double in_ripples = 0;
};

/// What a step may read; the minimizer keeps factors and buffers from step to step.
struct StepInput {
  const Model& model;
  Minimizer& minimizer;
  Workspace& work;
  const History& history;
  const Ledger& ledger;
  double h;  ///< s
  SolverSettings solver;
  BlendSettings blend;
  Unresolved unresolved = Unresolved::moving;
  AlphaSettings alpha{};
  double rho = kUsualRho;   ///< of generalized-alpha
  int modes = kUsualModes;  ///< of siere
  StepMemory memory{};
  /// For methods that have it inside of their step; null where there is none of that form.
  std::optional<LinearDamping> damping{};
  /// Surfaces go along with the step in all methods that have forces within it or at its beginning, hands in those of
  /// two solves; all others have them at its end throughout. Null: nothing moves.
  MovingThings* moving = nullptr;
  /// N, n x 3: a force all through the step that no energy knows of; null: none.
  const Points* push = nullptr;

  void put_surfaces(double share) const { put_surfaces(share, share); }
  /// obstacles: of those whose forces are the step's own terms, which act where a solve ends.
  void put_surfaces(double share, double obstacles) const {
    if (moving == nullptr) return;
    moving->put_surfaces(share);
    moving->put_obstacles(obstacles);
  }
};

/// What a step that takes modes exactly leaves to the rest, J of kinetic energy at its start.
struct ModalShare {
  double whole = 0, beyond = 0;
};

/// J: of a scene's handles, and of a user's hands (Attachments::work_of_jumps).
struct WorkOfJumps {
  double handles = 0, grabs = 0;
  double sum() const { return handles + grabs; }
};

/// What moving things did in a step, J, where that is not all by the forces at the state in which it ends.
struct WorkOfMovers {
  std::optional<double> by_terms;  ///< by the step's own terms
  std::vector<double> by_springs;  ///< by each of Model::contacts; empty: by those forces
  double by_return = 0;            ///< while energy came back to what they push, at the step's end
};

struct StepReport {
  Outcome outcome = Outcome::done;
  int iterations = 0;  ///< of all solves
  /// 0: pure midpoint; (0, 1]: share of backward Euler; [-1, 0): minus that of forward Euler.
  std::optional<double> blend;
  /// Of a decoupled method: the share of the explicit velocity, 0 is backward Euler's.
  std::optional<double> alpha;
  int one_sided = 0;  ///< for the next step's memory
  /// Did every solve reach its tolerance, or what it was stopped for? If not, its number of iterations cut it.
  bool converged = true;
  /// The largest of the solves, m/s; of solvers that look at them (SolveReport).
  std::optional<double> residual, last_correction;
  StepForces forces;
  /// E(x_{n+1}) in double precision, where the step has it anyway.
  std::optional<EnergyByKind> energy;
  /// Of a method that has friction inside of its step. After all others' it is still to come.
  std::optional<FrictionWork> friction;
  /// J, >= 0: what damping took, of a method that has StepInput::damping inside of its step. After all others' it is
  /// still to come.
  std::optional<double> damped;
  /// J, >= 0: what the step gives up of the target, as energy that it cannot resolve.
  double unresolved = 0;
  /// Of a method that lets hands go along with the step: what they were booked with too much as they jumped.
  WorkOfJumps jumps;
  /// J, >= 0: what H still lacks of the target, as motion that the step cannot resolve.
  double in_ripples = 0;
  /// Those that the step has taken exactly; null if it looks at none.
  std::shared_ptr<const Modes> modes;
  std::optional<ModalShare> modal;
  int directions = 0;  ///< for the next step's memory
  /// What held the equations of Model::constraints, N, and what that did, J; null if there are none.
  std::shared_ptr<const Vector> constraint_forces;
  double constraint_work = 0;
  WorkOfMovers movers;
  /// What there was no memory for, where the outcome says so: a few words.
  std::string_view too_large;
  /// Surfaces that cross and may not: those that the step began with, or would have ended with.
  std::optional<Crossing> crossing;
  bool crossed_at_start = false;
  std::optional<TooWide> too_wide;  ///< why it could not begin, if that is so
  std::optional<int> constraint;    ///< the one of Model::constraints that could not be met
  /// The same in full, where it was known before it was asked for.
  std::optional<OutOfMemory> lacking;

  /// Takes over how one of its solves went, but for the outcome.
  void add(const SolveReport& solve) {
    iterations += solve.iterations;
    converged = converged && solve.converged;
    residual = std::max(residual, solve.residual);
    last_correction = std::max(last_correction, solve.last_correction);
    if (solve.constraint) constraint = solve.constraint;
  }
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Writes the next state. It is only of use if the outcome is `done`.
  virtual StepReport step(const StepInput& input, State& next) = 0;
  /// The scheme that a step from this history takes, or begins with; null if it solves nothing.
  virtual const Scheme* scheme(const History&) const { return nullptr; }
  /// Does it write State::a?
  virtual bool carries_acceleration() const { return false; }
  /// The next step's model is another one, of the same vertices.
  virtual void model_changed() {}
};

}  // namespace rebound::sim
