#include "scene/start.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>
#include <optional>

#include "scene/build_constraints.hpp"
#include "scene/uniform.hpp"

namespace rebound::scene {
namespace {

struct StartShape {
  sim::Points& x;  // of one body, placed
  const BodyGeometry& geometry;
  const sim::Vector& M;
  const std::uint8_t* fixed;

  sim::Vec3 centre() const { return (x.transpose() * M) / M.sum(); }
  template <class Move>
  void each_free(const Move& move) const {
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      if (!fixed[i]) x.row(i) = move(sim::Vec3(x.row(i).transpose())).transpose();
  }

  void operator()(std::monostate) const {}
  void operator()(const RandomizedStart& start) const {
    Uniform uniform(start.seed);
    const sim::Vec3 low = x.colwise().minCoeff().transpose(), high = x.colwise().maxCoeff().transpose();
    each_free([&](const sim::Vec3&) {
      sim::Vec3 p;
      for (int c = 0; c < 3; ++c) p[c] = low[c] + uniform() * (high[c] - low[c]);
      return p;
    });
  }
  void operator()(const PointStart&) const {
    const sim::Vec3 c = centre();
    each_free([&](const sim::Vec3&) { return c; });
  }
  void operator()(const PulledStart& start) const {
    const sim::Vec3 low = to_eigen(start.box.min), high = to_eigen(start.box.max), offset = to_eigen(start.offset);
    each_free([&](const sim::Vec3& p) {
      const double distance = (p - p.cwiseMax(low).cwiseMin(high)).norm();
      const double s = std::max(0.0, 1 - distance / start.reach);
      return sim::Vec3(p + s * s * (3 - 2 * s) * offset);
    });
  }
  void operator()(const TwistedStart& start) const {
    const sim::Vec3 c = centre(), axis = to_eigen(start.axis).normalized();
    const Eigen::VectorXd along = x * axis;
    const double low = along.minCoeff(), length = std::max(along.maxCoeff() - low, 1e-300);
    const double still = fixed_middle(along).value_or(low + 0.5 * length);
    each_free([&](const sim::Vec3& p) {
      const double share = (p.dot(axis) - still) / length;
      return sim::Vec3(c + Eigen::AngleAxisd(share * start.angle * std::numbers::pi / 180, axis) * (p - c));
    });
  }
  /// Of what is fixed, the mean of these numbers, one a vertex.
  std::optional<double> fixed_middle(const Eigen::VectorXd& numbers) const {
    double sum = 0;
    int count = 0;
    for (Eigen::Index i = 0; i < numbers.size(); ++i)
      if (fixed[i]) sum += numbers[i], ++count;
    return count > 0 ? std::optional(sum / count) : std::nullopt;
  }
  void operator()(const GivenStart& start) const {
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      if (!fixed[i]) x.row(i) = to_eigen(start.positions[static_cast<std::size_t>(i)]).transpose();
  }
  void operator()(const StretchedStart& start) const {
    const sim::Vec3 c = centre(), scale = to_eigen(start.scale);
    each_free([&](const sim::Vec3& p) { return sim::Vec3(c + scale.cwiseProduct(p - c)); });
  }
};

}  // namespace

sim::State described_start(const WorldView& world, const sim::Model& model) {
  sim::State state;
  state.x = undeformed(world);
  state.v.setZero(state.x.rows(), 3);
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.description.bodies[b];
    const auto [first, count] = model.bodies[b];
    const sim::Vector M = model.M.segment(first, count);
    sim::Points x = state.x.middleRows(first, count);
    std::visit(StartShape{x, world.bodies[b], M, model.fixed.data() + first}, body.start);
    state.x.middleRows(first, count) = x;

    const sim::Vec3 centre = (x.transpose() * M) / M.sum();
    for (int i = 0; i < count; ++i) {
      if (model.fixed[static_cast<std::size_t>(first + i)]) continue;
      const sim::Vec3 r = x.row(i).transpose() - centre;
      const sim::Vec3 v = body.velocities.empty()
                              ? sim::Vec3(to_eigen(body.velocity) + to_eigen(body.angularVelocity).cross(r))
                              : to_eigen(body.velocities[static_cast<std::size_t>(i)]);
      state.v.row(first + i) = v.transpose();
    }
  }
  return state;
}

sim::State starting_state(const WorldView& world, const sim::Model& model) {
  sim::State state = described_start(world, model);
  begin_on_constraints(world, model, state);
  return state;
}

}  // namespace rebound::scene
