#include "render/offscreen.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace rebound::render {

namespace {

std::string egl_error() {
  char code[32];
  std::snprintf(code, sizeof code, "EGL error 0x%04x", eglGetError());
  return code;
}

[[noreturn]] void fail(const std::string& missing) { throw GlError("no picture can be drawn off screen: " + missing); }

EGLDisplay surfaceless_display() {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (!extensions) fail("EGL has no client extensions (" + egl_error() + "); is Mesa's libegl-mesa0 installed?");
  if (!std::strstr(extensions, "EGL_MESA_platform_surfaceless")) {
    fail("EGL lacks EGL_MESA_platform_surfaceless; install Mesa's libegl-mesa0");
  }
  const auto get_platform_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (!get_platform_display) fail("EGL lacks eglGetPlatformDisplayEXT");
  const EGLDisplay display = get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) {
    fail("EGL's surfaceless platform does not start (" + egl_error() + "); is libgl1-mesa-dri installed?");
  }
  return display;
}

EGLContext core_context(EGLDisplay display) {
  if (!eglBindAPI(EGL_OPENGL_API)) fail("EGL offers no desktop OpenGL (" + egl_error() + ")");
  const EGLint config_attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, config_attributes, &config, 1, &count) || count == 0) {
    fail("EGL has no configuration for desktop OpenGL");
  }
  const EGLint context_attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
  if (context == EGL_NO_CONTEXT) fail("EGL gives no OpenGL 3.3 core context (" + egl_error() + ")");
  return context;
}

}  // namespace

struct OffscreenContext::Egl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;

  ~Egl() {
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    // The display is EGL's own and shared by all contexts of the process: it is not terminated here.
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
  }
};

OffscreenContext::OffscreenContext() : egl_(std::make_unique<Egl>()) {
  egl_->display = surfaceless_display();
  egl_->context = core_context(egl_->display);
  make_current();
  gl::load(eglGetProcAddress);
}

OffscreenContext::~OffscreenContext() = default;

void OffscreenContext::make_current() {
  if (!eglMakeCurrent(egl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl_->context)) {
    fail("the context cannot be made current (" + egl_error() + ")");
  }
}

RenderTarget::RenderTarget(int width, int height) : width_(std::max(width, 1)), height_(std::max(height, 1)) {
  const gl::KeepFramebuffer keep;
  glBindTexture(GL_TEXTURE_2D, color_.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindRenderbuffer(GL_RENDERBUFFER, depth_.id());
  glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width_, height_);
  glBindRenderbuffer(GL_RENDERBUFFER, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_.id(), 0);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
  gl::require_complete_framebuffer("off-screen picture of " + std::to_string(width_) + " x " + std::to_string(height_) +
                                   " pixels");
}

void RenderTarget::bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id()); }

Image RenderTarget::read() const {
  Image image;
  read_into(image);
  return image;
}

void RenderTarget::read_into(Image& image) const {
  const gl::KeepFramebuffer keep;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.id());
  read_pixels(viewport(), image);
}

void read_pixels(const Viewport& area, Image& image) {
  if (area.empty()) {
    image = Image();
    return;
  }
  if (image.width != area.width || image.height != area.height) image = Image(area.width, area.height);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(area.x, area.y, area.width, area.height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  const auto row_bytes = static_cast<std::ptrdiff_t>(4) * area.width;
  for (int top = 0, bottom = area.height - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(image.pixel(0, top), image.pixel(0, top) + row_bytes, image.pixel(0, bottom));
  }
}

}  // namespace rebound::render
