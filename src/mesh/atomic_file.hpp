// Files that are either the old ones or the new ones, never half of each.
#pragma once

#include <filesystem>
#include <string_view>

namespace rebound {

/// Writes beside `path`, flushes to the disk, then renames: a crash or a full disk leaves the old file whole. Devices
/// and pipes are written to as they are.
/// Throws InputError naming the path and the system's reason.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace rebound
