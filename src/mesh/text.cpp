#include "mesh/text.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

namespace rebound::mesh {
namespace {

constexpr std::size_t kReadChunk = std::size_t{4} << 20;
constexpr std::size_t kLeastChunk = 4096;

void refuse_unusable(const std::filesystem::path& path, std::uintmax_t limit) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw MeshError(path.string() + ": there is no such file; check the name and the folder");
  if (error) throw MeshError(path.string() + ": cannot be read: " + error.message() + "; check its permissions");
  if (std::filesystem::is_directory(status))
    throw MeshError(path.string() + ": is a folder; name the mesh file within it");
  if (!std::filesystem::is_regular_file(status))
    throw MeshError(path.string() + ": is not a regular file; name a mesh file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > limit)
    throw MeshError(path.string() + ": is " + std::to_string(size >> 20) + " MiB large; at most " +
                    std::to_string(limit >> 20) + " MiB are read: reduce the mesh first");
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::uintmax_t limit, const Progress& progress) {
  refuse_unusable(path, limit);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!file) throw MeshError(path.string() + ": cannot be opened: " + std::strerror(errno) + "; check its permissions");
  std::error_code ignored;
  const std::uintmax_t expected = std::max<std::uintmax_t>(1, std::filesystem::file_size(path, ignored));

  std::string bytes;
  for (;;) {
    const std::size_t before = bytes.size();
    progress.step("reading the file", std::min(1.0, static_cast<double>(before) / static_cast<double>(expected)));
    // One byte more than there should be tells that there is none.
    const std::uintmax_t rest = expected - std::min<std::uintmax_t>(before, expected);
    const std::size_t chunk = std::clamp<std::uintmax_t>(rest + 1, kLeastChunk, kReadChunk);
    bytes.resize(before + chunk);
    const std::size_t got = std::fread(bytes.data() + before, 1, chunk, file.get());
    bytes.resize(before + got);
    if (bytes.size() > limit)
      throw MeshError(path.string() + ": is larger than " + std::to_string(limit >> 20) +
                      " MiB; reduce the mesh first");
    // Refused with the first chunk, not after the last.
    if (std::memchr(bytes.data() + before, '\0', got))
      throw MeshError(path.string() + ": is a binary file; save the mesh as text");
    if (got < chunk) break;
  }
  if (std::ferror(file.get())) throw MeshError(path.string() + ": cannot be read to its end; check the disk");
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos)
    throw MeshError(path.string() + ": is empty; export the mesh again");
  return bytes;
}

TextReader::TextReader(std::string file, std::string_view text, char comment)
    : file_(std::move(file)), text_(text), comment_(comment) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
}

bool TextReader::next_line() {
  if (next_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find_first_of("\r\n", next_), text_.size());
  current_ = text_.substr(next_, end - next_);
  if (comment_ != '\0') current_ = current_.substr(0, current_.find(comment_));
  next_ = end + 1;
  if (end < text_.size() && text_[end] == '\r' && next_ < text_.size() && text_[next_] == '\n') ++next_;
  position_ = 0;
  ++line_;
  return true;
}

bool TextReader::remark_touches_word() const {
  const char* end = current_.data() + current_.size();
  const bool has_remark = comment_ != '\0' && end < text_.data() + text_.size() && *end == comment_;
  return has_remark && !current_.empty() && current_.back() != ' ' && current_.back() != '\t';
}

bool TextReader::next_word(Word& word) {
  constexpr std::string_view blanks = " \t\v\f";
  const std::size_t begin = current_.find_first_not_of(blanks, position_);
  if (begin == std::string_view::npos) {
    position_ = current_.size();
    return false;
  }
  const std::size_t end = std::min(current_.find_first_of(blanks, begin), current_.size());
  word = {current_.substr(begin, end - begin), line_, static_cast<int>(begin) + 1};
  position_ = end;
  return true;
}

Word TextReader::word_or_next_line() {
  Word word;
  while (!next_word(word))
    if (!next_line()) return {{}, line_, end_of_line().column};
  return word;
}

Word TextReader::expect(const char* what) {
  const Word word = word_or_next_line();
  if (word.text.empty()) fail(word, std::string("the file ends before ") + what + "; export the mesh again");
  return word;
}

std::string_view TextReader::rest_of_line() {
  const std::string_view rest = current_.substr(position_);
  position_ = current_.size();
  return rest;
}

double TextReader::number(const char* what) {
  const Word word = expect(what);
  double value = 0;
  if (!parse_number(word.text, value))
    fail(word, in_quotes(word.text) + " is not a finite number; " + what + " should stand here, such as -0.25");
  return value;
}

std::int64_t TextReader::integer(const char* what, std::int64_t low, std::int64_t high) {
  const Word word = expect(what);
  std::int64_t value = 0;
  if (!parse_integer(word.text, value))
    fail(word, in_quotes(word.text) + " is not an integer; " + what + " should stand here");
  if (value < low || value > high)
    fail(word, in_quotes(word.text) + " is out of range; " + what + " lies from " + std::to_string(low) + " to " +
                   std::to_string(high));
  return value;
}

double TextReader::fraction() const {
  return text_.empty() ? 1 : std::min(1.0, static_cast<double>(next_) / static_cast<double>(text_.size()));
}

Word TextReader::end_of_line() const { return {{}, std::max(1, line_), static_cast<int>(current_.size()) + 1}; }

void TextReader::fail(const Word& place, const std::string& what) const {
  throw MeshError(file_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + what);
}

std::string degrees_text(double angle) {
  const long tenths = std::lround(10 * angle);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " degrees";
}

bool parse_number(std::string_view text, double& value) {
  // from_chars knows no leading plus, and would take "inf" and "nan".
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string_view::npos) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return false;
  if (error == std::errc::result_out_of_range) {
    // Too small is zero; too large is refused.
    const std::size_t exponent = text.find_first_of("eE");
    if (exponent == std::string_view::npos || exponent + 1 >= text.size() || text[exponent + 1] != '-') return false;
    value = 0;
    return true;
  }
  return error == std::errc() && std::isfinite(value);
}

bool parse_integer(std::string_view text, std::int64_t& value) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 32;
  std::string result = "'";
  for (const char c : text.substr(0, longest)) result += (static_cast<unsigned char>(c) < 32 || c == 127) ? '?' : c;
  return result + (text.size() > longest ? "...'" : "'");
}

void append_number(std::string& text, double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  (void)error;
  text.append(digits, end);
}

std::string count_of(std::int64_t count, const std::string& singular, const std::string& plural) {
  std::string digits = std::to_string(count);
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > (count < 0 ? 1 : 0); i -= 3)
    digits.insert(static_cast<std::size_t>(i), 1, ',');
  return digits + " " + (count == 1 ? singular : plural.empty() ? singular + "s" : plural);
}

}  // namespace rebound::mesh
