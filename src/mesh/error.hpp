// What is wrong with an input, in one line that a person can act on.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace rebound {

/// Unusable input: a file, scene or command line. what() is one line: place, what is wrong, what would be right.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace mesh {

/// An unusable mesh; `triangles` are the offending elements, to be shown in red (empty if none can be named).
class MeshError : public InputError {
 public:
  explicit MeshError(const std::string& message, std::vector<int> bad_triangles = {})
      : InputError(message), triangles(std::move(bad_triangles)) {}
  std::vector<int> triangles;
};

}  // namespace mesh
}  // namespace rebound
