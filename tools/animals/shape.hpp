// Solids as functions: negative inside, zero on the surface, positive outside, in metres (near the surface; a rough
// distance farther away). A sculpture starts from nothing and is worked stroke by stroke, like clay.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <functional>
#include <vector>

namespace rebound::animals {

using Eigen::Matrix3d;
using Eigen::Vector3d;

using Shape = std::function<double(const Vector3d&)>;

/// One bead of a tube: where its middle is and how thick the tube is there.
struct Bead {
  Vector3d center;
  double radius;
};

/// A rotation by `degrees` about each axis: x first, then y, then z.
Matrix3d turned(double x_degrees, double y_degrees, double z_degrees);

Shape ball(const Vector3d& center, double radius);
Shape ellipsoid(const Vector3d& center, const Vector3d& radii, const Matrix3d& turn = Matrix3d::Identity());
/// Two balls and everything between them.
Shape cone(const Bead& from, const Bead& to);
/// A smooth curve through the beads, as thick as they are; at least two beads.
Shape tube(const std::vector<Bead>& beads);
/// A ring about the y axis of its own frame.
Shape torus(const Vector3d& center, double ring_radius, double tube_radius,
            const Matrix3d& turn = Matrix3d::Identity());
/// A tube in a plane z = const, with `count` ribs along it that stand out by `depth` and sink as deep.
Shape ribbed_tube(const std::vector<Bead>& beads, int count, double depth);
/// A disc about the y axis whose edge is round, `half_height` thick to either side of its centre.
Shape drum(const Vector3d& center, double radius, double half_height, double edge_radius);
/// All that lies under a floor whose height swings `count` times around the y axis.
Shape below_wave(double height, double amplitude, int count);
Shape mirrored(Shape shape);  ///< its image in the plane x = 0

class Sculpture {
 public:
  /// Unite with a shape; the seam is filled to a fillet of about `blend` metres.
  void add(Shape shape, double blend = 0.02);
  void add_pair(const Shape& shape, double blend = 0.02);  ///< with its mirror image too
  /// Take a shape away; the rim is rounded by about `blend` metres.
  void carve(Shape shape, double blend = 0.01);
  void carve_pair(const Shape& shape, double blend = 0.01);
  /// Cut flat at y = 0, so that it stands.
  void stand(double blend = 0.03);

  double value(const Vector3d& p) const;
  Vector3d gradient(const Vector3d& p) const;
  /// The point of the surface that is found by following the gradient from `p`.
  Vector3d on_surface(Vector3d p) const;
  Vector3d normal(const Vector3d& p) const { return gradient(p).normalized(); }
  /// The largest principal curvature in size, 1/m.
  double curvature(const Vector3d& p) const;

 private:
  struct Stroke {
    Shape shape;
    double blend;
    bool carves;
  };
  std::vector<Stroke> strokes_;
};

}  // namespace rebound::animals
