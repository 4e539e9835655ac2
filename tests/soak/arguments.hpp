// What the long tests share: options with a number, and a clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace rebound::soak {

class Arguments {
 public:
  Arguments(int argc, char** argv) : words_(argv + 1, argv + argc) {}

  /// Of "--option TEXT"; taken out.
  std::string text(const std::string& option, const std::string& otherwise) {
    const auto at = std::find(words_.begin(), words_.end(), option);
    if (at == words_.end() || at + 1 == words_.end()) return otherwise;
    const std::string value = at[1];
    words_.erase(at, at + 2);
    return value;
  }
  /// The same of "--option NUMBER".
  int number(const std::string& option, int otherwise) {
    return std::atoi(text(option, std::to_string(otherwise)).c_str());
  }
  bool are_used_up() const {
    if (!words_.empty()) std::fprintf(stderr, "there is no option %s\n", words_.front().c_str());
    return words_.empty();
  }

 private:
  std::vector<std::string> words_;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace rebound::soak
