#include "sim/stepper_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace rebound::sim {
namespace {

constexpr double kAny = std::numeric_limits<double>::max();

template <class Info>
const Info& known(const char* what, const Info* info, std::string_view id, std::span<const Info> all) {
  if (info != nullptr) return *info;
  std::string ids;
  for (const Info& other : all) ids += (ids.empty() ? "" : ", ") + std::string(other.id);
  throw std::invalid_argument("there is no " + std::string(what) + " '" + std::string(id) + "'; one of: " + ids);
}

std::string in_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

void check_vertex(const char* what, int v, int vertices) {
  if (v >= 0 && v < vertices) return;
  throw std::invalid_argument(std::string(what) + " holds vertex " + std::to_string(v) + "; the model has " +
                              std::to_string(vertices) + " vertices");
}

void check_hands(const char* what, const Attachments& hands, int vertices) {
  for (const Attachment& hand : hands.items)
    for (const int v : hand.point.vertices) check_vertex(what, v, vertices);
}

void check_colliders(const Model& model) {
  for (const BodyPoint& collider : model.colliders)
    for (const int v : collider.vertices) check_vertex("a collider", v, model.vertices());
}

void check_masses(const Model& model) {
  // In every step: first for whether anything is wrong at all, without a branch.
  const auto is_mass = [](double m) { return (m > 0) & (m <= kAny); };
  bool right = true;
  for (const double m : model.M) right &= is_mass(m);
  if (right) return;
  for (int v = 0; v < model.vertices(); ++v)
    if (const double m = model.M[v]; !is_mass(m) && !(m == 0 && model.fixed[static_cast<std::size_t>(v)]))
      throw std::invalid_argument("Model::M: vertex " + std::to_string(v) + " has " + in_digits(m) +
                                  " kg; it must be a positive number");
}

/// Throws unless the method that was chosen takes it.
template <class Info, class Takes>
void require(const char* what, const char* kind, const Info* info, std::span<const Info> all, const Takes& takes) {
  if (info == nullptr || takes(*info)) return;
  std::string ids;
  for (const Info& other : all)
    if (takes(other)) ids += (ids.empty() ? "" : ", ") + std::string(other.id);
  throw std::invalid_argument(std::string(kind) + " '" + std::string(info->id) + "' does not take " + what +
                              "; one of: " + ids);
}

void check_number(const char* what, double value, double least = -kAny, double most = kAny) {
  if (value >= least && value <= most) return;
  const std::string range = most < kAny     ? " from " + in_digits(least) + " to " + in_digits(most)
                            : least > -kAny ? " of " + in_digits(least) + " or more"
                                            : "";
  throw std::invalid_argument(std::string(what) + " is " + in_digits(value) + "; it must be a number" + range);
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

void check_model(const Model& model, std::span<const BodyPoint> known) {
  const int n = model.vertices();
  if (n == 0) throw std::invalid_argument("a model without vertices");
  if (static_cast<int>(model.fixed.size()) != n)
    throw std::invalid_argument("Model::fixed has " + std::to_string(model.fixed.size()) + " entries; the model has " +
                                std::to_string(n) + " vertices");
  check_masses(model);
  if (std::ranges::count(model.energies, nullptr) > 0) throw std::invalid_argument("Model::energies: one is null");
  if (std::ranges::count(model.constraints, nullptr) > 0)
    throw std::invalid_argument("Model::constraints: one is null");
  check_hands("a handle", model.attachments, n);
  check_hands("a hand", model.grabs, n);
  for (const auto& constraint : model.constraints)
    for (const int v : constraint->vertices()) check_vertex("a constraint", v, n);
  if (known.data() != model.colliders.data() || known.size() != model.colliders.size()) check_colliders(model);
}

void check_methods(const Model& model, const IntegratorInfo* integrator, const SolverInfo* solver) {
  const auto require_both = [&](const char* what, const auto& by_integrator, const auto& by_solver) {
    require(what, "integrator", integrator, integrators(), by_integrator);
    require(what, "solver", solver, solvers(), by_solver);
  };
  const auto solves = [](const IntegratorInfo& info) { return !info.schemes.empty(); };
  const auto any_obstacle = [&](const auto& is) { return std::ranges::any_of(model.obstacles, is); };
  if (!model.constraints.empty())
    require_both("hard constraints (Model::constraints)", std::mem_fn(&IntegratorInfo::keeps_hard_constraints),
                 std::mem_fn(&SolverInfo::keeps_hard_constraints));
  if (any_obstacle([](const Obstacle& obstacle) { return obstacle.constraint; }))
    require_both("obstacles that are constraints (Obstacle::constraint)",
                 std::mem_fn(&IntegratorInfo::keeps_constraints), std::mem_fn(&SolverInfo::keeps_constraints));
  if (model.body_contact.barrier)
    require_both("a barrier (BodyContactLaw::barrier)", solves, std::mem_fn(&SolverInfo::takes_barriers));
  if (model.body_contact.cubic || any_obstacle([](const Obstacle& obstacle) { return obstacle.cubic > 0; }))
    require_both("contacts that are cubic", solves, std::mem_fn(&SolverInfo::takes_cubic_contacts));
}

void check_settings(const StepSettings& settings) {
  check_number("settings.solver.iterations", settings.solver.iterations, 1);
  if (settings.solver.stabilizer_iterations)
    check_number("settings.solver.stabilizer_iterations", *settings.solver.stabilizer_iterations, 1);
  check_number("settings.solver.tolerance", settings.solver.tolerance, 0);
  check_number("settings.blend.tolerance", settings.blend.tolerance, 0);
  check_number("settings.alpha.min", settings.alpha.min);
  check_number("settings.alpha.max", settings.alpha.max, settings.alpha.min);
  check_number("settings.alpha.every", settings.alpha.every, 1);
  check_number("settings.rho", settings.rho, 0, 1);
  check_number("settings.modes", settings.modes, 1, kMostModes);
  check_number("settings.wish.keep", settings.wish.keep);
  if (settings.wish.keep != 1) check_number("settings.wish.ground", settings.wish.ground);
  check_number("settings.damping.k", settings.damping.k, 0);
  check_number("settings.damping.mass", settings.damping.mass, 0);
  if (settings.frames_per_step && !(*settings.frames_per_step > 0))
    throw std::invalid_argument("settings.frames_per_step is " + in_digits(*settings.frames_per_step) +
                                "; it must be a positive number");
}

void check_history(const Model& model, const History& history) {
  const int n = model.vertices();
  check_size("history.now.x", history.now.x, n);
  check_size("history.now.v", history.now.v, n);
  if (!history.has_before) return;
  check_size("history.before.x", history.before.x, n);
  check_size("history.before.v", history.before.v, n);
}

void check_length(double h) {
  if (!(h > 0) || !std::isfinite(h))
    throw std::invalid_argument("a step of " + in_digits(h) + " s; it must be a positive number");
}

}  // namespace rebound::sim
