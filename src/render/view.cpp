#include "render/view.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::render {

void View::add_grab(const Vec3& body_point, const Vec3& cursor_point) {
  lines.push_back({body_point, cursor_point, theme->grab, 2.0f, true});
  markers.push_back({body_point, theme->grab, 4.0f, true, true});
  markers.push_back({cursor_point, theme->grab, 6.5f, true, true});
}

void View::add_pin(const Vec3& point) { markers.push_back({point, theme->pin, 5.0f, true, true}); }

void View::add_attachment(const Vec3& vertex, const Vec3& target) {
  lines.push_back({vertex, target, theme->attachment, 1.25f, true});
  markers.push_back({target, theme->attachment.with_alpha(1), 3.0f, false, true});
}

void View::add_contact(const Vec3& point, const Vec3& normal, float normal_length, float force_length) {
  lines.push_back({point, point + normal_length * normal, theme->contact.with_alpha(0.55f), 1.0f, true});
  markers.push_back({point, theme->contact, 2.5f, false, true});
  const Vec3 tip = point + force_length * normal;
  lines.push_back({point, tip, theme->contact, 2.0f, true});
  // A head that is seen from everywhere: its two strokes lie in the picture's plane, as far as the arrow does.
  const Vec3 across = normal.cross(camera.forward());
  const float length = across.norm();
  if (length < 1e-3f) return;
  const float head = 0.22f * force_length;
  for (const float side : {-0.5f, 0.5f})
    lines.push_back({tip, tip - head * normal + side * head / length * across, theme->contact, 2.0f, true});
}

Box View::bounds() const {
  Box box;
  for (const BodyView& body : bodies) {
    if (body.opacity >= 1) box.extend(body.mesh->bounds());
  }
  return box;
}

GridScale grid_scale(const Camera& camera, float pixel_ratio) {
  const float min_spacing_pixels = 12 * pixel_ratio;
  const float decades = std::log10(min_spacing_pixels * camera.metres_per_pixel(camera.pose().target));
  const float next_decade = std::floor(decades) + 1;
  GridScale scale;
  scale.minor = std::pow(10.0f, next_decade);
  scale.major = 10 * scale.minor;
  // Thin lines that are about to be replaced are as far apart as they need be; they were as strong as thick ones, and
  // fade from there while one moves away.
  scale.minor_strength = next_decade - decades;
  return scale;
}

}  // namespace rebound::render
