// The page that a picture of a film is laid out on: a caption across the top, and panes, each with its picture, a label
// and an energy plot under it.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "render/chart.hpp"
#include "render/image.hpp"
#include "render/text.hpp"
#include "session/session.hpp"

namespace rebound::film {

/// What stands in the corner of a pane.
struct PaneLabel {
  std::string title;    ///< of the integrator
  std::string timing;   ///< what a frame takes
  std::string trouble;  ///< "exploding: ..."; empty if all is well
};

/// The vertical axis that shows how well energies keep to their target: an explosion goes off it. J.
class EnergyAxis {
 public:
  /// Makes room for a record. One that has exploded changes nothing.
  void take(const session::FrameRecord& record);
  void take(const EnergyAxis& other);
  render::Range range() const;

 private:
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

/// Whether the energy is beyond all that a method's error explains.
bool has_exploded(const session::FrameRecord& record);
/// "exploding: ..." if it is, "stopped: ..." if there is a failure; else nothing.
std::string trouble_of(const session::FrameRecord& record, const std::string& failure);
/// The title of an integrator; the id itself if the registry does not know it.
std::string title_of(const std::string& integrator);
/// "1.70 ms a frame": the median of these frames' wall-clock times, ms; nothing if there is none.
std::string timing_of(std::vector<double> frame_ms);

class Sheet {
 public:
  /// Pixels; all that is written grows with the height. Throws OutputError where there is no font.
  Sheet(int width, int height, std::size_t panes, bool dark);

  const render::Theme& theme() const;
  /// Where the picture of a pane goes, and its plot.
  render::ImageArea picture(std::size_t pane) const;
  render::ImageArea plot(std::size_t pane) const;
  /// Pixels a point, for lines and text.
  float unit() const { return unit_; }

  /// A page with its caption: a name to the left, time step and time (s) to the right.
  render::Image page(const std::string& name, double time_step, double time);
  /// Over the pane's picture.
  void write(render::Image& page, std::size_t pane, const PaneLabel& label);
  /// Total energy and its target over `time`, s.
  void draw_energy(render::Image& page, std::size_t pane, std::span<const session::FrameRecord> records,
                   const render::Range& time, const render::Range& energy);

 private:
  render::ImageArea area(std::size_t pane) const;
  int plot_height(const render::ImageArea& area) const;

  int width_, height_;
  std::size_t panes_;
  bool dark_;
  float unit_;
  render::Font font_;
};

}  // namespace rebound::film
