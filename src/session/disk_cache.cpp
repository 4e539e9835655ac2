#include "session/disk_cache.hpp"

#include <signal.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>

namespace rebound::session {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".factor";

// In the byte order of the machine, which is in the magic number as well. What the bytes belong to, by the fingerprint
// in their name, is part of them: a file that was given another name is not found under it.
struct Header {
  std::uint64_t magic = 0x3244'4e55'4f42'4552;  // "REBOUND2"
  std::uint64_t size = 0, name = 0, checksum = 0;
};

std::uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }
std::uint64_t checksum(const std::string& name) { return checksum(std::as_bytes(std::span(name))); }

// A writer takes seconds. What is older is nobody's, whoever has the number of its process now.
constexpr auto kLongestWrite = std::chrono::hours(1);

/// The process that writes NAME.factor.PID; 0 where that is no such name.
pid_t writer_of(const fs::path& path) {
  const std::string number = path.extension().string();
  if (path.stem().extension() != kExtension || number.size() < 2) return 0;
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(number.data() + 1, number.data() + number.size(), pid);
  return error == std::errc() && end == number.data() + number.size() ? pid : 0;
}

bool is_running(pid_t pid) { return kill(pid, 0) == 0 || errno != ESRCH; }

fs::path folder_named(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value == '/' ? fs::path(value) : fs::path();
}

}  // namespace

DiskCache::DiskCache(fs::path folder, std::uintmax_t limit) : folder_(std::move(folder)), limit_(limit) {}

fs::path DiskCache::platform_folder() {
  if (const fs::path cache = folder_named("XDG_CACHE_HOME"); !cache.empty()) return cache / "rebound";
  if (const fs::path home = folder_named("HOME"); !home.empty()) return home / ".cache" / "rebound";
  return {};
}

std::vector<std::byte> DiskCache::find(const std::string& name) {
  if (folder_.empty()) return {};
  const fs::path path = folder_ / (name + kExtension);
  // To open a pipe is to wait for who writes to it.
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return {};
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  const std::uintmax_t on_disk = fs::file_size(path, ignored);
  Header header;
  const Header expected;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) || header.magic != expected.magic ||
      header.size != on_disk - sizeof header || header.name != checksum(name))
    return {};
  std::vector<std::byte> bytes;
  try {
    bytes.resize(header.size);
  } catch (const std::bad_alloc&) {
    return {};  // what is missing is made, or found to be too large, where it is wanted
  }
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) return {};
  if (checksum(bytes) != header.checksum) return {};
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return bytes;
}

// Under another name first: what has its name is whole, as far as other programs see; what a crash leaves of it, the
// checksum tells.
void DiskCache::keep(const std::string& name, std::span<const std::byte> bytes) {
  const std::uintmax_t size = sizeof(Header) + bytes.size();
  if (folder_.empty() || size > limit_) return;
  const std::lock_guard lock(mutex_);
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) return;
  make_room(size);
  const fs::path path = folder_ / (name + kExtension), partial = path.string() + "." + std::to_string(getpid());
  Header header;
  header.size = bytes.size();
  header.name = checksum(name);
  header.checksum = checksum(bytes);
  // A program that had our number may have left one, or somebody a link.
  fs::remove(partial, failed);
  std::ofstream file(partial, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) fs::rename(partial, path, failed);
  if (!file || failed) fs::remove(partial, failed);
}

void DiskCache::make_room(std::uintmax_t bytes) {
  struct Kept {
    fs::path path;
    fs::file_time_type used;
    std::uintmax_t size;
  };
  std::vector<Kept> entries;
  std::uintmax_t total = bytes;
  std::error_code failed;
  for (const auto& file : fs::directory_iterator(folder_, failed)) {
    const pid_t writer = writer_of(file.path());
    if (writer == 0 && file.path().extension() != kExtension) continue;
    const Kept entry{file.path(), file.last_write_time(failed), file.file_size(failed)};
    if (failed) continue;
    if (writer != 0) {
      const bool is_left_over = !is_running(writer) || fs::file_time_type::clock::now() - entry.used > kLongestWrite;
      if (!is_left_over || !fs::remove(entry.path, failed)) total += entry.size;
      continue;
    }
    entries.push_back(entry);
    total += entry.size;
  }
  std::sort(entries.begin(), entries.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (const Kept& entry : entries) {
    if (total <= limit_) return;
    if (fs::remove(entry.path, failed)) total -= entry.size;
  }
}

}  // namespace rebound::session
