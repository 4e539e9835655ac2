// A mesh that is put into a scene that is open already.
#pragma once

#include <filesystem>

#include "render/geometry.hpp"
#include "scene/description.hpp"

namespace rebound::app {

/// Can the surface in a file be read? That it can be simulated is not said.
bool is_readable_surface(const std::filesystem::path& file);

/// The scene with one body more, free, of the material of the first body that is as it: a solid, or a shell of its own
/// triangles. bodies: the box around those that there are, m; it gets their size, and its middle comes to `at`. Throws
/// InputError if the mesh cannot be read.
scene::Description joined(scene::Description scene, const std::filesystem::path& file, bool shell,
                          const render::Box& bodies, const render::Vec3& at);

}  // namespace rebound::app
