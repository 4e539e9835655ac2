// An integrator of your own: velocity Verlet, which solves nothing. It is compared with 'stabilized' on the same soft
// cube, turning in free space; both should keep the energy that it began with.
#include <cmath>
#include <cstdio>
#include <memory>

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "sim/stepper.hpp"

using namespace rebound;

namespace {

/// v_{n+1/2} = v_n - h/2 M^-1 dE(x_n),  x_{n+1} = x_n + h v_{n+1/2},  v_{n+1} = v_{n+1/2} - h/2 M^-1 dE(x_{n+1}).
/// Second order, symplectic; stable while h^2 k/m < 4.
class VelocityVerlet final : public sim::Integrator {
 public:
  sim::StepReport step(const sim::StepInput& in, sim::State& next) override {
    const sim::State& now = in.history.now;
    const auto kick = [&](const sim::Points& x) -> sim::Points {
      in.model.gradient(x, gradient_, in.work);
      return -0.5 * in.h * in.model.M.cwiseInverse().asDiagonal() * gradient_;
    };
    next.v = now.v + kick(now.x);
    next.x = now.x + in.h * next.v;
    next.v += kick(next.x);
    sim::StepReport report;
    if (!next.finite()) report.outcome = sim::Outcome::not_finite;
    report.forces = {.coefficient = 0, .at = 0.5, .displacement = 0.5, .impulse = 1};
    return report;
  }

 private:
  sim::Points gradient_;
};

/// Returns how far the energy went from what it should be, as a share.
double worst_error(const scene::World& world, std::unique_ptr<sim::Integrator> own) {
  sim::Model model = scene::build_model(world);
  sim::Workspace work(1);
  sim::Stepper stepper(model, work, "stabilized");
  if (own) stepper.set_integrator(std::move(own));
  sim::History history{.now = scene::starting_state(world, model)};
  sim::Ledger ledger = stepper.ledger(history.now, world.description.timeStep);
  double worst = 0;
  for (int frame = 0; frame < 1000; ++frame) {
    if (stepper.step(history, ledger, world.description.timeStep).outcome != sim::Outcome::done) return INFINITY;
    worst = std::max(worst, std::abs(stepper.measured().total() - ledger.target()) / ledger.scale());
  }
  return worst;
}

}  // namespace

int main() try {
  scene::Description scene;
  scene.timeStep = 0.005;  // s
  scene.gravity = {0, 0, 0};
  scene::Body cube;
  cube.mesh = scene::BoxMesh{.divisions = {3, 3, 3}};
  cube.material.young = 1e4;
  cube.angularVelocity = {0, 3, 0};
  scene.bodies.push_back(cube);
  const scene::World world = scene::load_world(scene);

  const double verlet = worst_error(world, std::make_unique<VelocityVerlet>()),
               stabilized = worst_error(world, nullptr);
  std::printf("energy error over 5 s: velocity Verlet %.2g %%, stabilized %.2g %%\n", 100 * verlet, 100 * stabilized);
  return verlet < 0.05 && stabilized < 0.02 ? 0 : 1;
} catch (const InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
