// The page that a picture of a film is laid out on: a caption across the top, and panes, each with its picture, a label
// and an energy plot under it.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/chart.hpp"
#include "render/image.hpp"
#include "render/text.hpp"
#include "session/field_show.hpp"
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

/// What the axis of several panes' energies shows.
struct EnergyScale {
  render::Range shown;                  ///< J
  std::optional<render::Range> steady;  ///< J: where a pane runs away, what keeps steady; the axis bends around it
};
/// `steady`: of what has not run away; `highest`: of all. Far beyond what is steady a curve may leave the axis.
EnergyScale energy_scale(const render::Range& steady, double highest);

/// Whether the energy is beyond all that a method's error explains.
bool has_exploded(const session::FrameRecord& record);
/// "exploding: ..." if it is, "stopped: ..." if its last step was not done; else nothing.
std::string trouble_of(const session::FrameRecord& record, sim::Outcome outcome);
/// The title of an integrator; the id itself if the registry does not know it.
std::string title_of(const std::string& integrator);
/// "1.70 ms a frame": the median of these frames' wall-clock times, ms; nothing if there is none.
std::string timing_of(std::vector<double> frame_ms);

/// A pane's energies in a plot that several share.
struct EnergyCurve {
  std::string name;
  render::Color color;
  std::span<const double> times;  ///< s, as many as records
  std::span<const session::FrameRecord> records;
};

/// How panes are laid out: as large as they go for what they show, side by side, one under the other, or in two rows.
enum class Layout { automatic, row, column, grid };
/// Where energies are plotted: in one plot under all panes, in one each, or nowhere.
enum class Plots { one, each, none };

struct SheetOptions {
  std::size_t panes = 1;
  bool dark = true;
  Layout layout = Layout::automatic;
  Plots plots = Plots::one;
  float aspect = 1;  ///< width over height of what a pane shows
};

class Sheet {
 public:
  Sheet(int width, int height, const SheetOptions& options);
  /// With a plot under each pane. Pixels; all that is written grows with the height. Throws OutputError where there is
  /// no font.
  Sheet(int width, int height, std::size_t panes, bool dark);

  const render::Theme& theme() const;
  /// Where the picture of a pane goes, and its plot.
  render::ImageArea picture(std::size_t pane) const;
  render::ImageArea plot(std::size_t pane) const;
  /// That of all panes; empty unless Plots::one.
  render::ImageArea shared_plot() const;
  /// Pixels a point, for lines and text.
  float unit() const { return unit_; }

  /// A page with its caption: a name to the left, time step and time (s) to the right.
  render::Image page(const std::string& name, double time_step, double time);
  /// The same with this to the right.
  render::Image page(const std::string& name, const std::string& right);
  /// Over the pane's picture.
  void write(render::Image& page, std::size_t pane, const PaneLabel& label);
  /// What the colours of the bodies mean: a bar with its numbers, in the lower left corner of the first picture.
  void write_colors(render::Image& page, session::FieldKind kind, double top);
  /// Total energy in its colour and its target over `time`, s; in the plot of that pane alone.
  void draw_energy(render::Image& page, std::size_t pane, const render::Color& color,
                   std::span<const session::FrameRecord> records, const render::Range& time,
                   const render::Range& energy);
  /// pixel_ratio: pixels a point of its lines and letters.
  void draw(render::Image& page, const render::ImageArea& area, const render::Chart& chart, float pixel_ratio);
  /// Each pane's total energy in its colour, its target thin beside it; in the plot of all panes.
  void draw_energies(render::Image& page, std::span<const EnergyCurve> panes, const render::Range& time,
                     const EnergyScale& scale);

 private:
  render::ImageArea area(std::size_t pane) const;
  int plot_height(const render::ImageArea& area) const;

  void choose_columns();
  int panes_bottom() const;

  int width_, height_;
  SheetOptions options_;
  int columns_ = 1;
  float unit_;
  render::Font font_;
};

}  // namespace rebound::film
