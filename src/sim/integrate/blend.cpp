#include "sim/integrate/blend.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/base/row_passes.hpp"

namespace rebound::sim {
namespace {

constexpr int kMostProbes = 40;
constexpr double kNearerEnd = 0.5;

FrictionWork between(const FrictionWork& a, const FrictionWork& b, double alpha) {
  FrictionWork work{a.taken + alpha * (b.taken - a.taken), a.made + alpha * (b.made - a.made), {}, {}, {}};
  work.impulses = a.impulses.empty() ? b.impulses : a.impulses;
  work.by_surfaces.resize(std::max(a.by_surfaces.size(), b.by_surfaces.size()));
  const auto add = [&](const std::vector<double>& from, double share) {
    for (std::size_t c = 0; c < from.size(); ++c) work.by_surfaces[c] += share * from[c];
  };
  add(a.by_surfaces, 1 - alpha);
  add(b.by_surfaces, alpha);
  return work;
}

}  // namespace

bool has_movers(const Model& model) {
  const auto moves = [](const Obstacle& obstacle) { return obstacle.moves(); };
  return model.has_step_terms() && std::any_of(model.obstacles.begin(), model.obstacles.end(), moves);
}

double work_of_movers(const Model& model, const Points& x) {
  double work = 0;
  for (const auto* terms : {&model.step_energies, &model.step_losses})
    for (const auto& e : *terms) work += e->work_of_movers(x);
  return work;
}

double work_of_push(const StepInput& input, const Points& x) {
  if (input.push == nullptr) return 0;
  const Points& x_n = input.history.now.x;
  const auto work = sum_rows<1>(input.work.workers, x.rows(), [&](Eigen::Index first, Eigen::Index rows, auto& sum) {
    for (Eigen::Index i = first; i < first + rows; ++i) sum[0] += input.push->row(i).dot(x.row(i) - x_n.row(i));
  });
  return work[0];
}

double outside_work(const StepInput& input, const Points& x, const StepForces& forces, const WorkOfMovers& known) {
  const double by_terms = known.by_terms ? *known.by_terms : work_of_movers(input.model, x);
  double work = by_terms + work_of_push(input, x);
  if (!known.by_springs.empty()) return std::accumulate(known.by_springs.begin(), known.by_springs.end(), work);
  for (const Contact& c : input.model.contacts.items) work += sim::surface_work(c, input.history.now.x, x, forces);
  return work;
}

Blend::Blend(const StepInput& input, const End& from, double e_from, const End& to)
    : input_(input), from_(from), to_(to), e_from_(e_from) {
  const Model& model = input.model;
  const Points &v_from = from.state.v, &v_to = to.state.v;
  K_ = sum_rows<3>(input.work.workers, v_from.rows(), [&](Eigen::Index first, Eigen::Index rows, auto& twice) {
    for (Eigen::Index i = first; i < first + rows; ++i) {
      if (model.fixed[i]) continue;
      twice[0] += model.M[i] * v_from.row(i).squaredNorm();
      twice[1] += model.M[i] * v_from.row(i).dot(v_to.row(i));
      twice[2] += model.M[i] * v_to.row(i).squaredNorm();
    }
  });
  for (double& K : K_) K *= 0.5;
  const auto work = [&](const End& end) { return outside_work(input, end.state.x, end.forces, end.movers); };
  outside_work_ = {work(from), work(to)};
  const auto look = [&](double alpha) {
    const EnergyLine::Place place = input.minimizer.line().look(from.state.x, to.state.x, alpha, input.work);
    end_ = {alpha, place.E + kinetic(alpha) - target(alpha)};
    if (place.slope) end_.slope = *place.slope;
  };
  // The nearer an end is, the better it tells where e = 0. What a barrier admits is found from the ends alone.
  if (!model.has_barrier()) look(kNearerEnd);
  if (model.has_barrier() || !is_across()) look(1);
}

// Does e change its sign before the end?
bool Blend::is_across() const { return e_from_ > 0 ? end_.f <= 0 : end_.f >= 0; }

double Blend::kinetic(double alpha) const {
  const double rest = 1 - alpha;
  return rest * rest * K_[0] + 2 * alpha * rest * K_[1] + alpha * alpha * K_[2];
}

// Those of the first method's matrix: between it and the other.
StepForces Blend::forces(double alpha) const {
  const auto mixed = [&](double from, double to) { return from + alpha * (to - from); };
  const StepForces &from = from_.forces, &to = to_.forces, &with_middle = from.middle != nullptr ? from : to;
  return {from.coefficient,
          mixed(from.at, to.at),
          mixed(from.displacement, to.displacement),
          mixed(from.impulse, to.impulse),
          mixed(from.of_now, to.of_now),
          mixed(from.of_middle, to.of_middle),
          with_middle.middle,
          with_middle.middle_at};
}

WorkOfMovers Blend::movers(double alpha) const {
  const auto between = [&](double a, double b) { return a + alpha * (b - a); };
  WorkOfMovers work;
  const auto by_terms = [&](const End& end) {
    return end.movers.by_terms ? *end.movers.by_terms : sim::work_of_movers(input_.model, end.state.x);
  };
  work.by_terms = between(by_terms(from_), by_terms(to_));
  if (outside_work_ == std::array{0.0, 0.0}) return work;
  const std::vector<Contact>& contacts = input_.model.contacts.items;
  const auto by_spring = [&](const End& end, std::size_t c) {
    return end.movers.by_springs.empty() ? sim::surface_work(contacts[c], input_.history.now.x, end.state.x, end.forces)
                                         : end.movers.by_springs[c];
  };
  for (std::size_t c = 0; c < contacts.size(); ++c)
    work.by_springs.push_back(between(by_spring(from_, c), by_spring(to_, c)));
  return work;
}

FrictionWork Blend::friction(double alpha) const { return between(from_.friction, to_.friction, alpha); }

// The part of the line that can be reached from the calmer end: backward Euler's, or midpoint's where the other is
// forward Euler. way: room for it.
std::pair<double, double> Blend::admitted(Points& way) const {
  if (!input_.model.has_barrier()) return {0, 1};
  const bool from_end = e_from_ > 0;
  const Points &base = (from_end ? to_ : from_).state.x, &far = (from_end ? from_ : to_).state.x;
  way.noalias() = far - base;
  const double reach = std::min(1.0, input_.model.largest_step(base, way, input_.work));
  return from_end ? std::pair(1 - reach, 1.0) : std::pair(0.0, reach);
}

void Blend::put(double alpha, State& next) const {
  const State &from = from_.state, &to = to_.state;
  next.x.resize(from.x.rows(), 3);
  next.v.resize(from.v.rows(), 3);
  each_rows(input_.work.workers, from.x.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    // In this form a vertex that is at the same place in both, such as a fixed one, stays there to the last bit.
    const auto mixed = [&](const Points& a, const Points& b) {
      return a.middleRows(first, rows) + alpha * (b.middleRows(first, rows) - a.middleRows(first, rows));
    };
    next.x.middleRows(first, rows) = mixed(from.x, to.x);
    next.v.middleRows(first, rows) = mixed(from.v, to.v);
  });
}

