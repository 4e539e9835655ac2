// How far a command is: a bar on a terminal, nothing where the output is piped.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

namespace rebound::cli {

class ProgressBar {
 public:
  ~ProgressBar() { clear(); }
  /// For something else to be written.
  void clear() const {
    if (shown_) std::fputs("\r\033[K", stderr);
  }
  /// share in [0, 1]; `what` stands behind the bar.
  void show(double share, const std::string& what) {
    const int percent = static_cast<int>(100 * share);
    if (!shown_ || percent == percent_) return;
    percent_ = percent;
    std::string bar(static_cast<std::size_t>(percent) / 4, '#');
    bar.resize(25, '.');
    std::fprintf(stderr, "\r[%s] %3d%%  %s\033[K", bar.c_str(), percent, what.c_str());
  }

 private:
  int percent_ = -1;
  bool shown_ = isatty(STDERR_FILENO) != 0;
};

}  // namespace rebound::cli
