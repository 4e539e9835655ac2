// The one list of integrators. A new one-solve method is one row of the scheme table and one line here.
#include "sim/integrate/one_solve.hpp"
#include "sim/integrate/stabilized.hpp"

namespace rebound::sim {
namespace {

template <const Scheme& scheme>
std::unique_ptr<Integrator> one_solve() {
  return std::make_unique<OneSolve>(scheme);
}

}  // namespace

const std::vector<IntegratorInfo>& integrators() {
  static const std::vector<IntegratorInfo> list = {
      {"stabilized", "Stabilized midpoint",
       "Implicit midpoint with just enough backward or forward Euler to hold the energy: lively and stable.",
       [] { return std::unique_ptr<Integrator>(std::make_unique<Stabilized>()); }},
      {"backward-euler", "Backward Euler",
       "First order. Always stable; swallows energy, the faster the motion the more.", one_solve<kBackwardEuler>},
      {"bdf2", "BDF2", "Second order, looks back two steps. Stable; swallows less than backward Euler, but swallows.",
       one_solve<kBdf2>},
      {"implicit-midpoint", "Implicit midpoint",
       "Second order, keeps angular momentum and swing; its energy can run away at large steps.",
       one_solve<kImplicitMidpoint>},
      {"newmark", "Newmark (trapezoid)",
       "Second order, beta 1/4, gamma 1/2. As lively as midpoint; runs away later, but does.", one_solve<kNewmark>},
  };
  return list;
}

const IntegratorInfo* find_integrator(std::string_view id) {
  for (const auto& info : integrators())
    if (info.id == id) return &info;
  return nullptr;
}

}  // namespace rebound::sim
