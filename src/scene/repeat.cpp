#include "scene/repeat.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "scene/uniform.hpp"

namespace rebound::scene {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// About an axis of any direction, all alike, by -turn to turn.
Eigen::AngleAxisd any_turn(double turn, Uniform& uniform) {
  const double up = 2 * uniform() - 1, around = 2 * std::numbers::pi * uniform(), across = std::sqrt(1 - up * up);
  const Eigen::Vector3d axis(across * std::cos(around), up, across * std::sin(around));
  return {(2 * uniform() - 1) * turn * kDegree, axis};
}

Rotation turned(const Rotation& rotation, const Eigen::AngleAxisd& turn) {
  const Eigen::Vector3d axis(rotation.axis[0], rotation.axis[1], rotation.axis[2]);
  Eigen::Quaterniond first = Eigen::Quaterniond::Identity();
  if (rotation.angle != 0) first = Eigen::AngleAxisd(rotation.angle * kDegree, axis.normalized());
  const Eigen::AngleAxisd both(turn * first);
  return {{both.axis().x(), both.axis().y(), both.axis().z()}, both.angle() / kDegree};
}

}  // namespace

Repeat parse_repeat(Reader& reader) {
  Repeat repeat;
  reader.integers("counts", "repeat.counts", repeat.counts);
  reader.vector("spacing", "repeat.spacing", repeat.spacing);
  reader.number("turn", "repeat.turn", repeat.turn);
  if (const auto seed = reader.find("seed")) repeat.seed = static_cast<std::uint64_t>(seed->integer(range("seed")));
  return repeat;
}

std::vector<Body> repeated(const Body& body, const Repeat& repeat) {
  const auto& [nx, ny, nz] = repeat.counts;
  Uniform uniform(repeat.seed);
  std::vector<Body> bodies;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        Body& copy = bodies.emplace_back(body);
        copy.name += " " + std::to_string(bodies.size() - 1);
        const double steps[] = {i - 0.5 * (nx - 1), double(j), k - 0.5 * (nz - 1)};
        for (std::size_t axis = 0; axis < 3; ++axis)
          copy.transform.translate[axis] += steps[axis] * repeat.spacing[axis];
        if (repeat.turn > 0) copy.transform.rotate = turned(copy.transform.rotate, any_turn(repeat.turn, uniform));
      }
  return bodies;
}

}  // namespace rebound::scene
