// How commands are prepared, applied and booked, whichever they are.
#include <algorithm>
#include <new>

#include "scene/admitted.hpp"
#include "scene/body_form.hpp"
#include "scene/constraints.hpp"
#include "session/methods.hpp"
#include "session/session_editor.hpp"
#include "sim/contact/cubic_contacts.hpp"
#include "sim/model/constrained_motion.hpp"

namespace rebound::session {
namespace {

// While a model is prepared, the one that it will replace goes on: all of it that steps and the hand change is here,
// and whatever else would change it waits until the new one is in its place.
void take_what_moves(const sim::Model& from, sim::Model& to) {
  to.grabs = from.grabs;
  for (std::size_t i = 0; i < from.attachments.items.size(); ++i)
    to.attachments.items[i].target = from.attachments.items[i].target;
  to.obstacles = from.obstacles;
  to.contacts = from.contacts;
}

}  // namespace

std::unique_ptr<Preparation> Session::preparation(const Command& command) const {
  return std::visit([this]<class C>(const C& c) { return Traits<C>::prepare(*this, c); }, command);
}

std::optional<Command> Session::inverse(const Command& command) const {
  return std::visit(
      [this]<class C>(const C& c) -> std::optional<Command> {
        if constexpr (Traits<C>::is_edit) {
          return Traits<C>::inverse(*this, c);
        } else {
          return std::nullopt;
        }
      },
      command);
}

void Session::apply(const Command& command) {
  const auto made = preparation(command);
  if (made) made->run(work_->workers);
  apply(command, made.get());
}

void Session::apply(const Command& command, Preparation* made) {
  try {
    change(command, made);
  } catch (const std::bad_alloc&) {
    damaged_ = true;
    throw;
  }
}

// What an edit changes H by, J; `now`: since then. Where H was far above its target and an edit takes most of what
// moved or was strained, it takes what was too much first: the target never had that, and would fall below what can be.
double Session::booked_edit(const sim::Measurement& before, const sim::Measurement& now) const {
  constexpr double kMuch = 0.1;
  const double left = now.kinetic + now.elastic, gone = std::max(0.0, before.kinetic + before.elastic - left);
  const double too_much = before.total() - ledger_.target(), change = now.total() - before.total();
  return too_much > kMuch * left ? change + std::min(too_much, gone) : change;
}

void Session::change(const Command& command, Preparation* made) {
  const sim::Measurement before = record_.measured;
  if (made != nullptr && made->world_ && !made->reformed_)
    scene::check_admitted({made->description_, *made->world_}, history_.now.x, "material");
  if (made != nullptr) world_.contact_shapes.obstacles.merge(made->surfaces_);
  std::visit(
      [&]<class C>(const C& c) {
        SessionEditor editor(*this);
        Traits<C>::apply(editor, c);
        // Another way to meet helps where something crosses.
        const bool meets_anew = std::is_same_v<C, SetContact> && (cannot_begin_ || crossing());
        if (Traits<C>::clears_failure || meets_anew) {
          failure_.clear();
          grew_ = false;
        }
        if (!Traits<C>::moves_the_hand) ++revision_;
        if constexpr (Traits<C>::is_edit) Traits<C>::describe(c, world_.description);
        editor.finish(made);
        if (Traits<C>::changes_energy) {
          record_.measured = sim::measure(*model_, history_.now, *work_);
          ledger_.add(sim::Added::edit, booked_edit(before, record_.measured));
        }
      },
      command);
  remember(record_.measured);
}

// Bodies of other vertices: they stay where they are and keep their momenta, and what was known of the old ones goes.
void Session::take_over_forms(Preparation& made) {
  const sim::Model& model = *made.model_;
  const scene::BodyList& bodies = made.world_->bodies;
  sim::State now;
  now.x.resize(model.vertices(), 3);
  now.v.resize(model.vertices(), 3);
  const auto part = [](const sim::Model& of, std::size_t b, const auto& rows) {
    return rows.middleRows(of.bodies[b].first, of.bodies[b].count);
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    scene::MovingBody was{world_.bodies[b], part(*model_, b, model_->M), part(*model_, b, history_.now.x),
                          part(*model_, b, history_.now.v)};
    scene::MovingBody is{bodies[b], part(model, b, model.M), was.x, was.v};
    if (world_.bodies.shared(b) != bodies.shared(b)) scene::carry_over(was, is);
    now.x.middleRows(model.bodies[b].first, model.bodies[b].count) = is.x;
    now.v.middleRows(model.bodies[b].first, model.bodies[b].count) = is.v;
  }
  model.clear_fixed(now.v);
  sim::make_tangential(model, now);
  history_ = {};
  history_.now = std::move(now);
  world_.bodies = bodies;
  world_.contact_shapes.bodies = made.world_->contact_shapes.bodies;
  skin_.clear();
  made.model_->obstacles = model_->obstacles;
  stepper_ = std::make_unique<sim::Stepper>(*made.model_, *work_, std::move(made.minimizer_));
  stepper_->set_integrator(description().integrator.type);
  stepper_->set_damping(description().damping.type);
  std::swap(model_, made.model_);
  visible_motion_.forget();
  handles_ = scene::moving_handles(world_, *model_);
  for (const auto& handle : handles_) model_->attachments.items[handle.attachment].target = handle.at(record_.time);
  if (grab_) {
    for (std::size_t i = 0; i < grab_->springs.size(); ++i)
      grab_->springs[i].point = body_point(*this, {grab_->point.body, grab_->vertices[i]});
    model_->grabs.items = grab_->springs;
  }
  stepper_->factors().grabs_changed(work_->workers);
  stepper_->find_contacts(history_, step_size());
}

void Session::take_over(Preparation& made) {
  if (made.minimizer_ && made.reformed_ && model_) {
    take_over_forms(made);
  } else if (made.minimizer_) {
    if (model_) take_what_moves(*model_, *made.model_);
    std::swap(model_, made.model_);
    visible_motion_.forget();  // it may have other masses
    if (stepper_) {
      stepper_->exchange(*model_, made.minimizer_);
    } else {
      stepper_ = std::make_unique<sim::Stepper>(*model_, *work_, std::move(made.minimizer_));
      stepper_->set_integrator(description().integrator.type);
      stepper_->set_damping(description().damping.type);
    }
    stepper_->factors().grabs_changed(work_->workers);
    // What a barrier or cubic contacts hold is energy as well, in the new model too.
    if ((model_->body_contact.barrier || sim::has_cubic_contacts(*model_)) &&
        history_.now.x.rows() == model_->vertices())
      stepper_->find_contacts(history_, step_size());
  } else if (made.factors_) {
    stepper_->factors().adopt(*made.factors_, work_->workers);
  }
  if (made.stiffest_) stiffest_ = *made.stiffest_;
  if (made.rest_) rest_ = made.rest_;
  if (made.contact_bodies_.empty()) return;
  world_.contact_shapes.bodies = made.contact_bodies_;
  model_->contact_bodies = std::move(made.contact_bodies_);
}

// Only the grab's own energy changes, so only that is measured.
void Session::set_grab(std::optional<Hold> grab) {
  const double before = model_->grabs.value(history_.now.x, *work_);
  grab_ = std::move(grab);
  model_->grabs.items.clear();
  if (grab_) model_->grabs.items = grab_->springs;
  stepper_->factors().grabs_changed(work_->workers);
  const double after = model_->grabs.value(history_.now.x, *work_);
  ledger_.add(sim::Added::user, after - before);
  record_.measured.attachment = model_->attachments.value(history_.now.x, *work_) + after;
}

void Session::choose_integrator(const std::string& id) {
  const sim::IntegratorInfo& info = known_integrator(id);
  scene::check_constraints(description(), id, description().solver.type);
  scene::check_hard_constraints(description(), id, description().solver.type);
  stepper_->set_integrator(info.id);
  world_.description.integrator.type = id;
}

void Session::choose_damping(const scene::Damping& damping) {
  const sim::DampingInfo& info = known_damping(damping);
  if (damping.type != description().damping.type) stepper_->set_damping(info.id);
  world_.description.damping = damping;
}

bool Session::is_pinned(const SurfacePoint& point) const {
  const auto vertices = carriers(*this, {point});
  return std::all_of(vertices.begin(), vertices.end(),
                     [this](int v) { return model_->fixed[static_cast<std::size_t>(v)] != 0; });
}

}  // namespace rebound::session
