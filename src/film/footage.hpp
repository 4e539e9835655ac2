// A motion kept as it was simulated, to be shown without being simulated again.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "film/cast.hpp"

namespace rebound::film {

/// What one pane went through, moment by moment.
class Footage {
 public:
  void add(const session::Snapshot& moment);
  std::size_t size() const { return moments_.size(); }
  /// Memory that it takes, about.
  std::size_t bytes() const { return bytes_; }
  /// Moment i < size(). shown: the one that was shown of this footage before, or a new one.
  void show(std::size_t i, session::Snapshot& shown) const;

 private:
  /// What changes by hand only stands in the first of those that have it: a description may hold a whole mesh.
  std::vector<session::Snapshot> moments_;
  std::vector<std::size_t> described_;  ///< of each moment, the one that has its description and bodies
  std::size_t bytes_ = 0;
};

/// All panes of a motion.
struct Reel {
  struct Part {
    static constexpr std::size_t kStays = std::numeric_limits<std::size_t>::max();
    int id = 0;                        ///< the pane's
    std::size_t came = 0;              ///< the frame
    std::size_t gone = kStays;         ///< the first frame without it
    std::shared_ptr<Footage> footage;  ///< from `came` on; it stands still where that ends
  };
  std::vector<Part> parts;         ///< in the order of the panes
  std::vector<double> time_steps;  ///< seconds a frame, of the one that follows each of its frames

  std::size_t bytes() const;
};

/// A motion as it was kept, in the colours that it was kept in.
Play played_back(std::shared_ptr<const Reel> reel);

/// Bytes of a motion that a film keeps.
inline constexpr std::size_t kMostKept = std::size_t{1} << 30;

/// The same motion, simulated the first time only: it is kept and played back, as far as it went, from then on. One
/// that takes more than `most` bytes is simulated each time.
Play remembered(Play play, std::size_t most);

}  // namespace rebound::film
