#include "app/folder_opener.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace rebound::app {
namespace {

constexpr const char* kProgram = "xdg-open";

}  // namespace

bool FolderOpener::can_open() {
  const char* folders = std::getenv("PATH");
  std::istringstream list(folders != nullptr ? folders : "");
  for (std::string folder; std::getline(list, folder, ':');)
    if (::access((std::filesystem::path(folder) / kProgram).c_str(), X_OK) == 0) return true;
  return false;
}

void FolderOpener::open(const std::filesystem::path& folder) {
  process_ = std::make_unique<render::Process>(std::vector<std::string>{kProgram, folder.string()});
}

}  // namespace rebound::app
