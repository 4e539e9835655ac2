// What goes on, as JSON lines: how a test outside the process sees what a person would see.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json_fwd.hpp>

#include "app/recorder.hpp"
#include "app/stage.hpp"

namespace rebound::app {

/// The simulation, as far as a test wants to know.
nlohmann::ordered_json described(const Stage& stage);

/// What becomes of a video.
nlohmann::ordered_json described(const Recorder& recorder);

class Trace {
 public:
  /// An empty path: nothing is ever written.
  explicit Trace(const std::filesystem::path& file);

  bool is_on() const { return file_.is_open(); }
  /// Whether it is time for another line.
  bool is_due() const;
  void write(const nlohmann::ordered_json& line);

 private:
  std::ofstream file_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace rebound::app
