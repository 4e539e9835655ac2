#include "session/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "mesh/error.hpp"

namespace rebound::session {

OutputFile::OutputFile(const std::filesystem::path& path) : path_(path), partial_(path.string() + ".partial") {
  if (std::filesystem::is_directory(path)) throw InputError(path.string() + ": is a folder; name a file");
  file_ = std::fopen(partial_.c_str(), "we");
  if (file_ == nullptr) fail("cannot be written");
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

void OutputFile::fail(const char* what) const {
  throw InputError(path_.string() + ": " + what + " (" + std::strerror(errno) + ")");
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("writing stopped");
}

void OutputFile::flush() {
  if (std::fflush(file_) != 0) fail("writing stopped");
}

void OutputFile::commit() {
  if (std::fflush(file_) != 0 || fsync(fileno(file_)) != 0) fail("writing stopped");
  std::fclose(file_);
  file_ = nullptr;
  if (std::rename(partial_.c_str(), path_.c_str()) != 0) fail("cannot be renamed into place");
}

void append_number(std::string& text, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

void append_number(std::string& text, std::int64_t value) { text += std::to_string(value); }

}  // namespace rebound::session
