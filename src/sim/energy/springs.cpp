#include "sim/energy/springs.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {
constexpr int kSpringsATask = 512;
}

Springs::Springs(const Points& rest, std::span<const std::array<int, 2>> edges, std::span<const double> lengths,
                 std::span<const double> stiffness)
    : edges_(edges.begin(), edges.end()),
      lengths_(lengths.begin(), lengths.end()),
      stiffness_(stiffness.begin(), stiffness.end()) {
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

// Sums k/2 (|d| - l)^2 and calls visit(spring, k (1 - l/|d|) d), the pull on end a's gradient.
template <class Visit>
double Springs::sum(const Points& x, Workspace& work, const Visit& visit) const {
  const auto sums = work.partial_sums(tasks());
  work.workers.run(tasks(), [&](int task) {
    const int end = std::min(static_cast<int>(edges_.size()), (task + 1) * kSpringsATask);
    double total = 0;
    for (int i = task * kSpringsATask; i < end; ++i) {
      const double* a = x.data() + 3 * static_cast<std::ptrdiff_t>(edges_[i][0]);
      const double* b = x.data() + 3 * static_cast<std::ptrdiff_t>(edges_[i][1]);
      const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
      const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      const double stretch = length - lengths_[i];
      total += stiffness_[i] * stretch * stretch;
      const double pull = stiffness_[i] * stretch;
      const auto& u = rest_directions_[i];
      if (length > 0) {
        visit(i, pull * (d[0] / length), pull * (d[1] / length), pull * (d[2] / length));
      } else {
        visit(i, pull * u[0], pull * u[1], pull * u[2]);
      }
    }
    sums[task] = total;
  });
  double total = 0;
  for (const double s : sums) total += s;
  return 0.5 * total;
}

double Springs::value(const Points& x, Workspace& work) const {
  return sum(x, work, [](int, double, double, double) {});
}

double Springs::add_gradient(const Points& x, Points& gradient, Workspace& work) const {
  const auto slots = work.element_forces(3 * edges_.size());
  const double total = sum(x, work, [&](int i, double fx, double fy, double fz) {
    slots[3 * std::size_t(i)] = fx;
    slots[3 * std::size_t(i) + 1] = fy;
    slots[3 * std::size_t(i) + 2] = fz;
  });
  incidence_.gather_pairs(slots, gradient, work.workers);
  return total;
}

void Springs::add_laplacian(Triplets& L) const {
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const auto [a, b] = edges_[i];
    L.emplace_back(a, a, stiffness_[i]);
    L.emplace_back(b, b, stiffness_[i]);
    L.emplace_back(std::max(a, b), std::min(a, b), -stiffness_[i]);
  }
}

}  // namespace rebound::sim
