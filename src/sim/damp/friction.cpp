#include "sim/damp/friction.hpp"

#include <algorithm>

namespace rebound::sim {
namespace {

constexpr int kMostSweeps = 60;
// Of the fastest contact's speed: what is left to the next sweep is then not seen.
constexpr double kStill = 1e-7;

// A contact that is pressed and rough.
struct Rubbing {
  const Contact* contact;
  int row;       ///< among the model's contacts
  double bound;  ///< kg m/s
  Vec3 w;        ///< m/s, of the point relative to the surface: its way in the step, or its velocity at the end
  Vec3 lambda;   ///< kg m/s

  Vec3 along(const Vec3& v) const { return v - v.dot(contact->n) * contact->n; }
};

double height_in_step(const Contact& contact, const State& now, double gamma, const State& next) {
  const double before = contact.height(now.x);
  return before + gamma * (contact.height(next.x) - before);
}

std::vector<Rubbing> rubbing_contacts(const Model& model, const State& now, double h, double gamma, const State& next) {
  std::vector<Rubbing> rubbing;
  for (std::size_t c = 0; c < model.contacts.items.size(); ++c) {
    const Contact& contact = model.contacts.items[c];
    const double bound = contact.friction * h * contact.force(height_in_step(contact, now, gamma, next));
    if (bound > 0)
      rubbing.push_back({&contact, static_cast<int>(c), bound,
                         (contact.point.of(next.x) - contact.point.of(now.x) - contact.moved) / h, Vec3::Zero()});
  }
  return rubbing;
}

// Brings contact i to rest, or as near as its bound allows. Returns how much it changes its speed, m/s.
double rub(const Eigen::MatrixXd& G, std::vector<Rubbing>& all, std::size_t i) {
  Rubbing& r = all[i];
  const double own = G(r.row, r.row);
  // What is held on all sides does not move.
  if (!(own > 0)) return 0;
  Vec3 lambda = r.lambda - r.along(r.w) / own;
  const double size = lambda.norm();
  if (size > r.bound) lambda *= r.bound / size;
  const Vec3 change = lambda - r.lambda;
  r.lambda = lambda;
  for (Rubbing& other : all) other.w += G(other.row, r.row) * change;
  return own * change.norm();
}

void find_impulses(const Eigen::MatrixXd& G, std::vector<Rubbing>& all) {
  double fastest = 0;
  for (const Rubbing& r : all) fastest = std::max(fastest, r.along(r.w).norm());
  const std::size_t count = all.size();
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double change = 0;
    // To and fro, so that no end of a body is always the last.
    for (std::size_t k = 0; k < count; ++k) change = std::max(change, rub(G, all, sweep % 2 == 0 ? k : count - 1 - k));
    if (change <= kStill * fastest) return;
  }
}

// A^-1 sum U_i^T lambda_i, m/s.
Points answer(const Model& model, const std::vector<Rubbing>& all, ContactResponse& response, Workers& workers) {
  Points dv = Points::Zero(model.vertices(), 3);
  for (const Rubbing& r : all)
    for (int j = 0; j < r.contact->point.count; ++j)
      dv.row(r.contact->point.vertices[j]) += r.contact->point.weights[j] * r.lambda.transpose();
  model.clear_fixed(dv);
  response.respond(dv, workers);
  model.clear_fixed(dv);
  return dv;
}

double work_of_surfaces(const std::vector<Rubbing>& all, double h, std::vector<double>* by_contact) {
  double sum = 0;
  for (const Rubbing& r : all) {
    const double work = r.lambda.dot(r.contact->moved) / h;
    sum += work;
    if (by_contact != nullptr) (*by_contact)[static_cast<std::size_t>(r.row)] += work;
  }
  return sum;
}

}  // namespace

bool rubs(const Model& model, const State& now, double gamma, const State& next) {
  return std::any_of(model.contacts.items.begin(), model.contacts.items.end(),
                     [&](const Contact& c) { return c.friction > 0 && height_in_step(c, now, gamma, next) < 0; });
}

double apply_friction(const Model& model, const State& now, double h, double gamma, ContactResponse& response,
                      Workers& workers, State& next, std::vector<double>* by_contact) {
  if (by_contact != nullptr) by_contact->assign(model.contacts.items.size(), 0.0);
  std::vector<Rubbing> rubbing = rubbing_contacts(model, now, h, gamma, next);
  if (rubbing.empty()) return 0;
  const Eigen::MatrixXd G = response.mobility();
  double by_surfaces = 0;
  if (gamma > 0) {
    find_impulses(gamma * G, rubbing);
    const Points dv = answer(model, rubbing, response, workers);
    next.v += dv;
    next.x += gamma * h * dv;
    by_surfaces += work_of_surfaces(rubbing, h, by_contact);
    // Backward Euler's way is its velocity.
    if (gamma == 1) return by_surfaces;
  }

  for (Rubbing& r : rubbing) {
    r.bound -= r.lambda.norm();
    r.w = r.contact->point.of(next.v) - r.contact->moved / h;
    r.lambda.setZero();
  }
  std::erase_if(rubbing, [](const Rubbing& r) { return !(r.bound > 0); });
  if (rubbing.empty()) return by_surfaces;
  find_impulses(G, rubbing);
  next.v += answer(model, rubbing, response, workers);
  return by_surfaces + work_of_surfaces(rubbing, h, by_contact);
}

}  // namespace rebound::sim
