// What a solver is besides its type, as a run's file has it.
#pragma once

#include "scene/description.hpp"
#include "scene/identifiers.hpp"

namespace rebound::session {

void solver_fields(auto& visitor, auto& solver) {
  visitor.iterations("iterations", solver.iterations, solver.iterationsByNeed);
  visitor.integer("stabilizerIterations", "solver.stabilizerIterations", solver.stabilizerIterations);
  visitor.truth("acceleration", solver.acceleration);
  visitor.number("tolerance", "solver.tolerance", solver.tolerance);
  visitor.later_choice("projection", scene::projections(), solver.projection, scene::Solver{}.projection);
}

/// Throws InputError if a number is out of range.
void check_solver(const scene::Solver& solver);

}  // namespace rebound::session
