// A drum skin struck into one of its modes [You26 Fig. 4]: u_nk(r, theta) = J_n(j_nk r / R) cos(n theta), j_nk the k-th
// zero of the Bessel function J_n. These are the modes of a skin under tension as long as it swings little.
#pragma once

#include "scene/json_reader.hpp"
#include "sim/base/types.hpp"

namespace rebound::papers {

/// Which mode a disk begins in, and how fast.
struct Strike {
  int lines = 0;     ///< nodal lines through the middle, n
  int circles = 1;   ///< nodal circles with the rim, k
  double speed = 0;  ///< m/s, of the fastest point
};

/// { "lines": 2, "circles": 1, "speed": 1 }. Throws InputError.
Strike read_strike(const scene::Value& value);

/// The k-th positive zero of J_n, k from 1.
double bessel_zero(int n, int k);

/// The mode's height at points of a disk around the y axis, whose rim is where its farthest points are; 1 at its
/// highest.
sim::Vector drum_mode(const Strike& strike, const sim::Points& rest);

}  // namespace rebound::papers
