// Memory for long arrays that are read from end to end: aligned for the widest vectors and, where it is large, on huge
// pages, without which a pass over ten megabytes spends half its time looking up pages.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace rebound::sim {

/// For memory that is written before it is read.
struct Unset {};

/// `size` zeros, 64-byte aligned at least. Moves, never copies.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivial_v<T>);

 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size) : AlignedBuffer(size, Unset{}) {
    if (size > 0) std::memset(data_.get(), 0, bytes());
  }
  AlignedBuffer(std::size_t size, Unset) : size_(size) {
    if (size == 0) return;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment(), bytes())));
    if (data_ == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (alignment() == kHugePage) madvise(data_.get(), bytes(), MADV_HUGEPAGE);  // advice: nothing is lost if refused
#endif
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  std::span<T> span() { return {data_.get(), size_}; }

 private:
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;
  std::size_t alignment() const { return size_ * sizeof(T) < kHugePage ? kLine : kHugePage; }
  std::size_t bytes() const { return (size_ * sizeof(T) + alignment() - 1) / alignment() * alignment(); }

  struct Free {
    void operator()(T* data) const { std::free(data); }
  };

  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace rebound::sim
