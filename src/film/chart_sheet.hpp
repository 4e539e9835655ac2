// Charts one under the other, as a file: for papers and reports.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "render/chart.hpp"

namespace rebound::film {

/// Throws InputError unless the name ends in .svg or .png.
void require_plot_name(const std::filesystem::path& path);
/// The charts on white, as a file of this name holds them. Throws InputError, or render::OutputError.
std::string chart_sheet(const std::filesystem::path& path, const std::string& title,
                        std::span<const render::Chart> charts);

}  // namespace rebound::film
