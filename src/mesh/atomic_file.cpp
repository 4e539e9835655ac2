#include "mesh/atomic_file.hpp"

#include <cstring>
#include <string>

#include "mesh/error.hpp"
#include "mesh/pending_file.hpp"

namespace rebound {

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  PendingFile file(path);
  file.write(bytes);
  file.commit();
  if (file.error() != 0)
    throw InputError(path.string() + ": cannot be written: " + std::strerror(file.error()) +
                     "; choose a folder that exists, is writable and has space");
}

}  // namespace rebound
