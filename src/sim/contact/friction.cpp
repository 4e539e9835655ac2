#include "sim/contact/friction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/row_passes.hpp"
#include "sim/contact/force_in_step.hpp"
#include "sim/contact/friction_impulses.hpp"

namespace rebound::sim {
namespace {

std::vector<Pressed> pressed_contacts(const Model& model, const State& now, double h, const StepForces& forces,
                                      const State& next) {
  std::vector<Pressed> pressed;
  for (std::size_t c = 0; c < model.contacts.items.size(); ++c) {
    const Contact& contact = model.contacts.items[c];
    if (!(contact.friction > 0)) continue;
    const double bound = contact.friction * forces.impulse * h * force_in_step(contact, now.x, next.x, forces);
    if (bound > 0) pressed.push_back({&contact, static_cast<int>(c), bound, Vec3::Zero()});
  }
  return pressed;
}

}  // namespace

bool has_friction(const Model& model, const State& now, const StepForces& forces, const State& next) {
  return std::any_of(model.contacts.items.begin(), model.contacts.items.end(),
                     [&](const Contact& c) { return c.friction > 0 && force_in_step(c, now.x, next.x, forces) > 0; });
}

std::vector<Vec3> last_impulses(const Model& model) {
  const auto& contacts = model.contacts.items;
  if (std::ranges::all_of(contacts, [](const Contact& c) { return c.friction_impulse.isZero(0); })) return {};
  std::vector<Vec3> impulses(contacts.size());
  std::ranges::transform(contacts, impulses.begin(), last_impulse);
  return impulses;
}

void friction_push(const Model& model, std::span<const Vec3> impulses, double h, Points& out) {
  out.setZero(model.vertices(), 3);
  for (std::size_t c = 0; c < impulses.size(); ++c) add_impulse(model.contacts.items[c], impulses[c] / h, out);
  model.clear_fixed(out);
}

double FrictionWork::added() const { return std::accumulate(by_surfaces.begin(), by_surfaces.end(), -taken); }

FrictionWork apply_friction(const Model& model, const State& now, double h, const StepForces& forces,
                            ContactResponse& response, Workers& workers, State& next, const FrictionStart& start) {
  const std::size_t contacts = model.contacts.items.size();
  FrictionWork work;
  work.by_surfaces.assign(contacts, 0.0);
  std::vector<Pressed> pressed = pressed_contacts(model, now, h, forces, next);
  const bool is_like = start.like != nullptr && !start.like->impulses.empty();
  for (Pressed& r : pressed) {
    const auto row = static_cast<std::size_t>(r.row);
    r.lambda = r.bounded(is_like                 ? r.along(start.like->impulses[row])
                         : !start.pushed.empty() ? start.pushed[row]
                                                 : last_impulse(*r.contact));
  }

  std::optional<BodyAnswer> bodies;
  const auto way = [&](const Contact& c) -> Vec3 { return (c.point.of(next.x) - c.point.of(now.x) - c.moved) / h; };
  const auto velocity = [&](const Contact& c) -> Vec3 { return c.point.of(next.v) - c.moved / h; };
  std::function<void()> before_it_changes = start.before_it_changes, once_placed = start.once_placed;
  // The answer to impulses that take what they can of the ways that points and surfaces have in all; share: what those
  // have of a change of velocity.
  const auto answer_to = [&](const auto& of, double share, std::span<const Vec3> pushed,
                             std::function<void()>& beside) -> Points {
    ContactWays w = ContactWays::Zero(static_cast<Eigen::Index>(contacts), 3);
    for (const Pressed& r : pressed) w.row(r.row) = of(*r.contact).transpose();
    if (!bodies) bodies.emplace(BodyAnswer{response, FreeTurns(model, next, pressed, response, workers)});
    const auto find = [&] { find_impulses(model, share, pushed, *bodies, workers, std::move(w), pressed); };
    const auto other = std::exchange(beside, nullptr);
    if (!other) {
      find();
    } else if (model.contacts.crowded()) {
      other();
      find();
    } else {
      workers.run_beside(find, other);
    }
    if (work.impulses.empty()) {
      work.impulses.assign(contacts, Vec3::Zero());
      for (const Pressed& r : pressed) work.impulses[static_cast<std::size_t>(r.row)] = r.lambda;
    }
    return answer(model, pressed, pushed, *bodies, workers);
  };
  // What moving surfaces do by the impulses, J.
  const auto by_surface = [&](const Pressed& r) { return r.lambda.dot(r.contact->moved) / (forces.impulse * h); };
  const auto book = [&](double taken) {
    for (const Pressed& r : pressed) work.by_surfaces[static_cast<std::size_t>(r.row)] += by_surface(r);
    // Impulses that are not quite found may push where they should not have done anything.
    work.taken += std::max(0.0, taken);
  };

  if (forces.displacement > 0 && !(start.pushed.empty() && pressed.empty())) {
    const Points dv = answer_to(way, forces.displacement, start.pushed, before_it_changes);
    const double way_of_dv = forces.displacement * h;
    each_rows(workers, dv.rows(), [&](Eigen::Index first, Eigen::Index rows) {
      next.v.middleRows(first, rows) += dv.middleRows(first, rows);
      next.x.middleRows(first, rows) += way_of_dv * dv.middleRows(first, rows);
    });
    double taken = 0;
    for (const Pressed& r : pressed) taken -= r.lambda.dot(way(*r.contact)) / forces.impulse;
    book(taken);
    for (Pressed& r : pressed) {
      r.bound -= r.lambda.norm();
      r.lambda.setZero();
    }
    std::erase_if(pressed, [](const Pressed& r) { return !(r.bound > 0); });
  }
  if (before_it_changes) std::exchange(before_it_changes, nullptr)();
  // Backward Euler's way is its velocity.
  if (forces.displacement != 1 && !pressed.empty()) {
    const Points dv = answer_to(velocity, 1, {}, once_placed);
    const auto gained = sum_rows<1>(workers, dv.rows(), [&](Eigen::Index first, Eigen::Index rows, auto& K) {
      for (Eigen::Index i = first; i < first + rows; ++i) {
        K[0] += model.M[i] * dv.row(i).dot(next.v.row(i) + 0.5 * dv.row(i));
        next.v.row(i) += dv.row(i);
      }
    });
    // Where only velocities change, K says what is taken.
    double taken = -gained[0] / forces.impulse;
    for (const Pressed& r : pressed) taken += by_surface(r);
    book(taken);
  }
  if (once_placed) once_placed();
  return work;
}

}  // namespace rebound::sim
