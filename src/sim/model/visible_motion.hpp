// How much of the motion can be seen, while it goes on. Velocities are looked at thirty times a second; what has a
// period below four pictures is shiver.
#pragma once

#include <optional>
#include <vector>

#include "sim/model/model.hpp"

namespace rebound::sim {

/// Means over about the last second.
struct SeenMotion {
  double kinetic = 0;    ///< J, of what has a period of four pictures or more
  double shivering = 0;  ///< J, of the rest
  double shiver = 0;     ///< the share that this is of both
};

class VisibleMotion {
 public:
  /// A frame of so many seconds has passed; v is n x 3, m/s.
  void add(const Model& model, const Points& v, double seconds);
  /// Nothing until there have been enough pictures.
  const std::optional<SeenMotion>& seen() const { return seen_; }
  /// What comes next is not the motion that was.
  void forget();

 private:
  /// A half-band filter: at the middle of so many pictures it parts what is slower than four pictures from the rest.
  static constexpr int kReach = 7, kPictures = 2 * kReach + 1;

  void choose(const Model& model);
  void part(double seconds);

  // Some vertices, evenly chosen, stand for all.
  std::vector<int> vertices_;
  std::vector<float> weights_;   ///< sqrt(kg)
  std::vector<float> pictures_;  ///< a ring of them: sqrt(M) v of the chosen vertices
  int count_ = 0;                ///< pictures so far
  long long frames_ = 0;
  std::optional<SeenMotion> seen_;
};

}  // namespace rebound::sim
