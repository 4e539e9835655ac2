// Panes filmed side by side: each with its name, and the energies of all against the ledgers' targets under them. In
// simulated time, so that a slow machine makes the same video.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "film/cast.hpp"
#include "film/framing.hpp"
#include "film/sheet.hpp"
#include "render/geometry.hpp"
#include "render/image.hpp"
#include "session/snapshot.hpp"

namespace rebound::render {
class Renderer;
}

namespace rebound::film {

class Picture;

struct FilmOptions {
  std::string name;                         ///< in the caption
  std::int64_t frames = 300;                ///< simulated, at most
  int width = 1280, height = 720;           ///< pixels
  double pictures_a_second = 30;            ///< of simulated time
  std::optional<double> last_seconds = {};  ///< only so much of the end is shown, s of simulated time
  Layout layout = Layout::automatic;
  Plots plots = Plots::one;
  bool dark = true;
  session::FieldKind colors = session::FieldKind::none;  ///< what the bodies are coloured by
};

class SideBySide {
 public:
  /// Plays all of it once to learn how far the bodies and the energies go, so that camera and axes hold still; shoot()
  /// plays it once more.
  /// `progress` gets the share done, in [0, 1]. Throws InputError where nothing has what it should be coloured by.
  SideBySide(Play play, const FilmOptions& options, const std::function<void(double)>& progress);

  /// Of each pane that there is at the end, why it stands still; empty if it does not.
  std::vector<std::string> failures() const;
  /// Where a recorded run came out otherwise, in one line; empty if it did not.
  const std::string& divergence() const { return divergence_; }
  /// How many pictures the film has.
  std::int64_t pictures() const;
  /// Calls `take` with each picture in turn. Needs a GL context current. What `take` throws ends the film.
  void shoot(const std::function<void(render::Image)>& take);

 private:
  /// What was learnt of a pane; a frame's from when it came.
  struct Pane {
    int id = 0;
    std::size_t came = 0;  ///< the frame
    std::vector<session::FrameRecord> records;
    std::vector<render::Box> boxes;  ///< around its bodies, m
    std::vector<double> heat;        ///< the field's top; empty where nothing is coloured by one
    std::optional<MotionRoom> room;  ///< from its first record on
    std::string timing;              ///< of a frame
    std::string failure;             ///< why it stands still; empty if it does not
    std::size_t exploded = kNever;   ///< the first such record
    static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  };
  struct Scene;  // what a pane is drawn with

  void rehearse(const std::function<void(double)>& progress);
  void learn(Pane& pane, const session::Snapshot& moment);
  void choose_view();
  void choose_colors();
  std::size_t frame_at(double time) const;
  double start() const;
  render::Color color_of(std::size_t pane) const;
  void draw_pane(render::Image& page, std::size_t pane, const session::Snapshot& moment, std::size_t frame,
                 Scene& scene, render::Renderer& renderer);
  void draw_energies(render::Image& page, std::size_t frame, const std::vector<std::string>& titles);

  Play play_;
  FilmOptions options_;
  std::vector<Pane> panes_;  ///< those that there are at the end
  std::string divergence_;
  std::vector<double> times_;   ///< of each frame, s
  double time_step_ = 0;        ///< s, at the beginning
  std::optional<Sheet> sheet_;  ///< once it is known what is shown
  render::Box room_;            ///< what every camera shows, m
  EnergyScale energies_;
  double heat_top_ = 0;  ///< of all that is shown: the hottest colour
};

}  // namespace rebound::film
