// A scene as plain data: what a scene file says, with every default filled in, before anything is built from it.
// Each number states unit, effect and trade-off; its permitted range stands in scene/ranges.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/energy/material_values.hpp"

namespace rebound::scene {

using Vec3 = std::array<double, 3>;

// ---- where a body's shape comes from ----

/// A box centred at the origin, (dx+1)(dy+1)(dz+1) vertices, x fastest; each cell cut into `cut` tetrahedra.
struct BoxMesh {
  Vec3 size{1, 1, 1};  ///< m
  std::array<int, 3> divisions{6, 6, 6};
  int cut = 6;  ///< 6: around one main diagonal; 5: alternating, less biased
  bool operator==(const BoxMesh&) const = default;
};

/// A cloth in the xz plane, centred at the origin, x fastest, with structural, shear and bending springs, or of
/// triangles.
struct ClothMesh {
  std::array<double, 2> size{1, 1};  ///< m
  std::array<int, 2> divisions{30, 30};
  bool triangles = false;  ///< where its material is one of triangles
  bool operator==(const ClothMesh&) const = default;
};

/// A disk of triangles in the xz plane, centred at the origin.
struct DiskMesh {
  double radius = 0.5;  ///< m
  int rings = 12;       ///< around the middle; the k-th has 6 k vertices
  bool operator==(const DiskMesh&) const = default;
};

struct SphereMesh {
  double radius = 0.5;  ///< m
  int divisions = 12;   ///< cells across the diameter
  bool operator==(const SphereMesh&) const = default;
};

struct TorusMesh {
  double radius = 0.5;  ///< m, of the ring's centre line
  double tube = 0.2;    ///< m
  int divisions = 10;   ///< cells across the tube
  bool operator==(const TorusMesh&) const = default;
};

/// One of mesh::structure_names(), metres, y up from 0.
struct StructureMesh {
  std::string name = "tower";
  std::string detail = "coarse";  ///< "coarse", or "fine": of the size that [Chen20]'s body has
  bool operator==(const StructureMesh&) const = default;
};

/// How a surface file becomes tetrahedra.
struct Tetrahedralize {
  std::string method = "auto";      ///< "auto", "tetgen" (conforming) or "lattice" (embedded)
  std::optional<int> tets;          ///< wanted number; more is finer and slower. Default: what 33 ms allow here
  std::optional<double> maxVolume;  ///< m^3 a tetrahedron (TetGen's -a)
  std::optional<double> quality;    ///< largest radius-edge ratio (TetGen's -q); 1.4 is good, below 1.2 may not end
  bool refine = true;  ///< false: TetGen's -p alone. No points are added inside; fewer tetrahedra, and slivers stay
  bool operator==(const Tetrahedralize&) const = default;
};

/// A file: a surface (.obj) or tetrahedra as they are (.mesh, .msh, .node, .ele, .vtk).
struct FileMesh {
  std::filesystem::path file;  ///< absolute, or relative to the working folder, once parsed
  Tetrahedralize tetrahedralize;
  bool shell = false;  ///< the surface's own triangles, where its material is one of triangles
  bool operator==(const FileMesh&) const = default;
};

/// Vertices and elements written in the scene itself.
struct InlineMesh {
  std::vector<Vec3> vertices;             ///< m
  std::vector<std::array<int, 2>> edges;  ///< springs
  std::vector<std::array<int, 4>> tetrahedra;
  std::vector<std::array<int, 3>> triangles{};
  bool operator==(const InlineMesh&) const = default;
};

using Mesh = std::variant<BoxMesh, ClothMesh, DiskMesh, SphereMesh, TorusMesh, StructureMesh, FileMesh, InlineMesh>;

// ---- what it is made of ----

/// With the numbers that its model asks for, and those of others.
struct Material : sim::MaterialValues {
  std::string model = "arap";   ///< an identifier of sim::materials
  std::string law = "hookean";  ///< of the model's, where it has several
  std::string soft = "arap";  ///< of one that moves as a whole: the model that it is when it is made soft; not in files
  double density = 1000;      ///< kg/m^3; kg/m^2 for a cloth of springs; kg/m for loose springs
  std::vector<double> restLengths;  ///< m a spring; empty: the lengths in the mesh
  bool operator==(const Material&) const = default;
};

struct Rotation {
  Vec3 axis{0, 1, 0};
  double angle = 0;  ///< degrees
  bool operator==(const Rotation&) const = default;
};

/// Scales, then rotates, then translates.
struct Transform {
  Vec3 translate{0, 0, 0};  ///< m
  Rotation rotate;
  double scale = 1;
  bool operator==(const Transform&) const = default;
};

/// In world coordinates at the start.
struct BoxRegion {
  Vec3 min{0, 0, 0}, max{0, 0, 0};  ///< m
  bool operator==(const BoxRegion&) const = default;
};

struct RandomizedStart {
  std::uint64_t seed = 1;
  bool operator==(const RandomizedStart&) const = default;
};
struct PointStart {
  bool operator==(const PointStart&) const = default;
};
struct StretchedStart {
  Vec3 scale{1, 1, 1};  ///< about the centre of mass, along x, y, z
  bool operator==(const StretchedStart&) const = default;
};
/// What lies in a box is moved by `offset`, as if a hand had pulled at it; what surrounds it follows, less and less
/// over the distance `reach`.
struct PulledStart {
  BoxRegion box;
  Vec3 offset{0, 0, 0};  ///< m
  double reach = 0.3;    ///< m
  bool operator==(const PulledStart&) const = default;
};
/// Turned about the axis through its centre of mass, the more the farther along it.
struct TwistedStart {
  Vec3 axis{0, 1, 0};  ///< of any length
  double angle = 360;  ///< degrees from one end of the body to the other
  bool operator==(const TwistedStart&) const = default;
};
/// Where each vertex is, in world coordinates (m); fixed ones stay where they are at rest.
struct GivenStart {
  std::vector<Vec3> positions;
  bool operator==(const GivenStart&) const = default;
};
using Start =
    std::variant<std::monostate, RandomizedStart, PointStart, StretchedStart, PulledStart, TwistedStart, GivenStart>;

/// The vertices where a sheet ends.
struct BorderSelection {
  bool operator==(const BorderSelection&) const = default;
};

/// Vertex numbers, a region in world coordinates at the start, or a sheet's border.
using Selection = std::variant<std::vector<int>, BoxRegion, BorderSelection>;

/// A moment of a handle's motion, interpolated linearly between moments and held after the last.
struct Keyframe {
  double time = 0;       ///< s
  Vec3 offset{0, 0, 0};  ///< m from where the vertex starts
  bool operator==(const Keyframe&) const = default;
};

/// Springs of rest length zero from vertices to user-controlled points.
struct Attachment {
  Selection vertices;
  double stiffness = 1e4;  ///< N/m a vertex
  std::vector<Keyframe> motion;
  bool operator==(const Attachment&) const = default;
};

// ---- what holds for certain ----

/// Pairs of vertices that keep their distance, as if rods without mass joined them.
struct Rods {
  enum class Which { pairs, edges, threads };
  Which which = Which::pairs;  ///< those of `pairs`, all springs, or the sides of a cloth's cells
  std::vector<std::array<int, 2>> pairs;
  std::optional<double> length{};  ///< m. Default: as in the mesh
  bool operator==(const Rods&) const = default;
};
/// What `rods` may say in place of pairs.
inline constexpr const char* kRodsOfEdges = "edges";
inline constexpr const char* kRodsOfThreads = "threads";

/// Curves that vertices slide along without friction, each through where its vertex begins, in world coordinates.
struct LineCurve {
  Vec3 direction{1, 0, 0};  ///< of any length
  bool operator==(const LineCurve&) const = default;
};
struct CircleCurve {
  Vec3 centre{0, 0, 0};  ///< m, a point of its axis
  Vec3 normal{0, 0, 1};  ///< the axis, of any length
  bool operator==(const CircleCurve&) const = default;
};
struct HelixCurve {
  Vec3 centre{0, 0, 0};  ///< m, a point of its axis
  Vec3 axis{0, 1, 0};    ///< of any length
  double pitch = 0.5;    ///< m a turn; negative turns the other way
  bool operator==(const HelixCurve&) const = default;
};
using Curve = std::variant<LineCurve, CircleCurve, HelixCurve>;
/// Their keys in a scene, in that order.
inline constexpr std::array kCurves{"line", "circle", "helix"};
static_assert(kCurves.size() == std::variant_size_v<Curve>);

struct OnCurve {
  Selection vertices;
  Curve curve;
  bool operator==(const OnCurve&) const = default;
};

/// Holds at the end of every step, by a force of its own: solver newton, and integrators whose positions are those of a
/// solve.
using HardConstraint = std::variant<Rods, OnCurve>;

/// A vertex whose path is drawn: a dot for each state, joined by a line that fades. Nothing of the physics changes.
struct Trace {
  int vertex = 0;
  std::vector<int> around;  ///< vertices of the body; a circle is drawn about each through where `vertex` starts
  bool operator==(const Trace&) const = default;
};

/// What a mesh file marks by this number.
struct MeshLabel {
  int label = 0;
  bool operator==(const MeshLabel&) const = default;
};

/// What lies so near to a body's surface at rest.
struct ShellRegion {
  double depth = 0;  ///< m
  bool operator==(const ShellRegion&) const = default;
};

/// A part of a body of tetrahedra that is made of something else.
struct MaterialRegion {
  /// Tetrahedra whose centre at rest lies in a box or in a shell, or their numbers, or what their file says of them.
  std::variant<BoxRegion, ShellRegion, std::vector<int>, MeshLabel> elements;
  // What is said takes the place of the body's own.
  std::optional<std::string> model;
  std::map<std::string, double, std::less<>> numbers;  ///< by their keys in a scene, `density` among them
  bool operator==(const MaterialRegion&) const = default;
};

struct Body {
  std::string name;
  Mesh mesh;
  Material material;
  std::vector<MaterialRegion> regions;  ///< where they overlap, the last one counts
  std::vector<double> masses;           ///< kg a vertex; empty: from the density
  Transform transform;
  Vec3 velocity{0, 0, 0};         ///< m/s
  Vec3 angularVelocity{0, 0, 0};  ///< rad/s about the centre of mass
  std::vector<Vec3> velocities;   ///< m/s a vertex, instead of the two above; empty: none
  Start start;
  Selection fixed;  ///< not degrees of freedom
  std::vector<Attachment> attachments;
  std::vector<HardConstraint> constraints;
  std::vector<Trace> traces;
  bool autoScale = false;  ///< scaled to be about 1 m tall and centred at the origin before the transform
  bool autoHang = false;   ///< the top few percent of its height are fixed, besides `fixed`
  bool operator==(const Body&) const = default;
};

// ---- what it bumps into ----

/// The half-space in which normal . x < offset.
struct PlaneShape {
  Vec3 normal{0, 1, 0};  ///< of any length
  double offset = 0;     ///< m, along the normal of length 1
  bool operator==(const PlaneShape&) const = default;
};
struct SphereShape {
  double radius = 0.5;  ///< m
  bool operator==(const SphereShape&) const = default;
};
struct BoxShape {
  Vec3 size{1, 1, 1};  ///< m
  bool operator==(const BoxShape&) const = default;
};
/// Along y.
struct CapsuleShape {
  double radius = 0.25;  ///< m
  double length = 1;     ///< m, of the straight part
  bool operator==(const CapsuleShape&) const = default;
};
/// Around y.
struct TorusShape {
  double radius = 0.5;  ///< m, of the ring's centre line
  double tube = 0.2;    ///< m
  bool operator==(const TorusShape&) const = default;
};
/// What a closed surface encloses.
struct MeshShape {
  std::filesystem::path file;  ///< absolute, or relative to the working folder, once parsed
  bool operator==(const MeshShape&) const = default;
};
using ObstacleShape = std::variant<PlaneShape, SphereShape, BoxShape, CapsuleShape, TorusShape, MeshShape>;
/// Their keys in a scene, in that order.
inline constexpr std::array kObstacleShapes{"plane", "sphere", "box", "capsule", "torus", "mesh"};
static_assert(kObstacleShapes.size() == std::variant_size_v<ObstacleShape>);

/// How bodies meet an obstacle: pushed out by springs, not let in, or pushed out by k |phi|^3.
inline constexpr std::array kObstacleMeets{"spring", "constraint", "cubic"};

/// A moment of an obstacle's motion: turned about its own origin, then moved. Interpolated between moments, and held
/// after the last.
struct PoseKeyframe {
  double time = 0;       ///< s
  Vec3 offset{0, 0, 0};  ///< m from where `transform` puts it
  Rotation rotate;       ///< from how `transform` turns it
  bool operator==(const PoseKeyframe&) const = default;
};

/// A solid that goes its own way, and that no body moves.
struct Obstacle {
  std::string name;
  ObstacleShape shape;
  Transform transform;
  double stiffness = 1e5;                 ///< N/m a point in contact; stiffer sinks in less, and jars more
  double friction = 0;                    ///< -; 0 is ice, 0.8 rubber
  std::string meets = kObstacleMeets[0];  ///< "constraint": no vertex sinks in at all; of analytic shapes
  double cubicStiffness = 1e8;            ///< N/m^2, of "cubic", in the place of `stiffness`
  std::vector<PoseKeyframe> motion{};
  bool is_constraint() const { return meets == kObstacleMeets[1]; }
  bool is_cubic() const { return meets == kObstacleMeets[2]; }
  bool operator==(const Obstacle&) const = default;
};

/// How bodies meet one another and themselves, and with a barrier obstacles too.
struct BodyContact {
  bool bodies = true;               ///< different bodies push each other away; no cost while they are apart
  bool self = false;                ///< so do parts of one body; all of it is searched in every step
  double stiffness = 1e4;           ///< N/m a point in contact; stiffer sinks in less, and jars more
  double friction = 0;              ///< -; 0 is ice, 0.8 rubber
  std::optional<double> thickness;  ///< m, the distance that nets keep. Default: a quarter of the length of their edges
  std::string type = "springs";     ///< "springs", "cubic", or "barrier": nothing passes through anything
  double cubicStiffness = 1e7;      ///< N/m^2, of "cubic", in the place of `stiffness`
  // Of a barrier.
  std::optional<double> distance{};  ///< m, where it begins. Default: a tenth of the finest body's mean edge
  std::optional<double> firmness{};  ///< J/m^2 of area; a scene's "stiffness". Default: by masses and stiffnesses
  double slip = 1e-3;                ///< m/s: what slides slower is held by less than all of friction, and creeps
  int frictionSolves = 1;            ///< solves of a step, each with the normal forces that the last one ended with
  bool is_barrier() const { return type == "barrier"; }
  bool is_cubic() const { return type == "cubic"; }
  bool operator==(const BodyContact&) const = default;
};

// ---- how it moves ----

struct Integrator {
  std::string type = "stabilized";      ///< an identifier of the registry
  double tolerance = 0.01;              ///< -; the energy error left alone, as a share of the energy (Eq. 24)
  bool forwardBlend = true;             ///< blend with forward Euler where midpoint lost energy
  std::string unresolved = "moving";    ///< what becomes of energy that a step cannot resolve: "heat", "moving", "held"
  double alphaMin = 0, alphaMax = 1.1;  ///< a-search: between which its alpha is searched for
  int every = 1;  ///< a-search: after so many steps on one side of the target; 3 is [You26]'s sparse search
  std::string base = "backward-euler";  ///< a-search: whose positions it has; or "sdirk2"
  double rho = 0.8;                     ///< generalized-alpha: what is left of the fastest motion after a step
  int modes = 5;                        ///< siere: how many of the slowest modes it takes exactly
  bool operator==(const Integrator&) const = default;
};

struct Solver {
  std::string type = "local-global";
  std::optional<int> iterations;              ///< of the first solve; more is truer, and slower. Default: the solver's
  std::optional<int> stabilizerIterations{};  ///< of the backward Euler solve; empty: adaptive. 1 is the paper's
  std::optional<bool> acceleration{};  ///< Anderson's, local-global only. Default: what the integrator is best with
  bool iterationsByNeed = false;       ///< "auto": as many as it takes; `rebound`'s default. Then `iterations` is empty
  std::optional<double> tolerance{};   ///< m/s, of solvers that look at it: converged below. Default: 1e-11
  std::string projection = "on-demand";  ///< what of negative curvature newton and newton-cg take: one of projections()
  bool operator==(const Solver&) const = default;
};

struct Damping {
  std::string type = "rigid-preserving";  ///< an identifier of sim::dampings
  double coefficient = 0;     ///< rigid-preserving: the share taken (-); drag: kg/s; rayleigh: s. Higher calms sooner
  std::string per = "frame";  ///< coefficients are rates: a "frame" (the paper's share) or a "second"
  double mass = 0;            ///< rayleigh alone, 1/s: times the masses it is added to the damping
  bool operator==(const Damping&) const = default;
};

/// Air that moves everywhere alike, and pushes at what it meets.
struct Wind {
  Vec3 velocity{0, 0, 0};  ///< m/s; none: no wind
  double gusts = 0;        ///< -; by which share of it the velocity rises and falls
  int seed = 1;            ///< which gusts
  double from = 0;         ///< s, when it begins to blow
  double until = 1e6;      ///< s, and when it ends
  double density = 1.2;    ///< kg/m^3
  bool operator==(const Wind&) const = default;
};

/// A piece of the wished energy: what the target is asked to do from a moment on, until the next piece.
struct EnergyPiece {
  double from = 0;                   ///< s
  double factor = 1;                 ///< what the target has above the ground is multiplied by, once
  std::optional<double> foldTime{};  ///< s, in which that falls to 1/e. None: it stays
  std::optional<double> ground{};    ///< J. None: the energy at rest
  /// J at `from`, and on a straight line to that of the next piece; factor, foldTime and ground are then of no use.
  std::optional<double> target{};
  bool operator==(const EnergyPiece&) const = default;
};

struct Description {
  std::string name;
  std::string summary;      ///< one line: what to see and try
  double timeStep = 0.033;  ///< s, of a frame
  int substeps = 1;         ///< steps that a frame is cut into; more is truer, and as many times slower
  /// Once its energy is so many times its target, the simulation stops. None: only where numbers lose their use.
  std::optional<double> runaway{};
  int frames = 300;           ///< how long `run` and `record` go by default
  Vec3 gravity{0, -9.81, 0};  ///< m/s^2
  std::optional<Wind> wind{};
  Integrator integrator;
  Solver solver;
  Damping damping;
  std::vector<EnergyPiece> energy;  ///< in the order of time; none: the target is what the ledger says
  std::vector<Body> bodies;
  std::vector<Obstacle> obstacles;
  BodyContact contact;
  std::filesystem::path file;  ///< where it was read from; empty for a scene made in memory

  /// How a message about what the JSON pointer names begins: "FILE: POINTER", or "POINTER" where there is no file.
  std::string place(const std::string& pointer) const;
  bool operator==(const Description&) const = default;
};

}  // namespace rebound::scene
