// Integrators held against a reference of many small steps: `rebound measure`.
#pragma once

#include "motion/what_is_seen.hpp"
#include "sim/linear/factor_cache.hpp"

namespace rebound::motion {

struct Reference {
  std::string integrator = "implicit-midpoint";
  int substeps = 20, iterations = 20;
};
/// From "ID/SUBSTEPSxITERATIONS". Throws InputError.
Reference parse_reference(const std::string& text);

/// Of several starts the mean, unless something else is said.
struct Row {
  std::string scene, integrator, solver;
  std::int64_t frames = 0;
  int starts = 1;
  Bands bands, reference_bands;
  double visible_kinetic = 0, reference_visible_kinetic = 0;  ///< J
  double visible_least = 0, visible_most = 0;                 ///< over the reference's, of all starts
  double worst_energy_error = 0;                              ///< share of the scale; of the worst start
  double unresolved = 0;                                      ///< share of the scale
  std::optional<double> angular_momentum_error;               ///< share
  double path_error = 0;                                      ///< body diagonals
  std::optional<double> late_amplitude;                       ///< of the centre of mass, over the reference's
  std::optional<std::int64_t> blew_up_at;                     ///< of the start that did so first
  double solves_per_step = 0, ms_per_step = 0;
  /// How far the reference itself is from converged, against twice its steps over the first two seconds.
  double reference_path_error = 0;
  double reference_energy_error = 0;  ///< its largest |H - target|, share of the scale; of the worst start
  double seconds = 0;                 ///< between pictures
  Course course, reference_course;    ///< of the start in the middle
};

struct Progress {
  std::function<void(const std::string& what, double share)> show;
  std::function<void(const Row&)> done;
};

/// By how much more one start is stiffer than the one before it.
inline constexpr double kStiffnessStep = 0.01;

struct Trial {
  Reference reference;
  std::int64_t frames = 300;
  /// So many runs, of stiffnesses around the scene's own: where motions soon depend on every detail, as those of cloth
  /// do, a figure of one start says little.
  int starts = 1;
  int threads = 1;
  sim::FactorCache* cache = nullptr;  ///< where reference runs are kept
};

/// One row per integrator. Throws InputError, or runtime_error where the reference itself blows up.
std::vector<Row> measure(const scene::Description& description, const std::vector<std::string>& integrators,
                         const Trial& trial, const Progress& progress);

std::string to_json(const std::vector<Row>& rows);
std::string to_csv(const std::vector<Row>& rows);
std::string table_head();
std::string table_line(const Row& row);

}  // namespace rebound::motion
