// Shows a folder in the desktop's own file manager.
#pragma once

#include <filesystem>
#include <memory>

#include "render/process.hpp"

namespace rebound::app {

class FolderOpener {
 public:
  /// Whether there is a program for it.
  static bool can_open();
  /// Throws render::OutputError if it cannot be.
  void open(const std::filesystem::path& folder);

 private:
  /// The last one: it ends as soon as it has told the file manager.
  std::unique_ptr<render::Process> process_;
};

}  // namespace rebound::app
