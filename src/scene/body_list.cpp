#include "scene/body_list.hpp"

#include "scene/build.hpp"

namespace rebound::scene {

BodyList::BodyList(std::vector<BodyGeometry>&& bodies) {
  bodies_.reserve(bodies.size());
  for (BodyGeometry& body : bodies) bodies_.push_back(std::make_shared<const BodyGeometry>(std::move(body)));
}

BodyList::BodyList(const std::vector<BodyGeometry>& bodies) {
  bodies_.reserve(bodies.size());
  const std::shared_ptr<const BodyGeometry> owned_elsewhere;
  for (const BodyGeometry& body : bodies) bodies_.emplace_back(owned_elsewhere, &body);
}

}  // namespace rebound::scene
