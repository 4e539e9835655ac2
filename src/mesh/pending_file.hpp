// A file that is written beside its name, and takes the name when it is whole: so are all outputs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rebound {

/// What a path's symbolic links lead to, there or not; empty where they go round in circles.
std::filesystem::path behind_links(std::filesystem::path path);

class PendingFile {
 public:
  /// Creates TARGET.partial-PID-N, which nobody else has. A symbolic link at the target stays one: what it points to is
  /// replaced. A device, a pipe, or what a descriptor of this process stands for (/dev/stdout) cannot be replaced: it
  /// is written to at once. error() says whether there is a file.
  explicit PendingFile(const std::filesystem::path& target);
  /// Removes what was not committed.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  /// The first errno; 0: none. After an error nothing more is written.
  int error() const { return error_; }
  /// The file's name until it is whole, for another program to write to; empty: the target is written to at once.
  const std::string& partial() const { return partial_; }
  /// At once, without a buffer.
  void write(std::string_view bytes);
  /// Flushes to the disk and gives the file its name.
  void commit();
  /// Removes it now.
  void discard();

 private:
  void create_beside();
  void close();
  void flush_folder() const;

  std::filesystem::path target_;
  std::string partial_;
  int descriptor_ = -1;
  int error_ = 0;
};

/// Removes what killed processes have left in a folder: TARGET.partial-PID-N of a PID that this machine does not have.
void remove_left_behind(const std::filesystem::path& folder);

}  // namespace rebound
