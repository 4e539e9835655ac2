// Asking for a file: the desktop's own dialog (zenity) where there is one, else a browser of ours. Neither makes the
// window wait.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/desk.hpp"

namespace rebound::app {

class FileDialog {
 public:
  enum class Purpose { open, save, save_run, obstacle };

  FileDialog() = default;
  ~FileDialog();
  FileDialog(const FileDialog&) = delete;
  FileDialog& operator=(const FileDialog&) = delete;

  /// Asks, unless it is asking already. `proposal`: the folder to begin in, or the name to save under.
  void ask(Purpose purpose, const std::filesystem::path& proposal);
  void cancel();
  bool asking() const { return process_ > 0 || browsing_; }

  struct Answer {
    Purpose purpose;
    std::filesystem::path file;
  };
  /// Once, when a file was chosen.
  std::optional<Answer> poll();
  /// What our own browser shows, for tests.
  nlohmann::ordered_json described() const;
  /// Our own browser, while it is needed.
  void show(const Desk& desk);

 private:
  bool start_zenity(const std::filesystem::path& proposal);
  void read_zenity();
  void browse(const std::filesystem::path& proposal);
  void list_folder();
  void choose(const std::filesystem::path& file);
  void show_entries(const Desk& desk);
  const char* title() const;
  /// With the ending that what is saved has.
  std::filesystem::path with_ending(std::filesystem::path file) const;
  bool replaces() const;
  const char* button() const { return replaces() ? "Replace" : saves() ? "Save" : "Open"; }
  bool saves() const { return purpose_ == Purpose::save || purpose_ == Purpose::save_run; }

  Purpose purpose_ = Purpose::open;
  std::optional<Answer> answer_;

  pid_t process_ = -1;
  int pipe_ = -1;
  std::string output_;

  struct Entry {
    std::string name;
    bool is_folder;
  };
  bool browsing_ = false;
  bool asks_again_ = false;  ///< Enter was no answer: the name is to be typed on
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::string problem_;
  char typed_[4096] = "";
};

}  // namespace rebound::app
