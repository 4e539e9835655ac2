// What the long tests share: options with a number, and a clock.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace rebound::soak {

class Arguments {
 public:
  Arguments(int argc, char** argv) : words_(argv + 1, argv + argc) {}

  /// Of "--option NUMBER"; taken out.
  int number(const std::string& option, int otherwise) {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
      if (words_[i] != option) continue;
      const int value = std::atoi(words_[i + 1].c_str());
      words_.erase(words_.begin() + static_cast<std::ptrdiff_t>(i), words_.begin() + static_cast<std::ptrdiff_t>(i) + 2);
      return value;
    }
    return otherwise;
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
