// What the eye sees of a motion, as numbers.
//
// Velocities are those of the surface at about thirty pictures a second, their mean over time removed. A motion of a
// period below four pictures is shiver: nobody sees more of it than that something trembles.
#pragma once

#include "motion/recording.hpp"

namespace rebound::motion {

/// Shares of sum |FFT v|^2 by the length of the period in pictures; they sum to 1, or are all 0 at rest.
struct Bands {
  double below_4 = 0, from_4_to_8 = 0, above_8 = 0;
};
/// Over the last half of the recording, or its last five seconds if that is more.
Bands bands(const Recording& run);

/// J: the mean kinetic energy over the last third, without what has a period below four pictures.
double visible_kinetic(const Recording& run);

/// The same from picture to picture, and what is left out of it, J.
struct Course {
  std::vector<double> seen, shiver;
};
Course course(const Recording& run);

/// RMS distance of the positions, each smoothed over five pictures, in the first two seconds, in body diagonals. Both
/// must be recordings of one scene.
double path_error(const Recording& run, const Recording& reference);

/// RMS distance, m, of the centre of mass from its mean in the last third.
double late_swing(const Recording& run);

}  // namespace rebound::motion
