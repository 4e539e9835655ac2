// Memory has run out, and what for is known.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <utility>

namespace rebound::session {

class OutOfMemory final : public std::bad_alloc {
 public:
  /// One line for the user. To make one may take more memory than there is: std::bad_alloc, then.
  explicit OutOfMemory(std::string line) : line_(std::make_shared<const std::string>(std::move(line))) {}
  const char* what() const noexcept override { return line_->c_str(); }

 private:
  std::shared_ptr<const std::string> line_;
};

}  // namespace rebound::session
