// One step's minimisation, for tests that compare minimizers.
#pragma once

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace rebound::test {

/// What `iterations` corrections from y make of the step's objective.
inline Points minimized(const Model& model, const State& now, Minimizer& minimizer, const Scheme& scheme, double h,
                        int iterations, Workspace& work) {
  History history;
  history.now = now;
  StepBuffers buffers;
  const StepObjective g(model, scheme, h, history, buffers, work);
  Points x = g.y();
  EXPECT_EQ(minimizer.minimize(g, iterations, nullptr, x).outcome, Outcome::done);
  return x;
}

}  // namespace rebound::test
