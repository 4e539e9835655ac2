#include "render/shadow_pass.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::render {

namespace {

/// The next size in steps of an eighth of an octave.
float stepped_size(float size) { return std::exp2(std::ceil(8 * std::log2(std::max(size, 1e-6f))) / 8); }

/// The box of `box`'s corners after a rotation whose rows are the new axes.
Box rotated(const Box& box, const Eigen::Matrix3f& axes) {
  Box result;
  for (int corner = 0; corner < 8; ++corner) {
    result.extend(axes * box.corner(static_cast<Box::CornerType>(corner)));
  }
  return result;
}

/// Maps the box between `low` and `low + size`, in the frame of `axes`, to [0, 1].
Mat4 to_unit_cube(const Eigen::Matrix3f& axes, const Vec3& low, const Vec3& size) {
  Mat4 m = Mat4::Identity();
  m.topLeftCorner<3, 3>() = size.cwiseInverse().asDiagonal() * axes;
  m.topRightCorner<3, 1>() = -low.cwiseQuotient(size);
  return m;
}

/// From [0, 1] to OpenGL's [-1, 1].
Mat4 to_clip(const Mat4& to_unit) {
  Mat4 m = Mat4::Identity();
  m.topLeftCorner<3, 3>() *= 2;
  m.topRightCorner<3, 1>() = -Vec3::Ones();
  return m * to_unit;
}

/// Outside the map nothing casts a shadow.
void set_up_map_sampler(GLuint sampler, GLint filter) {
  constexpr float far_away[] = {1, 1, 1, 1};
  glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, filter);
  glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, filter);
  glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  glSamplerParameterfv(sampler, GL_TEXTURE_BORDER_COLOR, far_away);
}

void draw_casters(const View& view) {
  for (const BodyView& body : view.bodies) {
    if (body.casts_shadow && body.opacity >= 1) body.mesh->draw();
  }
}

void make_texture(GLuint texture, GLint format, int size, GLenum layout, GLenum type) {
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, format, size, size, 0, layout, type, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  glBindTexture(GL_TEXTURE_2D, 0);
}

}  // namespace

ShadowWindow fit_shadow_window(const Box& casters, const Vec3& to_light, int resolution) {
  Eigen::Matrix3f axes;
  const Vec3 side = (std::abs(to_light.y()) < 0.99f ? Vec3::UnitY() : Vec3::UnitX()).cross(to_light).normalized();
  axes.row(0) = side;
  axes.row(1) = to_light.cross(side);
  axes.row(2) = -to_light;
  const Box seen = rotated(casters, axes);

  // A border of a few texels keeps filter kernels off the map's edge.
  const float width = stepped_size(1.06f * std::max(seen.sizes().x(), seen.sizes().y()) + 1e-4f);
  ShadowWindow window;
  window.texel = width / static_cast<float>(resolution);
  window.size = {width, width, stepped_size(1.02f * seen.sizes().z() + 4 * window.texel)};
  Vec3 low = seen.center() - 0.5f * window.size;
  for (int i = 0; i < 3; ++i) low[i] = window.texel * std::floor(low[i] / window.texel);
  window.map_from_world = to_unit_cube(axes, low, window.size);
  return window;
}

PlaneFrame frame_of(const PlaneView& plane) {
  const Vec3 away = std::abs(plane.normal.x()) < 0.9f ? Vec3::UnitX() : Vec3::UnitZ();
  const Vec3 u = (away - plane.normal * plane.normal.dot(away)).normalized();
  return {u, plane.normal.cross(u)};
}

ContactWindow fit_contact_window(const Box& casters, const PlaneView& plane, float height) {
  const PlaneFrame frame = frame_of(plane);
  Eigen::Matrix3f axes;
  axes.row(0) = frame.u;
  axes.row(1) = frame.v;
  axes.row(2) = plane.normal;
  ContactWindow window;
  window.height = height;
  window.footprint = rotated(casters, axes);
  window.footprint.min().array() -= height;
  window.footprint.max().array() += height;
  Vec3 low = window.footprint.min();
  Vec3 size = window.footprint.sizes();
  low.z() = plane.offset;
  size.z() = height;
  window.map_from_world = to_unit_cube(axes, low, size);
  return window;
}

