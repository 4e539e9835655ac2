// What a person chose for the window itself; kept from one start to the next in the user's configuration folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "session/field_show.hpp"

namespace rebound::app {

/// What the record button writes.
enum class VideoKind { mp4, webm, gif, pictures };

struct Settings {
  bool dark = true;
  float ui_scale = 1;        ///< on top of the display's own scale
  bool panels = true;        ///< Tab hides them
  float side_width = 320;    ///< points
  float plots_height = 220;  ///< points
  double plot_seconds = 20;  ///< simulated seconds that the plots show
  double grab_strength = 1;  ///< session::Grab::strength
  double grab_reach = 0;     ///< session::Grab::radius, as a share of the body's size
  bool wireframe = false;
  bool overlaid = false;  ///< panes over one another, not side by side
  bool shows_floor = true;
  bool shows_pins = true;
  bool shows_contacts = false;
  bool shows_inside_out = true;
  session::FieldKind colors = session::FieldKind::none;  ///< what bodies are coloured by; not kept
  int filling_plot = -1;                                 ///< the one plot that has the whole strip; not kept
  VideoKind video = VideoKind::mp4;
  std::vector<std::string> recent;  ///< files that were opened, the last one first

  static constexpr std::size_t kMostRecent = 8;
  /// Puts a file first in the list of recent ones.
  void remember(const std::filesystem::path& file);
};

/// $XDG_CONFIG_HOME/rebound/settings.json, or the same under ~/.config; empty if there is no home.
std::filesystem::path settings_file();

/// What the file says; what it does not say, or says wrongly, is the default. Where the whole file cannot be read,
/// `complaint` (if given) says so in a line; that there is none yet is no reason to complain.
Settings load_settings(const std::filesystem::path& file, std::string* complaint = nullptr);
/// Says nothing if the file cannot be written: the window works without.
void save_settings(const Settings& settings, const std::filesystem::path& file);

}  // namespace rebound::app
