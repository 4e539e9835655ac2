#include "session/preparation.hpp"

#include <algorithm>
#include <span>

#include "mesh/error.hpp"
#include "scene/body_form.hpp"
#include "scene/build_obstacles.hpp"
#include "scene/method_settings.hpp"
#include "scene/wording.hpp"
#include "session/failure_site.hpp"
#include "session/methods.hpp"
#include "session/session.hpp"
#include "sim/model/stiffness.hpp"
#include "sim/rest.hpp"

namespace rebound::session {
namespace {

// Above this h^2 lambda a Cholesky factor in double precision has too few digits left to be trusted.
constexpr double kWorstConditioning = 1e12;

}  // namespace

void check_conditioning(double h, double stiffest, const std::string& place) {
  const double number = h * h * stiffest;
  if (1 + number > kWorstConditioning)
    throw InputError(place + ": a step of " + scene::number_text(h) +
                     " s is too long for these stiffnesses and masses (h^2 k/m = " + three_digits(number) +
                     ", at most 1e12): take a smaller one, a softer material or heavier vertices");
}

// ---- what it begins with ----

std::unique_ptr<Preparation> Preparation::of_pins(const Session& session, std::vector<std::uint8_t> fixed) {
  auto made = std::make_unique<Preparation>();
  made->model_ = std::make_unique<sim::Model>(session.model());
  made->model_->step_energies.clear();
  made->model_->step_losses.clear();
  made->model_->fixed = std::move(fixed);
  const std::string& integrator = session.description().integrator.type;
  made->factors_ = session.factors().missing(*made->model_, stiffness_factors(integrator, session.step_size()));
  return made->factors_ ? std::move(made) : nullptr;
}

std::unique_ptr<Preparation> Preparation::of_factors(const Session& session, std::string_view integrator, double h) {
  auto made = std::make_unique<Preparation>();
  made->factors_ = session.factors().missing(session.model(), stiffness_factors(integrator, h));
  return made->factors_ ? std::move(made) : nullptr;
}

std::unique_ptr<Preparation> Preparation::of_surface(const Session& session, const scene::Obstacle& obstacle) {
  const auto* mesh = std::get_if<scene::MeshShape>(&obstacle.shape);
  const auto& known = session.world().contact_shapes.obstacles;
  if (mesh == nullptr || known.contains({mesh->file, obstacle.transform.scale})) return nullptr;
  auto made = std::make_unique<Preparation>();
  made->new_obstacle_ = obstacle;
  return made;
}

std::unique_ptr<Preparation> Preparation::of_meeting(const Session& session) {
  auto made = std::make_unique<Preparation>();
  made->meeting_ = session.world().bodies;
  return made;
}

bool Rest::is_of(const scene::Description& other, const std::vector<std::uint8_t>& other_fixed) const {
  return fixed == other_fixed && description.bodies == other.bodies && description.gravity == other.gravity &&
         description.obstacles == other.obstacles && description.contact == other.contact;
}

std::unique_ptr<Preparation> Preparation::of_rest(const Session& session) {
  const sim::Model& model = session.model();
  if (session.rest() != nullptr && session.rest()->is_of(session.description(), model.fixed)) return nullptr;
  auto made = std::make_unique<Preparation>();
  made->description_ = session.description();
  made->model_ = std::make_unique<sim::Model>(model);
  made->rest_from_ = scene::undeformed(session.world());
  for (int i = 0; i < model.vertices(); ++i)
    if (model.fixed[static_cast<std::size_t>(i)]) made->rest_from_.row(i) = session.state().x.row(i);
  return made;
}

// With everything that a solver keeps from step to step.
std::unique_ptr<Preparation> Preparation::of_solver(scene::Description d) {
  auto made = std::make_unique<Preparation>();
  made->solver_ = &known_solver(d);
  made->coefficients_ = stiffness_factors(d.integrator.type, d.timeStep / d.substeps);
  made->description_ = std::move(d);
  return made;
}

std::unique_ptr<Preparation> Preparation::of_solver(const Session& session, scene::Description description) {
  auto made = of_solver(std::move(description));
  made->known_ = session.factors().analysis();
  made->model_ = std::make_unique<sim::Model>(session.model());
  return made;
}

std::unique_ptr<Preparation> Preparation::of_elements(const Session& session, scene::Description description) {
  auto made = of_solver(session, std::move(description));
  made->world_.emplace(session.world());
  return made;
}

std::unique_ptr<Preparation> Preparation::of_world(const scene::SharedWorld& world, sim::FactorCache* cache) {
  auto made = of_solver(world.description);
  made->world_.emplace(world);
  made->known_.cache = cache;
  if (scene::needs_rest(world.description.energy)) made->rest_from_ = scene::undeformed(world);
  return made;
}

// ---- the work ----

void Preparation::run(sim::Workers& workers, const std::atomic<bool>* cancel) {
  // Between stages others have their turn.
  const auto cancelled = [&] {
    workers.pause();
    return cancel != nullptr && *cancel;
  };
  if (new_obstacle_) load_surface(cancel);
  if (meeting_)
    for (const scene::BodyGeometry& geometry : *meeting_) contact_bodies_.push_back(scene::contact_body(geometry));
  if (world_) build_model(cancel);
  if (cancelled()) return;
  if (rest_from_.rows() > 0 && !cancelled()) find_rest(workers, cancel);
  if (model_ && !cancelled()) {
    known_.L = std::make_shared<const sim::SparseMatrix>(model_->laplacian(&workers));
    stiffest_ = sim::stiffest(*model_, *known_.L, workers);
  }
  if (world_ && stiffest_) {
    const double h = description_.timeStep / description_.substeps;
    check_conditioning(h, *stiffest_, description_.place("/timeStep"));
  }
  if (solver_ != nullptr && !cancelled()) {
    minimizer_ = solver_->make(*model_, known_);
    factors_ = minimizer_->factors().missing(*model_, coefficients_);
  }
  if (!factors_ || cancelled()) return;
  factors_->run(workers, cancel, known_.cache);
  if (!minimizer_ || cancelled()) return;
  minimizer_->factors().adopt(*factors_, workers);
  factors_.reset();
}

// Has any body to be of other vertices?
bool Preparation::take_forms(const std::atomic<bool>* cancel) {
  scene::BodyList& bodies = world_->bodies;
  bool any = false;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!scene::is_of_other_form(description_, b, bodies[b])) continue;
    bodies.replace(b, scene::other_form(description_, b, bodies.shared(b), {nullptr, cancel}));
    auto& shapes = world_->contact_shapes.bodies;
    if (!shapes.empty()) shapes[b] = scene::contact_body(bodies[b]);
    any = true;
  }
  return any;
}

