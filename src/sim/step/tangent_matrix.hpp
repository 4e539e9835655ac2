// The Hessian of a step's objective, or of E itself, with its factor: 3 x 3 blocks in the pattern of the elements, and
// where contacts are between elements, in one that is extended by what they link.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/linear/component_cholesky.hpp"
#include "sim/linear/hessian.hpp"
#include "sim/model/model.hpp"

namespace rebound::sim {

class TangentMatrix {
 public:
  using Links = std::vector<std::pair<int, int>>;

  /// The model must outlive this. known: the analysis of the elements' pattern, or null: it is made when first wanted.
  explicit TangentMatrix(const Model& model, std::shared_ptr<const ComponentAnalysis> known = nullptr);

  /// Takes the pattern of the model's present step. Grabs and contacts with obstacles fall into that of the elements,
  /// as they are at points of elements. What is linked besides stays linked while nothing new is: most contacts last
  /// for some steps. False if it is the one that there was: its factor stands.
  bool choose_pattern();
  /// The same without looking back: the pattern depends on the present step alone.
  void choose_exact_pattern();

  HessianBlocks& blocks() { return pattern_->hessian; }
  const HessianBlocks& blocks() const { return pattern_->hessian; }

  /// What hangs together in the pattern; it is analysed if it has not been.
  std::shared_ptr<const ComponentAnalysis> components();

  /// Is more linked in the present pattern than elements?
  bool is_linked() const { return pattern_ != &elements_; }
  /// Another number for each factor of the elements' pattern: whether it is still the one that it was.
  std::int64_t factor_of_elements() const { return factor_of_elements_; }

  using Choice = ComponentCholesky::Choice;
  /// False if it is not finite or not positive definite.
  bool factor(Workers& workers, const Choice& chosen = {});
  /// The same in single precision, in about half the time.
  bool factor_single(Workers& workers, const Choice& chosen = {});
  const Choice& factored() const { return pattern_->factor->factored(); }
  /// The same for a matrix that may be indefinite, beside the other factor; false if it is not finite, or singular.
  /// Slower.
  bool factor_indefinite(Workers& workers);
  /// b := H^-1 b by what factor() has made, one column or more of 3n.
  void solve(Eigen::Ref<Eigen::MatrixXd> b, Workers& workers, const Choice& chosen = {}) {
    pattern_->factor->solve(b, workers, chosen);
  }
  /// The same by what factor_indefinite() has made.
  void solve_indefinite(Vector& b, Workers& workers) { pattern_->factor->solve_indefinite(b, workers); }
  /// Of the factor, for reports.
  double nonzeros() const { return pattern_->factor ? pattern_->factor->nonzeros() : 0; }

  /// What is linked beside the elements.
  const Links& links() const;
  /// The pattern with these links, as it was once.
  void restore_links(const Links& links);
  std::shared_ptr<const ComponentAnalysis> analysis() const { return known_; }
  /// Lets go of factors and of what is linked. Takes no memory.
  void let_go();

 private:
  struct Pattern {
    HessianBlocks hessian;
    Links links = {};                                     ///< beside the elements
    std::unique_ptr<ComponentCholesky> factor = nullptr;  ///< made when first wanted
    std::unique_ptr<ComponentCholesky> before = nullptr;  ///< of another pattern, whose memory it may have
  };
  ComponentCholesky& wanted_factor();
  void link(Links links);

  const Model& model_;
  std::shared_ptr<const ComponentAnalysis> known_;
  std::shared_ptr<const ComponentAnalysis> last_;  ///< of the last pattern with links, some of which are the same
  Pattern elements_;
  std::optional<Pattern> linked_;
  Pattern* pattern_ = &elements_;  ///< the one of this step
  std::int64_t factor_of_elements_ = 0;
};

}  // namespace rebound::sim
