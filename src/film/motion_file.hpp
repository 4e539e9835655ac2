// The surfaces of all bodies with their motion in one file: binary glTF, which Blender, Houdini and browsers open.
//
// Each frame is a morph target of its body (in Blender: a shape key), whose weight is 1 at the frame's time and falls
// to 0 at its neighbours', so that any time in between is interpolated linearly. Alembic would be the film world's
// choice, but Debian's Blender reads neither that nor USD, and has no library of either.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scene/build.hpp"
#include "session/snapshot.hpp"

namespace rebound::film {

class MotionFile {
 public:
  /// Opens PATH.partial-PID-N. Throws InputError if the name does not end in .glb, or if the file cannot be made.
  MotionFile(const std::filesystem::path& path, const scene::WorldView& world);
  /// Removes what was not committed.
  ~MotionFile();
  MotionFile(const MotionFile&) = delete;
  MotionFile& operator=(const MotionFile&) = delete;

  /// The next frame. One that is not later than the last is left out. Throws InputError where the file would grow
  /// larger than its format can hold.
  void add(const session::Snapshot& moment);
  /// Writes the file and gives it its name. Throws InputError.
  void commit();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The normals of a surface's vertices, m^2 before they are made length 1: x, y, z of each, by the areas round it. A
/// vertex without area has (0, 1, 0). `positions`: as many, m.
std::vector<float> vertex_normals(const std::vector<float>& positions, const std::vector<mesh::Triangle>& triangles);

}  // namespace rebound::film
