// Curves of a row's runs, as SVG.
#pragma once

#include <string>

#include "papers/row.hpp"

namespace rebound::papers {

/// The plot as a file of its own: what is in the runs' tables and nothing else. Throws InputError where a run has no
/// such column.
std::string draw(const Plot& plot, const Row& row, const std::vector<Run>& runs);

/// An SVG file as a part of a page: its colours follow the page's, and what it names is named by `prefix`.
std::string part_of_page(std::string svg, const std::string& prefix);
/// The colours that it follows, as declarations for a style sheet.
std::string plot_colors(bool dark);

}  // namespace rebound::papers
