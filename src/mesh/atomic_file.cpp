#include "mesh/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include "mesh/error.hpp"

namespace rebound {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw InputError(path.string() + ": cannot be written: " + std::strerror(error) +
                   "; choose a folder that exists, is writable and has space");
}

/// Removes the temporary file unless it was renamed into place.
struct TemporaryFile {
  std::string path;
  int fd = -1;
  bool renamed = false;

  ~TemporaryFile() {
    if (fd >= 0) ::close(fd);
    if (!renamed && !path.empty()) ::unlink(path.c_str());
  }
};

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// The new name is safe only once the folder that holds it is.
void flush_folder(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  static std::atomic<unsigned> serial{0};
  std::error_code ignored;
  // A symbolic link stays a link: what it points to is replaced.
  std::filesystem::path target = std::filesystem::weakly_canonical(path, ignored);
  if (ignored || target.empty()) target = path;

  TemporaryFile file;
  const std::string name = target.string() + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(serial++);
  file.fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file.fd < 0) fail(path, errno);
  file.path = name;
  if (const int error = write_all(file.fd, bytes)) fail(path, error);
  if (::fsync(file.fd) != 0) fail(path, errno);
  const int closed = ::close(file.fd);
  file.fd = -1;
  if (closed != 0) fail(path, errno);
  if (::rename(name.c_str(), target.c_str()) != 0) fail(path, errno);
  file.renamed = true;
  flush_folder(target.parent_path());
}

}  // namespace rebound
