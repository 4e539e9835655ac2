#include "render/image.hpp"

#include <fcntl.h>
#include <stb_image_write.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace rebound::render {

namespace {

/// A file beside its final name, removed unless it gets there.
class PendingFile {
 public:
  explicit PendingFile(const std::filesystem::path& path)
      : final_(path), pattern_(path.string() + ".XXXXXX"), descriptor_(mkostemp(pattern_.data(), O_CLOEXEC)) {
    if (descriptor_ < 0) fail("cannot be created");
  }
  ~PendingFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!committed_) unlink(pattern_.c_str());
  }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  void write_all(const unsigned char* data, std::size_t size) {
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("cannot be written");
      data += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  void commit() {
    if (fsync(descriptor_) != 0) fail("cannot be written");
    fchmod(descriptor_, 0644);
    if (rename(pattern_.c_str(), final_.c_str()) != 0) fail("cannot be put in its place");
    committed_ = true;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    const std::string reason = std::strerror(errno);
    throw OutputError(final_.string() + " " + what + ": " + reason);
  }

  std::filesystem::path final_;
  std::string pattern_;
  int descriptor_;
  bool committed_ = false;
};

}  // namespace

void copy_into(Image& target, const Image& source, int x, int y) {
  const int first_column = std::max(0, -x);
  const int columns = std::min(source.width, target.width - x) - first_column;
  if (columns <= 0) return;
  for (int row = std::max(0, -y); row < std::min(source.height, target.height - y); ++row) {
    std::copy_n(source.pixel(first_column, row), 4 * columns, target.pixel(x + first_column, y + row));
  }
}

void write_png(const Image& image, const std::filesystem::path& path) {
  if (image.width <= 0 || image.height <= 0) throw OutputError(path.string() + ": the picture has no pixels");
  std::vector<unsigned char> png;
  const auto append = [](void* sink, void* data, int size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    auto& buffer = *static_cast<std::vector<unsigned char>*>(sink);
    buffer.insert(buffer.end(), bytes, bytes + size);
  };
  if (!stbi_write_png_to_func(append, &png, image.width, image.height, 4, image.rgba.data(), 4 * image.width)) {
    throw OutputError(path.string() + ": not enough memory to compress the picture");
  }
  PendingFile file(path);
  file.write_all(png.data(), png.size());
  file.commit();
}

}  // namespace rebound::render
