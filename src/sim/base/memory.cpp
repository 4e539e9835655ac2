#include "sim/base/memory.hpp"

#if defined(__linux__)
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <system_error>

namespace rebound::sim {
namespace {

// Nobody is refused for so little.
constexpr double kWorthAsking = 32e6;
// The last of the memory goes to what is not counted, and to other programs.
constexpr double kUsable = 0.9;

#if defined(__linux__)

/// The beginning of a file of the kernel's, on the stack: it is asked for where memory is short.
struct SmallFile {
  explicit SmallFile(const char* path) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t got = ::read(file, buffer, sizeof buffer);
    ::close(file);
    if (got > 0) size = static_cast<std::size_t>(got);
  }
  std::string_view text() const { return {buffer, size}; }

  char buffer[4096];
  std::size_t size = 0;
};

struct Path {
  template <class... Parts>
  explicit Path(const char* format, Parts... parts) {
    std::snprintf(text, sizeof text, format, parts...);
  }
  char text[512];
};

std::optional<std::uint64_t> number_at(std::string_view text) {
  const std::size_t digit = text.find_first_not_of(" \t:");
  std::uint64_t value = 0;
  if (digit == text.npos) return std::nullopt;
  text.remove_prefix(digit);
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

/// The number behind a name that begins a line.
std::uint64_t entry(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1))
    if (at == 0 || text[at - 1] == '\n') return number_at(text.substr(at + name.size())).value_or(0);
  return 0;
}

void bound(Room& room, std::uint64_t bytes, std::string_view limit) {
  if (bytes < room.bytes) room = {bytes, limit};
}

// What is cached of files is given back when it is wanted.
void bound_by_group(Room& room, const char* folder, const char* most, const char* used) {
  const auto limit = number_at(SmallFile(Path("%s/%s", folder, most).text).text());
  const auto now = number_at(SmallFile(Path("%s/%s", folder, used).text).text());
  if (!limit || !now || *limit >= (std::uint64_t{1} << 60)) return;
  const SmallFile stat(Path("%s/memory.stat", folder).text);
  const std::uint64_t cached = entry(stat.text(), "inactive_file ") + entry(stat.text(), "active_file ");
  const std::uint64_t held = *now > cached ? *now - cached : 0;
  bound(room, *limit > held ? *limit - held : 0, "the limit of its control group");
}

// A group's parents bound it as well.
void bound_by_groups(Room& room, const char* root) {
  const SmallFile groups(Path("%s/proc/self/cgroup", root).text);
  std::string_view lines = groups.text();
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const bool unified = line.starts_with("0::/");
    const std::size_t controller = line.find(":memory:/");
    if (!unified && controller == line.npos) continue;
    std::string_view group = line.substr(unified ? 3 : controller + 8);
    for (;;) {
      const int length = static_cast<int>(group.size());
      const Path folder("%s/sys/fs/cgroup%s%.*s", root, unified ? "" : "/memory", length, group.data());
      if (unified)
        bound_by_group(room, folder.text, "memory.max", "memory.current");
      else
        bound_by_group(room, folder.text, "memory.limit_in_bytes", "memory.usage_in_bytes");
      if (group.size() <= 1) break;
      group = group.substr(0, std::max<std::size_t>(1, group.rfind('/')));
    }
  }
}

#endif

}  // namespace

Room room_in_memory([[maybe_unused]] std::string_view root) {
  Room room;
#if defined(__linux__)
  char folder[256] = "";
  if (root.size() < sizeof folder) std::copy(root.begin(), root.end(), folder);
  if (const SmallFile meminfo(Path("%s/proc/meminfo", folder).text); entry(meminfo.text(), "MemTotal") > 0) {
    const auto kilobytes = entry(meminfo.text(), "MemAvailable") + entry(meminfo.text(), "SwapFree");
    bound(room, 1024 * kilobytes, "the memory that is free");
  }
  bound_by_groups(room, folder);
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t taken = page * number_at(SmallFile(Path("%s/proc/self/statm", folder).text).text()).value_or(0);
    bound(room, space.rlim_cur > taken ? space.rlim_cur - taken : 0, "the limit of its address space, ulimit -v");
  }
#endif
  return room;
}

std::string bytes_text(double bytes) {
  const char* const units[] = {"MB", "GB", "TB"};
  double amount = bytes / 1e6;
  int unit = 0;
  for (; amount >= 999.5 && unit < 2; ++unit) amount /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, amount < 9.95 ? "%.1f %s" : "%.0f %s", amount, units[unit]);
  return text;
}

void require_memory(double bytes, const std::string& what, std::string_view remedy) {
  if (bytes < kWorthAsking) return;
  const Room room = room_in_memory();
  if (bytes <= kUsable * static_cast<double>(room.bytes)) return;
  throw OutOfMemory(what + " needs about " + bytes_text(bytes) + ", and there is room for " +
                    bytes_text(kUsable * static_cast<double>(room.bytes)) + " (" + std::string(room.limit) + "); " +
                    std::string(remedy));
}

std::thread start_thread(std::string_view what, std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    throw OutOfMemory(std::string(what) + " cannot be started (" + error.code().message() +
                      "): close other programs, or raise the limits of memory and processes");
  }
}

}  // namespace rebound::sim
