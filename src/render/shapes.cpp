#include "render/shapes.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

namespace rebound::render {

namespace {

void add_vertex(Shape& shape, const Vec3& p) { shape.positions.insert(shape.positions.end(), {p.x(), p.y(), p.z()}); }

/// Two triangles; a, b, c, d counter-clockwise from outside.
void add_quad(Shape& shape, int a, int b, int c, int d) {
  shape.triangles.push_back({a, b, c});
  shape.triangles.push_back({a, c, d});
}

template <typename Map>
void move_vertices(Shape& shape, Map map) {
  for (std::size_t i = 0; i < shape.positions.size(); i += 3) {
    Eigen::Map<Vec3> p(shape.positions.data() + i);
    p = map(Vec3(p));
  }
}

/// The surface of the lattice 0..n in each direction, scaled to [-1, 1].
Shape cube_lattice(int n) {
  Shape shape;
  std::map<std::tuple<int, int, int>, int> numbers;
  const auto vertex = [&](Eigen::Vector3i lattice) {
    const auto [entry, is_new] =
        numbers.try_emplace({lattice.x(), lattice.y(), lattice.z()}, static_cast<int>(numbers.size()));
    if (is_new) add_vertex(shape, (2.0f / static_cast<float>(n)) * lattice.cast<float>() - Vec3::Ones());
    return entry->second;
  };
  for (int axis = 0; axis < 3; ++axis) {
    const Eigen::Vector3i u = Eigen::Vector3i::Unit((axis + 1) % 3);
    const Eigen::Vector3i v = Eigen::Vector3i::Unit((axis + 2) % 3);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const Eigen::Vector3i low = i * u + j * v;
        const Eigen::Vector3i high = low + n * Eigen::Vector3i::Unit(axis);
        add_quad(shape, vertex(high), vertex(high + u), vertex(high + u + v), vertex(high + v));
        add_quad(shape, vertex(low), vertex(low + v), vertex(low + u + v), vertex(low + u));
      }
    }
  }
  return shape;
}

}  // namespace

Shape make_box(const Vec3& size, int divisions) {
  Shape shape = cube_lattice(divisions);
  move_vertices(shape, [&](const Vec3& p) -> Vec3 { return 0.5f * p.cwiseProduct(size); });
  return shape;
}

Shape make_sphere(float radius, int divisions) {
  Shape shape = cube_lattice(divisions);
  constexpr float quarter_pi = 0.25f * std::numbers::pi_v<float>;
  move_vertices(shape, [&](const Vec3& p) -> Vec3 {
    // Equal angles, not equal lengths: the triangles come out nearly alike.
    const Vec3 even = p.unaryExpr([](float x) { return std::tan(quarter_pi * x); });
    return radius * even.normalized();
  });
  return shape;
}

Shape make_capsule(const Vec3& from, const Vec3& to, float radius, int divisions) {
  // An even number, so that the equator along which the two halves part is a row of vertices.
  Shape shape = make_sphere(radius, divisions + divisions % 2);
  if (to.y() < from.y()) return make_capsule(to, from, radius, divisions);
  // From the y axis to the capsule's by half of the turn to their sum; they point the same way, so the sum is not zero.
  const Vec3 axis = (to - from).normalized(), side = Vec3::UnitY().cross(axis);
  const Eigen::Quaternionf turn = Eigen::Quaternionf(1 + axis.y(), side.x(), side.y(), side.z()).normalized();
  move_vertices(shape, [&](const Vec3& p) -> Vec3 { return turn * p + (p.y() > 0 ? to : from); });
  return shape;
}

Shape make_torus(float ring_radius, float tube_radius, int ring_divisions, int tube_divisions) {
  Shape shape;
  constexpr float full_turn = 2 * std::numbers::pi_v<float>;
  for (int i = 0; i < ring_divisions; ++i) {
    const float ring = full_turn * static_cast<float>(i) / static_cast<float>(ring_divisions);
    for (int j = 0; j < tube_divisions; ++j) {
      const float tube = full_turn * static_cast<float>(j) / static_cast<float>(tube_divisions);
      const float reach = ring_radius + tube_radius * std::cos(tube);
      add_vertex(shape, {reach * std::cos(ring), tube_radius * std::sin(tube), reach * std::sin(ring)});
    }
  }
  const auto vertex = [&](int i, int j) { return (i % ring_divisions) * tube_divisions + j % tube_divisions; };
  for (int i = 0; i < ring_divisions; ++i) {
    for (int j = 0; j < tube_divisions; ++j) {
      add_quad(shape, vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j));
    }
  }
  return shape;
}

Shape make_sheet(float size_x, float size_z, int divisions_x, int divisions_z) {
  Shape shape;
  for (int k = 0; k <= divisions_z; ++k) {
    for (int i = 0; i <= divisions_x; ++i) {
      add_vertex(shape, {size_x * (static_cast<float>(i) / static_cast<float>(divisions_x) - 0.5f), 0,
                         size_z * (static_cast<float>(k) / static_cast<float>(divisions_z) - 0.5f)});
    }
  }
  const auto vertex = [&](int i, int k) { return k * (divisions_x + 1) + i; };
  for (int k = 0; k < divisions_z; ++k) {
    for (int i = 0; i < divisions_x; ++i) {
      add_quad(shape, vertex(i, k), vertex(i, k + 1), vertex(i + 1, k + 1), vertex(i + 1, k));
    }
  }
  return shape;
}

}  // namespace rebound::render
