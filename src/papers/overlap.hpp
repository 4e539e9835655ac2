// How far bodies are inside one another.
#pragma once

#include <optional>

#include "sim/base/workers.hpp"
#include "sim/contact/body_contacts.hpp"

namespace rebound::papers {

class Overlap {
 public:
  Overlap(const sim::Model& model, int threads);
  /// The deepest that a point of a body is inside another one where vertices are at x, m; 0 where bodies do not meet.
  double deepest(const sim::Model& model, const sim::Points& x);

 private:
  std::optional<sim::BodyContactSearch> search_;
  sim::Workers workers_;
};

}  // namespace rebound::papers
