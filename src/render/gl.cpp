#include "render/gl.hpp"

#include <cstdio>

namespace rebound::render::gl {

namespace {

std::string string_or(GLenum name, const char* fallback) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text ? text : fallback;
}

void GLAD_API_PTR print_message(GLenum, GLenum type, GLuint, GLenum severity, GLsizei, const GLchar* text,
                                const void*) {
  const bool wrong = type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR;
  if (wrong && severity != GL_DEBUG_SEVERITY_NOTIFICATION) std::fprintf(stderr, "OpenGL: %s\n", text);
}

}  // namespace

void load(GLADloadfunc loader) {
  const int version = gladLoadGL(loader);
  if (version == 0) throw GlError("OpenGL 3.3 is needed, and there is no OpenGL context at all");
  const int major = GLAD_VERSION_MAJOR(version);
  const int minor = GLAD_VERSION_MINOR(version);
  if (major * 10 + minor < 33) {
    throw GlError("OpenGL 3.3 is needed; this machine offers " + std::to_string(major) + "." + std::to_string(minor) +
                  " (" + string_or(GL_RENDERER, "unknown renderer") + ")");
  }
}

std::string renderer_name() { return string_or(GL_RENDERER, "unknown renderer"); }

bool is_software() {
  const std::string name = renderer_name();
  for (const char* software : {"llvmpipe", "softpipe", "swrast", "Software Rasterizer", "SWR"}) {
    if (name.find(software) != std::string::npos) return true;
  }
  return false;
}

void report_driver_messages() {
  if (!GLAD_GL_KHR_debug || !glDebugMessageCallback) return;
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(print_message, nullptr);
}

void require_complete_framebuffer(const std::string& what) {
  const GLenum status = glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER);
  if (status == GL_FRAMEBUFFER_COMPLETE) return;
  char code[16];
  std::snprintf(code, sizeof code, "0x%04x", status);
  throw GlError("OpenGL cannot draw into the " + what + " (framebuffer status " + code + ")");
}

KeepFramebuffer::KeepFramebuffer() {
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw_);
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_);
  glGetIntegerv(GL_VIEWPORT, viewport_);
}

KeepFramebuffer::~KeepFramebuffer() {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_));
  glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
}

}  // namespace rebound::render::gl
