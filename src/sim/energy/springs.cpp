#include "sim/energy/springs.hpp"

#include <algorithm>
#include <cmath>

#include "sim/energy/element_sum.hpp"
#include "sim/energy/spring_batch.hpp"

namespace rebound::sim {
namespace {
constexpr int kSpringsATask = 512;
}

Springs::Springs(const Points& rest, std::span<const std::array<int, 2>> edges, std::span<const double> lengths,
                 std::span<const double> stiffness, SpringLaw law)
    : edges_(edges.begin(), edges.end()),
      lengths_(lengths.begin(), lengths.end()),
      stiffness_(stiffness.begin(), stiffness.end()),
      law_(law) {
  std::vector<int> vertex_of;
  for (const auto& [a, b] : edges_) {
    vertex_of.push_back(a);
    vertex_of.push_back(b);
    const Vec3 d = (rest.row(a) - rest.row(b)).transpose();
    const Vec3 u = d.norm() > 0 ? Vec3(d.normalized()) : Vec3::UnitX();
    rest_directions_.push_back({u.x(), u.y(), u.z()});
  }
  incidence_ = Incidence(vertex_of);
}

int Springs::tasks() const { return (static_cast<int>(edges_.size()) + kSpringsATask - 1) / kSpringsATask; }

Vec3 Springs::direction(std::size_t spring, const Vec3& d) const {
  const double length = d.norm();
  if (length > 0) return d / length;
  const auto& u = rest_directions_[spring];
  return {u[0], u[1], u[2]};
}

// Sums E and calls visit(spring, dE/dx_a).
template <class Visit>
double Springs::sum(const Points& x, Workspace& work, const Visit& visit) const {
  const auto sums = work.partial_sums(tasks());
  work.workers.run(tasks(), [&](int task) {
    const std::size_t end = std::min(edges_.size(), static_cast<std::size_t>(task + 1) * kSpringsATask);
    double total = 0;
    for (std::size_t i = static_cast<std::size_t>(task) * kSpringsATask; i < end; ++i) {
      const Vec3 d = (x.row(edges_[i][0]) - x.row(edges_[i][1])).transpose();
      const double k = stiffness_[i], l = lengths_[i];
      if (law_ == SpringLaw::hookean) {
        const double stretch = d.norm() - l;
        total += 0.5 * k * stretch * stretch;
        visit(i, Vec3(k * stretch * direction(i, d)));
      } else {
        const double q = d.squaredNorm() - l * l;
        total += 0.5 * k * q * q;
        visit(i, Vec3(2 * k * q * d));
      }
    }
    sums[task] = total;
  });
  double total = 0;
  for (const double s : sums) total += s;
  return total;
}

bool Springs::is_internal(std::span<const BodyRange> bodies) const {
  if (bodies.size() == 1) return true;
  const auto body_of = [&](int vertex) {
    return std::upper_bound(bodies.begin(), bodies.end(), vertex,
                            [](int v, const BodyRange& body) { return v < body.first; });
  };
  return std::all_of(edges_.begin(), edges_.end(),
                     [&](const std::array<int, 2>& edge) { return body_of(edge[0]) == body_of(edge[1]); });
}

double Springs::value(const Points& x, Workspace& work) const {
  return sum(x, work, [](std::size_t, const Vec3&) {});
}

double Springs::add_gradient(const Points& x, Points& gradient, Workspace& work) const {
  const auto slots = work.element_forces(3 * edges_.size());
  const double total =
      sum(x, work, [&](std::size_t i, const Vec3& force) { std::copy_n(force.data(), 3, slots.data() + 3 * i); });
  incidence_.gather_pairs(slots, gradient, work.workers);
  return total;
}

void Springs::add_laplacian(Triplets& L) const {
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const auto [a, b] = edges_[i];
    const double w = law_ == SpringLaw::hookean ? stiffness_[i] : 4 * stiffness_[i] * lengths_[i] * lengths_[i];
    L.emplace_back(a, a, w);
    L.emplace_back(b, b, w);
    L.emplace_back(std::max(a, b), std::min(a, b), -w);
  }
}

// Along the spring and across it the Hessian of one spring has the eigenvalues `along` and `across`.
void Springs::add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace&) const {
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const auto [a, b] = edges_[i];
    const Vec3 d = (x.row(a) - x.row(b)).transpose();
    const Vec3 u = direction(i, d);
    const double k = stiffness_[i], l = lengths_[i], length = d.norm();
    double along, across;
    if (law_ == SpringLaw::hookean) {
      along = k;
      across = length > 0 ? k * (1 - l / length) : -INFINITY;
    } else {
      along = 2 * k * (3 * length * length - l * l);
      across = 2 * k * (length * length - l * l);
    }
    along = counted(along, curvature);
    // Without a length it is infinite, and so would its size be.
    across =
        counted(across, curvature == Curvature::absolute && !std::isfinite(across) ? Curvature::clamped : curvature);
    const Eigen::Matrix3d block = across * Eigen::Matrix3d::Identity() + (along - across) * u * u.transpose();
    H.add(a, a, block);
    H.add(b, b, block);
    H.add(a, b, -block);
    H.add(b, a, -block);
  }
}

std::unique_ptr<FloatBatch> Springs::float_batch(std::span<const int> place, const Partition& partition,
                                                 const FloatKernel& kernel) const {
  if (!has_float_batch()) return nullptr;
  return std::make_unique<SpringBatch>(*this, place, partition, kernel);
}

void Springs::add_element_fields(const Points& x, std::vector<ElementField>& fields, Workspace& work) const {
  append_fields(edges_.size(), fields, work, [&](std::size_t i) {
    const auto [a, b] = edges_[i];
    const double l = lengths_[i];
    ElementField field{{a, b}, 2, l, kNoSuchField, kNoSuchField, kNoSuchField};
    if (l > 0) field.strain = std::abs((x.row(a) - x.row(b)).norm() - l) / l;
    return field;
  });
}

}  // namespace rebound::sim
