// Somewhere to keep what takes long to work out about a matrix, from one run of the program to the next. The library
// says what is worth keeping and under which name; where it lies is the caller's affair.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace rebound::sim {

class FactorCache {
 public:
  /// Matrices with fewer rows are factored in less time than it takes to find out whether they are here.
  static constexpr int kFewestRows = 5000;

  virtual ~FactorCache() = default;
  /// What was kept under this name; empty if nothing was, or not all of it is there. Any thread.
  virtual std::vector<std::byte> find(const std::string& name) = 0;
  /// Any thread. What cannot be kept is not kept.
  virtual void keep(const std::string& name, std::span<const std::byte> bytes) = 0;
};

/// A name made of everything that a result depends on: whatever differs, differs here (XXH3, 128 bits).
class Fingerprint {
 public:
  Fingerprint();
  ~Fingerprint();
  Fingerprint(const Fingerprint&) = delete;
  Fingerprint& operator=(const Fingerprint&) = delete;

  template <class T>
  Fingerprint& add(std::span<const T> values) {
    add_bytes(std::as_bytes(values));
    return *this;
  }
  /// 32 hexadecimal digits.
  std::string name() const;

 private:
  void add_bytes(std::span<const std::byte> bytes);
  void* state_;
};

}  // namespace rebound::sim
