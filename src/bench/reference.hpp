// Local/global written as one would write it first, in double precision, for our own to be measured against: a singular
// value decomposition from Eigen for each tetrahedron, CHOLMOD's simplicial factor for the linear system, one thread.
// The integrators are the library's own, so that a frame is made of the same solves, iterations and energies.
#pragma once

#include <Eigen/CholmodSupport>
#include <map>

#include "scene/build.hpp"
#include "session/session.hpp"

namespace rebound::bench {

/// E = sum mu V |F - R|^2 [Dinev18 Sec. 4.2], R from the singular value decomposition of F.
class PlainTets final : public sim::Energy {
 public:
  /// As sim::ArapTets.
  PlainTets(const sim::Points& rest, std::span<const std::array<int, 4>> tets, std::span<const double> mu);

  sim::EnergyKind kind() const override { return sim::EnergyKind::elastic; }
  double value(const sim::Points& x, sim::Workspace& work) const override;
  double add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const override;
  void add_laplacian(sim::Triplets& L) const override;
  /// The reference has no Newton: throws std::logic_error.
  void add_hessian(const sim::Points& x, sim::Curvature curvature, sim::HessianBlocks& H,
                   sim::Workspace& work) const override;

 private:
  struct Element {
    std::array<int, 4> vertices;
    Eigen::Matrix3d inverse_rest;  ///< D_m^-1: F = D_s D_m^-1
    double weight;                 ///< w = 2 mu V
  };
  static Eigen::Matrix3d deformation(const Element& element, const sim::Points& x);

  std::vector<Element> elements_;
};

/// E = sum k/2 (|d| - l)^2.
class PlainSprings final : public sim::Energy {
 public:
  PlainSprings(std::span<const std::array<int, 2>> edges, std::span<const double> lengths, double stiffness);

  sim::EnergyKind kind() const override { return sim::EnergyKind::elastic; }
  double value(const sim::Points& x, sim::Workspace& work) const override;
  double add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const override;
  void add_laplacian(sim::Triplets& L) const override;
  /// As PlainTets.
  void add_hessian(const sim::Points& x, sim::Curvature curvature, sim::HessianBlocks& H,
                   sim::Workspace& work) const override;

 private:
  std::vector<std::array<int, 2>> edges_;
  std::vector<double> lengths_;
  double stiffness_;
};

/// The world's model with its elastic energies written plainly.
sim::Model plain_model(const scene::WorldView& world);

/// x <- x - (M + c gamma^2 h^2 L)^-1 dg(x): the gradient is the local step, the solve the global one.
class PlainLocalGlobal final : public sim::Minimizer, public sim::Factors {
 public:
  /// The model must outlive this.
  explicit PlainLocalGlobal(const sim::Model& model) : model_(model), line_(model) {}

  sim::SolveReport minimize(const sim::Objective& g, const sim::SolveEffort& effort, const sim::StopRule& stop,
                            sim::Points& x) override;
  // Nobody holds, pins or changes a benchmark's body; factors are made on first use.
  void grabs_changed(sim::Workers&) override {}
  void pins_changed(sim::Workers&) override {}
  void gravity_changed() override {}
  std::unique_ptr<sim::Factoring> missing(const sim::Model&, std::span<const double>) const override { return nullptr; }
  void adopt(sim::Factoring&, sim::Workers&) override {}
  sim::Analysis analysis() const override { return {}; }
  void gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) override {
    model_.gradient(x, gradient, work);
  }
  sim::EnergyLine& line() override { return line_; }
  sim::Factors& factors() override { return *this; }
  const sim::Factors& factors() const override { return *this; }
  double nonzeros() const override { return nonzeros_; }

  /// (M + coefficient L)^-1 b. Factored on first use.
  sim::Points solve(double coefficient, const sim::Points& b);

 private:
  using Factor = Eigen::CholmodSimplicialLLT<sim::SparseMatrix, Eigen::Lower>;

  const sim::Model& model_;
  sim::ExactLine line_;
  std::map<double, Factor> factors_;
  double nonzeros_ = 0;
};

/// Makes the frame that a session is about to make.
class ReferenceFrames {
 public:
  explicit ReferenceFrames(const scene::WorldView& world);

  /// Steps from where the session is, with its settings; it is left as it is. Returns what the frame took, ms.
  double step(const session::Session& session);
  /// The state after the last step.
  const sim::State& state() const { return history_.now; }

 private:
  sim::Model model_;
  PlainLocalGlobal minimizer_;
  sim::Workspace work_{1};
  sim::History history_;
  sim::State next_;
};

}  // namespace rebound::bench