ShadowPass::ShadowPass(int resolution, int contact_resolution)
    : resolution_(resolution),
      contact_resolution_(contact_resolution),
      depth_program_({"depth.vert.glsl", "depth.frag.glsl"}),
      contact_program_({"depth.vert.glsl", "contact.frag.glsl"}),
      blur_program_({"fullscreen.vert.glsl", "blur.frag.glsl"}) {
  const gl::KeepFramebuffer keep;
  make_texture(depth_.id(), GL_DEPTH_COMPONENT24, resolution_, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
  set_up_map_sampler(reading_.id(), GL_NEAREST);
  set_up_map_sampler(comparing_.id(), GL_LINEAR);
  glSamplerParameteri(comparing_.id(), GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glSamplerParameteri(comparing_.id(), GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  glBindFramebuffer(GL_FRAMEBUFFER, depth_target_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.id(), 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  gl::require_complete_framebuffer("shadow map");
  for (int i = 0; i < 2; ++i) {
    make_texture(contact_[i].id(), GL_R8, contact_resolution_, GL_RED, GL_UNSIGNED_BYTE);
    glBindFramebuffer(GL_FRAMEBUFFER, contact_target_[i].id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, contact_[i].id(), 0);
    gl::require_complete_framebuffer("contact shadow");
  }
}

void ShadowPass::draw_shadow(const View& view, const ShadowWindow& window) {
  glBindFramebuffer(GL_FRAMEBUFFER, depth_target_.id());
  glViewport(0, 0, resolution_, resolution_);
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.0f, 1.0f);
  depth_program_.use();
  depth_program_.set("clip_from_world", to_clip(window.map_from_world));
  draw_casters(view);
  glDisable(GL_POLYGON_OFFSET_FILL);
}

void ShadowPass::draw_contact(const View& view, const ContactWindow& window) {
  glDisable(GL_DEPTH_TEST);
  // What has sunk into the floor touches it.
  glEnable(GL_DEPTH_CLAMP);
  glViewport(0, 0, contact_resolution_, contact_resolution_);
  glBindFramebuffer(GL_FRAMEBUFFER, contact_target_[0].id());
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_BLEND);
  glBlendEquation(GL_MAX);
  contact_program_.use();
  contact_program_.set("clip_from_world", to_clip(window.map_from_world));
  draw_casters(view);
  glBlendEquation(GL_FUNC_ADD);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_CLAMP);

  const Vec3 size = window.footprint.sizes();
  const float deviation = 0.22f * window.height;
  blur_program_.use();
  blur_program_.set("image", 0);
  glBindVertexArray(no_attributes_.id());
  for (int i = 0; i < 2; ++i) {
    glBindFramebuffer(GL_FRAMEBUFFER, contact_target_[1 - i].id());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, contact_[i].id());
    blur_program_.set("spread", i == 0 ? Vec2(deviation / size.x(), 0) : Vec2(0, deviation / size.y()));
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glBindVertexArray(0);
}

void ShadowPass::bind() const {
  const auto bind_unit = [](int unit, GLuint texture, GLuint sampler) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindSampler(static_cast<GLuint>(unit), sampler);
  };
  bind_unit(compare_unit, depth_.id(), comparing_.id());
  bind_unit(depth_unit, depth_.id(), reading_.id());
  bind_unit(contact_unit, contact_[0].id(), 0);
  glActiveTexture(GL_TEXTURE0);
}

void ShadowPass::unbind() {
  for (const int unit : {compare_unit, depth_unit, contact_unit}) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindSampler(static_cast<GLuint>(unit), 0);
  }
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace rebound::render
