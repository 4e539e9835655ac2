// Mass-spring networks, with d = x_a - x_b:
//   hookean  E = sum k/2 (|d| - l)^2, k in N/m      [Dinev18 Sec. 4.2, Liu13]. In the form of Eq. 26: G x = d,
//            p = l d/|d| (the nearest point on the sphere of radius l), w = k.
//   squared  E = sum k/2 (|d|^2 - l^2)^2, k in N/m^3 [Dinev18 Eq. 7]. It is no squared distance, so it has no
//            local/global form: Newton only. Its L is that of the springs at rest, for pattern and stiffness.
#pragma once

#include "sim/energy/energy.hpp"
#include "sim/energy/incidence.hpp"

namespace rebound::sim {

enum class SpringLaw { hookean, squared };

class Springs final : public Energy {
 public:
  /// rest gives the direction that a spring of length zero is taken to have; lengths l in m.
  Springs(const Points& rest, std::span<const std::array<int, 2>> edges, std::span<const double> lengths,
          std::span<const double> stiffness, SpringLaw law = SpringLaw::hookean);

  EnergyKind kind() const override { return EnergyKind::elastic; }
  /// Unless one joins two bodies.
  bool is_internal(std::span<const BodyRange> bodies) const override;
  double value(const Points& x, Workspace& work) const override;
  double add_gradient(const Points& x, Points& gradient, Workspace& work) const override;
  void add_laplacian(Triplets& L) const override;
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const override;
  void add_element_fields(const Points& x, std::vector<ElementField>& fields, Workspace& work) const override;
  bool has_float_batch() const override { return law_ == SpringLaw::hookean; }
  std::unique_ptr<FloatBatch> float_batch(std::span<const int> place, const Partition& partition,
                                          const FloatKernel& kernel) const override;

  std::span<const std::array<int, 2>> edges() const { return edges_; }
  std::span<const double> lengths() const { return lengths_; }
  std::span<const double> stiffness() const { return stiffness_; }
  /// Unit vectors: which way a spring of length zero points.
  std::span<const std::array<double, 3>> rest_directions() const { return rest_directions_; }
  SpringLaw law() const { return law_; }

 private:
  int tasks() const;
  /// The direction of a spring of difference d, if d has none the rest direction.
  Vec3 direction(std::size_t spring, const Vec3& d) const;
  template <class Visit>
  double sum(const Points& x, Workspace& work, const Visit& visit) const;

  std::vector<std::array<int, 2>> edges_;
  std::vector<double> lengths_, stiffness_;
  std::vector<std::array<double, 3>> rest_directions_;
  SpringLaw law_;
  Incidence incidence_;
};

}  // namespace rebound::sim
