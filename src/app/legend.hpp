// Where the names of a chart's curves go: all of them, in their order, in as few rows as will do.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace rebound::app {

struct LegendName {
  std::string name;
  std::string value;  ///< now; empty if there is none. Left out where not all fit
};

/// An entry's place; `text` is what there is room for.
struct LegendEntry {
  std::size_t of = 0;  ///< which of the names
  std::string text;
  float x = 0;  ///< from the left, of its key
  int row = 0;
};

struct LegendRoom {
  float width = 0;  ///< of a row
  float key = 0;    ///< of the line before a name
  float gap = 0;    ///< from one entry to the next
  int rows = 2;     ///< the most there can be
};

/// width: of a text as it is drawn. Names are shortened rather than left out; none at
/// all where nothing of them could be read.
std::vector<LegendEntry> arrange_legend(const std::vector<LegendName>& names, const LegendRoom& room,
                                        const std::function<float(const std::string&)>& width);

/// As much of the text as has room, so that it ends in dots where not all of it does.
std::string shortened(std::string text, float room, const std::function<float(const std::string&)>& width);

}  // namespace rebound::app
