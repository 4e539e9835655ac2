// How far a barrier lets things go: the way of a solve from where it begins to where it ends.
#include <algorithm>
#include <cmath>

#include "sim/collide/continuous.hpp"
#include "sim/contact/barrier.hpp"

namespace rebound::sim {
namespace {

constexpr std::size_t kPairsATask = 256;
// Of a way, in distances d^ of the barrier.
constexpr double kFirstPiece = 1, kPieceGrowth = 8;

double longest_of(const Points& d) { return std::sqrt(d.rowwise().squaredNorm().maxCoeff()); }

}  // namespace

bool Barrier::obstacles_move() const {
  return std::any_of(model_.obstacles.begin(), model_.obstacles.end(), [](const Obstacle& o) { return o.moves(); });
}

// A long way is looked at piece by piece, each kPieceGrowth times as long as all before it: on the whole of it nearly
// everything may come near nearly everything, and most ways end in the first pieces.
double Barrier::free_share(const Points& p, const Points& d, double from_progress, double to_progress,
                           double known) const {
  double share = share_to_planes(p, d, from_progress, to_progress);
  const double longest = longest_of(d);
  double end = longest > 0 ? kFirstPiece * distance / longest : 1;
  for (bool last = false; !last; end *= kPieceGrowth) {
    last = end >= share;
    const double piece = last ? share : end;
    if (piece == 0) break;
    p_piece_ = piece * d;
    const double of_piece = share_of_piece(p, p_piece_, piece * longest < known);
    if (of_piece < 1) return piece * of_piece;
  }
  return share;
}

double Barrier::share_of_piece(const Points& p, const Points& d, bool known) const {
  const double near = kGapLeft * distance;  // what comes no nearer has that much left, and need not be looked at
  const std::vector<NearPair>* pairs = &near_;
  if (!known) {
    on_the_way_.clear();
    search_.find(p, &d, near, workers_, on_the_way_);
    pairs = &on_the_way_;
  }
  const std::size_t tasks = (pairs->size() + kPairsATask - 1) / kPairsATask;
  std::vector<double> shares(tasks, 1);
  workers_.run(static_cast<int>(tasks), [&](int task) {
    const auto begin = static_cast<std::size_t>(task) * kPairsATask;
    double& share = shares[static_cast<std::size_t>(task)];
    for (std::size_t i = begin; i < std::min(pairs->size(), begin + kPairsATask); ++i) {
      const NearPair& pair = (*pairs)[i];
      // The list has more than a search would find, and the answer is not to depend on which it was.
      if (known && !search_.comes_near(pair, p, d, near)) continue;
      share = std::min(share, free_way(search_.moving(pair, p, d), share));
    }
  });
  double share = 1;
  for (const double of_task : shares) share = std::min(share, of_task);
  return share;
}

double Barrier::share_to_planes(const Points& p, const Points& d, double from_progress, double to_progress) const {
  double share = 1;
  for (const int plane : surface_.planes()) {
    const auto [o_from, n_from] = plane_at(plane, from_progress);
    const auto [o_to, n_to] = plane_at(plane, to_progress);
    for (const ContactObject& object : surface_.objects()) {
      if (!object.may_meet_obstacle(model_, plane)) continue;
      for (int i = object.first_point; i < object.first_point + object.points; ++i) {
        const Vec3 at = p.row(i).transpose(), way = d.row(i).transpose();
        const double gap = n_from.dot(at - o_from) - object.offset;
        const double end = n_to.dot(at + way - o_to) - object.offset;
        if (end > kGapLeft * gap && gap > 0) continue;
        share = std::min(share, gap > 0 ? (1 - kGapLeft) * gap / (gap - end) : 0.0);
      }
    }
  }
  return share;
}

double Barrier::largest_step(const Points& x, const Points& d, Workspace&) const {
  places(x);
  p_from_ = p_;
  surface_.place(model_, x + d, progress_, p_way_);
  p_way_ -= p_from_;
  const double longest = longest_of(p_way_);
  const double share = longest > reach ? reach / longest : 1;
  p_way_ *= share;
  return share * free_share(p_from_, p_way_, progress_, progress_, kMargin * distance - moved_since(p_list_));
}

double Barrier::begin(const Points& from, const Points& to, double end) const {
  end_ = obstacles_move() ? end : 1;
  if (to == accepted_ && progress_ <= end_) return 1;
  if (from == begin_) progress_ = 0;
  const double before = progress_;
  surface_.place(model_, from, before, p_from_);
  surface_.place(model_, to, end_, p_way_);
  p_way_ -= p_from_;
  const double share = free_share(p_from_, p_way_, before, end_, 0);
  progress_ = share < 1 && obstacles_move() ? before + share * (end_ - before) : end_;
  return share;
}

bool Barrier::settle(const Points& x) const {
  accepted_ = x;
  // The links are those of this place.
  terms(x);
  return progress_ == end_;
}

void Barrier::add_pull(const Points& x, Points& gradient) const {
  const double rest = end_ - progress_;
  for (const BarrierTerm& term : terms(x)) {
    const Matrix12 H = hessian_of(term, Curvature::clamped);
    Vector12 moved = Vector12::Zero();
    if (term.plane >= 0) {
      const Obstacle& plane = model_.obstacles[static_cast<std::size_t>(term.plane)];
      moved.head<3>() = -rest * plane.moved(plane.pose.apply(plane.before.undo(p_.row(term.points[0]).transpose())));
    }
    for (int c = 0; c < 4; ++c) {
      const int point = term.points[static_cast<std::size_t>(c)];
      if (point >= 0 && !surface_.is_carried(point)) moved.segment<3>(3 * c) = rest * surface_.way(model_, point);
    }
    if (moved.isZero()) continue;
    add_by_vertices(carriers(term.points), Vector12(H * moved), gradient);
  }
}

double Barrier::advance(const Points& x, const Points& d) const {
  const double before = progress_;
  surface_.place(model_, x, before, p_from_);
  surface_.place(model_, x + d, end_, p_way_);
  p_way_ -= p_from_;
  const double share = free_share(p_from_, p_way_, before, end_, 0);
  progress_ = share < 1 ? before + share * (end_ - before) : end_;
  return share;
}

double Barrier::work_of_movers(const Points& x) const {
  double work = 0, ignored = 0;
  for (const BarrierTerm& term : terms(x)) {
    if (term.plane >= 0) {
      const Obstacle& plane = model_.obstacles[static_cast<std::size_t>(term.plane)];
      if (plane.moves())
        work -= gradient_of(term, ignored).head<3>().dot(plane.moved(p_.row(term.points[0]).transpose()));
      continue;
    }
    const Vector12 g = gradient_of(term, ignored);
    for (int c = 0; c < 4; ++c) {
      const int point = term.points[static_cast<std::size_t>(c)];
      if (point >= 0 && !surface_.is_carried(point)) work += g.segment<3>(3 * c).dot(surface_.way(model_, point));
    }
  }
  return work;
}

}  // namespace rebound::sim
