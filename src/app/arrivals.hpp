// Files and scenes that are to be opened. Where it is not plain what is meant, it is asked first: whether a recording
// may end, whether a surface is a solid or a shell, whether a mesh joins the scene.
#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>

#include "app/stage.hpp"
#include "app/world.hpp"

namespace rebound::app {

struct Desk;

class Arrivals {
 public:
  explicit Arrivals(const World& world) : world_(world) {}

  void open(Source source);
  void open(const std::filesystem::path& file);
  /// As open(); of a mesh it asks whether it shall join the scene.
  void drop(const std::filesystem::path& file);
  /// The scene anew, its meshes filled with about so many tetrahedra.
  void reopen_with_detail(int tets);

  /// What has to be answered before something is opened; empty if there is nothing.
  std::string question() const;
  void show_question(const Desk& desk);
  /// Takes every question back.
  void forget();
  /// Takes on what was looked at in the background. True if there is something new.
  bool poll();

 private:
  struct Surface {
    std::filesystem::path file;
    bool has_border = false;
    bool may_join = false;
  };

  void open_as_it_is(const std::filesystem::path& file);
  void ask_about_recording();
  void ask_about_mesh(const Desk& desk);
  void join(const std::filesystem::path& file, bool shell);

  World world_;
  std::optional<Source> waiting_;   ///< to be opened, once it is said that the recording may end
  std::future<Surface> looked_at_;  ///< a surface that is to be opened
  std::optional<Surface> asked_;    ///< until it is said what it is meant as
};

}  // namespace rebound::app
