#include "render/shadow_pass.hpp"

namespace rebound::render {

namespace {

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
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
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

void bind_unit(int unit, GLuint texture, GLuint sampler) {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, texture);
  glBindSampler(static_cast<GLuint>(unit), sampler);
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace

ShadowMap::ShadowMap(int resolution) : resolution_(resolution), program_({"depth.vert.glsl", "depth.frag.glsl"}) {
  const gl::KeepFramebuffer keep;
  make_texture(depth_.id(), GL_DEPTH_COMPONENT24, resolution_, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
  set_up_map_sampler(reading_.id(), GL_NEAREST);
  set_up_map_sampler(comparing_.id(), GL_LINEAR);
  glSamplerParameteri(comparing_.id(), GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glSamplerParameteri(comparing_.id(), GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  glBindFramebuffer(GL_FRAMEBUFFER, target_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.id(), 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  gl::require_complete_framebuffer("shadow map");
}

void ShadowMap::draw(const View& view, const ShadowWindow& window) {
  glBindFramebuffer(GL_FRAMEBUFFER, target_.id());
  glViewport(0, 0, resolution_, resolution_);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.0f, 1.0f);
  program_.use();
  program_.set("clip_from_world", to_clip(window.map_from_world));
  draw_casters(view);
  glDisable(GL_POLYGON_OFFSET_FILL);
}

void ShadowMap::bind() const {
  bind_unit(compare_unit, depth_.id(), comparing_.id());
  bind_unit(depth_unit, depth_.id(), reading_.id());
}

FloorMask::FloorMask(int resolution)
    : resolution_(resolution),
      program_({"depth.vert.glsl", "floor_mask.frag.glsl"}),
      blur_program_({"fullscreen.vert.glsl", "blur.frag.glsl"}) {
  const gl::KeepFramebuffer keep;
  for (int i = 0; i < 2; ++i) {
    make_texture(images_[i].id(), GL_RG8, resolution_, GL_RG, GL_UNSIGNED_BYTE);
    glBindFramebuffer(GL_FRAMEBUFFER, targets_[i].id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, images_[i].id(), 0);
    gl::require_complete_framebuffer("floor shadow");
  }
}

void FloorMask::draw(const View& view, const FloorWindow& window) {
  glDisable(GL_DEPTH_TEST);
  // What has sunk into the floor touches it, and what is above the window casts a shadow as well.
  glEnable(GL_DEPTH_CLAMP);
  glViewport(0, 0, resolution_, resolution_);
  glBindFramebuffer(GL_FRAMEBUFFER, targets_[0].id());
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_BLEND);
  glBlendEquation(GL_MAX);
  program_.use();
  program_.set("clip_from_world", to_clip(window.map_from_world));
  draw_casters(view);
  glBlendEquation(GL_FUNC_ADD);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_CLAMP);
  blur(window);
}

void FloorMask::blur(const FloorWindow& window) {
  const float deviation = 0.12f * window.height;
  blur_program_.use();
  blur_program_.set("image", 0);
  glBindVertexArray(no_attributes_.id());
  for (int i = 0; i < 2; ++i) {
    glBindFramebuffer(GL_FRAMEBUFFER, targets_[1 - i].id());
    glBindTexture(GL_TEXTURE_2D, images_[i].id());
    const float spread = deviation / (2 * window.half_size[i]);
    blur_program_.set("spread", Vec2(Vec2::Unit(i) * spread));
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindVertexArray(0);
}

void FloorMask::bind() const { bind_unit(unit, images_[0].id(), 0); }

void unbind_shadows() {
  for (const int unit : {ShadowMap::compare_unit, ShadowMap::depth_unit, FloorMask::unit}) bind_unit(unit, 0, 0);
}

}  // namespace rebound::render
