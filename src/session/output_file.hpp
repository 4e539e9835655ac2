// A file that grows while a run goes on, and gets its name only when it is whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "mesh/pending_file.hpp"

namespace rebound::session {

class OutputFile {
 public:
  /// Opens PATH.partial-PID-N, or PATH itself where that is a device or a pipe. What is not committed is removed.
  /// Throws InputError naming the path and the reason.
  explicit OutputFile(const std::filesystem::path& path);

  /// Throws InputError when the disk is full or gone.
  void write(std::string_view text);
  /// Hands what was written to the system, so that it outlives a crash of the program.
  void flush();
  /// Flushes to the disk and gives the file its name.
  void commit();

 private:
  void check(const char* what) const;

  std::filesystem::path path_;
  PendingFile file_;
  std::string waiting_;
};

/// Appends the shortest decimal that reads back as the same double; "nan", "inf" where it is none.
void append_number(std::string& text, double value);
void append_number(std::string& text, std::int64_t value);

}  // namespace rebound::session
