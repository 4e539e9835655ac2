// Rows that tests write.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "papers/row.hpp"

namespace rebound::test {

/// A file that goes when this does.
class RowFile {
 public:
  explicit RowFile(const std::string& text)
      : file_(std::filesystem::temp_directory_path() /
              ("row-" + std::to_string(getpid()) + "-" + std::to_string(next()) + ".json")) {
    std::ofstream(file_) << text;
  }
  ~RowFile() { std::filesystem::remove(file_); }
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  const std::filesystem::path& path() const { return file_; }

 private:
  static int next() {
    static int count = 0;
    return ++count;
  }
  std::filesystem::path file_;
};

/// A row of one oscillator, with these numbers.
inline std::string oscillator_row(const std::string& numbers) {
  return R"({ "row": 1, "paper": "Chen20", "place": "Fig. 18", "title": "t", "class": "A", "seconds": 1,
  "claim": "c", "look": "l",
  "runs": [ { "name": "one", "kind": "oscillator", "integrator": "backward-euler", "z": [1] },
            { "name": "two", "kind": "oscillator", "integrator": "implicit-midpoint", "z": [1] } ],
  "numbers": [ )" +
         numbers + " ] }";
}

inline papers::Row read_row_text(const std::string& text) {
  const RowFile file(text);
  return papers::read_row(file.path());
}

/// What the refusal says; empty if it is taken.
inline std::string refusal_of(const std::string& text) {
  try {
    (void)read_row_text(text);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace rebound::test