// What the user pinned and holds stays.
void Preparation::build_model(const std::atomic<bool>* cancel) {
  const scene::BodyList before = world_->bodies;
  try {
    reformed_ = take_forms(cancel);
  } catch (const mesh::Cancelled&) {
    return;
  }
  auto built = std::make_unique<sim::Model>(scene::build_model({description_, *world_}));
  if (model_ && reformed_) {
    keep_pins(before, *built);
    sim::FactorCache* const cache = known_.cache;
    known_ = {};
    known_.cache = cache;
  } else if (model_) {
    built->fixed = model_->fixed;
    built->grabs = model_->grabs;
  }
  model_ = std::move(built);
}

// A body of other vertices is held as far as it can be told for them: not at all, as the scene says, or as a whole.
void Preparation::keep_pins(const scene::BodyList& before, sim::Model& built) const {
  for (std::size_t b = 0; b < before.size(); ++b) {
    const auto was = std::span(model_->fixed)
                         .subspan(static_cast<std::size_t>(model_->bodies[b].first),
                                  static_cast<std::size_t>(model_->bodies[b].count));
    const auto is =
        std::span(built.fixed)
            .subspan(static_cast<std::size_t>(built.bodies[b].first), static_cast<std::size_t>(built.bodies[b].count));
    if (before.shared(b) == world_->bodies.shared(b)) {
      std::copy(was.begin(), was.end(), is.begin());
      continue;
    }
    const auto held = [](std::uint8_t fixed) { return fixed != 0; };
    if (std::none_of(was.begin(), was.end(), held)) {
      std::fill(is.begin(), is.end(), std::uint8_t{0});
    } else if (const bool as_scene = before[b].is_affine() ? std::any_of(is.begin(), is.end(), held)
                                                           : std::ranges::equal(was, fixed_before(before, b));
               as_scene) {
      // As it was built.
    } else if (std::all_of(was.begin(), was.end(), held)) {
      std::fill(is.begin(), is.end(), std::uint8_t{1});
    } else {
      throw InputError("/bodies/" + std::to_string(b) +
                       ": is pinned in part, which an affine body cannot be; unpin it first, then pin it as a whole");
    }
  }
}

// What the scene fixes of a body in the form that it had.
std::vector<std::uint8_t> Preparation::fixed_before(const scene::BodyList& before, std::size_t b) const {
  scene::SharedWorld world = *world_;
  world.bodies = before;
  return scene::fixed_by_scene({description_, world}, b);
}

void Preparation::find_rest(sim::Workers& workers, const std::atomic<bool>* cancel) {
  sim::Workspace work(workers.threads());
  const std::optional<double> energy = sim::rest_energy(*model_, rest_from_, work, cancel);
  if (!energy && (cancel == nullptr || !*cancel))
    throw InputError(description_.place("/energy: no rest was found to fall to; give \"ground\" in joules"));
  if (energy) rest_ = std::make_shared<const Rest>(Rest{description_, model_->fixed, *energy});
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
