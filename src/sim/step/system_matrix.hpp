// The system matrix of a model in double precision, prefactored [Dinev18 Sec. 4.2], with grabs, late pins and contacts
// on top.
#pragma once

#include "sim/contact/contact_response.hpp"
#include "sim/contact/contact_rows.hpp"
#include "sim/linear/cholesky.hpp"
#include "sim/linear/factor_cache.hpp"
#include "sim/step/low_rank.hpp"

namespace rebound::sim {

/// M + coefficient L, lower triangle. Fixed vertices keep their row, as an identity scaled like a mass: pinning changes
/// numbers, never the pattern.
SparseMatrix system_matrix(const Vector& M, const std::vector<std::uint8_t>& fixed, const SparseMatrix& L,
                           double coefficient);

/// One matrix M + coefficient (L + sum k b b^T), ready to solve.
class SystemMatrix final : public ContactResponse {
 public:
  using Analysis = CholeskyAnalysis;
  static std::shared_ptr<const Analysis> analyse(const SparseMatrix& pattern, FactorCache*) {
    return std::make_shared<const Analysis>(pattern);
  }

  /// A = M + coefficient L, lower triangle.
  SystemMatrix(const CholeskyAnalysis& analysis, const SparseMatrix& A, double coefficient, Workers&,
               FactorCache* = nullptr)
      : factor_(analysis, A), coefficient_(coefficient) {}

  bool ok() const { return factor_.ok(); }
  double nonzeros() const { return factor_.nonzeros(); }
  /// Brings the low-rank part in line with the model's grabs and pins; `factored` are the pins that A has.
  void set_held(const Model& model, const std::vector<std::uint8_t>& factored, Workers&);
  /// Brings the contacts in line with the model's.
  void set_contacts(const Model& model, Workers&);
  const std::vector<int>& known_contacts() const { return contacts_.known(); }
  void know_contacts(std::vector<int> vertices) { contacts_.know(std::move(vertices)); }
  /// b := (A + U W U^T)^-1 b. heights: as in ContactRows::weights.
  void solve(Points& b, std::span<const double> heights = {}) const;

  /// As the response to contacts says. It must outlive this, or the next call.
  void set_laplacian(const SparseMatrix& L) { L_ = &L; }
  const SparseMatrix* laplacian() const override { return L_; }
  double coefficient() const override { return coefficient_; }
  Eigen::Ref<const Eigen::MatrixXd> delassus() const override { return contacts_.delassus(); }
  void add_ways(std::span<const ContactImpulse> impulses, int begin, int end, ContactWays& ways) const override {
    contacts_.add_ways(impulses, begin, end, ways);
  }
  void respond(Points& b, Workers&) override { solve_held(b); }

 private:
  void solve_held(Points& b) const;

  Cholesky factor_;
  double coefficient_;
  const SparseMatrix* L_ = nullptr;
  LowRank held_;
  ContactRows<double> contacts_;
  mutable Points pushed_;
};

}  // namespace rebound::sim
