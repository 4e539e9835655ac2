#include "sim/step/tangent_matrix.hpp"

#include <algorithm>
#include <utility>

namespace rebound::sim {
namespace {

bool has_all(const HessianBlocks& hessian, const TangentMatrix::Links& links) {
  return std::all_of(links.begin(), links.end(),
                     [&](const auto& link) { return hessian.has(link.first, link.second); });
}

}  // namespace

TangentMatrix::TangentMatrix(const Model& model, std::shared_ptr<const ComponentAnalysis> known)
    : model_(model), known_(std::move(known)), elements_{HessianBlocks(model.laplacian())} {
  // A material may link vertices that another does not, as one that bends.
  if (known_ && !known_->is_of(elements_.hessian.pattern())) known_.reset();
}

bool TangentMatrix::choose_pattern() {
  const Pattern* before = std::exchange(pattern_, &elements_);
  Links links = model_.step_pattern();
  if (has_all(elements_.hessian, links)) return pattern_ != before;
  const bool link_anew = !linked_ || !has_all(linked_->hessian, links);
  if (link_anew) link(std::move(links));
  pattern_ = &*linked_;
  return link_anew || pattern_ != before;
}

void TangentMatrix::choose_exact_pattern() {
  pattern_ = &elements_;
  Links links = model_.step_pattern();
  if (has_all(elements_.hessian, links)) return;
  if (!linked_ || linked_->links != links) link(std::move(links));
  pattern_ = &*linked_;
}

void TangentMatrix::link(Links links) {
  Triplets entries;
  for (const auto& [i, j] : links) entries.emplace_back(i, j, 1.0);
  SparseMatrix extended(model_.vertices(), model_.vertices());
  extended.setFromTriplets(entries.begin(), entries.end());
  extended += elements_.hessian.pattern();
  Pattern next{HessianBlocks(extended, (linked_ ? *linked_ : elements_).hessian), std::move(links)};
  if (linked_) next.before = std::move(linked_->factor ? linked_->factor : linked_->before);
  linked_ = std::move(next);
}

const TangentMatrix::Links& TangentMatrix::links() const { return linked_ ? linked_->links : elements_.links; }

void TangentMatrix::restore_links(const Links& links) {
  pattern_ = &elements_;
  if (links.empty()) {
    linked_.reset();
  } else if (!linked_ || linked_->links != links) {
    link(links);
  }
}

void TangentMatrix::let_go() {
  linked_.reset();
  elements_.factor.reset();
  ++factor_of_elements_;
  last_.reset();
  pattern_ = &elements_;
}

// The pattern is analysed when it is first factored.
ComponentCholesky& TangentMatrix::wanted_factor() {
  if (pattern_->factor) return *pattern_->factor;
  if (!known_)
    known_ = std::make_shared<const ComponentAnalysis>(elements_.hessian.matrix(), elements_.hessian.pattern());
  std::shared_ptr<const ComponentAnalysis> analysis = known_;
  if (pattern_ != &elements_) {
    ComponentAnalysis::Linked linked{*known_, std::vector<std::uint8_t>(static_cast<std::size_t>(model_.vertices()))};
    for (const auto& [i, j] : pattern_->links)
      if (!elements_.hessian.has(i, j)) linked.last[static_cast<std::size_t>(std::max(i, j))] = 1;
    const HessianBlocks& H = pattern_->hessian;
    analysis = std::make_shared<const ComponentAnalysis>(H.matrix(), H.pattern(), linked, last_.get());
    last_ = analysis;
  }
  pattern_->factor = pattern_->before
                         ? std::make_unique<ComponentCholesky>(std::move(analysis), std::move(*pattern_->before))
                         : std::make_unique<ComponentCholesky>(std::move(analysis));
  pattern_->before.reset();
  return *pattern_->factor;
}

std::shared_ptr<const ComponentAnalysis> TangentMatrix::components() { return wanted_factor().analysis(); }

bool TangentMatrix::factor(Workers& workers, const Choice& chosen) {
  if (!is_linked()) ++factor_of_elements_;
  return wanted_factor().factor(pattern_->hessian.matrix(), workers, chosen);
}

bool TangentMatrix::factor_single(Workers& workers, const Choice& chosen) {
  if (!is_linked()) ++factor_of_elements_;
  return wanted_factor().factor_single(pattern_->hessian.matrix(), workers, chosen);
}

bool TangentMatrix::factor_indefinite(Workers& workers) {
  return wanted_factor().factor_indefinite(pattern_->hessian.matrix(), workers);
}

}  // namespace rebound::sim
