// What the window has to say: toasts that go by themselves, and errors that wait to be read.
#pragma once

#include <chrono>
#include <deque>
#include <string>

#include "app/desk.hpp"
#include "app/layout.hpp"

namespace rebound::app {

class Messages {
 public:
  enum class Kind { note, warning };

  /// A line at the lower edge of the picture for some seconds; a click sends it away.
  void say(std::string text, Kind kind = Kind::note);
  /// A dialog with one button. The newest is shown; the window behind lives on.
  void fail(std::string title, std::string text);
  void dismiss();

  void show(const Desk& desk, const Rect& picture);
  /// Whether the window has to be drawn again for a toast that has had its time.
  bool has_expired() const;
  bool has_dialog() const { return !dialog_text_.empty(); }
  const std::string& dialog() const { return dialog_text_; }
  const std::string& latest() const { return latest_; }

 private:
  struct Toast {
    std::string text;
    Kind kind;
    std::chrono::steady_clock::time_point until;
  };
  void show_toasts(const Desk& desk, const Rect& picture);
  void show_dialog(const Desk& desk);

  std::deque<Toast> toasts_;
  std::string dialog_title_, dialog_text_, latest_;
};

}  // namespace rebound::app
