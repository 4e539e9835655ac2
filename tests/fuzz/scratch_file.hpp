// A file of this process for readers that read files. In memory, where the system has such a folder.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>

namespace rebound::fuzz {

class ScratchFile {
 public:
  ScratchFile(const std::string& ending, std::span<const std::uint8_t> bytes) : path_(folder() / ("fuzz" + ending)) {
    std::FILE* out = std::fopen(path_.c_str(), "wb");
    if (out == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size()) std::abort();
    std::fclose(out);
  }
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  static std::filesystem::path folder() {
    std::error_code none;
    const std::filesystem::path memory = "/dev/shm";
    const auto parent = std::filesystem::is_directory(memory, none) ? memory : std::filesystem::temp_directory_path();
    const auto own = parent / ("rebound_fuzz_" + std::to_string(getpid()));
    std::filesystem::create_directories(own);
    return own;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace rebound::fuzz
