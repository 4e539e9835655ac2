// The system matrix of local/global in single precision, M + coefficient (L + grabs + contacts), in the order of a
// plan.
#pragma once

#include "sim/contact/contact_response.hpp"
#include "sim/contact/contact_rows.hpp"
#include "sim/linear/block_inverse.hpp"
#include "sim/step/low_rank.hpp"

namespace rebound::sim {

class FloatSystem final : public ContactResponse {
 public:
  using Analysis = EliminationPlan;
  static std::shared_ptr<const Analysis> analyse(const SparseMatrix& pattern, FactorCache* cache) {
    return std::make_shared<const Analysis>(pattern, cache);
  }

  /// A = M + coefficient L, lower triangle. The plan must outlive this.
  /// cache: where the inverse may be found, and is kept otherwise; may be null.
  FloatSystem(const EliminationPlan& plan, const SparseMatrix& A, double coefficient, Workers& workers,
              FactorCache* cache = nullptr);

  /// False if the matrix cannot be solved well enough in single precision.
  bool ok() const { return inverse_.ok(); }
  const BlockInverse& inverse() const { return inverse_; }
  double nonzeros() const { return static_cast<double>(inverse_.nonzeros()); }

  /// Brings the low-rank part in line with the model's grabs and pins; `factored` are the pins that A has.
  void set_held(const Model& model, const std::vector<std::uint8_t>& factored, Workers& workers);
  /// Is anything held that A does not have?
  bool holds() const { return held_.rank() > 0; }
  /// Brings the contacts in line with the model's.
  void set_contacts(const Model& model, Workers& workers);
  const std::vector<int>& known_contacts() const { return contacts_.known(); }
  void know_contacts(std::vector<int> vertices) { contacts_.know(std::move(vertices)); }

  /// The phases of solve(), for callers that join work of their own to them, d having 4 floats a slot: after the
  /// inverse's forward and solve_top comes push_contacts, then its backward, weigh, and subtract, which changes the
  /// slots [begin, end). heights: as in ContactRows::weights.
  void push_contacts(float* d, std::span<const double> heights, Workers& workers);
  void weigh(float* d, std::span<const double> heights, Workers& workers);
  void subtract(int begin, int end, float* d) const;

  /// b := (A + grabs, pins and contacts)^-1 b, 4 floats a slot.
  void solve(float* b, std::span<const double> heights, Workers& workers);

  /// As the response to contacts says. It must outlive this, or the next call.
  void set_laplacian(const SparseMatrix& L) { L_ = &L; }
  const SparseMatrix* laplacian() const override { return L_; }
  double coefficient() const override { return coefficient_; }
  Eigen::Ref<const Eigen::MatrixXd> delassus() const override { return contacts_.delassus(); }
  void add_ways(std::span<const ContactImpulse> impulses, int begin, int end, ContactWays& ways) const override {
    contacts_.add_ways(impulses, begin, end, ways);
  }
  void respond(Points& b, Workers& workers) override;
  void respond_at_contacts(Points& b, Workers& workers) override;

 private:
  /// b := what is pushed, and nothing is.
  void take_pushed(Points& b, Workers& workers);
  void weigh_held(const float* d);
  void subtract_held(int begin, int end, float* d) const;
  void solve_held(float* b, Workers& workers);
  void find_entries(std::span<const int> of, std::span<const int> at, Eigen::Ref<Eigen::MatrixXd> columns,
                    Workers& workers);
  void follow_contacts();
  void scatter_contacts(const Points& weights);
  std::size_t place(int vertex) const { return 4 * static_cast<std::size_t>(plan_.position()[vertex]); }

  const EliminationPlan& plan_;
  double coefficient_;
  const SparseMatrix* L_ = nullptr;
  BlockInverse inverse_;
  LowRank held_;
  ContactRows<float> contacts_;
  // While nothing is held, what contacts change is found on the paths from their vertices to the top alone.
  InversePaths paths_;
  std::vector<int> path_ends_;    ///< the vertices that paths_ are from
  std::vector<float> Z_;          ///< n x rank, in the plan's order
  AlignedBuffer<float> weights_;  ///< rank x 4
  std::vector<int> pins_;         ///< slots
  AlignedBuffer<float> pushed_;   ///< 4 floats a slot: what the contacts change; zero between solves if nothing is held
  AlignedBuffer<float> unpushed_;  ///< the same: what comes out without them
};

}  // namespace rebound::sim
