#include "render/shader.hpp"

#include <utility>

namespace rebound::render {

namespace {

constexpr std::string_view include_mark = "#include \"";

/// The file with its includes in place. Nested includes are allowed; there are no include guards, and none are needed.
std::string expand(const std::string& name) {
  const std::string_view source = embedded_shader(name);
  if (source.empty()) throw GlError("the shader " + name + " is not part of this program");
  std::string expanded;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    const std::string_view line = source.substr(begin, end - begin);
    if (line.starts_with(include_mark)) {
      const std::size_t close = line.find('"', include_mark.size());
      expanded += expand(std::string(line.substr(include_mark.size(), close - include_mark.size())));
    } else {
      expanded += line;
      expanded += '\n';
    }
    begin = end + 1;
  }
  return expanded;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Owns a shader object until it is linked.
class Stage {
 public:
  Stage(GLenum kind, const std::string& name, const std::vector<std::string>& defines) : id_(glCreateShader(kind)) {
    std::string text = "#version 330 core\n";
    for (const std::string& define : defines) text += "#define " + define + "\n";
    text += expand(name);
    const char* source = text.c_str();
    glShaderSource(id_, 1, &source, nullptr);
    glCompileShader(id_);
    GLint compiled = GL_FALSE;
    glGetShaderiv(id_, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
      char log[1024] = {};
      glGetShaderInfoLog(id_, sizeof log, nullptr, log);
      glDeleteShader(id_);
      throw GlError("the shader " + name + " does not compile: " + first_line(log));
    }
  }
  ~Stage() { glDeleteShader(id_); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  GLuint id() const { return id_; }

 private:
  GLuint id_;
};

}  // namespace

Program::Program(const ProgramSources& sources) {
  const Stage vertex(GL_VERTEX_SHADER, sources.vertex, sources.defines);
  const Stage fragment(GL_FRAGMENT_SHADER, sources.fragment, sources.defines);
  id_ = glCreateProgram();
  glAttachShader(id_, vertex.id());
  glAttachShader(id_, fragment.id());
  if (sources.geometry.empty()) {
    glLinkProgram(id_);
  } else {
    const Stage geometry(GL_GEOMETRY_SHADER, sources.geometry, sources.defines);
    glAttachShader(id_, geometry.id());
    glLinkProgram(id_);
  }
  GLint linked = GL_FALSE;
  glGetProgramiv(id_, GL_LINK_STATUS, &linked);
  if (!linked) {
    char log[1024] = {};
    glGetProgramInfoLog(id_, sizeof log, nullptr, log);
    glDeleteProgram(id_);
    throw GlError("the shaders " + sources.vertex + " and " + sources.fragment + " do not link: " + first_line(log));
  }
}

Program::~Program() {
  if (id_ != 0) glDeleteProgram(id_);
}

Program::Program(Program&& other) noexcept
    : id_(std::exchange(other.id_, 0)), locations_(std::move(other.locations_)) {}

GLint Program::location(const char* name) {
  const auto [entry, is_new] = locations_.try_emplace(name, -1);
  if (is_new) entry->second = glGetUniformLocation(id_, name);
  return entry->second;
}

void Program::set(const char* name, int value) { glUniform1i(location(name), value); }
void Program::set(const char* name, float value) { glUniform1f(location(name), value); }
void Program::set(const char* name, const Vec2& value) { glUniform2fv(location(name), 1, value.data()); }
void Program::set(const char* name, const Vec3& value) { glUniform3fv(location(name), 1, value.data()); }
void Program::set(const char* name, const Vec4& value) { glUniform4fv(location(name), 1, value.data()); }
void Program::set(const char* name, const Mat4& value) {
  glUniformMatrix4fv(location(name), 1, GL_FALSE, value.data());
}

}  // namespace rebound::render
