// Obstacles as they are drawn and as they are picked: a mesh for each shape, put where the obstacle is.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "render/pick.hpp"
#include "render/shapes.hpp"
#include "render/view.hpp"
#include "session/snapshot.hpp"

namespace rebound::film {

/// The triangles of a shape in its own frame, this far within it (m, at most a twentieth of its size); none of a plane,
/// which has no end.
render::Shape triangles_of(const sim::Shape& shape, double skin = 0);

/// Needs a GL context current for all of its life.
class Obstacles {
 public:
  Obstacles() = default;
  /// skin: m, how far within itself a solid is drawn, so that what rests on it, a little sunk in, is seen whole.
  explicit Obstacles(float skin) : skin_(skin) {}
  /// Makes and moves what has changed.
  void update(const session::Snapshot& moment);

  /// Adds solids, and ghosts where a hand has put one that has not got there yet; `marked` is the one under the mouse.
  void add_solids(render::View& view, std::optional<int> marked) const;
  /// Adds the planes, the one that is most of a floor first. False if there is none.
  bool add_planes(render::View& view, std::optional<int> marked) const;

  /// Around those that have an end, m.
  render::Box bounds() const;
  /// What these bodies may be expected to meet: what is near and of their size, and where they would land on a floor.
  render::Box stage_of(const render::Box& bodies) const;
  /// Around each of those that are no larger than a few such bodies, m.
  std::vector<render::Box> of_the_size_of(const render::Box& bodies) const;

  /// What a ray meets first.
  struct Met {
    int obstacle = 0;
    render::Vec3 at;
  };
  /// Planes are in everybody's way: they are asked for.
  std::optional<Met> pick(const render::Ray& ray, bool planes_too) const;

 private:
  struct Solid {
    session::Snapshot::SeenObstacle seen;
    render::Shape local;                      ///< no triangles: a plane
    std::vector<float> positions;             ///< at its pose
    std::unique_ptr<render::BodyMesh> mesh;   ///< at its pose; null for a plane
    std::unique_ptr<render::BodyMesh> ghost;  ///< at its goal; null while it is there
  };
  void build(Solid& solid) const;
  static void place(Solid& solid);

  render::PlaneView plane_of(const Solid& solid) const;

  float skin_ = 0;
  std::vector<Solid> solids_;
};

}  // namespace rebound::film
