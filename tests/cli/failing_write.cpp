// Loaded before the C library: of all writes to regular files, the one whose number is in FAIL_WRITE finds the disk
// full, and so does every later one.
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace {

std::atomic<long> count{0};

bool is_full(int file) {
  struct stat about {};
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return false;
  const char* which = std::getenv("FAIL_WRITE");
  const long number = ++count;
  if (which == nullptr || number < std::atol(which)) return false;
  errno = ENOSPC;
  return true;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  return is_full(file) ? -1 : real(file, bytes, size);
}

extern "C" ssize_t writev(int file, const iovec* parts, int size) {
  static auto* const real = next<ssize_t(int, const iovec*, int)>("writev");
  return is_full(file) ? -1 : real(file, parts, size);
}

extern "C" ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  static auto* const real = next<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  return is_full(file) ? -1 : real(file, bytes, size, at);
}

extern "C" int ftruncate64(int file, off64_t size) {
  static auto* const real = next<int(int, off64_t)>("ftruncate64");
  return is_full(file) ? -1 : real(file, size);
}
