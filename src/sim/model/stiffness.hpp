// How hard a step is.
#pragma once

#include "sim/model/model.hpp"

namespace rebound::sim {

/// Largest eigenvalue of M^-1 L over the free vertices, 1/s^2, to two digits: with h^2 it is the h^2 k/m of the
/// stiffest motion. L: Model::laplacian().
double stiffest(const Model& model, const SparseMatrix& L, const Workers& workers);

}  // namespace rebound::sim
