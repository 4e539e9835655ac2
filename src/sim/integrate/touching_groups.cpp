#include "sim/integrate/touching_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/contact/force_in_step.hpp"
#include "sim/energy/gravity.hpp"

namespace rebound::sim {
namespace {

// Between obstacles that squeeze it, all but nothing is left of a body's push: no faster than any of them goes.
Vec3 carried_along(const StepInput& input, const Vec3& push, double power) {
  const double size = push.norm();
  if (!(size > 0) || power == 0) return Vec3::Zero();
  double fastest = 0;
  for (const Contact& c : input.model.contacts.items) fastest = std::max(fastest, c.moved.norm() / input.h);
  for (const Obstacle& obstacle : input.model.obstacles)
    if (obstacle.moves()) fastest = std::max(fastest, obstacle.moved(obstacle.pose.t).norm() / input.h);
  return std::clamp(power / size, -fastest, fastest) / size * push;
}

}  // namespace

bool TouchingGroups::any_in_hand() const {
  return std::any_of(in_hand_.begin(), in_hand_.end(), [](auto hand) { return hand != 0; });
}

// Of a free body it is known how it goes on only if nothing but gravity's m g acts on it as a whole. An energy that
// may, a user's own, is looked at where the step begins, in its middle and where it ends.
void TouchingGroups::hold_what_energies_push(const StepInput& input, const StepForces& forces, const Points& x) {
  const Model& model = input.model;
  pushing_.clear();
  bool falls = model.g.isZero(0);
  for (const auto& energy : model.energies) {
    if (energy->is_internal(model.bodies)) continue;
    const auto* gravity = falls ? nullptr : dynamic_cast<const Gravity*>(energy.get());
    if (gravity != nullptr && gravity->is_of(model.M, model.g))
      falls = true;
    else
      pushing_.push_back(energy.get());
  }
  if (!falls) held_.assign(held_.size(), 1);
  if (pushing_.empty()) return;
  constexpr double kRounding = 1e-9;
  for (const Points* at : {&input.history.now.x, forces.middle, &x}) {
    dE_.setZero(x.rows(), 3);
    for (const Energy* energy : pushing_) energy->add_gradient(*at, dE_, input.work);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const auto [first, count] = model.bodies[b];
      const Vec3 centre = at->middleRows(first, count).colwise().mean().transpose();
      Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
      double force_sizes = 0, torque_sizes = 0;
      for (int i = first; i < first + count; ++i) {
        const Vec3 f = dE_.row(i).transpose(), r = at->row(i).transpose() - centre;
        force += f;
        torque += r.cross(f);
        force_sizes += f.norm();
        torque_sizes += r.norm() * f.norm();
      }
      if (force.norm() > kRounding * force_sizes || torque.norm() > kRounding * torque_sizes) held_[b] = 1;
    }
  }
}

void TouchingGroups::find(const StepInput& input, const StepForces& forces, const Points& x) {
  const Model& model = input.model;
  const std::size_t bodies = model.bodies.size();
  joined_.resize(bodies);
  std::iota(joined_.begin(), joined_.end(), 0);
  held_.assign(bodies, 0);
  const auto group_of = [&](std::size_t b) {
    while (joined_[b] != b) b = joined_[b];
    return b;
  };
  for (std::size_t b = 0; b < bodies; ++b) {
    const auto begin = model.fixed.begin() + model.bodies[b].first;
    held_[b] = std::any_of(begin, begin + model.bodies[b].count, [](auto fixed) { return fixed != 0; });
  }
  for (const Attachments* hands : {&model.attachments, &model.grabs})
    for (const Attachment& a : hands->items) held_[model.body_of(a.point.vertices[0])] = 1;
  hold_what_energies_push(input, forces, x);
  in_hand_ = held_;
  pressed_ = false;
  for (const Contact& c : model.contacts.items) {
    const auto apart = [&](const Points& at, double share) { return c.height(at, share) >= 0; };
    if (apart(x, 1) && apart(input.history.now.x, 0) && apart(*forces.middle, forces.middle_at)) continue;
    pressed_ = true;
    const std::size_t first = model.body_of(c.point.vertices[0]);
    if (c.obstacle >= 0) held_[first] = 1;
    for (int j = 1; j < c.point.count; ++j) joined_[group_of(model.body_of(c.point.vertices[j]))] = group_of(first);
  }
  for (const auto& [a, b] : model.touching) {
    pressed_ = true;
    const auto last = static_cast<std::size_t>(b);
    if (a < 0)
      held_[last] = 1;
    else
      joined_[group_of(last)] = group_of(static_cast<std::size_t>(a));
  }
  groups_.resize(bodies);
  group_powers_.assign(bodies, 0);
  find_pushes(input, forces, x);
  for (TouchingBodies& group : groups_) {
    group.bodies.clear();
    group.in_hand.clear();
    group.free = true;
    group.pushed.setZero();
    group.carried.setZero();
    group.kept_before = group.kept = {};
  }
  for (std::size_t b = 0; b < bodies; ++b) {
    TouchingBodies& group = groups_[group_of(b)];
    group.bodies.push_back(model.bodies[b]);
    group.in_hand.push_back(in_hand_[b]);
    group.free = group.free && held_[b] == 0;
    group.pushed += pushes_[b];
    group_powers_[group_of(b)] += powers_[b];
  }
  for (std::size_t g = 0; g < bodies; ++g) {
    TouchingBodies& group = groups_[g];
    group.free = group.free && !group.bodies.empty();
    const bool in_hand = std::ranges::any_of(group.in_hand, [](auto hand) { return hand != 0; });
    if (!group.free && !in_hand) group.carried = carried_along(input, group.pushed, group_powers_[g]);
  }
}

// A barrier's are those where the step ends. What bodies do to one another has no sum.
void TouchingGroups::find_pushes(const StepInput& input, const StepForces& forces, const Points& x) {
  const Model& model = input.model;
  pushes_.assign(model.bodies.size(), Vec3::Zero());
  powers_.assign(model.bodies.size(), 0);
  const std::vector<Contact>& contacts = model.contacts.items;
  pressed_at_end_ = std::any_of(contacts.begin(), contacts.end(), [&](const Contact& c) { return c.height(x) < 0; });
  for (const Contact& c : contacts) {
    if (c.obstacle < 0) continue;
    const std::size_t b = model.body_of(c.point.vertices[0]);
    const Vec3 force = force_in_step(c, input.history.now.x, x, forces) * c.n;
    pushes_[b] += force;
    powers_[b] += force.dot(c.moved) / input.h;
  }
  if (model.touching.empty()) return;
  dE_.setZero(x.rows(), 3);
  for (const auto& energy : model.step_energies) energy->add_gradient(x, dE_, input.work);
  pressed_at_end_ = pressed_at_end_ || !dE_.isZero(0);
  double work = 0, all = 0;
  for (const auto& energy : model.step_energies) work += energy->work_of_movers(x);
  std::vector<Vec3> by_terms;
  for (const auto& [first, count] : model.bodies) {
    by_terms.emplace_back(-dE_.middleRows(first, count).colwise().sum().transpose());
    all += by_terms.back().norm();
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    pushes_[b] += by_terms[b];
    // Such a term tells no obstacles apart.
    if (all > 0) powers_[b] += work / input.h * by_terms[b].norm() / all;
  }
}

}  // namespace rebound::sim
