// How each step is solved, and how hard this body makes it.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/widgets.hpp"
#include "scene/material.hpp"
#include "scene/method_settings.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

struct Difficulty {
  double from;
  const char* word;
  const char* meaning;
};
constexpr std::array kDifficulties = {
    Difficulty{0, "easy", "Every method can follow that."},
    Difficulty{1, "moderate", "Explicit methods begin to explode."},
    Difficulty{10, "hard", "Explicit methods explode; implicit ones must damp it, or let its energy run away."},
    Difficulty{
        1e4, "very hard",
        "No method can follow that: it is damped, or its energy runs away, and iterations converge slowly. A smaller "
        "time step, a softer material or more iterations help."},
};

/// h^2 k/m is the squared angle by which the stiffest vibration turns in a step.
std::string swings(double number, double h) {
  const double turns = std::sqrt(number) / 6.283185307;
  const std::string how =
      turns < 0.995 ? short_number(100 * turns, 2) + " % of a swing" : "about " + short_number(turns, 2) + " swings";
  return "In one step of " + with_unit(h, "s") + " the stiffest part of this body makes " + how + ". ";
}

const Difficulty& difficulty(double number) {
  const Difficulty* found = &kDifficulties[0];
  for (const auto& d : kDifficulties)
    if (number >= d.from) found = &d;
  return *found;
}

void stiffness_meter(const Desk& desk) {
  const double number = desk.now().stiffness_number;
  const scene::Description& d = desk.now().description;
  const Difficulty& hard = difficulty(number);
  const auto& theme = desk.theme();
  const float place = static_cast<float>(std::clamp((std::log10(std::max(number, 1e-3)) + 2) / 8, 0.0, 1.0));
  const render::Color color = place < 0.36f  ? legible(desk, theme.series[1])
                              : place < 0.7f ? theme.warning
                                             : theme.error;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("h² k/m");
  ImGui::SameLine(desk.points(136));
  ImGui::PushFont(desk.fonts().strong);
  colored_text(color, short_number(number));
  ImGui::PopFont();
  ImGui::SameLine();
  colored_text(color, hard.word);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = desk.points(5);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, {low.x + width, low.y + height}, to_u32(theme.panel_raised), height / 2);
  list.AddRectFilled(low, {low.x + std::max(width * place, height), low.y + height}, to_u32(color), height / 2);
  ImGui::Dummy({width, height});
  muted_text(desk, swings(number, d.timeStep / d.substeps) + hard.meaning, 5);
}

void stabiliser_row(Desk& desk, scene::Solver solver) {
  row_label(desk, "Stabiliser", "Iterations of the backward Euler solve that a blending integrator mixes in");
  static constexpr std::array kWays = {"adaptive", "fixed"};
  if (const auto way = segmented(desk, "stabiliser", kWays, solver.stabilizerIterations ? 1 : 0)) {
    solver.stabilizerIterations = *way == 0 ? std::nullopt : std::optional(1);
    desk.requests.commands.push_back(session::SetSolver{solver});
  }
  tooltip(desk, "As many iterations as the blend needs, or a fixed number; 1 is the paper's");
  if (!solver.stabilizerIterations) return;
  if (const auto n =
          range_field(desk, "  iterations##fixed", "solver.stabilizerIterations", *solver.stabilizerIterations)) {
    solver.stabilizerIterations = static_cast<int>(*n);
    desk.requests.commands.push_back(session::SetSolver{solver});
  }
}

/// Why a solver cannot be chosen now, to follow what it is; empty if it can.
std::string not_for_these_bodies(const scene::Description& d, std::string_view solver) {
  for (const scene::Body& body : d.bodies)
    if (const auto fault = scene::fault_of(body.material, scene::element_kind(body.mesh), solver))
      return "\n\nNot now: '" + body.name + "': " + fault->what + ".";
  return {};
}

void solver_row(Desk& desk, scene::Solver solver) {
  const auto* chosen = sim::find_solver(solver.type);
  row_label(desk, "Solver", chosen != nullptr ? chosen->what : "");
  if (!begin_choice(desk, "##solver", chosen != nullptr ? std::string(chosen->title) : solver.type, -FLT_MIN)) return;
  for (const auto& info : sim::solvers()) {
    const std::string why_not = not_for_these_bodies(desk.now().description, info.id);
    ImGui::BeginDisabled(!why_not.empty());
    if (ImGui::Selectable(info.title.data(), info.id == solver.type)) {
      solver.type = info.id;
      solver.iterations.reset();  // each solver has its own number
      solver.iterationsByNeed = false;
      desk.requests.commands.push_back(session::SetSolver{solver});
    }
    ImGui::EndDisabled();
    tooltip(desk, std::string(info.what) + why_not);
  }
  ImGui::EndCombo();
}

void projection_row(Desk& desk, scene::Solver solver) {
  static constexpr std::array<std::array<const char*, 2>, 4> kWays = {
      {{"On demand", "The exact Hessian while it is positive definite, else the clamped one"},
       {"None", "The exact Hessian; its diagonal grows until it is positive definite"},
       {"Clamp", "Negative eigenvalues of each element count as 0"},
       {"Absolute", "Negative eigenvalues of each element count by their size"}}};
  static_assert(kWays.size() == sim::kProjections.size());
  const auto& names = scene::projections();
  const auto chosen =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), solver.projection) - names.begin());
  row_label(desk, "Projection", "What is taken of the Hessian where an element curves down");
  if (!begin_choice(desk, "##projection", kWays[chosen][0], -FLT_MIN)) return;
  for (std::size_t way = 0; way < kWays.size(); ++way) {
    if (ImGui::Selectable(kWays[way][0], way == chosen)) {
      solver.projection = names[way];
      desk.requests.commands.push_back(session::SetSolver{solver});
    }
    tooltip(desk, kWays[way][1]);
  }
  ImGui::EndCombo();
}

