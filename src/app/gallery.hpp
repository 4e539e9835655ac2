// All built-in scenes with their pictures, in groups, to choose from.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/desk.hpp"
#include "app/layout.hpp"
#include "render/gl.hpp"
#include "scene/gallery.hpp"

namespace rebound::app {

class Gallery {
 public:
  void toggle() { open_ = !open_; }
  void close() { open_ = false; }
  bool is_open() const { return open_; }
  /// While it is open. Reads pictures when they are first seen, a few in each of the window's.
  void show(Desk& desk);

  /// What to try in the scene of this file; empty if there is nothing known.
  std::string hint(const std::filesystem::path& file) { return scene::gallery_hint(file); }
  const std::vector<scene::GalleryGroup>& groups();
  /// Where the cards were drawn last, by the scenes' names: their middles in window coordinates. For tests.
  const std::map<std::string, ImVec2>& cards() const { return cards_; }

 private:
  void show_group(Desk& desk, const scene::GalleryGroup& group, float width);
  void show_card(Desk& desk, const scene::GalleryEntry& entry, const ImVec2& size);
  /// 0 while it is not read, or cannot be.
  GLuint picture(const std::filesystem::path& file);

  bool open_ = false;
  std::optional<std::vector<scene::GalleryGroup>> groups_;
  std::map<std::filesystem::path, std::optional<render::gl::Texture>> pictures_;
  int reads_ = 0;  ///< in this picture of the window
  std::map<std::string, ImVec2> cards_;
};

}  // namespace rebound::app
