// What the writer and the reader of a run's file have to agree on; used by journal*.cpp alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/base/instruction_set.hpp"

namespace rebound::session {

inline constexpr int kRunFormat = 1;
inline constexpr std::size_t kLargestRunFile = std::size_t{512} << 20;  // bytes
inline constexpr std::size_t kLargestMeshFile = std::size_t{1} << 30;   // bytes
inline constexpr std::size_t kMostFrames = 10'000'000, kMostEvents = 10'000'000;

/// What tells one mesh file from another.
struct MeshFile {
  std::size_t size = 0;  ///< bytes
  std::string hash;      ///< XXH3, 16 hexadecimal digits
  bool operator==(const MeshFile&) const = default;
};
/// Throws InputError if it cannot be read.
MeshFile mesh_file(const std::filesystem::path& file);

const char* instructions_of_this_machine();
std::string hexadecimal(std::uint64_t number);

}  // namespace rebound::session
