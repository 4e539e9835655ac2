#include "sim/model/moving_things.hpp"

namespace rebound::sim {

MovingThings::MovingThings(Model& model) {
  for (Attachments* hands : {&model.attachments, &model.grabs})
    for (Attachment& hand : hands->items)
      if (!hand.moved.isZero(0)) hands_.push_back({&hand.target, hand.target, hand.moved});
  for (Contact& contact : model.contacts.items)
    if (!contact.moved.isZero(0)) surfaces_.push_back({&contact.x_s, contact.x_s, contact.moved});
}

MovingThings::~MovingThings() {
  put_hands(1);
  put_surfaces(1);
}

void MovingThings::put_hands(double share) { put(hands_, share); }

void MovingThings::put_surfaces(double share) { put(surfaces_, share); }

void MovingThings::put(const std::vector<Way>& ways, double share) {
  for (const Way& way : ways) *way.place = share == 1 ? way.end : Vec3(way.end - (1 - share) * way.moved);
}

}  // namespace rebound::sim
