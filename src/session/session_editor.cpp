#include "session/session_editor.hpp"

#include "scene/build_obstacles.hpp"
#include "sim/contact/push_apart.hpp"
#include "sim/model/constrained_motion.hpp"

namespace rebound::session {

// ---- the hand ----

void SessionEditor::take_hold(Hold hold) { session_.set_grab(std::move(hold)); }

void SessionEditor::move_hand(const sim::Vec3& target) {
  Hold moved = *session_.grab_;
  moved.move_to(target);
  session_.set_grab(std::move(moved));
}

void SessionEditor::let_go() { session_.set_grab(std::nullopt); }

// ---- pins ----

// What pinned vertices had of kinetic energy is gone, by the user's hand.
void SessionEditor::set_pins(std::vector<std::uint8_t> fixed) {
  session_.model_->fixed = std::move(fixed);
  session_.model_->clear_fixed(session_.history_.now.v);
  sim::make_tangential(*session_.model_, session_.history_.now);
  forget_state_before();
  pins_changed_ = true;
}

// ---- how steps are made ----

void SessionEditor::set_integrator(const std::string& id) { session_.choose_integrator(id); }

void SessionEditor::rebase_target() {
  const double off = session_.left_at_a_switch();
  if (off == 0) return;
  session_.ledger_.add(sim::Added::guard, off);
  session_.left_ += off;
  session_.left_by_ = session_.description().integrator.type;
  session_.record_.in_ripples = 0;  // they are what was left
}

void SessionEditor::restore_target() {
  session_.ledger_.add(sim::Added::guard, -session_.left_);
  session_.left_ = 0;
  session_.left_by_.clear();
  session_.record_.in_ripples = session_.stepper_->method_memory().in_ripples;
}

void SessionEditor::set_damping(const scene::Damping& damping) { session_.choose_damping(damping); }
void SessionEditor::forget_state_before() { session_.history_.has_before = false; }

void SessionEditor::count_time_from_here() {
  session_.time_origin_ = session_.record_.time;
  session_.frame_origin_ = session_.record_.frame;
}

// ---- the world ----

void SessionEditor::set_gravity(const sim::Vec3& g) {
  session_.model_->set_gravity(g);
  session_.stepper_->factors().gravity_changed();
}

void SessionEditor::contact_law_changes() { contact_law_changed_ = true; }

void SessionEditor::restart() { session_.restart(); }

// ---- obstacles ----

void SessionEditor::insert_obstacle(int index, const scene::Obstacle& obstacle) {
  sim::Model& model = *session_.model_;
  const auto& surfaces = session_.world_.contact_shapes.obstacles;
  model.obstacles.insert(model.obstacles.begin() + index,
                         scene::build_obstacle(obstacle, surfaces, session_.record_.time));
  session_.led_.insert(session_.led_.begin() + index, 0);
  for (sim::Contact& contact : model.contacts.items)
    if (contact.obstacle >= index) ++contact.obstacle;
}

void SessionEditor::remove_obstacle(int index) {
  sim::Model& model = *session_.model_;
  model.obstacles.erase(model.obstacles.begin() + index);
  session_.led_.erase(session_.led_.begin() + index);
  lose_contacts_with(index);
  for (sim::Contact& contact : model.contacts.items)
    if (contact.obstacle > index) --contact.obstacle;
}

void SessionEditor::replace_obstacle(int index, const scene::Obstacle& obstacle) {
  const auto at = static_cast<std::size_t>(index);
  const auto& surfaces = session_.world_.contact_shapes.obstacles;
  session_.model_->obstacles[at] = scene::build_obstacle(obstacle, surfaces, session_.record_.time);
  session_.led_[at] = 0;
  lose_contacts_with(index);
}

void SessionEditor::set_obstacle_springs(int index, double stiffness, double friction) {
  sim::Obstacle& obstacle = session_.model_->obstacles[static_cast<std::size_t>(index)];
  obstacle.stiffness = stiffness;
  obstacle.friction = friction;
  for (sim::Contact& contact : session_.model_->contacts.items) {
    if (contact.obstacle != index) continue;
    contact.stiffness = stiffness;
    contact.friction = friction;
  }
}

void SessionEditor::push_apart() {
  if (!sim::push_apart(*session_.model_, session_.history_.now.x, *session_.work_)) return;
  session_.history_.has_before = false;
  session_.stepper_->forget();
  session_.stepper_->find_contacts(session_.history_, session_.step_size());
}

void SessionEditor::lead_obstacle(int index) { session_.led_[static_cast<std::size_t>(index)] = 1; }

void SessionEditor::lose_contacts_with(int obstacle) {
  std::erase_if(session_.model_->contacts.items,
                [=](const sim::Contact& contact) { return contact.obstacle == obstacle; });
}

// ---- what was prepared ----

void SessionEditor::finish(Preparation* made) {
  if (made != nullptr) {
    session_.take_over(*made);
  } else if (pins_changed_) {
    session_.stepper_->factors().pins_changed(session_.work_->workers);
  }
  if (!contact_law_changed_) return;
  session_.model_->body_contact = scene::contact_law(session_.description().contact, session_.model_->contact_bodies);
  session_.stepper_->contact_law_changed(session_.history_, session_.step_size());
}

}  // namespace rebound::session
