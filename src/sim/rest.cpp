#include "sim/rest.hpp"

#include <algorithm>

#include "sim/stepper.hpp"

namespace rebound::sim {
namespace {

// RestObjective would be one solve, but knows no contacts that are found on the way.
// What falls 1.2 m in a step is still found by obstacles on its way.
constexpr double kFirstRestStep = 0.03, kLongestRestStep = 0.5;  // s
constexpr int kMostRestSteps = 200;
// Of the energy of lifting the bodies by their own size.
constexpr double kAtRest = 1e-9;

}  // namespace

std::optional<double> rest_energy(Model model, const Points& from, Workspace& work, const std::atomic<bool>* cancel) {
  model.grabs.items.clear();
  model.step_energies.clear();
  model.step_losses.clear();
  Stepper stepper(model, work, "backward-euler", "newton");
  History history;
  history.now = {from, Points::Zero(from.rows(), 3), {}};
  Ledger ledger = stepper.ledger(history.now, kFirstRestStep);
  double h = kFirstRestStep, E = stepper.measured().total();
  for (int step = 0; step < kMostRestSteps; ++step, h = std::min(1.4 * h, kLongestRestStep)) {
    if (cancel != nullptr && *cancel) return std::nullopt;
    if (stepper.step(history, ledger, h).outcome != Outcome::done) return std::nullopt;
    const double before = E, moved = stepper.measured().kinetic;
    E = stepper.measured().total() - moved;
    history.now.v.setZero();
    history.has_before = false;
    const double scale = std::max(ledger.scale(), std::abs(E));
    if (h == kLongestRestStep && moved < kAtRest * scale && std::abs(E - before) < kAtRest * scale) return E;
  }
  return std::nullopt;
}

}  // namespace rebound::sim
