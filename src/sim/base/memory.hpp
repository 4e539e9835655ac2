// What memory there is, asked before much of it is wanted: a refusal in words instead of a failure somewhere inside.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace rebound::sim {

/// Memory has run out, or would, and what for is known. what() is one line for the user.
class OutOfMemory final : public std::bad_alloc {
 public:
  /// To make one may take more memory than there is: std::bad_alloc, then. To copy one takes none.
  explicit OutOfMemory(std::string line) : line_(std::make_shared<const std::string>(std::move(line))) {}
  const char* what() const noexcept override { return line_->c_str(); }

 private:
  std::shared_ptr<const std::string> line_;
};

/// Memory that the process could still have.
struct Room {
  std::uint64_t bytes = UINT64_MAX;
  std::string_view limit = "no limit";  ///< what bounds it, in words that complete "there is room for 1 GB (...)"
};

/// The least of what the system has free, what the address space may still grow by (ulimit -v), and what is left of
/// the control group's limit. What cannot be read bounds nothing. `root`: where /proc and /sys are looked for.
/// Neither throws nor takes memory to speak of.
Room room_in_memory(std::string_view root = "");

/// Throws OutOfMemory, "WHAT needs about 2.3 GB, and there is room for 1.1 GB (...); REMEDY", if so many bytes will not
/// fit. Amounts below some megabytes are not asked about: they fit, or the allocation says that they do not.
void require_memory(double bytes, const std::string& what,
                    std::string_view remedy = "close other programs, or take a coarser body");

/// "2.3 GB", "640 MB": two digits or three.
std::string bytes_text(double bytes);

/// A thread. Throws OutOfMemory, naming it by `what`, where the system has none to give.
std::thread start_thread(std::string_view what, std::function<void()> work);

}  // namespace rebound::sim
