// The runs that a row films, kept while they are simulated, so that a film need not simulate them again.
#pragma once

#include <memory>
#include <vector>

#include "film/footage.hpp"
#include "papers/row.hpp"

namespace rebound::papers {

class FilmedRuns {
 public:
  explicit FilmedRuns(const Row& row);

  /// Takes what is new of a run of this row: once it has begun, and after each of its pieces.
  void take(std::size_t run, const Experiment& experiment);
  /// Null unless every run of the film was a scene and went as far as the film goes, or until it failed.
  std::shared_ptr<const film::Reel> reel() const;

 private:
  struct Pane {
    std::size_t run = 0;
    std::shared_ptr<film::Footage> footage = std::make_shared<film::Footage>();
    double time_step = 0;  ///< s
    bool has_ended = false;
  };
  std::vector<Pane> panes_;
  std::size_t frames_ = 0;
  session::Snapshot moment_;
};

}  // namespace rebound::papers
