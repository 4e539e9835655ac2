// Several integrators on one scene, filmed side by side: one pane each with its name, and its energy against the
// ledger's target under it. In simulated time, so that a slow machine makes the same video.
#pragma once

#include <functional>
#include <string>
#include <vector>

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
  std::vector<std::string> integrators;  ///< one pane each, in this order
  std::int64_t frames = 300;             ///< simulated
  int width = 1280, height = 720;        ///< pixels
  double pictures_a_second = 30;
  bool dark = true;
  int threads = 1;
};

class SideBySide {
 public:
  /// Simulates every pane once to learn how far the bodies and the energies go, so that camera and axes hold still.
  /// `progress` gets the share done, in [0, 1].
  SideBySide(const scene::World& world, const FilmOptions& options, const std::function<void(double)>& progress);

  /// How many pictures the film has.
  std::int64_t pictures() const;
  /// Calls `take` with each picture in turn. Needs a GL context current. What `take` throws ends the film.
  void shoot(const std::function<void(render::Image)>& take);

 private:
  struct Pane {
    std::string integrator;
    std::vector<session::FrameRecord> records;  ///< frame 0 first
    std::string failure;
    std::string timing;  ///< of a frame, when it had the machine to itself
    bool exploded = false;
    render::Box room;  ///< around all that the bodies did before they exploded, m
    EnergyAxis axis;
  };

  std::unique_ptr<session::Session> open(const std::string& integrator) const;
  void rehearse(Pane& pane, const std::function<void(double)>& progress);
  void choose_view();
  render::Image draw_pane(std::size_t pane, Picture& picture, const session::Snapshot& moment,
                          render::Renderer& renderer) const;

  const scene::World& world_;
  FilmOptions options_;
  std::vector<Pane> panes_;
  Sheet sheet_;
  render::Box room_;        ///< what every camera shows, m
  render::Range energies_;  ///< of the energy axes, J
};

}  // namespace rebound::film
