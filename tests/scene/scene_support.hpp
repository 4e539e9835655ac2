// What the tests of scene reading share.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "mesh/error.hpp"
#include "scene/parse.hpp"

namespace rebound::scene {

/// A folder that is gone with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rebound_scene_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// The message of the InputError that `action` ends in; it must be one line.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  return "no error";
}

inline Description parsed(const std::string& text) { return parse_scene(text, "test.json", {}); }
inline std::string error_in(const std::string& text) {
  return error_of([&] { parsed(text); });
}

/// A scene with one body of these keys.
inline std::string scene_with(const std::string& body) { return "{\"rebound\": 1, \"bodies\": [{" + body + "}]}"; }

inline constexpr const char* kCube = "\"mesh\": {\"box\": {}}";

}  // namespace rebound::scene
