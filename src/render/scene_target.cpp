#include "render/scene_target.hpp"

namespace rebound::render {

namespace {
constexpr int samples = 4;
}

SceneTarget::SceneTarget(Antialiasing antialiasing) : antialiasing_(antialiasing) {
  if (antialiasing_ == Antialiasing::fxaa) smoothing_.emplace(ProgramSources{"fullscreen.vert.glsl", "fxaa.frag.glsl"});
}

void SceneTarget::provide(int width, int height) {
  if (storage_ && storage_->width == width && storage_->height == height) return;
  storage_.reset();
  storage_.emplace();
  storage_->width = width;
  storage_->height = height;
  glBindFramebuffer(GL_FRAMEBUFFER, storage_->framebuffer.id());
  if (antialiasing_ == Antialiasing::msaa4) {
    glBindRenderbuffer(GL_RENDERBUFFER, storage_->sampled_color.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, storage_->sampled_color.id());
    glBindRenderbuffer(GL_RENDERBUFFER, storage_->depth.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
  } else {
    glBindTexture(GL_TEXTURE_2D, storage_->color.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, storage_->color.id(), 0);
    glBindRenderbuffer(GL_RENDERBUFFER, storage_->depth.id());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
  }
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, storage_->depth.id());
  glBindRenderbuffer(GL_RENDERBUFFER, 0);
  gl::require_complete_framebuffer("smoothed picture");
}

Viewport SceneTarget::area(const Viewport& area) const {
  return antialiasing_ == Antialiasing::none ? area : Viewport{0, 0, area.width, area.height};
}

void SceneTarget::begin(const Viewport& area, GLuint destination) {
  if (antialiasing_ == Antialiasing::none) {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, destination);
    glViewport(area.x, area.y, area.width, area.height);
    return;
  }
  provide(area.width, area.height);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, storage_->framebuffer.id());
  glViewport(0, 0, area.width, area.height);
}

void SceneTarget::end(const Viewport& area, GLuint destination) {
  if (antialiasing_ == Antialiasing::none) return;
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, destination);
  glViewport(area.x, area.y, area.width, area.height);
  glDisable(GL_DEPTH_TEST);
  if (antialiasing_ == Antialiasing::msaa4) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, storage_->framebuffer.id());
    glBlitFramebuffer(0, 0, area.width, area.height, area.x, area.y, area.x + area.width, area.y + area.height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    return;
  }
  smoothing_->use();
  smoothing_->set("image", 0);
  smoothing_->set("pixel", Vec2(1 / static_cast<float>(area.width), 1 / static_cast<float>(area.height)));
  glBindTexture(GL_TEXTURE_2D, storage_->color.id());
  glBindVertexArray(no_attributes_.id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glBindTexture(GL_TEXTURE_2D, 0);
}

}  // namespace rebound::render
