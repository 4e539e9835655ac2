// What a description's words pick out of a body: its border, what lies in a box, what is numbered.
#pragma once

#include <string>
#include <vector>

#include "scene/build.hpp"

namespace rebound::scene {

/// Where a body stands in its scene, for messages: "FILE: /bodies/0".
std::string body_place(const WorldView& world, std::size_t body);
/// "[0, 0.5, 1]"
std::string place_text(const Eigen::RowVector3d& x);
bool inside(const BoxRegion& box, const sim::Vec3& at);
/// The vertices of edges that have a triangle on one side alone.
std::vector<int> border_of(const BodyGeometry& geometry);
/// Of the vertices that are numbered. x: where those are.
std::vector<int> selected(const Selection& selection, const BodyGeometry& geometry, const sim::Points& x);

}  // namespace rebound::scene
