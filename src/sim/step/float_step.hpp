// The step of a scheme in single precision: what every solver that has the system matrix prefactored shares. The solvers
// are float_local_global.hpp and float_quasi_newton.hpp.
//
//   g(w) = 1/2 |w|_M^2 + c h^2 E(z),   x = y + w,   z = gamma x + (1 - gamma) x_n - o
//
// The unknown is w, how far x is from y, which is small and so keeps its digits; dE is taken at z, measured from the
// middle o of each body, which energies do not feel. Constant forces go into y. Vertices are in the order of the plan,
// 4 floats a slot of its tree (part_tree.hpp); the parts are worked on by as many threads as there are, and one thread
// gives the same bytes.
#pragma once

#include <variant>

#include "sim/base/float_quads.hpp"
#include "sim/energy/float_batch.hpp"
#include "sim/step/float_system.hpp"
#include "sim/step/minimizer.hpp"
#include "sim/step/system_cache.hpp"

namespace rebound::sim {

class FloatStep : public EnergyLine {
 public:
  /// Whether every energy of the model has a single-precision form.
  static bool supports(const Model& model);
  /// The model must outlive this, and be supported. plan: of the model's pattern; null: to be made, with the help of
  /// the cache, which may be null.
  explicit FloatStep(const Model& model, std::shared_ptr<const EliminationPlan> plan = nullptr,
                     FactorCache* cache = nullptr);

  /// As Minimizer::minimize; the outcome is factor_failed where single precision is not enough for the matrix.
  virtual SolveReport minimize(const StepObjective& g, const SolveEffort& effort, const StopRule& stop, Points& x) = 0;

  /// As those of Minimizer.
  void grabs_changed(Workers& workers) { systems_.held_changed(workers); }
  void pins_changed(Workers& workers);
  void gravity_changed() { read_numbers(); }
  void restore_rounding(const std::vector<std::uint8_t>& factored, Workers& workers);
  ContactResponse* contact_response(double coefficient, Workers& workers) {
    return systems_.find(coefficient, workers);
  }
  void recall(const ContactKnowledge& knowledge) { systems_.recall(knowledge); }
  double nonzeros() const { return systems_.nonzeros(); }
  const SystemCache<FloatSystem>& systems() const { return systems_; }
  void let_go() { systems_.let_go(); }
  void adopt(SystemCache<FloatSystem>::Missing& made, Workers& workers);

  void prepare(const Points& from, const Points& to, double E_from, Workspace& work) override;
  double value(double alpha, Workspace& work) override;

 protected:
  /// What the rounding of floats does to the objective, as a share.
  static constexpr double kObjectiveRounding = 1e-6;
  /// Corrections below this share of the bodies' extent are of the size of a float's rounding.
  static constexpr double kFloatRounding = 6e-8f;
  /// Who asks for no more iterations than these beyond that point asks for a fast step, not for an exact one.
  static constexpr int kFewIterations = 10;

  /// A point of a body, or the difference of two: a weighted sum of what stands at some slots.
  struct Place {
    int count;
    std::array<int, BodyRow::kMost> slots;
    std::array<float, BodyRow::kMost> weights;

    Quad of(const Quad* vector) const;
    void add(Quad what, Quad* vector) const;
  };
  /// A spring of length zero from a point of a body to a handle.
  struct Handle {
    Place point;
    float stiffness;
    Quad target;  ///< from the middle of its body

    /// What pulls at the point, N, at z; adds the energy to E.
    Quad pull(const Quad* z, double& E) const;
  };
  /// A repulsion spring: pressed where sum_j weights_j z_j . n < offset.
  struct Repulsion {
    Place point;
    Quad n;
    float offset, stiffness;

    Quad pull(const Quad* z, double& E) const;
  };
  /// What is no element and acts on vertices that one part sees, at its slots.
  struct Held {
    std::vector<Handle> handles;
    std::vector<Repulsion> contacts;
  };
  /// Its height at both ends of the line, m.
  struct RepulsionOnLine {
    double from, to, stiffness;
  };

  const Vec3& middle(int slot) const {
    return middles_[static_cast<std::size_t>(body_[static_cast<std::size_t>(slot)])];
  }
  /// Calls visit(first slot, last slot + 1, part) for every part, the top included.
  template <class Visit>
  void each_range(Workers& workers, const Visit& visit) {
    workers.run(tree_.count(), [&](int p) { visit(tree_.part(p).begin, tree_.part(p).end, p); });
  }

  /// w and z of the first guess x.
  void start(const StepObjective& g, const Points& x);
  /// What the parts found, in order.
  struct Sums {
    double E = 0;        ///< but for constant forces, J
    double inertia = 0;  ///< 1/2 w^T M w, J s^2
  };
  /// d_ := M w + scale dE of what the part owns, in its own slots and its halo. z must stand in all slots of its own, and
  /// of the parts above.
  Sums local(float scale, int part);
  /// When the parts below have done the same: all of dg, in the part's own slots.
  void gather(int part);
  /// Some contacts act on vertices that no part sees alone. pull_crossing() finds their forces when z stands in all
  /// slots, and gather() adds them; returns their energy, J.
  bool any_crossing() const { return !crossing_.empty(); }
  double pull_crossing(float scale);
  /// x of w.
  void read(Workers& workers, Points& x);
  /// d := A^-1 d, a row a vertex.
  void solve(FloatSystem& system, Points& d, Workers& workers);
  /// E of constant forces at x, J.
  double constant_energy(const Points& x, Workspace& work) const;

  const Model& model_;
  SystemCache<FloatSystem> systems_;
  const EliminationPlan& plan_;
  const PartTree& tree_;
  std::vector<std::unique_ptr<FloatBatch>> batches_;
  std::vector<const Energy*> constant_;

  std::vector<int> body_;                       ///< a slot
  std::vector<Vec3> middles_;                   ///< o, a body, m
  std::vector<std::vector<int>> fixed_;  ///< a part: the slots of its fixed vertices
  std::vector<RepulsionOnLine> contacts_on_line_;
  Points acceleration_;              ///< of the constant forces, m/s^2, a row a slot
  Points y_;                         ///< y with the constant forces in it, a row a slot
  Points gradient_;                  ///< scratch, a row a vertex
  AlignedBuffer<float> mass_;        ///< 4 floats a slot, as the others: m, m, m, 0
  AlignedBuffer<float> w_, z_, z0_;  ///< z = z0 + gamma w
  AlignedBuffer<float> d_;           ///< dg, then the correction
  AlignedBuffer<float> from_, to_;   ///< ends of the line

 private:
  void read_numbers();
  void choose_middles(const Points& x);
  void find_held();
  template <class Spring>
  void place(Spring spring, std::vector<Spring> Held::*list);

  struct Crossing {
    std::variant<Handle, Repulsion> spring;  ///< slots are vertices
    Quad force{};
  };
  /// At a slot of its own a part feels so much of the force of one that crosses.
  struct Share {
    int crossing, slot;
    float weight;
  };
  std::vector<Held> held_;  ///< a part
  std::vector<Crossing> crossing_;
  std::vector<std::vector<Share>> shares_;  ///< a part
  std::vector<double> line_energy_;         ///< a part: scratch
  std::array<double, 3> others_{};  ///< what no batch has, along the line: a polynomial in alpha, J
};

}  // namespace rebound::sim
