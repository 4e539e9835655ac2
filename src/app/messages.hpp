// What the window has to say: toasts that go by themselves, and errors that wait to be read.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/desk.hpp"
#include "app/free_place.hpp"
#include "app/layout.hpp"

namespace rebound::app {

/// What was refused, without the file and the place in it: who has clicked on something looks at no file.
std::string without_place(const std::string& refusal, const std::filesystem::path& file);

class Messages {
 public:
  enum class Kind { note, warning };

  /// A line for some seconds; a click sends it away, and so does the next of its kind. It stays while the mouse is on
  /// it.
  void say(std::string text, Kind kind = Kind::note);
  /// The same of a file that was written: its folder can be opened from there.
  void say_written(std::string text, const std::filesystem::path& file);
  /// The folder that was asked for since the last call; empty if none was.
  std::filesystem::path take_folder() { return std::exchange(wanted_folder_, {}); }
  /// A dialog with one button. The newest is shown; the window behind lives on.
  void fail(std::string title, std::string text);
  void dismiss();

  /// In the picture, where it covers nothing of what is taken; over the plots where there is no such place.
  void show(const Desk& desk, const Rect& picture, const Rect& plots, std::span<const Rect> taken);
  /// Whether the window has to be drawn again: a toast has had its time, or what is new has not found its size yet.
  bool has_news() const;
  bool has_dialog() const { return !dialog_text_.empty(); }
  const std::string& dialog() const { return dialog_text_; }
  const std::string& latest() const { return latest_; }
  /// What is shown, the oldest first, for tests.
  nlohmann::ordered_json described() const;
  /// Where they are, window coordinates: the newest last.
  std::vector<Rect> places() const;

 private:
  struct Toast {
    std::string text;
    Kind kind;
    std::chrono::steady_clock::time_point until;
    std::filesystem::path folder;  ///< with a button that opens it; empty without
    float width = 0, height = 0;   ///< as drawn last
    float x = 0, y = 0;
  };
  static bool has_gone_by(const Toast& toast);
  void show_toasts(const Desk& desk, const Rect& picture, const Rect& plots, std::span<const Rect> taken);
  void show_dialog(const Desk& desk);

  static constexpr int kPicturesToSettle = 3;  // a card is measured in one picture, placed in the next

  std::deque<Toast> toasts_;  ///< one of a kind
  bool pointed_at_ = false;   ///< one of them, by the mouse
  int unsettled_ = 0;         ///< pictures until every size and place is known
  FreePlace free_;
  std::filesystem::path wanted_folder_;
  std::optional<Rect> place_;  ///< of all of them in the picture; none while they are elsewhere
  std::string dialog_title_, dialog_text_, latest_;
};

}  // namespace rebound::app
