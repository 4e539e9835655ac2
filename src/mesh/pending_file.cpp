#include "mesh/pending_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <vector>

namespace rebound {
namespace {

namespace fs = std::filesystem;

// Files of that name may lie there, left by a process that had our number, or laid there by someone.
constexpr int kMostNames = 100;
constexpr std::string_view kPartial = ".partial-";
constexpr int kMostLinks = 40;

/// Which of this process's descriptors a path stands for; -1: none.
int own_descriptor(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char *begin = path.data() + folder.size(), *end = path.data() + path.size();
    const auto [stop, failed] = std::from_chars(begin, end, number);
    if (failed == std::errc() && stop == end) return number;
  }
  return -1;
}

}  // namespace

fs::path behind_links(fs::path path) {
  std::error_code none;
  for (int i = 0; i < kMostLinks; ++i) {
    if (!fs::is_symlink(path, none)) return path;
    // Joining keeps an absolute name as it is.
    path = path.parent_path() / fs::read_symlink(path, none);
  }
  return {};
}

PendingFile::PendingFile(const fs::path& target) : target_(target) {
  if (const int own = own_descriptor(target.string()); own >= 0) {
    descriptor_ = ::fcntl(own, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) error_ = errno;
    return;
  }
  target_ = behind_links(target);
  if (target_.empty()) {
    error_ = target.empty() ? ENOENT : ELOOP;
    return;
  }
  struct stat status;
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    error_ = EISDIR;
  } else if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) error_ = errno;
  } else {
    create_beside();
  }
}

void PendingFile::create_beside() {
  static std::atomic<unsigned> serial{0};
  for (int attempt = 0; attempt < kMostNames; ++attempt) {
    partial_ = target_.string() + std::string(kPartial) + std::to_string(::getpid()) + "-" + std::to_string(serial++);
    descriptor_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    error_ = descriptor_ < 0 ? errno : 0;
    if (error_ != EEXIST) break;
  }
  if (error_ != 0) partial_.clear();
}

PendingFile::~PendingFile() { discard(); }

void PendingFile::discard() {
  close();
  if (!partial_.empty()) ::unlink(partial_.c_str());
  partial_.clear();
}

void PendingFile::close() {
  if (descriptor_ >= 0 && ::close(descriptor_) != 0 && error_ == 0) error_ = errno;
  descriptor_ = -1;
}

void PendingFile::write(std::string_view bytes) {
  while (error_ == 0 && !bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      error_ = errno;
  }
}

void PendingFile::commit() {
  if (error_ != 0) return;
  const bool in_place = partial_.empty();
  if (!in_place && ::fsync(descriptor_) != 0) error_ = errno;
  close();
  if (error_ != 0 || in_place) return;
  if (::rename(partial_.c_str(), target_.c_str()) != 0) {
    error_ = errno;
    return;
  }
  partial_.clear();
  flush_folder();
}

// The new name is safe only once the folder that holds it is.
void PendingFile::flush_folder() const {
  const fs::path folder = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  ::fsync(opened);
  ::close(opened);
}

void remove_left_behind(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const std::size_t at = name.rfind(kPartial);
    if (at == std::string::npos) continue;
    pid_t pid = 0;
    std::from_chars(name.data() + at + kPartial.size(), name.data() + name.size(), pid);
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) left.push_back(entry->path());
  }
  for (const fs::path& file : left) fs::remove(file, error);
}

}  // namespace rebound
