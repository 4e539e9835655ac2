#include "sim/contact/push_apart.hpp"

#include <algorithm>
#include <cmath>

#include "sim/contact/contact_surface.hpp"
#include "sim/contact/crossing_search.hpp"

namespace rebound::sim {
namespace {

constexpr int kMostPushes = 400;
// Of the size of the smaller of the two, in each round.
constexpr double kStride = 0.03;
constexpr std::size_t kMostCrossings = 4096;

struct Whole {
  Vec3 middle{0, 0, 0};
  double size = 0, mass = 0;
  bool held = false;
};

Whole whole_of(const Model& model, const Points& x, int body) {
  const BodyRange& range = model.bodies[static_cast<std::size_t>(body)];
  const auto rows = x.middleRows(range.first, range.count);
  Whole whole;
  whole.middle = rows.colwise().mean().transpose();
  whole.size = (rows.colwise().maxCoeff() - rows.colwise().minCoeff()).norm();
  whole.mass = model.M.segment(range.first, range.count).sum();
  const auto fixed = model.fixed.begin() + range.first;
  whole.held = std::any_of(fixed, fixed + range.count, [](auto is_fixed) { return is_fixed != 0; });
  return whole;
}

}  // namespace

bool push_apart(const Model& model, Points& x, Workspace& work) {
  const ContactSurface surface(model);
  CrossingSearch search(surface, model);
  const Points before = x;
  Points p;
  for (int round = 0; round < kMostPushes; ++round) {
    surface.place(model, x, 1, p);
    std::vector<Crossing> crossings = search.find(p, kMostCrossings, work.workers);
    std::erase_if(crossings, [](const Crossing& c) { return c.one.body == c.other.body; });
    if (crossings.empty()) return true;
    // Each pair once.
    const auto key = [](const Crossing& c) {
      return std::array{std::min(c.one.body, c.other.body), std::max(c.one.body, c.other.body), c.other.obstacle};
    };
    std::sort(crossings.begin(), crossings.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    crossings.erase(
        std::unique(crossings.begin(), crossings.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
        crossings.end());
    std::vector<Vec3> moves(model.bodies.size(), Vec3::Zero());
    for (const Crossing& crossing : crossings) {
      const Whole one = whole_of(model, x, crossing.one.body);
      if (crossing.other.body < 0) {
        const Nearest out = nearest(model.obstacles[static_cast<std::size_t>(crossing.other.obstacle)], one.middle);
        if (!one.held) moves[static_cast<std::size_t>(crossing.one.body)] += kStride * one.size * out.normal;
        continue;
      }
      const Whole other = whole_of(model, x, crossing.other.body);
      Vec3 way = one.middle - other.middle;
      // In the same place: up.
      way = way.norm() > 1e-9 * one.size ? Vec3(way.normalized()) : Vec3(Vec3::UnitY());
      const double stride = kStride * std::min(one.size, other.size);
      const double share = one.held ? 0 : other.held ? 1 : other.mass / (one.mass + other.mass);
      moves[static_cast<std::size_t>(crossing.one.body)] += share * stride * way;
      if (!other.held) moves[static_cast<std::size_t>(crossing.other.body)] -= (1 - share) * stride * way;
    }
    for (std::size_t b = 0; b < moves.size(); ++b)
      x.middleRows(model.bodies[b].first, model.bodies[b].count).rowwise() += moves[b].transpose();
  }
  x = before;
  return false;
}

}  // namespace rebound::sim
