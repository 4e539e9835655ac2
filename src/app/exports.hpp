// Files that the window writes: pictures, tables, scenes. Written in the background, each under its name only when
// whole.
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "app/history.hpp"
#include "render/image.hpp"
#include "scene/description.hpp"

namespace rebound::app {

class Exports {
 public:
  void screenshot(render::Image image, const std::string& scene);
  void table(const History& history, const std::string& scene);
  void plots(const History& history, const std::string& scene);
  /// A run, which the simulation writes itself: empty or the reason why it could not, one line.
  void run(std::future<std::string> written, const std::filesystem::path& file);
  void scene(const scene::Description& description, const std::filesystem::path& file);

  struct Report {
    std::string text;
    bool failed = false;
    std::filesystem::path file;  ///< what was written
  };
  /// What has been written since the last call, and where.
  std::vector<Report> poll();
  bool busy() const { return !running_.empty(); }

 private:
  void start(std::filesystem::path file, const char* what, std::function<void(const std::filesystem::path&)> write);

  std::vector<std::future<Report>> running_;
};

/// The framebuffer that was just drawn into, before it is presented.
render::Image read_framebuffer(int width, int height);

}  // namespace rebound::app
