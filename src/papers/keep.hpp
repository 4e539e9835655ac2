// What is kept of a row's runs: its folder, and by what it is known again.
#pragma once

#include "papers/judge.hpp"

namespace rebound::papers {

/// All that a row's results depend on: its runs, what is measured of them, the program.
std::string fingerprint(const Row& row, const Means& means);

/// The results in a row's folder, whatever made them; nothing if there are none that can be read.
std::optional<Kept> read_kept(const std::filesystem::path& folder);
/// Throws InputError where it cannot be written.
void write_kept(const std::filesystem::path& folder, const Row& row, const Kept& kept);
/// A run's table. Throws InputError.
void write_table(const std::filesystem::path& file, const Run& run);

/// "Intel(R) Xeon(R), 2 cores".
std::string machine();
/// A name as a file's.
std::string file_name(const std::string& name);

}  // namespace rebound::papers
