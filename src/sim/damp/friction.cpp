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
  Vec3 lambda;   ///< kg m/s

  Vec3 along(const Vec3& v) const { return v - v.dot(contact->n) * contact->n; }
};

// A row each, m/s: of the points relative to their surfaces, their way in the step or their velocity at its end.
using Ways = Eigen::Matrix<double, Eigen::Dynamic, 3>;

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
      rubbing.push_back({&contact, static_cast<int>(c), bound, Vec3::Zero()});
  }
  return rubbing;
}

// Finds all lambda_i within their bounds; w: what becomes of them. G is rubbing x rubbing.
void find_impulses(const Eigen::MatrixXd& G, Ways& w, std::vector<Rubbing>& all) {
  const auto count = static_cast<Eigen::Index>(all.size());
  double fastest = 0;
  for (Eigen::Index i = 0; i < count; ++i)
    fastest = std::max(fastest, all[static_cast<std::size_t>(i)].along(w.row(i).transpose()).norm());
  const double still = kStill * fastest;
  // Brings contact i to rest, or as near as its bound allows. Returns how much that changes its speed.
  const auto rub = [&](Eigen::Index i) {
    Rubbing& r = all[static_cast<std::size_t>(i)];
    const double own = G(i, i);
    // What is held on all sides does not move.
    if (!(own > 0)) return 0.0;
    Vec3 lambda = r.lambda - r.along(w.row(i).transpose()) / own;
    const double size = lambda.norm();
    if (size > r.bound) lambda *= r.bound / size;
    const Vec3 change = lambda - r.lambda;
    const double faster = own * change.norm();
    if (faster <= still) return 0.0;
    r.lambda = lambda;
    for (int k = 0; k < 3; ++k) w.col(k) += change[k] * G.col(i);
    return faster;
  };
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double change = 0;
    // To and fro, so that no end of a body is always the last.
    for (Eigen::Index i = 0; i < count; ++i) change = std::max(change, rub(sweep % 2 == 0 ? i : count - 1 - i));
    if (change <= still) return;
  }
}

Eigen::MatrixXd between(const Eigen::MatrixXd& G, const std::vector<Rubbing>& all) {
  std::vector<int> rows;
  for (const Rubbing& r : all) rows.push_back(r.row);
  return G(rows, rows);
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

void add_work_of_surfaces(const std::vector<Rubbing>& all, double h, std::vector<double>& by_contact) {
  for (const Rubbing& r : all) by_contact[static_cast<std::size_t>(r.row)] += r.lambda.dot(r.contact->moved) / h;
}

}  // namespace

bool rubs(const Model& model, const State& now, double gamma, const State& next) {
  return std::any_of(model.contacts.items.begin(), model.contacts.items.end(),
                     [&](const Contact& c) { return c.friction > 0 && height_in_step(c, now, gamma, next) < 0; });
}

std::vector<double> apply_friction(const Model& model, const State& now, double h, double gamma,
                                   ContactResponse& response, Workers& workers, State& next) {
  std::vector<double> by_contact(model.contacts.items.size(), 0.0);
  std::vector<Rubbing> rubbing = rubbing_contacts(model, now, h, gamma, next);
  if (rubbing.empty()) return by_contact;
  Eigen::MatrixXd G = between(response.mobility(), rubbing);
  Ways w(rubbing.size(), 3);
  if (gamma > 0) {
    for (std::size_t i = 0; i < rubbing.size(); ++i) {
      const Contact& c = *rubbing[i].contact;
      w.row(static_cast<Eigen::Index>(i)) = (c.point.of(next.x) - c.point.of(now.x) - c.moved).transpose() / h;
    }
    find_impulses(gamma * G, w, rubbing);
    const Points dv = answer(model, rubbing, response, workers);
    next.v += dv;
    next.x += gamma * h * dv;
    add_work_of_surfaces(rubbing, h, by_contact);
    // Backward Euler's way is its velocity.
    if (gamma == 1) return by_contact;
  }

  for (Rubbing& r : rubbing) {
    r.bound -= r.lambda.norm();
    r.lambda.setZero();
  }
  std::erase_if(rubbing, [](const Rubbing& r) { return !(r.bound > 0); });
  if (rubbing.empty()) return by_contact;
  if (static_cast<Eigen::Index>(rubbing.size()) < G.rows()) G = between(response.mobility(), rubbing);
  w.resize(static_cast<Eigen::Index>(rubbing.size()), 3);
  for (std::size_t i = 0; i < rubbing.size(); ++i) {
    const Contact& c = *rubbing[i].contact;
    w.row(static_cast<Eigen::Index>(i)) = (c.point.of(next.v) - c.moved / h).transpose();
  }
  find_impulses(G, w, rubbing);
  next.v += answer(model, rubbing, response, workers);
  add_work_of_surfaces(rubbing, h, by_contact);
  return by_contact;
}

}  // namespace rebound::sim
