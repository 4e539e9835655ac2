// Reading text files strictly: whole files, lines, words that know their place, and numbers in any locale.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "mesh/error.hpp"
#include "mesh/progress.hpp"

namespace rebound::mesh {

/// The bytes of a text file of at most `limit` bytes. Throws MeshError when it is missing, a folder, unreadable, empty,
/// too large or binary.
std::string read_text_file(const std::filesystem::path& path, std::uintmax_t limit, const Progress& progress);

/// A word of a line, and where it begins.
struct Word {
  std::string_view text;
  int line = 0;    ///< from 1
  int column = 0;  ///< from 1, in bytes
};

/// Walks through a text line by line ("\n", "\r\n" or "\r"), and through a line word by word (spaces and tabs).
class TextReader {
 public:
  /// `file` is what messages call the text; `comment` begins a remark that reaches to the line's end ('\0': none).
  TextReader(std::string file, std::string_view text, char comment = '#');

  bool next_line();               ///< false at the end
  bool next_word(Word& word);     ///< of this line; false at its end
  Word word_or_next_line();       ///< the next word wherever it stands; an empty text at the end of the file
  Word expect(const char* what);  ///< as above; throws MeshError "ends before WHAT"
  std::string_view rest_of_line();
  bool remark_touches_word() const;  ///< a remark begins without a space before it: other readers take it for a word

  double number(const char* what);                                              ///< the next word, a finite number
  std::int64_t integer(const char* what, std::int64_t low, std::int64_t high);  ///< the next word, in [low, high]

  int line() const { return line_; }
  double fraction() const;   ///< of the text that is behind us, in [0, 1]
  Word end_of_line() const;  ///< the place just behind the line's last character

  /// Throws MeshError "FILE:LINE:COLUMN: what".
  [[noreturn]] void fail(const Word& place, const std::string& what) const;

 private:
  std::string file_;
  std::string_view text_;
  char comment_;
  std::size_t next_ = 0;      // where the line behind this one begins
  std::string_view current_;  // this line, without its end and remark
  std::size_t position_ = 0;  // in current_
  int line_ = 0;
};

/// "0.2 degrees".
std::string degrees_text(double angle);

/// A finite decimal number and nothing else ("1,5", "nan", "0x1" and "" are not).
bool parse_number(std::string_view text, double& value);

/// A decimal integer and nothing else. Out of int64's range is false too.
bool parse_integer(std::string_view text, std::int64_t& value);

/// The word for a message: printable, and cut when long.
std::string in_quotes(std::string_view text);

/// The shortest digits that read back as the same number.
void append_number(std::string& text, double value);

/// "1 hole", "2 holes", "12,000 tets".
std::string count_of(std::int64_t count, const std::string& singular, const std::string& plural = "");

}  // namespace rebound::mesh
