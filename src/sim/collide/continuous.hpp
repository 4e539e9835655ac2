// When two features that move along straight lines come too near to each other.
//
// Source: additive continuous collision detection [Li21 Sec. 6]: a pair goes on by as much as it certainly may, the
// distance over the largest relative speed, again and again, until its gap is a share of what it was.
//
// We differ: the number of steps is bounded, and a pair that still goes on then has what it has reached: less than it
// could go, but safe. Distances of gaps below the rounding of coordinates count as zero.
#pragma once

#include "sim/collide/feature_distance.hpp"

namespace rebound::sim {

/// A pair of features with an offset, as of thick ones: they touch where they are that far apart.
struct MovingPair {
  FeaturePair kind;
  FourPoints x;       ///< m, at the beginning
  FourPoints d;       ///< m, the way
  double offset = 0;  ///< m
};

/// How much of the gap at the beginning is left where they stop.
inline constexpr double kGapLeft = 0.1;

/// How much of the way they may go, in [0, 1]: at all times until then their distance is above the offset. 0 where
/// they touch at the beginning. One that may go further than `enough` need not be told how far.
double free_way(const MovingPair& pair, double enough = 1);

}  // namespace rebound::sim
