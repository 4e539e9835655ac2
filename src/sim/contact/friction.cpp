#include "sim/contact/friction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/contact/force_in_step.hpp"
#include "sim/linear/dense_kernel.hpp"

namespace rebound::sim {
namespace {

constexpr int kMostSweeps = 200;
// Changes of an impulse, times the contacts that see them.
constexpr double kMostWork = 2e5;
// Of the fastest contact's speed: what is left to the next sweep is then not seen.
constexpr double kStill = 1e-7;
// Of the largest change of a sweep: what is below that in the next one is put off. The search goes where it gets
// something done, at a third of the work.
constexpr double kWorthIt = 0.3;
// Where contacts crowd.
constexpr int kMostAnswers = 20;
constexpr double kStillEnough = 1e-4;

// A contact that is pressed and rough.
struct Pressed {
  const Contact* contact;
  int row;       ///< among the model's contacts
  double bound;  ///< kg m/s
  Vec3 lambda;   ///< kg m/s

  Vec3 along(const Vec3& v) const { return v - v.dot(contact->n) * contact->n; }
  Vec3 bounded(const Vec3& impulse) const {
    const double size = impulse.norm();
    return size > bound ? Vec3(bound / size * impulse) : impulse;
  }
};

// A row each, m/s: of the points relative to their surfaces, their way in the step or their velocity at its end.
using Ways = Eigen::Matrix<double, Eigen::Dynamic, 3>;

// Of the step before, as it would go on.
Vec3 last_impulse(const Contact& c) { return c.friction_impulse - c.friction_impulse.dot(c.n) * c.n; }

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

// The impulse at r, from lambda on, that brings a way w to rest, or as near as the bound allows; own: what an impulse
// does to w.
Vec3 braking(const Pressed& r, const Vec3& lambda, const Vec3& w, double own) {
  return r.bounded(lambda - r.along(w) / own);
}

double fastest(const Ways& w, const std::vector<Pressed>& all) {
  double most = 0;
  for (const Pressed& r : all) most = std::max(most, r.along(w.row(r.row).transpose()).norm());
  return most;
}

// w += what an impulse at a contact does to all ways.
void push(const Eigen::Ref<const Eigen::MatrixXd>& G, double share, Ways& w, int contact, const Vec3& impulse) {
  if (impulse.isZero(0)) return;
  const Vec3 share_of_it = share * impulse;
  dense_kernel().add_column(G.col(contact).data(), share_of_it.data(), static_cast<int>(w.rows()), w.outerStride(),
                            w.data());
}

// Projected Gauss-Seidel, from the impulses on that all have. share: what a way has of a change of velocity; w becomes
// what is left.
void find_impulses(const Eigen::Ref<const Eigen::MatrixXd>& G, double share, Ways& w, std::vector<Pressed>& all) {
  const double still = kStill * fastest(w, all);
  for (const Pressed& r : all) push(G, share, w, r.row, r.lambda);
  const std::size_t count = all.size();
  double work = 0, most = 0;
  for (int sweep = 0; sweep < kMostSweeps && work < kMostWork; ++sweep) {
    const double worth_it = std::max(still, kWorthIt * most);
    most = 0;
    for (std::size_t k = 0; k < count; ++k) {
      // To and fro, so that no end of a body is always the last.
      Pressed& r = all[sweep % 2 == 0 ? k : count - 1 - k];
      const double own = share * G(r.row, r.row);
      // What is held on all sides does not move.
      if (!(own > 0)) continue;
      const Vec3 lambda = braking(r, r.lambda, w.row(r.row).transpose(), own), change = lambda - r.lambda;
      const double faster = own * change.norm();
      most = std::max(most, faster);
      if (faster <= worth_it) continue;
      r.lambda = lambda;
      push(G, share, w, r.row, change);
      work += static_cast<double>(w.rows());
    }
    if (most <= still) return;
  }
}

void add_at(const Contact& contact, const Vec3& impulse, Points& sum) {
  for (int j = 0; j < contact.point.count; ++j)
    sum.row(contact.point.vertices[j]) += contact.point.weights[j] * impulse.transpose();
}

// A^-1 sum U_i^T lambda_i, m/s; without those that `next` has answered already.
Points answer(const Model& model, const std::vector<Pressed>& all, bool pushed, ContactResponse& response,
              Workers& workers) {
  Points dv = Points::Zero(model.vertices(), 3);
  for (const Pressed& r : all) add_at(*r.contact, r.lambda, dv);
  if (pushed)
    for (const Contact& c : model.contacts.items) add_at(c, -last_impulse(c), dv);
  model.clear_fixed(dv);
  response.respond(dv, workers);
  model.clear_fixed(dv);
  return dv;
}

// What an impulse at a contact does to any of them at most, 1/kg, were each vertex on its own.
Vector most_mobile(const Model& model, const std::vector<Pressed>& all) {
  Vector sum = Vector::Zero(model.vertices());
  const auto each = [&](const Pressed& r, const auto& visit) {
    for (int j = 0; j < r.contact->point.count; ++j)
      if (const int v = r.contact->point.vertices[j]; !model.fixed[static_cast<std::size_t>(v)])
        visit(v, std::abs(r.contact->point.weights[j]));
  };
  for (const Pressed& r : all) each(r, [&](int v, double b) { sum[v] += b / model.M[v]; });
  Vector most = Vector::Zero(static_cast<Eigen::Index>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i)
    each(all[i], [&](int v, double b) { most[static_cast<Eigen::Index>(i)] += b * sum[v]; });
  return most;
}

// Where G would be too large: accelerated projected gradients, an answer of the bodies each. A >= M bounds G, so none
// goes too far.
void find_impulses(const Model& model, const Ways& w, double share, bool pushed, ContactResponse& response,
                   Workers& workers, std::vector<Pressed>& all) {
  const auto count = static_cast<Eigen::Index>(all.size());
  const Vector own = share * most_mobile(model, all);
  const double still = kStillEnough * fastest(w, all);
  Ways lambda(count, 3), answers = Ways::Zero(count, 3);
  const auto find_answers = [&] {
    const Points dv = answer(model, all, pushed, response, workers);
    for (Eigen::Index i = 0; i < count; ++i)
      answers.row(i) = share * all[static_cast<std::size_t>(i)].contact->point.of(dv).transpose();
  };
  for (Eigen::Index i = 0; i < count; ++i) lambda.row(i) = all[static_cast<std::size_t>(i)].lambda.transpose();
  if (pushed || !lambda.isZero(0)) find_answers();
  Ways ahead = lambda, answers_ahead = answers;
  double t = 1;
  for (int iteration = 0; iteration < kMostAnswers; ++iteration) {
    const Ways before = lambda, answers_before = answers;
    double most = 0, uphill = 0;
    for (Eigen::Index i = 0; i < count; ++i) {
      Pressed& r = all[static_cast<std::size_t>(i)];
      if (own[i] > 0)
        r.lambda = braking(r, ahead.row(i).transpose(), (w.row(r.row) + answers_ahead.row(i)).transpose(), own[i]);
      lambda.row(i) = r.lambda.transpose();
      most = std::max(most, own[i] * (lambda.row(i) - ahead.row(i)).norm());
      uphill += (ahead.row(i) - lambda.row(i)).dot(lambda.row(i) - before.row(i));
    }
    if (most <= still) return;
    find_answers();
    // Momentum that carries it uphill is given up.
    if (uphill > 0) t = 1;
    const double next = 0.5 + std::sqrt(0.25 + t * t), momentum = (t - 1) / next;
    t = next;
    ahead = lambda + momentum * (lambda - before);
    answers_ahead = answers + momentum * (answers - answers_before);
  }
}

}  // namespace

bool has_friction(const Model& model, const State& now, const StepForces& forces, const State& next) {
  return std::any_of(model.contacts.items.begin(), model.contacts.items.end(),
                     [&](const Contact& c) { return c.friction > 0 && force_in_step(c, now.x, next.x, forces) > 0; });
}

bool friction_push(const Model& model, double h, Points& out) {
  const auto& contacts = model.contacts.items;
  if (std::all_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.friction_impulse.isZero(0); }))
    return false;
  out.setZero(model.vertices(), 3);
  for (const Contact& c : contacts) add_at(c, last_impulse(c) / h, out);
  model.clear_fixed(out);
  return true;
}

