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

struct Row {
  std::string scene, integrator, solver;
  std::int64_t frames = 0;
  Bands bands, reference_bands;
  double visible_kinetic = 0, reference_visible_kinetic = 0;  ///< J
  double worst_energy_error = 0;                              ///< share of the scale
  double unresolved = 0;                                      ///< share of the scale
  std::optional<double> angular_momentum_error;               ///< share
  double path_error = 0;                                      ///< body diagonals
  std::optional<double> late_amplitude;                       ///< of the centre of mass, over the reference's
  std::optional<std::int64_t> blew_up_at;
  double solves_per_step = 0, ms_per_step = 0;
  /// How far the reference itself is from converged, against twice its steps over the first two seconds.
  double reference_path_error = 0;
  double seconds = 0;  ///< between pictures
  Course course, reference_course;
};

struct Progress {
  std::function<void(const std::string& what, double share)> show;
  std::function<void(const Row&)> done;
};

/// One row per integrator. cache: where reference runs are kept; may be null. Throws InputError, or runtime_error where
/// the reference itself blows up.
std::vector<Row> measure(const scene::Description& description, const std::vector<std::string>& integrators,
                         const Reference& reference, std::int64_t frames, int threads, sim::FactorCache* cache,
                         const Progress& progress);

std::string to_json(const std::vector<Row>& rows);
std::string to_csv(const std::vector<Row>& rows);
std::string table_head();
std::string table_line(const Row& row);

}  // namespace rebound::motion
