#include "sim/contact/friction_impulses.hpp"

#include <algorithm>
#include <cmath>

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

// The impulse at r, from lambda on, that brings a way w to rest, or as near as the bound allows; own: what an impulse
// does to w.
Vec3 braking(const Pressed& r, const Vec3& lambda, const Vec3& w, double own) {
  return r.bounded(lambda - r.along(w) / own);
}

double fastest(const ContactWays& w, const std::vector<Pressed>& all) {
  double most = 0;
  for (const Pressed& r : all) most = std::max(most, r.along(w.row(r.row).transpose()).norm());
  return most;
}

// Projected Gauss-Seidel, to and fro, so that no end of a body is always the last. What a change of an impulse does to
// the ways ahead of a sweep is added at once, a few contacts at a time; the ways behind have it when the next sweep,
// which goes back, gets to them. So a sweep reads half of G.
class Sweeps {
 public:
  Sweeps(BodyAnswer& bodies, double share, ContactWays& w, std::vector<Pressed>& all)
      : response_(bodies.by_matrix),
        turns_(bodies.turns),
        share_(share),
        w_(w),
        all_(all),
        owing_(static_cast<std::size_t>(w.rows()), Vec3::Zero()) {
    turns_.clear();
    still_ = kStill * fastest(w, all);
  }

  /// An impulse that none of the ways has yet; before begin().
  void owe(int contact, const Vec3& impulse) {
    owing_[static_cast<std::size_t>(contact)] += impulse;
    turns_.push(contact, impulse);
    still_ = std::max(still_, kStill * share_ * response_.delassus()(contact, contact) * impulse.norm());
  }
  /// Tells each contact of what is owed by those behind it, and by its panel.
  void begin() {
    for (int first = last_panel(); first >= 0; first -= kPanel) tell_owed(first, 0, end_of(first));
  }
  /// From here on all that is left is small.
  bool done() const { return most_ <= still_; }
  /// Changes of impulses, times the ways that see them.
  double work() const { return work_; }
  void sweep(bool forwards);

 private:
  static constexpr int kPanel = ContactResponse::kMostImpulses;
  using Panel = std::array<Vec3, kPanel>;

  int rows() const { return static_cast<int>(w_.rows()); }
  int last_panel() const { return (rows() - 1) / kPanel * kPanel; }
  int end_of(int first) const { return std::min(first + kPanel, rows()); }
  /// A panel's own block of G, while the panel before it is swept: where G is large, it comes from far.
  void fetch_block(int first) const {
    if (first < 0 || first >= rows()) return;
    const auto G = response_.delassus();
    for (int c = first; c < end_of(first); ++c) {
      __builtin_prefetch(&G.coeffRef(first, c));
      __builtin_prefetch(&G.coeffRef(end_of(first) - 1, c));
    }
  }
  /// The ways [begin, end), of what is owed by a panel's contacts.
  void tell_owed(int first, int begin, int end) {
    std::array<ContactImpulse, kPanel> impulses;
    std::size_t count = 0;
    for (int c = first; c < end_of(first); ++c)
      if (const Vec3& impulse = owing_[static_cast<std::size_t>(c)]; !impulse.isZero(0))
        impulses[count++] = {c, share_ * impulse};
    if (count > 0 && begin < end) response_.add_ways(std::span(impulses).first(count), begin, end, w_);
  }

  const ContactResponse& response_;
  FreeTurns& turns_;  ///< which hears of every change at once
  const double share_;
  ContactWays& w_;
  std::vector<Pressed>& all_;
  std::vector<Vec3> owing_;  ///< a row: what the ways behind it do not have yet
  double still_ = 0;         ///< m/s
  double most_ = 0;          ///< m/s, the largest change of the last sweep
  double work_ = 0;
};

