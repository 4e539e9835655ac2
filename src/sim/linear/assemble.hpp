// A sparse matrix from entries in any order.
#pragma once

#include "sim/base/types.hpp"
#include "sim/base/workers.hpp"

namespace rebound::sim {

/// size x size, compressed; entries of one place are added up in their order, so the bytes are those of Eigen's
/// setFromTriplets on any number of threads. workers: null: this thread alone.
SparseMatrix assemble(int size, const Triplets& entries, Workers* workers);

}  // namespace rebound::sim
