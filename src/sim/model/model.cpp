#include "sim/model/model.hpp"

#include <algorithm>

#include "sim/base/row_passes.hpp"
#include "sim/energy/gravity.hpp"
#include "sim/linear/assemble.hpp"

namespace rebound::sim {

EnergyByKind Model::energy_by_kind(const Points& x, Workspace& work) const {
  EnergyByKind by_kind{};
  for (const auto& e : energies) by_kind[static_cast<int>(e->kind())] += e->value(x, work);
  add_passing_energy(x, by_kind, work);
  return by_kind;
}

void Model::add_passing_energy(const Points& x, EnergyByKind& by_kind, Workspace& work) const {
  by_kind[static_cast<int>(EnergyKind::attachment)] += attachments.value(x, work) + grabs.value(x, work);
  by_kind[static_cast<int>(EnergyKind::contact)] += contacts.value(x, work);
  for (const auto& e : step_energies) by_kind[static_cast<int>(e->kind())] += e->value(x, work);
}

std::size_t Model::body_of(int vertex) const {
  const auto after = std::upper_bound(bodies.begin(), bodies.end(), vertex,
                                      [](int v, const BodyRange& body) { return v < body.first; });
  return static_cast<std::size_t>(after - bodies.begin()) - 1;
}

double Model::energy(const Points& x, Workspace& work) const {
  double total = 0;
  for (const double e : energy_by_kind(x, work)) total += e;
  return total;
}

double Model::lasting_energy(const Points& x, Workspace& work) const {
  double total = attachments.value(x, work) + grabs.value(x, work) + contacts.value(x, work);
  for (const auto& e : energies) total += e->value(x, work);
  return total;
}

double Model::gradient(const Points& x, Points& gradient, Workspace& work) const {
  double total = lasting_gradient(x, gradient, work);
  for (const auto& e : step_energies) total += e->add_gradient(x, gradient, work);
  clear_fixed(gradient);
  return total;
}

double Model::lasting_gradient(const Points& x, Points& gradient, Workspace& work) const {
  gradient.setZero(x.rows(), 3);
  double total = 0;
  for (const auto& e : energies) total += e->add_gradient(x, gradient, work);
  total += add_held_gradient(x, gradient, work);
  clear_fixed(gradient);
  return total;
}

double Model::add_held_gradient(const Points& x, Points& gradient, Workspace& work) const {
  double total = attachments.add_gradient(x, gradient, work);
  total += grabs.add_gradient(x, gradient, work);
  total += contacts.add_gradient(x, gradient, work);
  return total;
}

double Model::add_passing_gradient(const Points& x, Points& gradient, Workspace& work) const {
  double total = add_held_gradient(x, gradient, work);
  for (const auto& e : step_energies) total += e->add_gradient(x, gradient, work);
  return total;
}

double Model::kinetic(const Points& v) const {
  double twice = 0;
  for (Eigen::Index i = 0; i < v.rows(); ++i)
    if (!fixed[i]) twice += M[i] * v.row(i).squaredNorm();
  return 0.5 * twice;
}

double Model::kinetic(const Points& v, Workers& workers) const {
  const auto twice = sum_rows<1>(workers, v.rows(), [&](Eigen::Index first, Eigen::Index rows, auto& sum) {
    for (Eigen::Index i = first; i < first + rows; ++i)
      if (!fixed[i]) sum[0] += M[i] * v.row(i).squaredNorm();
  });
  return 0.5 * twice[0];
}

SparseMatrix Model::laplacian(Workers* workers) const {
  Triplets entries;
  // The diagonal is always there, so that pinning and masses never change the pattern.
  for (int i = 0; i < vertices(); ++i) entries.emplace_back(i, i, 0.0);
  for (const auto& e : energies) {
    if (workers != nullptr) workers->pause();
    e->add_laplacian(entries);
  }
  attachments.add_laplacian(entries);
  return assemble(vertices(), entries, workers);
}

void Model::add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const {
  add_lasting_hessian(x, curvature, H, work);
  for (const auto& e : step_energies) e->add_hessian(x, curvature, H, work);
}

void Model::add_lasting_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const {
  for (const auto& e : energies) e->add_hessian(x, curvature, H, work);
  attachments.add_hessian(x, curvature, H, work);
  grabs.add_hessian(x, curvature, H, work);
  contacts.add_hessian(x, curvature, H, work);
}

std::vector<std::pair<int, int>> Model::step_pattern() const {
  std::vector<std::pair<int, int>> links;
  contacts.add_pattern(links);
  for (const auto* terms : {&step_energies, &step_losses})
    for (const auto& e : *terms) e->add_pattern(links);
  return links;
}

bool Model::has_new_links(const Points& x) const {
  const auto has = [&](const auto& e) { return e->has_new_links(x); };
  return std::any_of(step_energies.begin(), step_energies.end(), has) ||
         std::any_of(step_losses.begin(), step_losses.end(), has);
}

bool Model::has_barrier() const {
  const auto has = [](const auto& e) { return e->has_barrier(); };
  return std::any_of(energies.begin(), energies.end(), has) ||
         std::any_of(step_energies.begin(), step_energies.end(), has);
}

double Model::largest_step(const Points& x, const Points& d, Workspace& work) const {
  return std::min(lasting_largest_step(x, d, work), step_largest_step(x, d, work));
}

double Model::lasting_largest_step(const Points& x, const Points& d, Workspace& work) const {
  double largest = std::numeric_limits<double>::infinity();
  for (const auto& e : energies) largest = std::min(largest, e->largest_step(x, d, work));
  return largest;
}

double Model::step_largest_step(const Points& x, const Points& d, Workspace& work) const {
  double largest = std::numeric_limits<double>::infinity();
  for (const auto& e : step_energies) largest = std::min(largest, e->largest_step(x, d, work));
  return largest;
}

SparseMatrix Model::stiffness_matrix(const Points& x, Workspace& work) const {
  SparseMatrix pattern = laplacian();
  if (const auto links = step_pattern(); !links.empty()) {
    Triplets entries;
    for (const auto& [i, j] : links) entries.emplace_back(i, j, 0.0);
    pattern += assemble(vertices(), entries, nullptr);
  }
  HessianBlocks H(pattern);
  add_hessian(x, Curvature::exact, H, work);
  H.scale_and_add(1, Vector::Zero(vertices()), fixed, work.workers);
  return std::move(H.matrix());
}

void Model::element_fields(const Points& x, std::vector<ElementField>& fields, Workspace& work) const {
  fields.clear();
  for (const auto& energy : energies) energy->add_element_fields(x, fields, work);
}

InsideOut Model::inside_out(const Points& x) const {
  InsideOut found;
  for (const auto& e : energies) e->find_inside_out(x, found);
  return found;
}

void Model::set_gravity(const Vec3& to) {
  g = to;
  for (auto& energy : energies)
    if (const auto* gravity = dynamic_cast<const Gravity*>(energy.get())) energy = gravity->turned(to);
}

void Model::clear_fixed(Points& rows) const {
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    if (fixed[i]) rows.row(i).setZero();
}

}  // namespace rebound::sim
