// Factors of large bodies on disk, so that a body that was opened once opens faster the next time. Whatever goes wrong
// with it costs time and nothing else: an entry that is missing, damaged, or of another build is made anew.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>

#include "sim/linear/factor_cache.hpp"

namespace rebound::session {

class DiskCache final : public sim::FactorCache {
 public:
  static constexpr std::uintmax_t kLimit = 2'000'000'000;

  /// An empty folder: nothing is found and nothing kept. limit: bytes; the entries that were not used for longest go
  /// first.
  explicit DiskCache(std::filesystem::path folder, std::uintmax_t limit = kLimit);

  /// $XDG_CACHE_HOME/rebound, or ~/.cache/rebound; empty if there is no home.
  static std::filesystem::path platform_folder();

  std::vector<std::byte> find(const std::string& name) override;
  void keep(const std::string& name, std::span<const std::byte> bytes) override;

 private:
  void make_room(std::uintmax_t bytes);

  std::filesystem::path folder_;
  std::uintmax_t limit_;
  std::mutex mutex_;
};

}  // namespace rebound::session
