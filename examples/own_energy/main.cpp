// An energy of your own: a planet at the origin that pulls at every vertex, around which an elastic cube orbits. Any
// integrator and solver takes it; the program prints how far the energy is from what it should be.
#include <cmath>
#include <cstdio>

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "sim/stepper.hpp"

using namespace rebound;

namespace {

/// E(x) = -sum mu m_i / |x_i|, the field of a point.
class Planet final : public sim::Energy {
 public:
  /// M: kg a vertex; mu: the planet's gravity times its mass, m^3/s^2.
  Planet(sim::Vector M, double mu) : M_(std::move(M)), mu_(mu) {}

  // What the ledger counts it as.
  sim::EnergyKind kind() const override { return sim::EnergyKind::gravity; }
  double value(const sim::Points& x, sim::Workspace&) const override {
    double E = 0;
    for (Eigen::Index i = 0; i < x.rows(); ++i) E -= mu_ * M_[i] / x.row(i).norm();
    return E;
  }
  double add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const override {
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      gradient.row(i) += mu_ * M_[i] / std::pow(x.row(i).norm(), 3) * x.row(i);
    return value(x, work);
  }
  // Local/global needs no stiffness from what is as soft as this.
  void add_laplacian(sim::Triplets&) const override {}
  void add_hessian(const sim::Points& x, sim::Curvature curvature, sim::HessianBlocks& H,
                   sim::Workspace&) const override {
    for (int i = 0; i < x.rows(); ++i) {
      const sim::Vec3 r = x.row(i).transpose();
      const double k = mu_ * M_[i] / std::pow(r.norm(), 3);
      Eigen::Matrix3d block = k * Eigen::Matrix3d::Identity();
      if (curvature == sim::Curvature::exact) block -= 3 * k / r.squaredNorm() * r * r.transpose();
      H.add(i, i, block);
    }
  }

 private:
  sim::Vector M_;
  double mu_;
};

}  // namespace

int main() try {
  constexpr double kRadius = 5, kSpeed = 4;  // m, m/s
  scene::Description scene;
  scene.gravity = {0, 0, 0};
  scene::Body cube;
  cube.mesh = scene::BoxMesh{.divisions = {4, 4, 4}};
  cube.transform.translate = {kRadius, 0, 0};
  cube.velocity = {0, 0, kSpeed};
  scene.bodies.push_back(cube);

  const scene::World world = scene::load_world(scene);
  sim::Model model = scene::build_model(world);
  model.energies.push_back(std::make_shared<Planet>(model.M, kRadius * kSpeed * kSpeed));  // a circle
  sim::Workspace work(1);
  sim::Stepper stepper(model, work);
  sim::History history{.now = scene::starting_state(world, model)};
  sim::Ledger ledger = stepper.ledger(history.now, scene.timeStep);
  double farthest = 0;
  for (int frame = 0; frame < 300; ++frame) {
    if (stepper.step(history, ledger, scene.timeStep).outcome != sim::Outcome::done) return 1;
    farthest = std::max(farthest, std::abs(history.now.x.colwise().mean().norm() - kRadius));
  }
  const double error = std::abs(stepper.measured().total() - ledger.target()) / stepper.measured().kinetic;
  std::printf("after 9.9 s: at most %.3f m off its circle of %g m, energy within %.2g %%\n", farthest, kRadius,
              100 * error);
  return farthest < 0.1 * kRadius && error < 0.02 ? 0 : 1;
} catch (const InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
