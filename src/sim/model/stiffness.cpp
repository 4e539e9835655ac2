#include "sim/model/stiffness.hpp"

#include <cmath>

namespace rebound::sim {

double stiffest(const Model& model, const SparseMatrix& L, const Workers& workers) {
  // M^-1/2 L M^-1/2 is symmetric; 30 iterations give two digits, which is what an estimate of stiffness needs.
  Vector root_mass = model.M.cwiseSqrt(), u(model.vertices()), w;
  for (Eigen::Index i = 0; i < u.size(); ++i) u[i] = model.fixed[i] ? 0 : std::sin(1.0 + 12.9898 * double(i));
  double eigenvalue = 0;
  for (int iteration = 0; iteration < 30 && u.norm() > 0; ++iteration) {
    workers.pause();
    u.normalize();
    w = L.selfadjointView<Eigen::Lower>() * u.cwiseQuotient(root_mass);
    w = w.cwiseQuotient(root_mass);
    for (Eigen::Index i = 0; i < w.size(); ++i)
      if (model.fixed[i]) w[i] = 0;
    eigenvalue = u.dot(w);
    u = w;
  }
  return eigenvalue;
}

}  // namespace rebound::sim
