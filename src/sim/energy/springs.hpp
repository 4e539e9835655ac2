// Mass-spring networks, E = sum k/2 (|d| - l)^2 with d = x_a - x_b [Dinev18 Sec. 4.2, Liu et al. 2013].
// In the form of Eq. 26: G x = d, p = l d/|d| (the nearest point on the sphere of radius l), w = k.
#pragma once

#include "sim/energy/energy.hpp"
#include "sim/energy/incidence.hpp"

namespace rebound::sim {

class Springs final : public Energy {
 public:
  /// rest gives the direction that a spring of length zero is taken to have; lengths l in m, stiffness k in N/m.
  Springs(const Points& rest, std::span<const std::array<int, 2>> edges, std::span<const double> lengths,
          std::span<const double> stiffness);

  EnergyKind kind() const override { return EnergyKind::elastic; }
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets& L) const override;

 private:
  int tasks() const;
  template <class Visit>
  double sum(const Points& x, Workspace& work, const Visit& visit) const;

  std::vector<std::array<int, 2>> edges_;
  std::vector<double> lengths_, stiffness_;
  std::vector<std::array<double, 3>> rest_directions_;
  Incidence incidence_;
};

}  // namespace rebound::sim
