// A file that grows while a run goes on, and gets its name only when it is whole.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace rebound::session {

class OutputFile {
 public:
  /// Opens PATH.partial. Throws InputError naming the path and the reason.
  explicit OutputFile(const std::filesystem::path& path);
  /// Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws InputError when the disk is full or gone.
  void write(std::string_view text);
  /// Hands what was written to the system, so that it outlives a crash of the program.
  void flush();
  /// Flushes to the disk and gives the file its name.
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_, partial_;
  std::FILE* file_ = nullptr;
};

/// Appends the shortest decimal that reads back as the same double; "nan", "inf" where it is none.
void append_number(std::string& text, double value);
void append_number(std::string& text, std::int64_t value);

}  // namespace rebound::session
