// OpenGL 3.3 core with owners: every GL name is held by a handle that deletes it, every failure is a GlError.
#pragma once

#include <glad/gl.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace rebound::render {

/// The machine's OpenGL cannot do what is needed; what() is one line for the user.
class GlError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace gl {

/// Loads the functions of the current context, glfwGetProcAddress or eglGetProcAddress being typical loaders.
/// Throws GlError if there is no current context or it is older than OpenGL 3.3.
void load(GLADloadfunc loader);

/// GL_RENDERER, such as "llvmpipe (LLVM 15.0.6, 256 bits)".
std::string renderer_name();

/// Whether the picture is drawn by the processor, so that samples and shadow texels have to be counted.
bool is_software();

/// Reports errors and undefined behaviour as seen by the driver on stderr, where KHR_debug exists; else does nothing.
void report_driver_messages();

/// Owns one GL name; 0 is none. Create and destroy it with its context current.
template <void (*Create)(GLuint*), void (*Delete)(GLuint*)>
class Handle {
 public:
  Handle() { Create(&id_); }
  ~Handle() { release(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      release();
      id_ = std::exchange(other.id_, 0);
    }
    return *this;
  }
  GLuint id() const { return id_; }

 private:
  void release() {
    if (id_ != 0) Delete(&id_);
  }
  GLuint id_ = 0;
};

namespace detail {
inline void create_buffer(GLuint* id) { glGenBuffers(1, id); }
inline void delete_buffer(GLuint* id) { glDeleteBuffers(1, id); }
inline void create_vertex_array(GLuint* id) { glGenVertexArrays(1, id); }
inline void delete_vertex_array(GLuint* id) { glDeleteVertexArrays(1, id); }
inline void create_texture(GLuint* id) { glGenTextures(1, id); }
inline void delete_texture(GLuint* id) { glDeleteTextures(1, id); }
inline void create_sampler(GLuint* id) { glGenSamplers(1, id); }
inline void delete_sampler(GLuint* id) { glDeleteSamplers(1, id); }
inline void create_renderbuffer(GLuint* id) { glGenRenderbuffers(1, id); }
inline void delete_renderbuffer(GLuint* id) { glDeleteRenderbuffers(1, id); }
inline void create_framebuffer(GLuint* id) { glGenFramebuffers(1, id); }
inline void delete_framebuffer(GLuint* id) { glDeleteFramebuffers(1, id); }
}  // namespace detail

using Buffer = Handle<detail::create_buffer, detail::delete_buffer>;
using VertexArray = Handle<detail::create_vertex_array, detail::delete_vertex_array>;
using Texture = Handle<detail::create_texture, detail::delete_texture>;
using Sampler = Handle<detail::create_sampler, detail::delete_sampler>;
using Renderbuffer = Handle<detail::create_renderbuffer, detail::delete_renderbuffer>;
using Framebuffer = Handle<detail::create_framebuffer, detail::delete_framebuffer>;

/// Throws GlError naming `what` unless the bound draw framebuffer is complete.
void require_complete_framebuffer(const std::string& what);

/// Puts back, on leaving the scope, the draw and read framebuffers and the viewport that were found on entering it.
class KeepFramebuffer {
 public:
  KeepFramebuffer();
  ~KeepFramebuffer();
  KeepFramebuffer(const KeepFramebuffer&) = delete;
  KeepFramebuffer& operator=(const KeepFramebuffer&) = delete;

  GLuint draw() const { return static_cast<GLuint>(draw_); }

 private:
  GLint draw_ = 0;
  GLint read_ = 0;
  GLint viewport_[4] = {};
};

}  // namespace gl
}  // namespace rebound::render
