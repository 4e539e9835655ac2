// What a picture shows, as plain data: filled afresh each frame, drawn by Renderer.
#pragma once

#include <vector>

#include "render/body_mesh.hpp"
#include "render/camera.hpp"
#include "render/geometry.hpp"
#include "render/theme.hpp"

namespace rebound::render {

struct BodyView {
  const BodyMesh* mesh = nullptr;  ///< borrowed; never null when drawn
  Color color;
  float opacity = 1;       ///< below 1 it is a ghost: see-through, casting no shadow
  bool wireframe = false;  ///< triangle edges over the shading
  bool casts_shadow = true;
  bool shows_heat = true;  ///< coloured by the mesh's scalars where it has them
  float heat_low = 0;      ///< the scalar that has the heat map's first colour
  float heat_high = 1;     ///< and its last
};

/// A line of constant width, framebuffer-independent: `width` is in points, multiplied by the view's pixel ratio.
struct LineView {
  Vec3 from = Vec3::Zero();
  Vec3 to = Vec3::Zero();
  Color color;
  float width = 1.5f;
  bool shows_through = false;  ///< drawn faintly where a body hides it
};

/// A polyline that fades from its last point (now) to its first (long ago), or does not.
struct TrailView {
  std::vector<Vec3> points;
  Color color;
  float width = 2;  ///< points
  bool fades = true;
};

/// A small ball, always facing, its size in points.
struct MarkerView {
  Vec3 position = Vec3::Zero();
  Color color;
  float radius = 5;           ///< points
  bool glossy = true;         ///< a shaded ball; else a flat dot
  bool shows_through = true;  ///< drawn faintly where a body hides it
};

/// An infinite floor n.x = offset with a grid; `normal` has length 1.
struct PlaneView {
  Vec3 normal = Vec3::UnitY();
  float offset = 0;        ///< metres
  bool is_paper = false;   ///< the page of a figure, which stands: it has a colour of its own
  bool is_solid = false;   ///< bodies bump into it; likewise
  bool is_marked = false;  ///< under the mouse
};

struct View {
  Camera camera;  ///< its size is set from the viewport by the renderer
  const Theme* theme = &dark_theme();
  float pixel_ratio = 1;  ///< framebuffer pixels a point: the display's content scale
  std::vector<BodyView> bodies;
  std::vector<LineView> lines;
  std::vector<TrailView> trails;
  std::vector<MarkerView> markers;
  std::vector<PlaneView> planes;

  /// Adds the line of a mouse spring with its handle balls: from the grabbed point of the body to the cursor's point.
  void add_grab(const Vec3& body_point, const Vec3& cursor_point);
  void add_pin(const Vec3& point);
  /// Adds an attachment: a thin line from a vertex to where it is drawn.
  void add_attachment(const Vec3& vertex, const Vec3& target);
  /// Adds a contact: its point, its normal so long, and an arrow for its force, likewise along the normal.
  void add_contact(const Vec3& point, const Vec3& normal, float normal_length, float force_length);

  /// Of all bodies that are not ghosts, metres.
  Box bounds() const;
};

/// The grid's unit lines, chosen by how near the camera is.
struct GridScale {
  float minor = 0.1f;           ///< metres between thin lines: a power of ten
  float major = 1.0f;           ///< ten times as much: what the eye takes as the unit
  float minor_strength = 0.5f;  ///< 0..1; they come and go smoothly as one zooms
};
GridScale grid_scale(const Camera& camera, float pixel_ratio = 1);

}  // namespace rebound::render
