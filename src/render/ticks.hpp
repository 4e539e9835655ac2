// Where an axis is marked, and what is written there. Pure functions, for the charts of videos and of the window alike.
#pragma once

#include <string>
#include <vector>

namespace rebound::render {

struct Ticks {
  double step = 1;             ///< 1, 2 or 5 times a power of ten
  std::vector<double> values;  ///< multiples of `step` within the range, ascending
};

/// At most `count` + 1 marks between `min` and `max`, about `count`. An empty or reversed range is put right, a range
/// that is not finite has no marks.
Ticks nice_ticks(double min, double max, int count);

/// The shortest text that tells neighbouring marks apart: "0.25", "1,500", "2.5e6".
std::string tick_label(double value, double step);

/// A power of a thousand with its SI name: what numbers of that size are written in.
struct Prefix {
  double factor = 1;
  const char* name = "";
};
Prefix prefix_for(double size);

}  // namespace rebound::render
