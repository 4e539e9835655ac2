#include "mesh/surfaces.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "mesh/geometry.hpp"

namespace rebound::mesh {
namespace {

using Random = std::mt19937_64;

double between(Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
}

Surface scaled(Surface surface, double x, double y, double z) {
  for (Eigen::Index i = 0; i < surface.points.rows(); ++i)
    surface.points.row(i) = surface.points.row(i).cwiseProduct(Eigen::RowVector3d(x, y, z)).eval();
  return surface;
}

Surface moved(Surface surface, const Eigen::RowVector3d& by) {
  surface.points.rowwise() += by;
  return surface;
}

Surface without(Surface surface, int every, int offset) {
  std::vector<Triangle> kept;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    if (static_cast<int>(t) % every != offset) kept.push_back(surface.triangles[t]);
  surface.triangles = kept;
  return surface;
}

/// Each triangle with vertices of its own.
Surface unwelded(const Surface& surface) {
  Surface loose;
  loose.points.resize(3 * std::ssize(surface.triangles), 3);
  for (int t = 0; t < static_cast<int>(surface.triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) loose.points.row(3 * t + k) = surface.points.row(surface.triangles[t][k]);
    loose.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return loose;
}

Surface soup(Random& random, int triangles) {
  Surface surface;
  surface.points.resize(3 * triangles, 3);
  for (Eigen::Index i = 0; i < surface.points.size(); ++i) surface.points.data()[i] = between(random, -1, 1);
  for (int t = 0; t < triangles; ++t) surface.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  return surface;
}

Surface moebius(int n) {
  Surface surface;
  surface.points.resize(2 * n, 3);
  for (int i = 0; i < n; ++i) {
    const double a = 2 * std::numbers::pi * i / n;
    for (int side = 0; side < 2; ++side) {
      const double w = side ? 0.3 : -0.3;
      surface.points.row(2 * i + side) << (1 + w * std::cos(a / 2)) * std::cos(a),
          (1 + w * std::cos(a / 2)) * std::sin(a), w * std::sin(a / 2);
    }
    const int j = (i + 1) % n, twist = i + 1 == n ? 1 : 0;
    surface.triangles.push_back({2 * i, 2 * i + 1, 2 * j + twist});
    surface.triangles.push_back({2 * i + 1, 2 * j + (1 - twist), 2 * j + twist});
  }
  return surface;
}

Surface noisy(Surface surface, Random& random, double amount) {
  for (Eigen::Index i = 0; i < surface.points.size(); ++i) surface.points.data()[i] += between(random, -amount, amount);
  return surface;
}

/// Three triangles at one edge, and more.
Surface with_fin(Surface surface) {
  const Eigen::Index n = surface.points.rows();
  surface.points.conservativeResize(n + 1, 3);
  surface.points.row(n) = 1.5 * surface.points.row(surface.triangles[0][2]);
  surface.triangles.push_back({surface.triangles[0][0], surface.triangles[0][1], static_cast<int>(n)});
  return surface;
}

}  // namespace

Surface cube_surface(double size, const Eigen::RowVector3d& low) {
  Surface surface;
  surface.points.resize(8, 3);
  for (int c = 0; c < 8; ++c) surface.points.row(c) = low + size * Eigen::RowVector3d(c & 1, c >> 1 & 1, c >> 2);
  surface.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                       {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return surface;
}

Surface icosphere(double radius, int levels) {
  const double g = (1 + std::sqrt(5.0)) / 2;
  std::vector<Eigen::RowVector3d> points{{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                         {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  for (auto& p : points) p.normalize();
  std::vector<Triangle> triangles{{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                  {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                  {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, int> middle_of;
    const auto middle = [&](int a, int b) {
      const auto [found, added] = middle_of.try_emplace(std::minmax(a, b), static_cast<int>(points.size()));
      if (added) points.push_back((points[a] + points[b]).normalized());
      return found->second;
    };
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : triangles) {
      const int x = middle(a, b), y = middle(b, c), z = middle(c, a);
      finer.insert(finer.end(), {{a, x, z}, {x, b, y}, {z, y, c}, {x, y, z}});
    }
    triangles = finer;
  }
  Surface surface;
  surface.points.resize(std::ssize(points), 3);
  for (std::size_t i = 0; i < points.size(); ++i) surface.points.row(static_cast<Eigen::Index>(i)) = radius * points[i];
  surface.triangles = triangles;
  return surface;
}

Surface grid_surface(double size, int n) {
  Surface surface;
  surface.points.resize((n + 1) * (n + 1), 3);
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) surface.points.row(j * (n + 1) + i) << size * i / n, size * j / n, 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i;
      surface.triangles.push_back({a, a + 1, a + n + 2});
      surface.triangles.push_back({a, a + n + 2, a + n + 1});
    }
  return surface;
}

Surface together(const Surface& a, const Surface& b) {
  Surface both;
  both.points.resize(a.points.rows() + b.points.rows(), 3);
  both.points << a.points, b.points;
  both.triangles = a.triangles;
  const int shift = static_cast<int>(a.points.rows());
  for (const auto& t : b.triangles) both.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  return both;
}

void turn_all(Surface& surface) {
  for (auto& t : surface.triangles) std::swap(t[1], t[2]);
}

Surface cut_sphere(double radius, int levels, double height) {
  Surface surface = icosphere(radius, levels);
  std::erase_if(surface.triangles, [&](const Triangle& t) {
    return (surface.points(t[0], 2) + surface.points(t[1], 2) + surface.points(t[2], 2)) / 3 > height * radius;
  });
  return surface;
}

std::string odd_name(int kind) {
  constexpr const char* names[kOddKinds] = {"closed",
                                            "open cap",
                                            "one triangle missing",
                                            "many triangles missing",
                                            "fin on an edge",
                                            "duplicate faces",
                                            "duplicate faces turned",
                                            "some faces turned",
                                            "inside out",
                                            "nested",
                                            "nested as a cavity",
                                            "crossing parts",
                                            "touching at a vertex",
                                            "sharing a face",
                                            "unwelded",
                                            "nearly welded",
                                            "flat sheet",
                                            "flattened body",
                                            "needle triangles",
                                            "triangle soup",
                                            "moebius band",
                                            "noise",
                                            "degenerate faces",
                                            "tiny parts far apart"};
  return names[kind];
}

Surface odd_surface(int kind, std::uint64_t seed) {
  Random random(1000 * static_cast<std::uint64_t>(kind) + seed);
  const double s = between(random, 0.5, 2);
  Surface ball = scaled(icosphere(1, 2), s, between(random, 0.5, 2), between(random, 0.5, 2));
  const Eigen::RowVector3d aside(between(random, 0.2, 0.9), between(random, -0.5, 0.5), between(random, -0.5, 0.5));
  switch (kind) {
    case 0:
      return ball;
    case 1:
      return cut_sphere(s, 3, between(random, -0.5, 0.9));
    case 2:
      return without(ball, 320, static_cast<int>(random() % 320));
    case 3:
      return without(ball, static_cast<int>(3 + random() % 20), 1);
    case 4:
      return with_fin(ball);
    case 5:
      for (int i = 0; i < 10; ++i) ball.triangles.push_back(ball.triangles[random() % 320]);
      return ball;
    case 6:
      for (int i = 0; i < 10; ++i) {
        const Triangle t = ball.triangles[random() % 320];
        ball.triangles.push_back({t[0], t[2], t[1]});
      }
      return ball;
    case 7:
      for (auto& t : ball.triangles)
        if (random() % 4 == 0) std::swap(t[1], t[2]);
      return ball;
    case 8:
      turn_all(ball);
      return ball;
    case 9:
      return together(ball, scaled(ball, 0.5, 0.5, 0.5));
    case 10: {
      Surface inner = scaled(ball, 0.5, 0.5, 0.5);
      turn_all(inner);
      return together(ball, inner);
    }
    case 11:
      return together(ball, moved(ball, aside * s));
    case 12:
      return together(cube_surface(1), cube_surface(between(random, 0.5, 2), Eigen::RowVector3d::Ones()));
    case 13:
      return together(cube_surface(1), cube_surface(1, Eigen::RowVector3d::UnitX()));
    case 14:
      return unwelded(ball);
    case 15:
      return noisy(unwelded(ball), random, 1e-9);
    case 16:
      return grid_surface(s, static_cast<int>(1 + random() % 20));
    case 17:
      return scaled(ball, 1, 1, std::pow(10, -between(random, 2, 12)));
    case 18:
      return scaled(cube_surface(1), 1, 1e-3, std::pow(10, between(random, -6, 3)));
    case 19:
      return soup(random, static_cast<int>(1 + random() % 200));
    case 20:
      return moebius(static_cast<int>(8 + random() % 40));
    case 21:
      return noisy(ball, random, between(random, 0.01, 0.3));
    case 22:
      for (int i = 0; i < 10; ++i) {
        const Triangle t = ball.triangles[random() % 320];
        ball.triangles.push_back({t[0], t[1], t[1]});
      }
      return ball;
    default: {
      Surface parts = scaled(ball, 1e-3, 1e-3, 1e-3);
      return together(parts, moved(parts, Eigen::RowVector3d(between(random, 1, 1000), 1, between(random, 1, 1000))));
    }
  }
}

}  // namespace rebound::mesh