double FrictionWork::added() const { return std::accumulate(by_surfaces.begin(), by_surfaces.end(), -taken); }

FrictionWork apply_friction(const Model& model, const State& now, double h, const StepForces& forces,
                            ContactResponse& response, Workers& workers, State& next, const FrictionStart& start) {
  const std::size_t contacts = model.contacts.items.size();
  FrictionWork work;
  work.by_surfaces.assign(contacts, 0.0);
  std::vector<Pressed> pressed = pressed_contacts(model, now, h, forces, next);
  const bool is_like = start.like != nullptr && !start.like->impulses.empty();
  for (Pressed& r : pressed)
    r.lambda = r.bounded(is_like ? r.along(start.like->impulses[static_cast<std::size_t>(r.row)])
                                 : last_impulse(*r.contact));

  const auto way = [&](const Contact& c) -> Vec3 { return (c.point.of(next.x) - c.point.of(now.x) - c.moved) / h; };
  const auto velocity = [&](const Contact& c) -> Vec3 { return c.point.of(next.v) - c.moved / h; };
  // The answer to impulses that take what they can of the ways that points and surfaces have in all; share: what those
  // have of a change of velocity.
  const auto answer_to = [&](const auto& of, double share, bool pushed) -> Points {
    Ways w = Ways::Zero(static_cast<Eigen::Index>(contacts), 3);
    for (const Pressed& r : pressed) w.row(r.row) = of(*r.contact).transpose();
    if (model.contacts.crowded()) {
      find_impulses(model, w, share, pushed, response, workers, pressed);
    } else {
      const auto G = response.delassus();
      if (pushed)
        for (std::size_t c = 0; c < contacts; ++c)
          push(G, share, w, static_cast<int>(c), -last_impulse(model.contacts.items[c]));
      find_impulses(G, share, w, pressed);
    }
    if (work.impulses.empty()) {
      work.impulses.assign(contacts, Vec3::Zero());
      for (const Pressed& r : pressed) work.impulses[static_cast<std::size_t>(r.row)] = r.lambda;
    }
    return answer(model, pressed, pushed, response, workers);
  };
  // What moving surfaces do by the impulses, J.
  const auto by_surface = [&](const Pressed& r) { return r.lambda.dot(r.contact->moved) / (forces.impulse * h); };
  const auto book = [&](double taken) {
    for (const Pressed& r : pressed) work.by_surfaces[static_cast<std::size_t>(r.row)] += by_surface(r);
    // Impulses that are not quite found may push where they should not have done anything.
    work.taken += std::max(0.0, taken);
  };

  if (forces.displacement > 0 && (start.pushed || !pressed.empty())) {
    const Points dv = answer_to(way, forces.displacement, start.pushed);
    next.v += dv;
    next.x += forces.displacement * h * dv;
    double taken = 0;
    for (const Pressed& r : pressed) taken -= r.lambda.dot(way(*r.contact)) / forces.impulse;
    book(taken);
    // Backward Euler's way is its velocity.
    if (forces.displacement == 1) return work;
    for (Pressed& r : pressed) {
      r.bound -= r.lambda.norm();
      r.lambda.setZero();
    }
    std::erase_if(pressed, [](const Pressed& r) { return !(r.bound > 0); });
  }
  if (!pressed.empty()) {
    const Points dv = answer_to(velocity, 1, false), mean = next.v + 0.5 * dv;
    // Where only velocities change, K says what is taken.
    double taken = -model.M.dot(dv.cwiseProduct(mean).rowwise().sum()) / forces.impulse;
    for (const Pressed& r : pressed) taken += by_surface(r);
    book(taken);
    next.v += dv;
  }
  return work;
}

}  // namespace rebound::sim
