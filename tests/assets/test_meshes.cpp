// Every mesh in assets/meshes: made by the committed generator, and sound enough for any tetrahedraliser.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "animals/obj.hpp"

namespace rebound::animals {

void PrintTo(const Character& character, std::ostream* out) { *out << character.name; }

namespace {

std::string committed_text(const std::string& name) {
  std::ifstream file(std::string(REBOUND_SOURCE_DIR) + "/assets/meshes/" + name + ".obj", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Mesh parsed(const std::string& text) {
  Mesh mesh;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      Vector3d& p = mesh.points.emplace_back();
      words >> p.x() >> p.y() >> p.z();
    } else if (kind == "f") {
      Triangle& t = mesh.triangles.emplace_back();
      for (int& v : t) words >> v, --v;
    }
  }
  return mesh;
}

double smallest_angle(const Mesh& mesh, const Triangle& t) {
  double smallest = 180;
  for (int k = 0; k < 3; ++k) {
    const Vector3d u = mesh.points[t[(k + 1) % 3]] - mesh.points[t[k]];
    const Vector3d v = mesh.points[t[(k + 2) % 3]] - mesh.points[t[k]];
    smallest = std::min(smallest, std::atan2(u.cross(v).norm(), u.dot(v)) * 180 / M_PI);
  }
  return smallest;
}

class Meshes : public testing::TestWithParam<Character> {
 protected:
  const Mesh mesh_ = parsed(committed_text(GetParam().name));
};

TEST_P(Meshes, are_what_the_generator_makes) {
  // Not EXPECT_EQ: on failure it would print half a megabyte.
  EXPECT_TRUE(make(GetParam()) == committed_text(GetParam().name))
      << "run: build/release/make_animals assets/meshes " << GetParam().name;
}

TEST_P(Meshes, are_closed_and_oriented) {
  std::set<std::pair<int, int>> directed;
  for (const Triangle& t : mesh_.triangles)
    for (int k = 0; k < 3; ++k)
      EXPECT_TRUE(directed.insert({t[k], t[(k + 1) % 3]}).second) << "an edge runs twice the same way";
  for (const auto& [a, b] : directed) EXPECT_TRUE(directed.count({b, a})) << "an open edge";

  double volume = 0;
  for (const Triangle& t : mesh_.triangles)
    volume += mesh_.points[t[0]].dot(mesh_.points[t[1]].cross(mesh_.points[t[2]])) / 6;
  EXPECT_GT(volume, 0.05);
}

TEST_P(Meshes, are_one_piece_with_the_designed_holes) {
  std::set<std::pair<int, int>> edges;
  std::vector<int> root(mesh_.points.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const Triangle& t : mesh_.triangles)
    for (int k = 0; k < 3; ++k) {
      edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
      root[find(t[k])] = find(t[(k + 1) % 3]);
    }
  for (std::size_t v = 0; v < root.size(); ++v) ASSERT_EQ(find(static_cast<int>(v)), find(0)) << "vertex " << v;
  const auto euler = static_cast<int>(mesh_.points.size() + mesh_.triangles.size()) - static_cast<int>(edges.size());
  EXPECT_EQ(euler, 2 - 2 * GetParam().holes);
}

TEST_P(Meshes, have_vertices_with_a_single_fan) {
  // Around each vertex the triangles form one ring: following it visits all of them.
  std::vector<std::map<int, int>> next(mesh_.points.size());
  for (const Triangle& t : mesh_.triangles)
    for (int k = 0; k < 3; ++k) next[t[k]][t[(k + 1) % 3]] = t[(k + 2) % 3];
  for (const auto& ring : next) {
    ASSERT_FALSE(ring.empty());
    std::size_t steps = 1;
    const int first = ring.begin()->first;
    for (int v = ring.at(first); v != first && steps <= ring.size(); v = ring.at(v)) ++steps;
    EXPECT_EQ(steps, ring.size());
  }
}

TEST_P(Meshes, have_good_triangles_of_the_promised_number) {
  std::vector<double> angles;
  for (const Triangle& t : mesh_.triangles) angles.push_back(smallest_angle(mesh_, t));
  std::sort(angles.begin(), angles.end());
  EXPECT_GT(angles.front(), 20);
  EXPECT_GT(angles[angles.size() / 100], 33) << "all but one in a hundred";
  EXPECT_GT(angles[angles.size() / 2], 48) << "the median";
  EXPECT_GE(angles.size(), 2000u);
  EXPECT_LE(angles.size(), GetParam().name == "bunny_fine" ? 32'000u : 7000u);
}

TEST_P(Meshes, stand_on_the_ground_and_are_about_a_metre_large) {
  Vector3d low = mesh_.points.front(), high = low;
  for (const Vector3d& p : mesh_.points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  EXPECT_EQ(low.y(), 0);
  EXPECT_GT((high - low).maxCoeff(), 0.9);
  EXPECT_LT((high - low).maxCoeff(), 1.4);
  EXPECT_LT(std::abs(high.x() + low.x()), 0.05) << "stands in the middle";
}

TEST_P(Meshes, have_no_part_too_thin_for_a_coarse_lattice) {
  // Straight in from each vertex, it takes this far to come out again.
  constexpr double kThinnest = 0.045, kStep = 0.003;
  const Sculpture sculpture = GetParam().sculpt();
  for (const Vector3d& p : mesh_.points) {
    const Vector3d skin = sculpture.on_surface(p);
    const Vector3d inwards = -sculpture.normal(skin);
    for (double depth = kStep; depth < kThinnest; depth += kStep)
      EXPECT_LT(sculpture.value(skin + depth * inwards), 0) << p.transpose() << " is only " << depth << " thick";
  }
}

TEST_P(Meshes, do_not_cross_themselves) {
  // No edge pierces a triangle that it does not touch.
  const auto& p = mesh_.points;
  const auto side = [&p](int a, int b, int c, int d) { return (p[b] - p[a]).cross(p[c] - p[a]).dot(p[d] - p[a]) > 0; };
  std::vector<Triangle> by_x = mesh_.triangles;
  const auto left = [&p](const Triangle& t) { return std::min({p[t[0]].x(), p[t[1]].x(), p[t[2]].x()}); };
  std::sort(by_x.begin(), by_x.end(), [&](const Triangle& s, const Triangle& t) { return left(s) < left(t); });
  double widest = 0;
  for (const Triangle& t : by_x)
    for (int k = 0; k < 3; ++k) widest = std::max(widest, std::abs(p[t[k]].x() - p[t[(k + 1) % 3]].x()));

  for (const Triangle& s : mesh_.triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = s[k], b = s[(k + 1) % 3];
      if (a > b) continue;
      const Vector3d low = p[a].cwiseMin(p[b]), high = p[a].cwiseMax(p[b]);
      auto t = std::lower_bound(by_x.begin(), by_x.end(), low.x() - widest,
                                [&](const Triangle& triangle, double x) { return left(triangle) < x; });
      for (; t != by_x.end() && left(*t) <= high.x(); ++t) {
        const auto& [i, j, l] = *t;
        if (((p[i].cwiseMin(p[j]).cwiseMin(p[l]) - high).array() > 0).any() ||
            ((low - p[i].cwiseMax(p[j]).cwiseMax(p[l])).array() > 0).any())
          continue;
        if (i == a || i == b || j == a || j == b || l == a || l == b) continue;
        const bool through = side(a, b, i, j) == side(a, b, j, l) && side(a, b, j, l) == side(a, b, l, i);
        EXPECT_FALSE(through && side(i, j, l, a) != side(i, j, l, b)) << "edge " << a << ' ' << b;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Meshes, testing::ValuesIn(characters()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace rebound::animals
