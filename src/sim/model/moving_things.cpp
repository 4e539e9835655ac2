#include "sim/model/moving_things.hpp"

#include <Eigen/Geometry>

namespace rebound::sim {

MovingThings::MovingThings(Model& model) {
  for (Attachments* hands : {&model.attachments, &model.grabs})
    for (Attachment& hand : hands->items)
      if (!hand.moved.isZero(0)) hands_.push_back({&hand.target, hand.target, hand.moved});
  for (Contact& contact : model.contacts.items)
    if (!contact.moved.isZero(0)) surfaces_.push_back({&contact.x_s, contact.x_s, contact.moved});
  for (Obstacle& obstacle : model.obstacles)
    if (obstacle.cubic > 0 && obstacle.moves()) obstacles_.push_back({&obstacle, obstacle.pose, obstacle.before});
}

MovingThings::~MovingThings() {
  put_hands(1);
  put_surfaces(1);
  put_obstacles(1);
}

void MovingThings::put_hands(double share) { put(hands_, share); }

void MovingThings::put_surfaces(double share) { put(surfaces_, share); }

// Between the two poses lies a rotation. What moves by `moved` is one and the same spot: Obstacle::moved() asks for
// where it was by the same amount, which is no pose, but affine as one.
void MovingThings::put_obstacles(double share) {
  for (const auto& [obstacle, end, before] : obstacles_) {
    obstacle->pose = end;
    obstacle->before = before;
    if (share == 1) continue;
    const Eigen::Quaterniond from(before.R), to(end.R);
    const Pose there{from.slerp(share, to).toRotationMatrix(), before.t + share * (end.t - before.t)};
    obstacle->before = {there.R - end.R + before.R, there.t - end.t + before.t};
    obstacle->pose = there;
  }
}

void MovingThings::put(const std::vector<Way>& ways, double share) {
  for (const Way& way : ways) *way.place = share == 1 ? way.end : Vec3(way.end - (1 - share) * way.moved);
}

}  // namespace rebound::sim