// Did the last frame's solves get where they were going?
void convergence_row(const Desk& desk) {
  const session::FrameRecord& record = desk.now().record;
  if (record.iterations == 0) return;
  std::string count = std::to_string(record.iterations) + (record.iterations == 1 ? " iteration" : " iterations");
  if (record.converged) {
    muted_text(desk, "Last frame: " + count + ", converged.");
  } else if (sim::find_solver(desk.now().description.solver.type)->can_end_early()) {
    muted_text(desk, "Last frame: " + count + ", cut short.");
    tooltip(desk, "A fixed number of iterations: the step is near the exact one, not exact");
  } else {
    colored_text(desk.theme().warning, "Last frame: " + count + ", not converged.");
    tooltip(
        desk,
        "The limit was reached first, so this step is not the exact one. More iterations or a smaller time step help");
  }
  if (!record.residual) return;
  std::string left = "|dg| " + short_number(*record.residual) + " m/s";
  if (record.last_correction) left += ", |d|/h " + short_number(*record.last_correction) + " m/s";
  muted_text(desk, left + ".");
  tooltip(desk,
          "|dg|: the velocity that is left undetermined, the largest gradient over mass and time step. |d|/h: the last "
          "correction over the time step");
}

// How an integrator that blends does so.
void blend_rows(Desk& desk, const scene::Description& now) {
  const sim::IntegratorInfo& integrator = *sim::find_integrator(now.integrator.type);
  if (!integrator.reads("tolerance")) return;
  stabiliser_row(desk, now.solver);
  if (const auto e = range_field(desk, "Tolerance", "integrator.tolerance", now.integrator.tolerance))
    desk.requests.commands.push_back(session::SetBlend{*e, now.integrator.forwardBlend});
  if (!integrator.reads("forwardBlend")) return;
  bool forward = now.integrator.forwardBlend;
  row_label(desk, "Forward blend", "Mix in forward Euler where midpoint has lost energy");
  if (ImGui::Checkbox("##forward", &forward))
    desk.requests.commands.push_back(session::SetBlend{now.integrator.tolerance, forward});
}

void solve_rows(Desk& desk, const scene::Description& now) {
  const sim::SolverSettings in_use = scene::solver_settings(now);
  if (const auto n = range_field(desk, "Iterations", "solver.iterations", in_use.iterations)) {
    scene::Solver chosen = now.solver;
    chosen.iterations = static_cast<int>(*n);
    chosen.iterationsByNeed = false;
    desk.requests.commands.push_back(session::SetSolver{chosen});
  }
  if (sim::find_solver(now.solver.type)->can_end_early()) {
    row_label(desk, "By need", "End each solve once its corrections are small; Iterations is then the most it takes");
    bool by_need = in_use.ending != sim::Ending::after_all;
    if (ImGui::Checkbox("##by need", &by_need)) {
      scene::Solver chosen = now.solver;
      chosen.iterations.reset();
      if (!by_need) chosen.iterations = sim::find_solver(now.solver.type)->iterations;
      chosen.iterationsByNeed = by_need;
      desk.requests.commands.push_back(session::SetSolver{chosen});
    }
  }
  convergence_row(desk);
  const sim::SolverInfo& solver = *sim::find_solver(now.solver.type);
  if (solver.accelerates) {
    row_label(desk, "Accelerated", "Combine the last iterates: about 6 iterations do what 10 plain ones do");
    bool accelerated = in_use.accelerated;
    if (ImGui::Checkbox("##accelerated", &accelerated)) {
      scene::Solver chosen = now.solver;
      chosen.acceleration = accelerated;
      desk.requests.commands.push_back(session::SetSolver{chosen});
    }
  }
  if (solver.goes_to_tolerance)
    if (const auto tolerance = range_field(desk, "Converged below", "solver.tolerance", in_use.tolerance)) {
      scene::Solver chosen = now.solver;
      chosen.tolerance = *tolerance;
      desk.requests.commands.push_back(session::SetSolver{chosen});
    }
  if (solver.projects) projection_row(desk, now.solver);
  blend_rows(desk, now);
}

}  // namespace

void solver_panel(Desk& desk) {
  if (!begin_section(desk, "Time step and solver")) return;
  const auto& now = desk.now().description;
  if (const auto h = range_field(desk, "Time step", "timeStep", now.timeStep))
    desk.requests.commands.push_back(session::SetTimeStep{*h});
  if (const auto n = range_field(desk, "Substeps", "substeps", now.substeps))
    desk.requests.commands.push_back(session::SetSubsteps{static_cast<int>(*n)});
  stiffness_meter(desk);
  ImGui::Dummy({0, desk.points(2)});

  solver_row(desk, now.solver);
  if (const auto& integrator = *sim::find_integrator(now.integrator.type); integrator.schemes.empty())
    muted_text(desk, std::string(integrator.title) + " minimises nothing: no solver is at work.");
  else
    solve_rows(desk, now);
  end_section(desk);
}

}  // namespace rebound::app
