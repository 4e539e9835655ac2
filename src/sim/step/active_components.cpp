#include "sim/step/active_components.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rebound::sim {

void ActiveComponents::follow(std::shared_ptr<const ComponentAnalysis> analysis) {
  if (analysis == analysis_) return;
  analysis_ = std::move(analysis);
  component_of_ = analysis_->component_of();
  active_.resize(static_cast<std::size_t>(analysis_->components()));
  wake_all();
}

void ActiveComponents::wake_all() {
  std::fill(active_.begin(), active_.end(), std::uint8_t{1});
  resting_ = 0;
}

void ActiveComponents::rest(const Points& d, double largest, const std::vector<int>& restless) {
  if (active_.empty()) return;
  sizes_.assign(active_.size(), 0);
  for (std::size_t i = 0; i < component_of_.size(); ++i) {
    double& size = sizes_[static_cast<std::size_t>(component_of_[i])];
    size = std::max(size, d.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff());
  }
  for (const int i : restless) sizes_[static_cast<std::size_t>(component_of_[static_cast<std::size_t>(i)])] = INFINITY;
  for (std::size_t k = 0; k < active_.size(); ++k)
    if (sizes_[k] <= largest) active_[k] = 0;
  resting_ = static_cast<std::size_t>(std::count(active_.begin(), active_.end(), 0));
}

const std::vector<std::uint8_t>& ActiveComponents::vertices_of(const ComponentCholesky::Choice& components) {
  vertices_.clear();
  if (components.size() > 1)
    for (const int of : component_of_) vertices_.push_back(components[static_cast<std::size_t>(of)]);
  return vertices_;
}

}  // namespace rebound::sim
