#include "app/exports.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "mesh/atomic_file.hpp"
#include "scene/parse.hpp"
#include "session/tables.hpp"

namespace rebound::app {
namespace fs = std::filesystem;
namespace {

std::string file_safe(const std::string& name) {
  std::string safe;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0;
    if (plain) safe += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!plain && !safe.empty() && safe.back() != '-') safe += '-';
  }
  while (!safe.empty() && safe.back() == '-') safe.pop_back();
  return safe.empty() ? "scene" : safe;
}

/// "rebound-spinning-cube-2024-05-01-142233.png", with a number if there is one of that second already.
fs::path dated(const fs::path& folder, const std::string& scene, const char* extension) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d-%H%M%S", &local);
  const std::string stem = "rebound-" + file_safe(scene) + "-" + date;
  std::error_code error;
  fs::path file = folder / (stem + extension);
  for (int i = 2; fs::exists(file, error); ++i) file = folder / (stem + "-" + std::to_string(i) + extension);
  return file;
}

fs::path working_folder() {
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  return error ? fs::path(".") : folder;
}

fs::path pictures_folder() {
  std::error_code error;
  const char* home = std::getenv("HOME");
  const fs::path pictures = home != nullptr ? fs::path(home) / "Pictures" : fs::path();
  return !pictures.empty() && fs::is_directory(pictures, error) ? pictures : working_folder();
}

}  // namespace

void Exports::start(fs::path file, const char* what, std::function<void(const fs::path&)> write) {
  running_.push_back(std::async(std::launch::async, [file = std::move(file), what, write = std::move(write)] {
    try {
      write(file);
      return Report{std::string(what) + ": " + file.string(), false};
    } catch (const std::exception& error) {
      return Report{error.what(), true};
    }
  }));
}

void Exports::screenshot(render::Image image, const std::string& scene) {
  start(dated(pictures_folder(), scene, ".png"), "Screenshot",
        [image = std::make_shared<render::Image>(std::move(image))](const fs::path& file) {
          render::write_png(*image, file);
        });
}

void Exports::table(const History& history, const std::string& scene) {
  const auto records = std::make_shared<std::deque<session::FrameRecord>>(history.records());
  start(dated(working_folder(), scene, ".csv"), "Plotted data", [records](const fs::path& file) {
    std::string text = session::ledger_header();
    for (const auto& record : *records) text += session::ledger_row(record);
    write_file_atomically(file, text);
  });
}

void Exports::scene(const scene::Description& description, const fs::path& file) {
  start(file, "Scene saved", [description](const fs::path& path) {
    write_file_atomically(path, scene::to_json(description, path.parent_path()).dump(2) + "\n");
  });
}

std::vector<Exports::Report> Exports::poll() {
  std::vector<Report> reports;
  std::erase_if(running_, [&reports](std::future<Report>& future) {
    if (future.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    reports.push_back(future.get());
    return true;
  });
  return reports;
}

render::Image read_framebuffer(int width, int height) {
  render::Image image(width, height);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  const std::size_t row = 4 * static_cast<std::size_t>(width);
  for (int y = 0; y < height / 2; ++y)
    std::swap_ranges(image.pixel(0, y), image.pixel(0, y) + row, image.pixel(0, height - 1 - y));
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
  return image;
}

}  // namespace rebound::app
