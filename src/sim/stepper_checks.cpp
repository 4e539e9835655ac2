#include "sim/stepper_checks.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace rebound::sim {
namespace {

template <class Info>
const Info& known(const char* what, const Info* info, std::string_view id, std::span<const Info> all) {
  if (info != nullptr) return *info;
  std::string ids;
  for (const Info& other : all) ids += (ids.empty() ? "" : ", ") + std::string(other.id);
  throw std::invalid_argument("there is no " + std::string(what) + " '" + std::string(id) + "'; one of: " + ids);
}

void check_hands(const char* what, const Attachments& hands, int vertices) {
  for (const Attachment& hand : hands.items)
    for (const int v : hand.point.vertices)
      if (v < 0 || v >= vertices)
        throw std::invalid_argument(std::string(what) + " holds vertex " + std::to_string(v) + "; the model has " +
                                    std::to_string(vertices) + " vertices");
}

}  // namespace

void check_size(const char* what, const Points& rows, int vertices) {
  if (rows.rows() == vertices) return;
  throw std::invalid_argument(std::string(what) + " has " + std::to_string(rows.rows()) + " rows; the model has " +
                              std::to_string(vertices) + " vertices");
}

const IntegratorInfo& known_integrator(std::string_view id) {
  return known("integrator", find_integrator(id), id, integrators());
}

const SolverInfo& known_solver(std::string_view id) { return known("solver", find_solver(id), id, solvers()); }

const DampingInfo& known_damping(std::string_view id) { return known("damping", find_damping(id), id, dampings()); }

void check_input(const Model& model, const History& history, double h, const StepSettings& settings) {
  if (!(h > 0) || !std::isfinite(h))
    throw std::invalid_argument("a step of " + std::to_string(h) + " s; it must be a positive number");
  if (!(settings.damping.k >= 0) || !(settings.damping.mass >= 0))
    throw std::invalid_argument("a negative coefficient of damping");
  const int n = model.vertices();
  check_size("history.now.x", history.now.x, n);
  check_size("history.now.v", history.now.v, n);
  if (history.has_before) {
    check_size("history.before.x", history.before.x, n);
    check_size("history.before.v", history.before.v, n);
  }
  if (static_cast<int>(model.fixed.size()) != n)
    throw std::invalid_argument("Model::fixed has " + std::to_string(model.fixed.size()) + " entries; the model has " +
                                std::to_string(n) + " vertices");
  check_hands("a handle", model.attachments, n);
  check_hands("a hand", model.grabs, n);
}

}  // namespace rebound::sim
