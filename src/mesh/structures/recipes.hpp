// One recipe a structure, each in its file. Lengths in metres.
#pragma once

#include "mesh/structures/blocks.hpp"
#include "mesh/structures/structures.hpp"

namespace rebound::mesh {

/// A rope wound up, like a spring of five turns.
Blocks coil(Detail detail);

/// A sheet of six-sided cells, standing in the plane z = 0.
Blocks honeycomb(Detail detail);

/// One band with half a turn in it: up through the middle of a ball, and down around it as a spiral.
Blocks moebius(Detail detail);

/// Four legs that bend together into a shaft, tied by platforms. 43 m tall.
Blocks tower(Detail detail);

/// A deck on columns, which stand on two arches. 24 m long.
Blocks bridge(Detail detail);

/// A trunk, limbs on it and twigs on those. About 6 m tall.
Blocks tree(Detail detail);

}  // namespace rebound::mesh
