// The ledger of a run as charts, one under the other over the same time: for papers and reports.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "film/chart_sheet.hpp"
#include "session/session.hpp"

namespace rebound::film {

/// Energy against its target; kinds of energy; what was added and dissipated, and the blend, where there is any; linear
/// and angular momentum. What is beyond an explosion goes off the charts. `records`: oldest first.
std::vector<render::Chart> ledger_charts(std::span<const session::FrameRecord> records, const render::Theme& theme);

/// The charts as a sheet of this name.
std::string ledger_plot(const std::filesystem::path& path, const std::string& title,
                        std::span<const session::FrameRecord> records);
/// Writes them, whole or not at all.
void write_ledger_plot(const std::filesystem::path& path, const std::string& title,
                       std::span<const session::FrameRecord> records);

}  // namespace rebound::film