void Sweeps::sweep(bool forwards) {
  const auto G = response_.delassus();
  const double worth_it = std::max(still_, kWorthIt * most_);
  most_ = 0;
  auto next = forwards ? all_.begin() : all_.end();
  // The pressed contacts of a panel, in the order of the sweep.
  const auto has_next = [&](int first) {
    if (forwards) return next != all_.end() && next->row < end_of(first);
    return next != all_.begin() && std::prev(next)->row >= first;
  };
  for (int panel = 0; panel <= last_panel(); panel += kPanel) {
    const int first = forwards ? panel : last_panel() - panel, end = end_of(first);
    fetch_block(forwards ? end : first - kPanel);
    Panel changes;
    changes.fill(Vec3::Zero());
    while (has_next(first)) {
      Pressed& r = forwards ? *next++ : *--next;
      const double own = share_ * (G(r.row, r.row) + turns_.own(r.row));
      // What is held on all sides does not move.
      if (!(own > 0)) continue;
      const Vec3 way = w_.row(r.row).transpose() + share_ * turns_.way(r.row);
      const Vec3 lambda = braking(r, r.lambda, way, own), change = lambda - r.lambda;
      const double faster = own * change.norm();
      most_ = std::max(most_, faster);
      if (faster <= worth_it) continue;
      r.lambda = lambda;
      turns_.push(r.row, change);
      changes[static_cast<std::size_t>(r.row - first)] = change;
      for (int c = first; c < end; ++c) w_.row(c) += share_ * G(c, r.row) * change.transpose();
      work_ += static_cast<double>(rows());
    }
    for (int c = first; c < end; ++c)
      owing_[static_cast<std::size_t>(c)] += changes[static_cast<std::size_t>(c - first)];
    forwards ? tell_owed(first, end, rows()) : tell_owed(first, 0, first);
    for (int c = first; c < end; ++c)
      owing_[static_cast<std::size_t>(c)] = changes[static_cast<std::size_t>(c - first)];
  }
}

void sweep(double share, std::span<const Vec3> pushed, BodyAnswer& bodies, ContactWays& w, std::vector<Pressed>& all) {
  Sweeps sweeps(bodies, share, w, all);
  for (const Pressed& r : all) sweeps.owe(r.row, r.lambda);
  for (std::size_t c = 0; c < pushed.size(); ++c) sweeps.owe(static_cast<int>(c), -pushed[c]);
  sweeps.begin();
  bool forwards = true;
  for (int n = 0; n < kMostSweeps && sweeps.work() < kMostWork; ++n, forwards = !forwards) {
    sweeps.sweep(forwards);
    if (sweeps.done()) return;
  }
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
void descend(const Model& model, const ContactWays& w, double share, std::span<const Vec3> pushed, BodyAnswer& bodies,
             Workers& workers, std::vector<Pressed>& all) {
  const auto count = static_cast<Eigen::Index>(all.size());
  Vector own = share * most_mobile(model, all);
  for (Eigen::Index i = 0; i < count; ++i) own[i] += share * bodies.turns.own(all[static_cast<std::size_t>(i)].row);
  const double still = kStillEnough * fastest(w, all);
  ContactWays lambda(count, 3), answers = ContactWays::Zero(count, 3);
  const auto find_answers = [&] {
    const Points dv = answer(model, all, pushed, bodies, workers);
    for (Eigen::Index i = 0; i < count; ++i)
      answers.row(i) = share * all[static_cast<std::size_t>(i)].contact->point.of(dv).transpose();
  };
  for (Eigen::Index i = 0; i < count; ++i) lambda.row(i) = all[static_cast<std::size_t>(i)].lambda.transpose();
  if (!pushed.empty() || !lambda.isZero(0)) find_answers();
  ContactWays ahead = lambda, answers_ahead = answers;
  double t = 1;
  for (int iteration = 0; iteration < kMostAnswers; ++iteration) {
    const ContactWays before = lambda, answers_before = answers;
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

Vec3 last_impulse(const Contact& c) { return c.friction_impulse - c.friction_impulse.dot(c.n) * c.n; }

void add_impulse(const Contact& contact, const Vec3& impulse, Points& sum) {
  for (int j = 0; j < contact.point.count; ++j)
    sum.row(contact.point.vertices[j]) += contact.point.weights[j] * impulse.transpose();
}

Points answer(const Model& model, const std::vector<Pressed>& all, std::span<const Vec3> pushed, BodyAnswer& bodies,
              Workers& workers) {
  Points dv = Points::Zero(model.vertices(), 3);
  bodies.turns.clear();
  const auto push = [&](std::size_t c, const Vec3& impulse) {
    add_impulse(model.contacts.items[c], impulse, dv);
    bodies.turns.push(static_cast<int>(c), impulse);
  };
  for (const Pressed& r : all) push(static_cast<std::size_t>(r.row), r.lambda);
  for (std::size_t c = 0; c < pushed.size(); ++c) push(c, -pushed[c]);
  model.clear_fixed(dv);
  bodies.by_matrix.respond_at_contacts(dv, workers);
  model.clear_fixed(dv);
  bodies.turns.add_to(model.M, dv, workers);
  return dv;
}

void find_impulses(const Model& model, double share, std::span<const Vec3> pushed, BodyAnswer& bodies, Workers& workers,
                   ContactWays w, std::vector<Pressed>& all) {
  if (model.contacts.crowded())
    descend(model, w, share, pushed, bodies, workers, all);
  else
    sweep(share, pushed, bodies, w, all);
}

}  // namespace rebound::sim
