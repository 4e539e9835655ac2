// Which files a command reads and writes: none is both, and none is written twice. Asked before anything starts.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace rebound::scene {
struct Description;
}

namespace rebound::cli {

class Paths {
 public:
  /// `what`: as messages call it, such as "the run".
  void reads(const std::string& what, const std::filesystem::path& file);
  /// The scene's file and its meshes.
  void reads(const scene::Description& scene);
  /// Empty: the option was not given. Throws InputError if the file is one of those above, under whatever name, or '-'.
  void writes(const std::string& option, const std::filesystem::path& file);
  /// The same for all that `makes` says will be written into a folder.
  void writes_into(const std::string& option, const std::filesystem::path& folder,
                   const std::function<bool(const std::string& name)>& makes);

 private:
  struct Named {
    std::string what;  ///< "the scene", "what --ledger writes as well"
    std::filesystem::path file;
  };
  std::vector<Named> all_;
};

}  // namespace rebound::cli
