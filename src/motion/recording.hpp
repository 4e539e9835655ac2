// A run as a series of pictures, about thirty a second: what there is to be seen of a motion.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scene/build.hpp"

namespace rebound::motion {

/// Some points of the bodies' surfaces (all of them, or evenly chosen ones where there are very many), and the mass
/// that moves. A row a sample, x, y, z of each point side by side.
struct Recording {
  using Series = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>;

  double seconds = 0;    ///< between samples
  Series x, v;           ///< samples x 3 points, m and m/s
  Series mass_v;         ///< samples x 3 vertices, m/s: of some of the vertices that carry mass
  Eigen::VectorXf mass;  ///< kg, of those; scaled so that they stand for all
  Series centre;         ///< samples x 3, m: the centre of mass
  double diagonal = 1;   ///< m, of the box around the bodies at rest
  int samples = 0;       ///< of which there are states

  double solves_per_step = 0, ms_per_step = 0;   ///< iterations a step; median
  double worst_energy_error = 0;                 ///< the largest |H - target|, as a share of the ledger's scale
  double unresolved = 0;                         ///< J, booked as such, as a share of the scale
  std::optional<double> angular_momentum_error;  ///< share of the first, about the centre of mass; of free bodies
  std::optional<std::int64_t> blew_up_at;        ///< frame
  std::string failure;                           ///< why it blew up
};

/// Simulates `frames` frames. watch: called with each frame; may throw to end it.
Recording record(const scene::World& world, int threads, std::int64_t frames,
                 const std::function<void(std::int64_t)>& watch);

}  // namespace rebound::motion
