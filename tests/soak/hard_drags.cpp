// A body of neo-Hookean material is dragged about by its corners and let go, far harder than a hand does, with every
// solver and integrator that takes it: no element is ever inside out, and the state stays finite. Worlds whose energy
// runs away are counted.
//   soak_hard_drags [--drags N] [--first WORLD]     (--first: to see a fault of that world again)
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

#include "arguments.hpp"
#include "session/session.hpp"

namespace {

using namespace rebound;

constexpr std::array kSolvers{"newton", "newton-cg", "quasi-newton", "gast"};
constexpr std::array kIntegrators{"backward-euler", "bdf2", "stabilized", "rebound", "a-search"};
constexpr int kHeld = 4, kLetGo = 3, kDragsOfAWorld = 20;

scene::Description world(const char* integrator, const char* solver, unsigned seed) {
  scene::Description d;
  d.gravity = {0, seed % 3 == 0 ? -9.81 : 0, 0};
  d.timeStep = 1.0 / 30;
  d.integrator.type = integrator;
  d.solver.type = solver;
  scene::Body body;
  body.mesh = scene::BoxMesh{{1, 0.5, 0.5}, {4, 2, 2}, 5};
  body.material.model = "neo-hookean";
  body.material.young = seed % 2 == 0 ? 1e4 : 1e5;
  body.material.poisson = seed % 5 == 0 ? 0.45 : 0.3;
  body.fixed = scene::BoxRegion{{-1, -1, -1}, {-0.49, 1, 1}};
  d.bodies.push_back(body);
  d.damping.coefficient = 0.02;
  return d;
}

}  // namespace

int main(int argc, char** argv) {
  soak::Arguments arguments(argc, argv);
  const int wanted = arguments.number("--drags", 200), first = arguments.number("--first", 0);
  if (!arguments.are_used_up()) return 2;
  int drags = 0, frames = 0, faults = 0, cut = 0, ran_away = 0;
  double longest = 0;
  const soak::Stopwatch watch;
  for (auto seed = static_cast<unsigned>(first); drags < wanted; ++seed) {
    const char* solver = kSolvers[seed % kSolvers.size()];
    const char* integrator = kIntegrators[seed % kIntegrators.size()];
    session::Session s(scene::load_world(world(integrator, solver, seed)), 1);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const int corners = static_cast<int>(s.surface(0).rows());
    bool fault = false;
    const auto look = [&](int drag) {
      if (!s.step()) {
        // A hand that throws a corner a hundred metres, and takes its spring's energy with it, leaves more than a
        // million times what there should be: the world stops there, and nothing has turned inside out.
        if (s.outcome() == sim::Outcome::ran_away) return ++ran_away, false;
        fault = true;
        std::printf("FAULT: %s, %s, world %u, drag %d: %s\n", solver, integrator, seed, drag, s.failure().c_str());
        return false;
      }
      ++frames;
      cut += !s.record().converged;
      const auto wrong = s.model().inside_out(s.state().x).elements;
      if (wrong == 0 && s.state().finite()) return true;
      fault = true;
      std::printf("FAULT: %s, %s, world %u, drag %d: %d elements inside out\n", solver, integrator, seed, drag,
                  static_cast<int>(wrong));
      return false;
    };
    bool good = true;
    for (int drag = 0; drag < kDragsOfAWorld && drags < wanted && good; ++drag, ++drags) {
      const int corner = static_cast<int>(random() % static_cast<unsigned>(corners));
      const double strength = std::pow(10, 0.4 + 1.5 * number(random)), far = 1 + 4 * std::abs(number(random));
      for (int frame = 0; frame < kHeld && good; ++frame) {
        const sim::Vec3 target{far * number(random), far * number(random), far * number(random)};
        if (frame == 0)
          s.apply(session::Grab{{0, corner}, target, strength});
        else
          s.apply(session::MoveGrab{target});
        longest = std::max(longest, target.norm());
        good = look(drag);
      }
      s.apply(session::Release{});
      for (int frame = 0; frame < kLetGo && good; ++frame) good = look(drag);
    }
    faults += fault;
  }
  std::printf(
      "%d drags, %d frames, up to %.1f m far, %d worlds with a fault, %d that ran away, %d frames not converged, %.0f s\n",
      drags, frames, longest, faults, ran_away, cut, watch.seconds());
  return faults == 0 ? 0 : 1;
}
