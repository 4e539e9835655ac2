#include "sim/registry.hpp"

#include <algorithm>
#include <array>

#include "sim/damp/rayleigh.hpp"
#include "sim/integrate/decoupled.hpp"
#include "sim/integrate/energy_budget.hpp"
#include "sim/integrate/energy_constrained.hpp"
#include "sim/integrate/explicit.hpp"
#include "sim/integrate/exponential.hpp"
#include "sim/integrate/generalized_alpha.hpp"
#include "sim/integrate/one_solve.hpp"
#include "sim/integrate/rebound.hpp"
#include "sim/integrate/siere.hpp"
#include "sim/integrate/stabilized.hpp"
#include "sim/integrate/two_stage.hpp"
#include "sim/step/gast.hpp"
#include "sim/step/local_global.hpp"
#include "sim/step/newton.hpp"
#include "sim/step/newton_cg.hpp"
#include "sim/step/projected_newton.hpp"
#include "sim/step/quasi_newton.hpp"

namespace rebound::sim {
namespace {

template <const Scheme& scheme>
std::unique_ptr<Integrator> one_solve() {
  return std::make_unique<OneSolve>(scheme);
}

template <const TwoStageScheme& scheme>
std::unique_ptr<Integrator> two_stage() {
  return std::make_unique<TwoStage>(scheme);
}

template <bool search>
std::unique_ptr<Integrator> decoupled() {
  return std::make_unique<Decoupled>(search);
}

constexpr std::string_view kMoreIterations = IntegratorInfo{}.remedy;
constexpr Scheme kUsualGeneralizedAlpha = generalized_alpha(kUsualRho).row;
constexpr Scheme kTrBdf2First = kTrBdf2.first, kSdirk2First = kSdirk2.first;

template <const Scheme&... schemes>
constexpr std::array<Scheme, sizeof...(schemes)> kSolves{schemes...};

constexpr std::array<std::string_view, 4> kReboundSettings{"tolerance", "unresolved", "stabilizerIterations", "energy"};
constexpr std::array<std::string_view, 4> kBlendSettings{"tolerance", "forwardBlend", "stabilizerIterations", "energy"};
constexpr std::array<std::string_view, 1> kRho{"rho"}, kModes{"modes"}, kEnergy{"energy"};
constexpr std::array<std::string_view, 5> kAlphaSettings{"alphaMin", "alphaMax", "every", "base", "energy"};

}  // namespace

// A new one-solve method is one row of the scheme table and one line here; a composed one, two files and a line.
std::span<const IntegratorInfo> integrators() {
  static const auto list = std::to_array<IntegratorInfo>({
      {"rebound", "Rebound",
       "TR-BDF2 that keeps momenta and gives back what it loses: the motion that the eye sees stays, and stays calm.",
       kSolves<kTrBdf2First, kBackwardEuler>, [] { return std::unique_ptr<Integrator>(std::make_unique<Rebound>()); },
       kReboundSettings, true, Ending::by_need},
      {"stabilized", "Stabilized midpoint",
       "Implicit midpoint with just enough backward or forward Euler to hold the energy: lively and stable.",
       kSolves<kImplicitMidpoint, kBackwardEuler>,
       [] { return std::unique_ptr<Integrator>(std::make_unique<Stabilized>()); }, kBlendSettings},
      {"backward-euler",
       "Backward Euler",
       "First order. Always stable; swallows energy, the faster the motion the more.",
       kSolves<kBackwardEuler>,
       one_solve<kBackwardEuler>,
       {},
       false,
       Ending::after_all,
       kMoreIterations,
       true,
       true},
      {"bdf2",
       "BDF2",
       "Second order, looks back two steps. Stable; swallows less than backward Euler, but swallows.",
       kSolves<kBdf2, kBackwardEuler>,
       one_solve<kBdf2>,
       {},
       false,
       Ending::after_all,
       kMoreIterations,
       true,
       true},
      {"implicit-midpoint",
       "Implicit midpoint",
       "Second order, keeps angular momentum and swing; its energy can run away at large steps.",
       kSolves<kImplicitMidpoint>,
       one_solve<kImplicitMidpoint>,
       {},
       false,
       Ending::after_all,
       kMoreIterations,
       true,
       true},
      {"newmark",
       "Newmark (trapezoid)",
       "Second order, beta 1/4, gamma 1/2. As lively as midpoint; runs away later, but does.",
       kSolves<kNewmark>,
       one_solve<kNewmark>,
       {},
       false,
       Ending::after_all,
       kMoreIterations,
       true,
       true},
      {"energy-budget", "Energy budget",
       "Midpoint with its velocities corrected to the energy. It lives longer than midpoint, but cannot correct positions, "
       "so it explodes.",
       kSolves<kImplicitMidpoint>, [] { return std::unique_ptr<Integrator>(std::make_unique<EnergyBudget>()); },
       kEnergy},
      {"energy-constrained", "Energy constrained",
       "Trapezoid rule held to the exact energy by a Lagrange multiplier: stable, but the motion gets stuck in a "
       "shiver.",
       kSolves<kNewmark>, [] { return std::unique_ptr<Integrator>(std::make_unique<EnergyConstrained>()); }, kEnergy},
      {"symplectic-euler",
       "Symplectic Euler",
       "First order, explicit, no solve. Keeps its energy near on soft bodies; explodes above h^2 k/m = 4.",
       {},
       [] { return std::unique_ptr<Integrator>(std::make_unique<SymplecticEuler>()); },
       {}},
      {"forward-euler",
       "Forward Euler",
       "First order, explicit, no solve. Gains energy at every step: explodes, the stiffer the sooner.",
       {},
       [] { return std::unique_ptr<Integrator>(std::make_unique<ForwardEuler>()); },
       {}},
      {"tr-bdf2",
       "TR-BDF2",
       "Second order in two half-size solves. Stable; drops what is too fast for the step and hardly damps the rest.",
       kSolves<kTrBdf2First>,
       two_stage<kTrBdf2>,
       {},
       true,
       Ending::after_all,
       kMoreIterations,
       false,
       true},
      {"sdirk2",
       "SDIRK2",
       "Second order in two solves, stable as TR-BDF2; wants its solves converged.",
       kSolves<kSdirk2First>,
       two_stage<kSdirk2>,
       {},
       true},
      {"generalized-alpha", "Generalized-alpha",
       "Second order in one solve; rho says how much of what is too fast is left after a step: 1 all, 0 nothing.",
       kSolves<kUsualGeneralizedAlpha>,
       [] { return std::unique_ptr<Integrator>(std::make_unique<GeneralizedAlpha>()); }, kRho, true},
      {"a1",
       "A-1",
       "Backward Euler's positions with forward Euler's velocities: stable and smooth; first order, its energy wanders.",
       kSolves<kBackwardEuler>,
       decoupled<false>,
       {},
       true,
       Ending::converged},
      {"a-search", "A-search", "A-1 with as much of forward Euler's velocities as holds the energy.",
       kSolves<kBackwardEuler>, decoupled<true>, kAlphaSettings, true, Ending::converged},
      {"siere",
       "SIERE",
       "The slowest modes exactly, all else by one Newton step of backward Euler: keeps the swing of a stiff body.",
       {},
       [] { return std::unique_ptr<Integrator>(std::make_unique<Siere>(true)); },
       kModes,
       false,
       Ending::after_all,
       "more modes"},
      {"semi-implicit",
       "Semi-implicit Euler",
       "One Newton step of backward Euler from where the body is: cheap, first order; swallows energy, and may diverge.",
       {},
       [] { return std::unique_ptr<Integrator>(std::make_unique<Siere>(false)); },
       {},
       false,
       Ending::after_all,
       "siere"},
      {"exponential",
       "Exponential (ERE)",
       "The linearised motion exactly: keeps all of it. Its cost grows as the root of the stiffness.",
       {},
       [] { return std::unique_ptr<Integrator>(std::make_unique<Exponential>()); },
       {},
       false,
       Ending::after_all,
       "siere"},
  });
  return list;
}

bool IntegratorInfo::reads(std::string_view setting) const { return std::ranges::count(settings, setting) > 0; }

const IntegratorInfo* find_integrator(std::string_view id) {
  for (const auto& info : integrators())
    if (info.id == id) return &info;
  return nullptr;
}

std::span<const SolverInfo> solvers() {
  static const auto list = std::to_array<SolverInfo>({
      {"local-global", "Local/global",
       "Projects every element, then solves with a prefactored matrix: fast, a fixed number of iterations.", 10,
       [](const Model& model, const Analysis& known) {
         return std::unique_ptr<Minimizer>(std::make_unique<LocalGlobal>(model, Precision::automatic, known));
       },
       true, 60, 300, true, false, false},
      {"quasi-newton", "Quasi-Newton", "L-BFGS on local/global's prefactored matrix: every material in real time.", 10,
       [](const Model& model, const Analysis& known) {
         return std::unique_ptr<Minimizer>(std::make_unique<QuasiNewton>(model, Precision::automatic, known));
       },
       false, 60, 300, false, false, true},
      {"newton", "Newton", "Newton's method with line search, to convergence: the exact step, slower.", 100,
       [](const Model& model, const Analysis& known) {
         return std::unique_ptr<Minimizer>(std::make_unique<ProjectedNewton>(model, known));
       },
       false, 0, 0, false, true, true, true, true, true, true, true},
      {"newton-cg", "Newton, conjugate gradients",
       "Newton's method without a factor: for large bodies, and contacts that come and go.", 100,
       [](const Model& model, const Analysis& known) {
         return std::unique_ptr<Minimizer>(std::make_unique<NewtonCg>(model, known));
       },
       false, 0, 0, false, true, true, true, false, false, true, true},
      {"gast", "Optimization integrator",
       "Newton made to arrive from anywhere, at any step: two first guesses, rough directions, a careful line search.",
       2000,
       [](const Model& model, const Analysis& known) {
         return std::unique_ptr<Minimizer>(std::make_unique<Gast>(model, known));
       },
       false, 0, 0, false, false, true, true, true, false, true},
  });
  return list;
}

SolveEffort SolverSettings::effort(int most) const {
  constexpr double kEnough[] = {0, 0.05, 1e-6};  // of the first correction, by Ending
  SolveEffort effort(most, kEnough[static_cast<int>(ending)], accelerated);
  effort.tolerance = tolerance;
  effort.projection = projection;
  return effort;
}

SolverSettings SolverInfo::settings(const IntegratorInfo& integrator) const {
  const Ending ending = can_end_early() ? integrator.ending : Ending::after_all;
  const int most[] = {iterations, most_by_need, most_to_convergence};
  return {most[static_cast<int>(ending)], {}, ending, !can_end_early(), integrator.accelerated};
}

std::unique_ptr<Minimizer> SolverInfo::make(const Model& model, const Analysis& known) const {
  return create(model, known);
}
std::unique_ptr<Minimizer> SolverInfo::make(const Model& model) const { return create(model, Analysis{}); }

const SolverInfo* find_solver(std::string_view id) {
  for (const auto& info : solvers())
    if (info.id == id) return &info;
  return nullptr;
}

std::span<const DampingInfo> dampings() {
  static const auto list = std::to_array<DampingInfo>({
      {"rigid-preserving", "Rigid-preserving",
       "Takes a share of all motion but each body's best-fitting rigid one: it falls and spins on.", "frame",
       [] { return std::unique_ptr<Damping>(std::make_unique<RigidPreservingDamping>()); }},
      {"drag", "Drag", "The drag of an ether: slows all motion, falling and spinning included.", "second",
       [] { return std::unique_ptr<Damping>(std::make_unique<DragDamping>()); }},
      {"rayleigh", "Rayleigh",
       "Internal friction, -k D v: shrill vibrations go first, whole motion stays; a solve a step.", "second",
       [] { return std::unique_ptr<Damping>(std::make_unique<RayleighDamping>()); }},
  });
  return list;
}

const DampingInfo* find_damping(std::string_view id) {
  for (const auto& info : dampings())
    if (info.id == id) return &info;
  return nullptr;
}

}  // namespace rebound::sim
