// The step of a scheme in single precision: what every solver that has the system matrix prefactored shares. The
// solvers are float_local_global.hpp and float_quasi_newton.hpp.
//
//   g(w) = 1/2 |w|_M^2 + c h^2 E(z),   x = y + w,   z = gamma x + (1 - gamma) x_n - o
//
// The unknown is w, how far x is from y, which is small and so keeps its digits; dE is taken at z, measured from the
// middle o of each body, which energies do not feel. Constant forces go into y. Vertices are in the order of the plan,
// 4 floats each; parts of the plan run on threads of their own, and one thread that runs them all gives the same bytes.
#pragma once

#include "sim/energy/float_batch.hpp"
#include "sim/step/float_system.hpp"
#include "sim/step/minimizer.hpp"
#include "sim/step/system_cache.hpp"

namespace rebound::sim {

/// The plan's order as batches want it.
Partition partition_of(const EliminationPlan& plan);

class FloatStep : public EnergyLine {
 public:
  /// Whether every energy of the model has a single-precision form.
  static bool supports(const Model& model);
  /// The model must outlive this, and be supported.
  explicit FloatStep(const Model& model, const Analysis& known = {});

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

  /// As Minimizer::gradient, of a model without step_energies.
  void gradient(const Points& x, Points& gradient, Workspace& work);
  /// After a solve near there.
  Place look(const Points& from, const Points& to, double alpha, Workspace& work) override;

 protected:
  /// One a part of the plan, and one for the top.
  template <class T>
  using PerPart = std::array<T, kMostParts + 1>;
  template <class T>
  static T total(const PerPart<T>& of) {
    T sum{};
    for (const T& part : of) sum += part;
    return sum;
  }
  int part_count() const { return plan_.part_count(); }
  const EliminationPlan::Part& part_or_top(int part) const {
    return part < part_count() ? plan_.part(part) : plan_.top();
  }
  /// What the rounding of floats does to the objective, as a share.
  static constexpr double kObjectiveRounding = 1e-6;
  /// Corrections below this share of the bodies' extent are of the size of a float's rounding.
  static constexpr double kFloatRounding = 6e-8f;
  /// Who asks for no more iterations than these beyond that point asks for a fast step, not for an exact one.
  static constexpr int kFewIterations = 10;

  /// A spring of length zero from a point of a body to a handle.
  struct Handle {
    std::array<int, 4> slots;
    std::array<float, 4> weights;
    float stiffness;
    std::array<float, 3> target;  ///< from the middle of its body
  };

  /// A repulsion spring: pressed where sum_j weights_j z_j . n < offset.
  struct Repulsion {
    int count;
    std::array<int, BodyRow::kMost> slots;
    std::array<float, BodyRow::kMost> weights;
    std::array<float, 3> n;
    float offset, stiffness;
  };
  /// Indices of those whose vertices a part has, among its own or in its area.
  struct PartSprings {
    std::vector<int> handles, contacts;
  };

  const Vec3& middle(int slot) const {
    return middles_[static_cast<std::size_t>(body_[static_cast<std::size_t>(slot)])];
  }
  /// Calls visit(part) for every part and the top, at the same time.
  template <class Visit>
  void each_part(Workers& workers, const Visit& visit) const {
    workers.run(part_count() + 1, visit);
  }
  /// Calls visit(first vertex, last vertex + 1, part) for every part and the top, at the same time.
  template <class Visit>
  void each_range(Workers& workers, const Visit& visit) const {
    each_part(workers, [&](int part) { visit(part_or_top(part).begin, part_or_top(part).end, part); });
  }

  /// w, z and M w, in d_, of the first guess x. Returns what g is at x_n but for all energies: the inertia, J s^2.
  double start(const StepObjective& g, const Points& x);
  /// The same where SolveEffort::goes_on holds, without a look at x. False where the last solve tells too little.
  bool start_at_end(const StepObjective& g);
  /// d_ := dg at the present z, where it was M w. Returns E but for constant forces.
  /// Of the springs of no part:
  double add_springs_between(float scale) { return add_springs(scale, springs_.back()); }
  /// Of the elements and springs of a part, or of the top; after those of no part.
  double local(float scale, int part);
  /// E of the same.
  double local_energy(int part);
  /// Does every spring have a part?
  bool are_springs_apart() const { return springs_.back().handles.empty() && springs_.back().contacts.empty(); }
  /// x of w.
  void read(Workers& workers, Points& x);
  /// d := A^-1 d, a row a vertex. heights: as in ContactRows::weights.
  void solve(FloatSystem& system, Points& d, std::span<const double> heights, Workers& workers);
  /// E of constant forces at x, J.
  double constant_energy(const Points& x, Workspace& work) const;

  const Model& model_;
  SystemCache<FloatSystem> systems_;
  const EliminationPlan& plan_;
  Partition partition_;
  std::vector<std::unique_ptr<FloatBatch>> batches_;
  std::vector<const Energy*> constant_;

  std::vector<int> body_;                ///< a slot
  std::vector<Vec3> middles_;            ///< o, a body, m
  std::vector<std::vector<int>> fixed_;  ///< the slots of fixed vertices that a part, or the top, writes to
  std::vector<Handle> handles_;
  std::vector<Repulsion> contacts_;
  std::vector<PartSprings> springs_;  ///< a part, the top, and at last those of no part
  std::vector<double> heights_;       ///< of the repulsion springs at the present z, over gamma, m
  Points acceleration_;               ///< of the constant forces, m/s^2, a row a slot
  Points y_;                          ///< y with the constant forces in it, a row a slot
  Points gradient_;                   ///< scratch, a row a vertex
  AlignedBuffer<float> mass_;         ///< 4 floats a slot, as the others: m, m, m, 0
  AlignedBuffer<float> w_, z_, z0_;   ///< z = z0 + gamma w
  AlignedBuffer<float> d_;            ///< M w, then dg, then the correction
  AlignedBuffer<float> along_;        ///< where a line leads: to - from
  bool is_at_end_ = false;            ///< y_ + w_ is what the last solve has returned

 private:
  void read_numbers();
  void choose_middles(const Points& x);
  /// Handles and contacts as they are now, measured from the middles.
  void find_springs();
  /// The slots that one part has for all vertices that the spring hangs on. Returns its place in springs_.
  int find_slots(std::span<int> slots, std::span<const float> weights) const;
  double add_springs(float scale, const PartSprings& springs);
  double add_handle(float scale, const Handle& handle);
  double add_contact(float scale, int contact);

  /// d_ along along_, of a part: dE/dalpha, where d_ is its dE.
  double slope(int part);

  double gamma_ = 1;
  double fall_ = 0;  ///< of the constant forces' accelerations in y_, s^2
};

}  // namespace rebound::sim
