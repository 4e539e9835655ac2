// A line chart drawn into an image, such as the energies under each pane of a recorded video.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/chart_surface.hpp"
#include "render/image.hpp"
#include "render/text.hpp"
#include "render/theme.hpp"

namespace rebound::render {

/// A span of values, low to high.
struct Range {
  double low = 0;
  double high = 1;
};

struct Curve {
  std::string name;  ///< in the legend; none if empty
  Color color;
  std::vector<double> x;  ///< as many as y
  std::vector<double> y;  ///< where it is not finite the curve has a gap
  float width = 2;        ///< points
};

struct Chart {
  std::string title;
  std::string x_unit;  ///< written at the end of the axis, such as "s"
  std::string y_unit;
  std::vector<Curve> curves;
  std::optional<Range> x_range;  ///< of all curves' finite values if not given
  std::optional<Range> y_range;  ///< the same, with a little room; curves are cut off outside it
  /// Where a curve runs away: the axis is linear about this range, and logarithmic far from it.
  std::optional<Range> y_steady = std::nullopt;
  /// By powers of ten; what is not above 0 is a gap. Not together with y_steady.
  bool y_logarithmic = false;
  std::string note = {};  ///< said beside the title
  float label_room = 0;   ///< points, at least, left of the vertical axis: charts in a column begin at the same place
  bool opaque = true;     ///< paints the theme's plot background first
};

/// Says of a chart with a y_range that something goes beyond it; empty if nothing does.
std::string note_of_range(const Chart& chart);

/// The room that the labels of its vertical axis want, points.
float label_room(const Chart& chart, Font& font);

/// Whole powers of ten around all values above 0, and a little room: what a logarithmic chart shows if nothing is said.
Range decades_of(const std::vector<Curve>& curves);

/// Where a chart goes: pixels from the image's upper left corner.
struct ImageArea {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// On anything. `pixel_ratio`: as below.
void draw_chart(ChartSurface& surface, const ImageArea& area, const Chart& chart, const Theme& theme,
                float pixel_ratio = 1);
/// `pixel_ratio`: pixels a point, for text and lines. An area too small for axes gets what fits.
void draw_chart(Image& image, const ImageArea& area, const Chart& chart, const Theme& theme, Font& font,
                float pixel_ratio = 1);

}  // namespace rebound::render
