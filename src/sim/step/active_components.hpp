// Bodies that do not touch are solved apart: one that has converged rests while others go on.
#pragma once

#include <memory>

#include "sim/linear/component_cholesky.hpp"

namespace rebound::sim {

class ActiveComponents {
 public:
  /// Of a solve's present pattern. All are active where it is not the one before.
  void follow(std::shared_ptr<const ComponentAnalysis> analysis);
  void wake_all();
  /// Those rest of which no coordinate of d is larger, unless one of the vertices `restless` is in them; they do until
  /// all are woken.
  void rest(const Points& d, double largest, const std::vector<int>& restless);

  bool all_rest() const { return resting_ == active_.size() && resting_ > 0; }
  const ComponentCholesky::Choice& active() const { return active_; }
  /// Of each vertex, whether it is in one of the components; of no vertex if there is but one component.
  const std::vector<std::uint8_t>& vertices_of(const ComponentCholesky::Choice& components);

 private:
  std::shared_ptr<const ComponentAnalysis> analysis_;
  std::vector<int> component_of_;
  ComponentCholesky::Choice active_;
  std::size_t resting_ = 0;
  std::vector<std::uint8_t> vertices_;
  std::vector<double> sizes_;
};

}  // namespace rebound::sim
