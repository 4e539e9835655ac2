#include "sim/energy/contacts.hpp"

namespace rebound::sim {
namespace {

// Where another factor is the cheaper: measured from 1,300 (a cloth that lies) over 1,600 (17,000 tetrahedra) to 4,000
// (130,000). Fewer than at any of these, as rows that are all new cost more than in that steady state.
constexpr std::size_t kMostRows = 1000;

}  // namespace

bool Contacts::crowded() const { return items.size() > kMostRows; }

double Contacts::value(const Points& x, Workspace&) const {
  double total = 0;
  for (const Contact& c : items) total += c.energy(c.height(x));
  return total;
}

double Contacts::add_gradient(const Points& x, Points& gradient, Workspace&) const {
  double total = 0;
  for (const Contact& c : items) {
    const double height = c.height(x);
    if (height >= 0) continue;
    total += c.energy(height);
    const Vec3 f = c.force(height) * c.n;
    for (int j = 0; j < c.point.count; ++j) gradient.row(c.point.vertices[j]) -= c.point.weights[j] * f.transpose();
  }
  return total;
}

void Contacts::add_laplacian(Triplets& L) const {
  for (const Contact& c : items)
    for (int j = 0; j < c.point.count; ++j)
      for (int k = 0; k < c.point.count; ++k) {
        const auto& [count, v, b] = c.point;
        if (v[j] >= v[k]) L.emplace_back(v[j], v[k], c.stiffness * b[j] * b[k]);
      }
}

void Contacts::add_hessian(const Points& x, Curvature, HessianBlocks& H, Workspace&) const {
  for (const Contact& c : items) {
    if (c.height(x) >= 0) continue;
    const Eigen::Matrix3d block = c.stiffness * c.n * c.n.transpose();
    for (int j = 0; j < c.point.count; ++j)
      for (int k = 0; k < c.point.count; ++k)
        H.add(c.point.vertices[j], c.point.vertices[k], c.point.weights[j] * c.point.weights[k] * block);
  }
}

void Contacts::add_pattern(std::vector<std::pair<int, int>>& links) const {
  for (const Contact& c : items)
    for (int j = 0; j < c.point.count; ++j)
      for (int k = 0; k < c.point.count; ++k)
        if (c.point.vertices[j] >= c.point.vertices[k]) links.emplace_back(c.point.vertices[j], c.point.vertices[k]);
}

}  // namespace rebound::sim
