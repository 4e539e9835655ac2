#include "sim/model/held.hpp"

#include <algorithm>

namespace rebound::sim {

bool is_held(const Model& model, const BodyRange& body) {
  const auto is_in = [&](int v) { return body.first <= v && v < body.first + body.count; };
  const auto fixed = model.fixed.begin() + body.first;
  if (std::any_of(fixed, fixed + body.count, [](auto is_fixed) { return is_fixed != 0; })) return true;
  for (const Attachments* hands : {&model.attachments, &model.grabs})
    for (const Attachment& hand : hands->items)
      if (is_in(hand.point.vertices[0])) return true;
  for (const auto& constraint : model.constraints)
    for (const int v : constraint->vertices())
      if (is_in(v)) return true;
  return false;
}

}  // namespace rebound::sim
