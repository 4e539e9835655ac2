#include "session/preparation.hpp"

#include "mesh/error.hpp"
#include "scene/build_obstacles.hpp"
#include "sim/model/stiffness.hpp"

namespace rebound::session {
namespace {

// Above this h^2 lambda a Cholesky factor in double precision has too few digits left to be trusted.
constexpr double kWorstConditioning = 1e12;

}  // namespace

void check_conditioning(double h, double stiffest) {
  const double number = h * h * stiffest;
  if (1 + number > kWorstConditioning)
    throw InputError("time step " + std::to_string(h) +
                     " s is too long for these stiffnesses and masses (h^2 k/m = " + std::to_string(number) +
                     ", at most 1e12): take a smaller step, a softer material or heavier vertices");
}

void Preparation::run(sim::Workers& workers, const std::atomic<bool>* cancel) {
  const auto cancelled = [cancel] { return cancel != nullptr && *cancel; };
  if (new_obstacle_) load_surface(cancel);
  if (meeting_ != nullptr)
    for (const scene::BodyGeometry& geometry : *meeting_) contact_bodies_.push_back(scene::contact_body(geometry));
  if (world_) build_model();
  if (model_ && !cancelled()) stiffest_ = sim::stiffest(*model_);
  if (world_ && stiffest_) check_conditioning(description_.timeStep / description_.substeps, *stiffest_);
  if (solver_ != nullptr && !cancelled()) {
    minimizer_ = solver_->make(*model_, known_);
    minimizer_->set_acceleration(description_.solver.acceleration);
    factors_ = minimizer_->missing(*model_, coefficients_);
  }
  if (!factors_ || cancelled()) return;
  factors_->run(workers, cancel, known_.cache);
  if (!minimizer_ || cancelled()) return;
  minimizer_->adopt(*factors_, workers);
  factors_.reset();
}

// What the user pinned and holds stays.
void Preparation::build_model() {
  auto built = std::make_unique<sim::Model>(scene::build_model({description_, *world_}));
  if (model_) {
    built->fixed = model_->fixed;
    built->grabs = model_->grabs;
  }
  model_ = std::move(built);
}

void Preparation::load_surface(const std::atomic<bool>* cancel) {
  const auto& shape = std::get<scene::MeshShape>(new_obstacle_->shape);
  const double scale = new_obstacle_->transform.scale;
  try {
    surfaces_[{shape.file, scale}] = scene::load_surface(shape, scale, {nullptr, cancel});
  } catch (const mesh::Cancelled&) {
    // Nobody wants it any more.
  }
}

}  // namespace rebound::session
