// What bodies need to meet one another, and themselves.
#include "scene/affine_geometry.hpp"
#include "scene/build.hpp"
#include "sim/collide/contact_body.hpp"

namespace rebound::scene {

bool bodies_may_meet(const Description& description) {
  const BodyContact& contact = description.contact;
  return contact.self || (contact.bodies && description.bodies.size() > 1);
}

std::shared_ptr<const sim::ContactBody> contact_body(const BodyGeometry& geometry) {
  const auto tets = geometry.tetrahedra();
  sim::BodyShape shape{geometry.rest, {tets.begin(), tets.end()}, geometry.fill, {}, geometry.surface.triangles, {}};
  if (geometry.is_affine()) {
    shape.fill = {0};  // what is in the tet may be outside of the surface
    shape.cage = affine_cage(geometry);
  }
  for (std::size_t i = 0; i < geometry.embedding.vertices.size(); ++i)
    shape.corners.push_back({geometry.embedding.vertices[i], geometry.embedding.weights[i]});
  return std::make_shared<const sim::ContactBody>(std::move(shape));
}

sim::BodyContactLaw contact_law(const BodyContact& contact) {
  return {contact.bodies, contact.self, contact.stiffness, contact.friction, contact.thickness.value_or(0)};
}

}  // namespace rebound::scene