// Each place that is looked at is put into `next`, and E there is what the session wants of the place that is taken. So
// where the first guess is good, which is the rule, nothing is worked out for the search alone.
Blend::Balance Blend::balance(State& next) const {
  const double enough = kRootTolerance * input_.blend.tolerance * input_.ledger.scale();
  Balance at;
  const auto known = [&](double alpha) { return kinetic(alpha) - target(alpha); };
  const auto e = [&](double alpha) {
    put(alpha, next);
    at = {alpha, input_.model.energy_by_kind(next.x, input_.work)};
    return std::accumulate(at.E.begin(), at.E.end(), known(alpha));
  };
  const auto [begin, end] = admitted(next.x);
  const RootNode from{begin, begin > 0 ? e(begin) : e_from_};
  RootNode to = end_;
  if (end < 1) to = {end, e(end)};
  double alpha = begin > 0 ? begin : to.x;
  if ((from.f > 0) != (to.f > 0)) alpha = interpolated_root(e, known, from, to, enough, kMostProbes);
  if (alpha != at.alpha) e(alpha);
  return at;
}

double Blend::target(double alpha) const {
  const double by_friction = from_.friction.added() + alpha * (to_.friction.added() - from_.friction.added());
  const auto& [of_from, of_to] = outside_work_;
  return input_.ledger.target() + of_from + alpha * (of_to - of_from) + by_friction;
}

}  // namespace rebound::sim
