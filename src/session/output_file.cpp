#include "session/output_file.hpp"

#include <charconv>
#include <cstring>

#include "mesh/error.hpp"

namespace rebound::session {
namespace {

constexpr std::size_t kBuffered = 1 << 16;

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : path_(path), file_(path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw InputError(path.string() + ": is a folder; name a file");
  check("cannot be written");
}

void OutputFile::check(const char* what) const {
  if (file_.error() != 0) throw InputError(path_.string() + ": " + what + " (" + std::strerror(file_.error()) + ")");
}

void OutputFile::write(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() >= kBuffered) flush();
}

void OutputFile::flush() {
  file_.write(waiting_);
  waiting_.clear();
  check("writing stopped");
}

void OutputFile::commit() {
  flush();
  file_.commit();
  check("cannot be finished");
}

void append_number(std::string& text, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

void append_number(std::string& text, std::int64_t value) { text += std::to_string(value); }

}  // namespace rebound::session
