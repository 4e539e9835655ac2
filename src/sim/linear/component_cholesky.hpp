// Factors of a matrix of 3 x 3 blocks whose graph may fall apart: bodies that do not touch are factored apart, on all
// threads. Small components share a factor, as each costs something by itself.
#pragma once

#include <memory>
#include <vector>

#include "sim/base/workers.hpp"
#include "sim/linear/cholesky.hpp"
#include "sim/linear/sparse_pattern.hpp"

namespace rebound::sim {

/// Ordering and symbolic factorisation, shared by all factors of a pattern.
class ComponentAnalysis {
 public:
  /// Vertices that a pattern links beside the elements of bodies whose analysis is known.
  struct Linked {
    const ComponentAnalysis& bodies;
    /// Of each vertex, whether it is to be eliminated last: one of each pair that is linked.
    std::vector<std::uint8_t> last;
  };

  /// pattern: 3n x 3n, the blocks of `vertices`, n x n; both lower triangles with the whole diagonal.
  ComponentAnalysis(const SparseMatrix& pattern, const SparseMatrix& vertices);
  /// The same where bodies are linked: those that are not are known, and where few vertices are, the bodies' own orders
  /// do. before: another such analysis, whose components are taken over where they are the same; may be null.
  ComponentAnalysis(const SparseMatrix& pattern, const SparseMatrix& vertices, const Linked& linked,
                    const ComponentAnalysis* before);

  /// Are these the vertices' links of the pattern, and no others?
  bool is_of(const SparseMatrix& vertices) const { return links_.is_of(vertices); }
  int components() const { return static_cast<int>(components_.size()); }
  /// The component of each vertex.
  std::vector<int> component_of() const;
  /// In which they are eliminated, one component after the other.
  std::vector<int> vertex_order() const;

 private:
  friend class ComponentCholesky;
  struct Component {
    std::vector<int> vertices;  ///< ascending
    SparseMatrix graph;         ///< of these, lower triangle
    SparseMatrix pattern;       ///< the same in coordinates
    std::vector<int> sources;   ///< of its entries: where they stand among the values of the whole; empty if it is that
    std::shared_ptr<const CholeskyAnalysis> analysis;
  };
  /// Without the analysis of the components.
  void find_components(const SparseMatrix& pattern, const SparseMatrix& vertices);
  /// Takes the analysis of a component that is the same; false if there is none.
  bool take(Component& of) const;
  SparsePattern links_;
  std::vector<Component> components_;
};

/// The factors are made anew and anew, in the same memory, as RepeatedCholesky does. The same bytes on any number of
/// threads.
class ComponentCholesky {
 public:
  explicit ComponentCholesky(std::shared_ptr<const ComponentAnalysis> analysis);
  /// Takes the memory of components that are the same from another one, which is of no use then.
  ComponentCholesky(std::shared_ptr<const ComponentAnalysis> analysis, ComponentCholesky&& before);
  const std::shared_ptr<const ComponentAnalysis>& analysis() const { return analysis_; }

  /// Of each component, whether it is meant; of none: all are.
  using Choice = std::vector<std::uint8_t>;

  /// A: lower triangle, of the analysed pattern. False if it is not finite or not positive definite. The factors of
  /// components that are not chosen stay as they are.
  bool factor(const SparseMatrix& A, Workers& workers, const Choice& chosen = {});
  /// The same in single precision, as RepeatedCholesky does.
  bool factor_single(const SparseMatrix& A, Workers& workers, const Choice& chosen = {});
  /// After factor(): of the chosen components, which have a factor.
  const Choice& factored() const { return good_; }
  /// b := A^-1 b, one column or more; 0 in components that are not chosen.
  void solve(Eigen::Ref<Eigen::MatrixXd> b, Workers& workers, const Choice& chosen = {});
  /// L D L^T, for an A that may be indefinite; kept beside the other factor. False if it is not finite, or singular.
  bool factor_indefinite(const SparseMatrix& A, Workers& workers);
  void solve_indefinite(Vector& b, Workers& workers);
  /// Of the factors, for reports.
  double nonzeros() const;

 private:
  struct Part {
    explicit Part(const ComponentAnalysis::Component& of)
        : component(&of), A(of.sources.empty() ? SparseMatrix() : of.pattern), factor(of.analysis) {}

    const ComponentAnalysis::Component* component;
    SparseMatrix A;  ///< empty if the component is all there is
    RepeatedCholesky factor;
    Eigen::MatrixXd b;
  };
  template <class Visit>
  void each_part(Workers& workers, const Choice& chosen, const Visit& visit);
  template <class Factor>
  bool factor_each(const SparseMatrix& A, Workers& workers, const Choice& chosen, const Factor& factor);
  template <class Solve>
  void solve_each(Eigen::Ref<Eigen::MatrixXd> b, Workers& workers, const Choice& chosen, const Solve& solve);

  std::shared_ptr<const ComponentAnalysis> analysis_;
  std::vector<std::unique_ptr<Part>> parts_;
  Choice good_;
  std::vector<int> alone_;  ///< parts that a thread has each
};

}  // namespace rebound::sim
