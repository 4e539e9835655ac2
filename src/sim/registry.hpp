// The lists of what this build can do; that of materials is in energy/materials. The window, the command line, the
// scene reader and the tests go through them; no list is copied by hand.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sim/energy/materials.hpp"
#include "sim/integrate/integrator.hpp"
#include "sim/step/scheme.hpp"

namespace rebound::sim {

class Damping;
class Minimizer;
struct Analysis;
struct Model;

struct IntegratorInfo {
  std::string_view id;
  std::string_view title;
  std::string_view what;            ///< what it is and what to expect, one line
  std::span<const Scheme> schemes;  ///< whose objectives its steps minimise
  std::unique_ptr<Integrator> (*make)();
  std::span<const std::string_view> settings;  ///< what it reads of a scene that others may not, by its keys
  /// Where nothing else is asked for: is local/global accelerated, and how long does it iterate?
  bool accelerated = false;
  Ending ending = Ending::after_all;
  /// What may help where it diverges, beside a smaller step and another integrator.
  std::string_view remedy = "more iterations";
  /// Its x is that of a solve, so that obstacles that are constraints are kept.
  bool keeps_constraints = false;
  /// The same for hard constraints, which each of its solves keeps.
  bool keeps_hard_constraints = false;

  bool reads(std::string_view setting) const;
};
std::span<const IntegratorInfo> integrators();
/// Null if there is none of that name.
const IntegratorInfo* find_integrator(std::string_view id);

struct SolverInfo {
  std::string_view id;
  std::string_view title;
  std::string_view what;
  int iterations;  ///< corrections a solve has at the most, where nothing else is asked for
  std::unique_ptr<Minimizer> (*create)(const Model& model, const Analysis& known);
  bool squared_distances_alone = false;  ///< it projects, so it takes no other energies
  /// The most iterations that a step has where it may end before; 0: it always goes on to convergence.
  int most_by_need = 0, most_to_convergence = 0;
  bool accelerates = false;             ///< Anderson's acceleration is its own
  bool takes_barriers = false;          ///< it honours Energy::largest_step, and links that come and go
  bool goes_to_tolerance = false;       ///< it ends once a residual is below SolverSettings::tolerance
  bool tells_how = false;               ///< it writes a SolveTrace
  bool keeps_constraints = false;       ///< obstacles may be constraints
  bool keeps_hard_constraints = false;  ///< it takes Model::constraints
  bool takes_cubic_contacts = false;    ///< it takes Model::step_energies that are finite everywhere
  bool projects = false;                ///< SolveEffort::projection is its own

  /// What an integrator takes of it where nothing else is asked for.
  SolverSettings settings(const IntegratorInfo& integrator) const;
  bool can_end_early() const { return most_by_need > 0; }
  bool takes(const MaterialLaw& law) const {
    return (law.squared_distance || !squared_distances_alone) && !(law.needs_convergence && can_end_early());
  }
  /// The model must outlive it. known: what others have worked out about the pattern.
  std::unique_ptr<Minimizer> make(const Model& model, const Analysis& known) const;
  std::unique_ptr<Minimizer> make(const Model& model) const;
};
std::span<const SolverInfo> solvers();
const SolverInfo* find_solver(std::string_view id);

struct DampingInfo {
  std::string_view id;
  std::string_view title;
  std::string_view what;
  std::string_view usual_rate;  ///< what its coefficient counts in if nothing is said: "frame" or "second"
  std::unique_ptr<Damping> (*make)();
};
std::span<const DampingInfo> dampings();
const DampingInfo* find_damping(std::string_view id);

}  // namespace rebound::sim
