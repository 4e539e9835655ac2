// GLSL programs from the sources in /shaders, which the build writes into the executable.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "render/geometry.hpp"
#include "render/gl.hpp"

namespace rebound::render {

/// The text of shaders/NAME as it was when the program was built, without includes resolved; empty if there is none.
std::string_view embedded_shader(std::string_view name);

/// What goes into one program. `defines` become "#define NAME" lines, so that one source serves several variants.
struct ProgramSources {
  std::string vertex;
  std::string fragment;
  std::string geometry = {};
  std::vector<std::string> defines = {};
};

/// A linked program. Lines `#include "file.glsl"` in a source are replaced by that embedded file.
class Program {
 public:
  /// Compiles and links; throws GlError naming the file, with the compiler's first line.
  explicit Program(const ProgramSources& sources);
  ~Program();
  Program(Program&& other) noexcept;
  Program& operator=(Program&&) = delete;

  void use() const { glUseProgram(id_); }
  GLuint id() const { return id_; }

  /// Set a uniform of this program, which must be in use. Names that the compiler dropped are ignored.
  void set(const char* name, int value);
  void set(const char* name, float value);
  void set(const char* name, const Vec2& value);
  void set(const char* name, const Vec3& value);
  void set(const char* name, const Vec4& value);
  void set(const char* name, const Mat4& value);

 private:
  GLint location(const char* name);

  GLuint id_ = 0;
  std::unordered_map<std::string, GLint> locations_;
};

}  // namespace rebound::render
