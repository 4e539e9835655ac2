#include "sim/model/moving_hands.hpp"

namespace rebound::sim {

MovingHands::MovingHands(Model& model) {
  for (Attachments* hands : {&model.attachments, &model.grabs})
    for (Attachment& hand : hands->items)
      if (!hand.moved.isZero(0)) ways_.push_back({&hand, hand.target});
}

void MovingHands::put(double share) {
  for (const Way& way : ways_) way.hand->target = share == 1 ? way.end : Vec3(way.end - (1 - share) * way.hand->moved);
}

}  // namespace rebound::sim
