// Handles, hands and surfaces that move in a step: whoever asks for forces at a moment within it puts them where they
// are then.
#pragma once

#include <vector>

#include "sim/model/model.hpp"

namespace rebound::sim {

class MovingThings {
 public:
  /// Of a model where they stand as at the end of the step, its contacts found; it must outlive this.
  explicit MovingThings(Model& model);
  /// They stand at the end of the step again.
  ~MovingThings();
  MovingThings(const MovingThings&) = delete;
  MovingThings& operator=(const MovingThings&) = delete;

  /// To where they are after this share of the step, along a straight line. Surfaces are those of Model::contacts.
  void put_hands(double share);
  void put_surfaces(double share);
  /// The same of obstacles that meet by an energy of x alone (cubic_contacts.hpp). How far they move stays.
  void put_obstacles(double share);
  bool any_hands() const { return !hands_.empty(); }
  bool any_obstacles() const { return !obstacles_.empty(); }

 private:
  struct Way {
    Vec3* place;
    Vec3 end, moved;  ///< m
  };
  struct Moved {
    Obstacle* obstacle;
    Pose end, before;
  };
  static void put(const std::vector<Way>& ways, double share);

  std::vector<Way> hands_, surfaces_;
  std::vector<Moved> obstacles_;
};

}  // namespace rebound::sim
