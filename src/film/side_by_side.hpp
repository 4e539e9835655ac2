// Several integrators on one scene, filmed side by side: one pane each with its name, and its energy against the
// ledger's target under it. In simulated time, so that a slow machine makes the same video.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "render/image.hpp"
#include "render/text.hpp"
#include "session/session.hpp"

namespace rebound::film {

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
    double median_ms = 0;
  };
  struct Area {
    int x, y, width, height;
  };

  std::unique_ptr<session::Session> open(const std::string& integrator) const;
  void rehearse(Pane& pane, const std::function<void(double)>& progress);
  Area area(std::size_t pane) const;
  void caption(render::Image& picture, double time);
  void label(render::Image& picture, const Pane& pane, const Area& area, std::int64_t frame);
  void chart(render::Image& picture, const Pane& pane, const Area& area, std::int64_t frame);

  const scene::World& world_;
  FilmOptions options_;
  std::vector<Pane> panes_;
  float low_[3], high_[3];           ///< around everything that the steady panes did, m
  double lowest_ = 0, highest_ = 0;  ///< of the energy axes, J
  render::Font font_;
};

}  // namespace rebound::film
