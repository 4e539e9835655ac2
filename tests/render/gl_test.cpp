#include "render/gl.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace rebound::render {
namespace {

const GLubyte* GLAD_API_PTR old_string(GLenum name) {
  if (name == GL_VERSION) return reinterpret_cast<const GLubyte*>("2.1 Old Driver");
  return reinterpret_cast<const GLubyte*>("Old Card");
}

GLADapiproc old_driver(const char* name) {
  return std::strcmp(name, "glGetString") == 0 ? reinterpret_cast<GLADapiproc>(old_string) : nullptr;
}

GLADapiproc no_driver(const char*) { return nullptr; }

std::string message_of_loading(GLADloadfunc loader) {
  try {
    gl::load(loader);
  } catch (const GlError& error) {
    return error.what();
  }
  return {};
}

TEST(Gl, OldContextsAreNamed) {
  EXPECT_EQ(message_of_loading(old_driver), "OpenGL 3.3 is needed; this machine offers 2.1 (Old Card)");
}

TEST(Gl, NoContextIsNamed) {
  EXPECT_EQ(message_of_loading(no_driver), "OpenGL 3.3 is needed, and there is no OpenGL context at all");
}

}  // namespace
}  // namespace rebound::render
