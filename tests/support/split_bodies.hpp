// Bodies cut by a plane of vertices into two parts and a top, as the single-precision batches want them.
#pragma once

#include <limits>
#include <numeric>

#include "sim/energy/arap_batch.hpp"
#include "sim/energy/spring_batch.hpp"
#include "support/float_kernels.hpp"
#include "support/models.hpp"

namespace rebound::test {

/// 64-byte aligned floats, four a vertex.
class Quads {
 public:
  explicit Quads(int vertices = 0) : blocks_(static_cast<std::size_t>(vertices) / 4 + 1) {}
  float* data() { return blocks_.data()->values; }
  const float* data() const { return blocks_.data()->values; }
  float* operator[](int v) { return data() + 4 * static_cast<std::ptrdiff_t>(v); }
  const float* operator[](int v) const { return data() + 4 * static_cast<std::ptrdiff_t>(v); }
  bool operator==(const Quads& other) const = default;

 private:
  struct alignas(64) Block {
    float values[16] = {};
    bool operator==(const Block& other) const = default;
  };
  std::vector<Block> blocks_;
};

inline std::vector<int> ascending(int begin, int end) {
  std::vector<int> numbers(static_cast<std::size_t>(end - begin));
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

struct Split {
  Partition partition;
  std::vector<int> place;  ///< of each vertex in the solver's order

  /// Left of the plane x = 0 is part 0, right of it part 1, on it the top; shuffled within each. Both parts have the
  /// whole top in their area.
  explicit Split(const Points& rest) : place(static_cast<std::size_t>(rest.rows())) {
    std::array<std::vector<int>, 3> vertices;
    for (int v = 0; v < rest.rows(); ++v)
      vertices[std::abs(rest(v, 0)) < 1e-9 ? 2 : rest(v, 0) < 0 ? 0 : 1].push_back(v);
    std::mt19937 random(5);
    int next = 0;
    partition.parts.resize(3);
    for (int group = 0; group < 3; ++group) {
      std::shuffle(vertices[group].begin(), vertices[group].end(), random);
      partition.parts[group].begin = next;
      for (const int v : vertices[group]) place[v] = next++;
      partition.parts[group].end = next;
    }
    partition.size = partition.slots = next;
    for (int group = 0; group < 2; ++group) {
      partition.parts[group].above = ascending(top(), next);
      partition.parts[group].area = partition.slots;
      partition.slots += next - top();
    }
  }

  int top() const { return partition.parts[2].begin; }
  bool in_part(int part, int v) const { return partition.parts[part].begin <= v && v < partition.parts[part].end; }

  Quads to_floats(const Points& x) const {
    Quads x4(partition.slots);
    for (std::size_t v = 0; v < place.size(); ++v)
      for (int c = 0; c < 3; ++c) x4[place[v]][c] = static_cast<float>(x(static_cast<int>(v), c));
    for (int part = 0; part < partition.count(); ++part) partition.fill_area(part, x4.data());
    return x4;
  }
  Points to_points(const Quads& x4) const {
    Points x(static_cast<int>(place.size()), 3);
    for (int v = 0; v < x.rows(); ++v)
      for (int c = 0; c < 3; ++c) x(v, c) = static_cast<double>(x4[place[v]][c]);
    return x;
  }
};

struct BatchResult {
  std::vector<double> energy;  ///< a part
  Quads gradient;

  double total_energy() const { return std::accumulate(energy.begin(), energy.end(), 0.0); }
};

/// scale * dE(x) of all parts, the areas added in order.
inline BatchResult gradient_of(const FloatBatch& batch, const Partition& p, const Quads& x4, float scale,
                               Workers& workers) {
  BatchResult result{std::vector<double>(p.parts.size()), Quads(p.slots)};
  workers.run(p.count(), [&](int part) {
    result.energy[part] = batch.add_gradient(part, x4.data(), scale, result.gradient.data());
  });
  for (const Partition::Part& part : p.parts)
    for (std::size_t i = 0; i < part.above.size(); ++i)
      for (int c = 0; c < 4; ++c)
        result.gradient[part.above[i]][c] += result.gradient[part.area + static_cast<int>(i)][c];
  return result;
}

/// E of all parts.
inline double value_of(const FloatBatch& batch, const Partition& p, const Quads& x4) {
  double E = 0;
  for (int part = 0; part < p.count(); ++part) E += batch.value(part, x4.data());
  return E;
}
inline double largest_step_of(const FloatBatch& batch, const Partition& p, const Quads& x4, const Quads& d4) {
  double step = std::numeric_limits<double>::infinity();
  for (int part = 0; part < p.count(); ++part) step = std::min(step, batch.largest_step(part, x4.data(), d4.data()));
  return step;
}

/// A box whose measures are no round numbers, so that its rest shape is rounded.
struct SplitBox {
  explicit SplitBox(int divisions)
      : box(mesh::box({1.37, 0.731, 0.913}, {2 * divisions, divisions, divisions}, 6)),
        tets(box.points, box.tetrahedra, std::vector<double>(box.tetrahedra.size(), 700.0)),
        split(box.points) {}
  mesh::TetMesh box;
  ArapTets tets;
  Split split;
};

/// A cloth, its bending springs left out, as they would join the parts.
struct SplitCloth {
  explicit SplitCloth(int divisions) : SplitCloth(mesh::cloth({1.37, 0.731}, {2 * divisions, divisions})) {}
  explicit SplitCloth(const mesh::SpringMesh& cloth)
      : rest(cloth.points), split(rest), springs(make_springs(rest, cloth, split)) {}

  Points rest;
  Split split;
  Springs springs;

 private:
  static Springs make_springs(const Points& rest, const mesh::SpringMesh& cloth, const Split& split) {
    std::vector<std::array<int, 2>> edges;
    std::vector<double> lengths, stiffness;
    for (const auto& [a, b] : cloth.edges) {
      const int low = std::min(split.place[a], split.place[b]), high = std::max(split.place[a], split.place[b]);
      if (high < split.top() && split.in_part(0, low) != split.in_part(0, high)) continue;
      edges.push_back({a, b});
      lengths.push_back((rest.row(a) - rest.row(b)).norm());
      stiffness.push_back(300.0 + static_cast<double>(edges.size() % 7));
    }
    return Springs(rest, edges, lengths, stiffness);
  }
};

/// Rotated as a whole about a skew axis and shifted by half a metre.
inline Points moved(const Points& x, double angle) {
  const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  return (x * R.transpose()).rowwise() + Eigen::RowVector3d(0.5, 0.1, -0.2);
}

/// A smooth deformation of the given strain, rotated and shifted.
inline Points strained(const Points& x, double strain, double angle = 0.7) {
  Points y = x;
  for (int v = 0; v < x.rows(); ++v)
    for (int c = 0; c < 3; ++c) y(v, c) += strain * (0.5 * x(v, c) + 0.4 * std::sin(2 * x(v, (c + 1) % 3) + c));
  return moved(y, angle);
}

}  // namespace rebound::test
