#include "app/exports.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <memory>

#include "app/places.hpp"
#include "film/ledger_plot.hpp"
#include "mesh/atomic_file.hpp"
#include "mesh/error.hpp"
#include "scene/parse.hpp"
#include "session/tables.hpp"

namespace rebound::app {
namespace fs = std::filesystem;
void Exports::start(fs::path file, const char* what, std::function<void(const fs::path&)> write) {
  running_.push_back(std::async(std::launch::async, [file = std::move(file), what, write = std::move(write)] {
    try {
      write(file);
      return Report{std::string(what) + ": " + file.string(), false, file};
    } catch (const std::exception& error) {
      return Report{error.what(), true, {}};
    }
  }));
}

void Exports::screenshot(render::Image image, const std::string& scene) {
  start(dated(home_folder("Pictures"), scene, ".png"), "Screenshot",
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

void Exports::plots(const History& history, const std::string& scene) {
  const auto& kept = history.records();
  const auto records = std::make_shared<std::vector<session::FrameRecord>>(kept.begin(), kept.end());
  start(dated(working_folder(), scene, ".svg"), "Plots",
        [records, scene](const fs::path& file) { film::write_ledger_plot(file, scene, *records); });
}

void Exports::scene(const scene::Description& description, const fs::path& file) {
  start(file, "Scene saved", [description](const fs::path& path) {
    write_file_atomically(path, scene::to_text(description, path.parent_path()));
  });
}

void Exports::run(std::future<std::string> written, const fs::path& file) {
  const auto result = std::make_shared<std::future<std::string>>(std::move(written));
  start(file, "Run saved", [result](const fs::path&) {
    if (const std::string failure = result->get(); !failure.empty()) throw InputError(failure);
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
