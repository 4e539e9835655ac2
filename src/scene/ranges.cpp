#include "scene/ranges.hpp"

#include <cmath>
#include <stdexcept>

#include "mesh/error.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {
namespace {

constexpr bool kWhole = true, kReal = false;
constexpr bool kLog = true, kLinear = false;

// How the bounds were chosen: positions stay within 1e6 m, where a double still resolves 1e-10 m; stiffness and mass
// bounds leave out what no material has; a lower bound above zero stands wherever zero would make the system singular.
// clang-format off
constexpr Range kRanges[] = {
    // time
    {"timeStep", 1e-5, 1, 0.033, "s", kReal, kLog,
     "time a frame advances; larger is cheaper a simulated second, and damps or errs more"},
    {"substeps", 1, 1000, 1, "", kWhole, kLog,
     "steps that a frame is cut into; more is nearer to the true motion, and costs as many times as much"},
    {"runaway", 2, 1e6, 100, "", kReal, kLog,
     "how many times its target the energy may be before the simulation stops; less stops sooner, and may stop what would calm down"},
    {"frames", 0, 10'000'000, 300, "", kWhole, kLinear, "how many frames 'run' and 'record' go by default"},
    {"gravity", -1e4, 1e4, -9.81, "m/s^2", kReal, kLinear, "each component of gravity; y is up, so -9.81 along y is the Earth's"},
    {"wind.velocity", -500, 500, 0, "m/s", kReal, kLinear, "each component of the wind; 10 bends a tree, 30 is a storm"},
    {"wind.speed", 0, 500, 0, "m/s", kReal, kLinear, "how fast the wind blows along the ground; 10 bends a tree, 30 is a storm"},
    {"wind.angle", -180, 180, 0, "°", kReal, kLinear, "where the wind blows to, from the x axis towards the z axis"},
    {"wind.gusts", 0, 2, 0, "", kReal, kLinear, "by which share of it the wind rises and falls; 0 blows evenly"},
    {"wind.seed", 0, 1e6, 1, "", kWhole, kLinear, "which gusts; the same seed gives the same"},
    {"wind.from", 0, 1e6, 0, "s", kReal, kLinear, "when the wind begins to blow"},
    {"wind.until", 0, 1e6, 1e6, "s", kReal, kLinear, "when it ends"},
    {"wind.density", 0, 1e5, 1.2, "kg/m^3", kReal, kLinear, "density of what blows: 1.2 is air, 1000 water"},

    // method
    {"integrator.tolerance", 0, 1, 0.01, "", kReal, kLinear,
     "energy error left alone, as a share of the energy; smaller holds the energy closer, and blends in more frames"},
    {"integrator.alphaMin", -4, 4, 0, "", kReal, kLinear,
     "least share of forward Euler's velocity; 0 is backward Euler's alone, and may lose energy fastest"},
    {"integrator.alphaMax", -4, 4, 1.1, "", kReal, kLinear,
     "largest share of forward Euler's velocity; more gives energy back faster, with more noise"},
    {"integrator.every", 1, 100, 1, "", kWhole, kLinear,
     "search for alpha after so many steps on one side of the target; more is smoother, and holds the energy less"},
    {"integrator.rho", 0, 1, 0.8, "", kReal, kLinear,
     "what is left of the fastest motion after a step; 1 damps nothing, 0 forgets it at once"},
    {"integrator.modes", 1, 60, 5, "", kWhole, kLinear,
     "how many of the slowest modes SIERE takes exactly; more keeps more of the motion, and costs a little more"},
    {"energy.from", 0, 1e6, 0, "s", kReal, kLinear, "when this piece of the wished energy begins"},
    {"energy.factor", 0, 100, 1, "", kReal, kLinear,
     "what the target has above the ground is multiplied by, once"},
    {"energy.foldTime", 1e-3, 1e6, 2, "s", kReal, kLog,
     "time in which the target falls to 1/e of what it has above the ground; shorter calms sooner"},
    {"energy.ground", -1e15, 1e15, 0, "J", kReal, kLinear, "the energy that the target falls to"},
    {"energy.target", -1e15, 1e15, 0, "J", kReal, kLinear, "the wished energy at this time"},
    {"solver.iterations", 1, 100'000, 10, "", kWhole, kLog,
     "iterations of the first solve, 100 at most with newton and 2000 with gast if nothing is said; more is nearer to the exact step, and slower"},
    {"solver.tolerance", 1e-12, 1, 1e-11, "m/s", kReal, kLog,
     "largest velocity that newton, newton-cg, gast and quasi-newton leave undetermined; smaller is nearer to the exact step, and slower"},
    {"solver.stabilizerIterations", 1, 100'000, 1, "", kWhole, kLog,
     "iterations of the stabilizing solve; more blends towards a truer backward Euler, and is slower"},
    {"damping.coefficient", 0, 1, 0, "", kReal, kLinear,
     "share of the non-rigid velocity taken a frame or a second; higher calms sooner, and looks more viscous"},
    {"damping.coefficient.drag", 0, 1e6, 0, "kg/s", kReal, kLinear,
     "a vertex of mass m loses the share k h/m of its velocity; higher stops all motion sooner"},
    {"damping.coefficient.rayleigh", 0, 100, 0, "s", kReal, kLinear,
     "times the elastic stiffness is the damping; higher calms slower vibrations too (0.001 is mild, 0.1 heavy)"},
    {"damping.mass", 0, 1e4, 0, "1/s", kReal, kLinear,
     "times the masses is added to the damping, with type 'rayleigh'; higher stops all motion sooner, falling and spinning too"},
    {"threads", 1, 256, 1, "", kWhole, kLinear, "worker threads; more is faster up to the number of cores"},
    {"seed", 0, 9007199254740991, 1, "", kWhole, kLinear, "which random start; the same seed gives the same start"},

    // shapes
    {"mesh.coordinate", -1e6, 1e6, 0, "m", kReal, kLinear, "one coordinate of a vertex"},
    {"mesh.size", 1e-5, 1e5, 1, "m", kReal, kLog, "an edge of a box or cloth"},
    {"mesh.box.divisions", 1, 1000, 6, "", kWhole, kLog, "cells along an edge of a box; more is finer, and slower by the third power"},
    {"mesh.cloth.divisions", 1, 2000, 30, "", kWhole, kLog, "cells along an edge of a cloth; more is finer, and slower by the square"},
    {"mesh.disk.radius", 1e-5, 1e5, 0.5, "m", kReal, kLog, "a disk's radius"},
    {"mesh.disk.rings", 1, 800, 12, "", kWhole, kLog, "rings of triangles of a disk; more is finer, and slower by the square"},
    {"mesh.sphere.radius", 1e-5, 1e5, 0.5, "m", kReal, kLog, "a sphere's radius"},
    {"mesh.sphere.divisions", 2, 150, 12, "", kWhole, kLog, "cells across a sphere's diameter; more is rounder, and slower"},
    {"mesh.torus.radius", 1e-5, 1e5, 0.5, "m", kReal, kLog, "the radius of a torus's centre line"},
    {"mesh.torus.tube", 1e-5, 1e5, 0.2, "m", kReal, kLog, "the radius of a torus's tube; below the ring's radius"},
    {"mesh.torus.divisions", 2, 150, 10, "", kWhole, kLog, "cells across a torus's tube; more is rounder, and slower"},
    {"mesh.tetrahedralize.tets", 10, 4'000'000, 12000, "", kWhole, kLog,
     "wanted number of tetrahedra; more is finer, and slower (unset: what 33 ms allow)"},
    {"mesh.tetrahedralize.maxVolume", 1e-18, 1e15, 1e-6, "m^3", kReal, kLog,
     "largest tetrahedron; smaller is finer, and slower (unset: no limit)"},
    {"mesh.tetrahedralize.quality", 1.05, 10, 1.4, "", kReal, kLinear,
     "largest radius-edge ratio; smaller gives rounder tetrahedra and more of them, below 1.2 it may not end"},

    // materials
    {"material.young", 1e-2, 1e12, 1e5, "Pa", kReal, kLog,
     "Young's modulus; stiffer holds its shape, and makes a long time step harder (jelly 1e4, rubber 1e6, steel 2e11)"},
    {"material.poisson", -0.9, 0.499, 0.3, "", kReal, kLinear,
     "Poisson's ratio; higher keeps the volume more, and is harder to solve (arap: it only enters mu)"},
    {"material.poisson.from0", 0, 0.499, 0.3, "", kReal, kLinear,
     "Poisson's ratio of materials that would fall apart below 0; higher keeps the volume more, and is harder to solve"},
    {"material.thickness", 1e-6, 1, 1e-3, "m", kReal, kLog,
     "thickness of a sheet; thicker is heavier and stiffer, against bending by its third power"},
    {"material.bending", 0, 100, 1, "", kReal, kLinear,
     "stiffness of a sheet against bending, times that of its material; 0 is a sheet that folds freely"},
    {"material.pretension", 0, 2, 0, "", kReal, kLinear,
     "share by which the given shape of a sheet is stretched already; more is tighter, and sounds higher"},
    {"material.density", 1e-3, 1e5, 1000, "kg/m^3", kReal, kLog, "mass of a solid a volume; heavier swings slower and sags more"},
    {"material.density.cloth", 1e-3, 1e5, 0.3, "kg/m^2", kReal, kLog, "mass of a cloth an area; heavier swings slower and sags more"},
    {"material.density.springs", 1e-3, 1e5, 1, "kg/m", kReal, kLog, "mass of loose springs a length; heavier swings slower and sags more"},
    {"material.stiffness", 1e-6, 1e12, 100, "N/m", kReal, kLog,
     "stiffness of a spring (law 'squared': N/m^3); stiffer stretches less, and makes a long time step harder"},
    {"material.rigidity", 1e-2, 1e12, 1e7, "Pa", kReal, kLog,
     "stiffness kappa of an affine body against any change of shape; stiffer is more rigid, and harder to solve"},
    {"material.restLength", 0, 1e6, 0, "m", kReal, kLinear, "a spring's length without force (unset: its length in the mesh)"},
    {"mass", 1e-9, 1e9, 1, "kg", kReal, kLog, "mass of a vertex; 0 is permitted where the vertex is fixed"},

    // where a body starts
    {"transform.translate", -1e6, 1e6, 0, "m", kReal, kLinear, "each component of where a body's origin goes"},
    {"transform.rotate.axis", -1e6, 1e6, 0, "", kReal, kLinear, "each component of the axis; only its direction matters"},
    {"transform.rotate.angle", -36000, 36000, 0, "deg", kReal, kLinear, "turn about the axis, right-handed"},
    {"transform.scale", 1e-6, 1e6, 1, "", kReal, kLog, "factor on the size; twice the size is eight times the mass"},
    {"repeat.counts", 1, 1000, 1, "", kWhole, kLinear, "how many copies of a body there are along x, y and z"},
    {"repeat.spacing", 1e-5, 1e5, 1, "m", kReal, kLog, "how far it is from one copy of a body to the next, along x, y and z"},
    {"repeat.turn", 0, 180, 0, "deg", kReal, kLinear, "the most by which a copy of a body is turned about an axis of its own"},
    {"velocity", -1e5, 1e5, 0, "m/s", kReal, kLinear, "each component of a velocity at the start"},
    {"angularVelocity", -1e5, 1e5, 0, "rad/s", kReal, kLinear, "each component of the spin about the centre of mass at the start"},
    {"start.scale", -100, 100, 1, "", kReal, kLinear, "stretch of the first state along an axis; 0 is flat, negative is inside out"},
    {"start.offset", -1e6, 1e6, 0, "m", kReal, kLinear, "each component of how far a part is pulled out at the start"},
    {"start.angle", -36000, 36000, 360, "deg", kReal, kLinear, "turn of one end of a body against the other"},
    {"start.reach", 1e-6, 1e6, 0.3, "m", kReal, kLog, "how far around the pulled part its surroundings follow"},
    {"region.shell", 1e-6, 1e5, 0.1, "m", kReal, kLog, "how deep below a body's surface a region reaches"},
    {"region.element", 0, 2'000'000'000, 0, "", kWhole, kLinear, "the number of a tetrahedron, from 0"},
    {"region.label", -2'000'000'000, 2'000'000'000, 1, "", kWhole, kLinear, "the number by which a mesh file marks a part of a body"},
    {"region", -1e6, 1e6, 0, "m", kReal, kLinear, "a coordinate of a selecting box's corner"},

    // handles
    {"attachment.stiffness", 1e-6, 1e12, 1e4, "N/m", kReal, kLog,
     "stiffness of a handle a vertex; stiffer follows the handle closer, and tugs harder"},
    {"attachment.motion.time", 0, 1e6, 0, "s", kReal, kLinear, "when a handle is at an offset"},
    {"attachment.motion.offset", -1e6, 1e6, 0, "m", kReal, kLinear, "each component of a handle's distance from where it starts"},
    {"grab.strength", 0.01, 100, 1, "", kReal, kLog,
     "strength of the mouse's pull; 1 swings the whole body about twice a second, more follows the cursor closer"},
    {"grab.radius", 0, 1e5, 0, "m", kReal, kLinear, "how far around its point a grab holds the body at rest; 0 is the point alone"},
    {"grab.reach", 0, 0.5, 0, "", kReal, kLinear,
     "how far around the point under the mouse a pull takes hold, as a share of the body's size; the wheel changes it while "
     "something is held"},

    // obstacles
    {"obstacle.normal", -1e6, 1e6, 0, "", kReal, kLinear, "each component of a plane's normal; only its direction matters"},
    {"obstacle.offset", -1e6, 1e6, 0, "m", kReal, kLinear, "how far a plane is from the origin along its normal"},
    {"obstacle.size", 1e-5, 1e5, 1, "m", kReal, kLog, "an edge, radius or length of an obstacle"},
    {"obstacle.stiffness", 1e-3, 1e12, 1e5, "N/m", kReal, kLog,
     "stiffness of a point in contact; stiffer sinks in less, and makes a long time step harder"},
    {"obstacle.cubicStiffness", 1e-3, 1e15, 1e8, "N/m^2", kReal, kLog,
     "k of k |phi|^3 at a point that is inside; stiffer sinks in less, and is harder to solve"},
    {"obstacle.friction", 0, 10, 0, "", kReal, kLinear, "Coulomb's coefficient; 0 is ice, 0.8 rubber; above 1 it clings"},
    {"obstacle.motion.time", 0, 1e6, 0, "s", kReal, kLinear, "when an obstacle is at an offset"},
    {"obstacle.motion.offset", -1e6, 1e6, 0, "m", kReal, kLinear, "each component of an obstacle's distance from where it starts"},

    // bodies among themselves
    {"constraint.length", 1e-5, 1e5, 1, "m", kReal, kLog, "length of a rod (unset: as in the mesh)"},
    {"constraint.centre", -1e6, 1e6, 0, "m", kReal, kLinear, "each coordinate of a point on the axis of a curve"},
    {"constraint.direction", -1e6, 1e6, 0, "", kReal, kLinear, "each component of a curve's axis or direction; its length does not matter"},
    {"constraint.pitch", -1e4, 1e4, 0.5, "m", kReal, kLinear, "how far a helix goes in a turn; negative turns the other way"},
    {"contact.stiffness", 1e-3, 1e12, 1e4, "N/m", kReal, kLog,
     "stiffness of a point of one body in contact with another; stiffer sinks in less, and makes a long time step harder"},
    {"contact.cubicStiffness", 1e-3, 1e15, 1e7, "N/m^2", kReal, kLog,
     "k of k d sqrt(d), d the squared depth of a point of one body in another; stiffer sinks in less, and is harder to solve"},
    {"contact.friction", 0, 10, 0, "", kReal, kLinear, "Coulomb's coefficient between bodies; 0 is ice, 0.8 rubber"},
    {"contact.thickness", 1e-6, 1e3, 0.01, "m", kReal, kLog,
     "distance that layers of cloth keep; wider holds fast cloth better, and looks thicker (unset: a quarter of its edges)"},
    {"contact.distance", 1e-7, 100, 1e-3, "m", kReal, kLog,
     "gap at which a barrier begins to push; wider is easier to solve (unset: a tenth of the finest body's edges)"},
    {"contact.firmness", 1e-3, 1e12, 100, "J/m^2", kReal, kLog,
     "contact stiffness of a barrier, per area; firmer keeps wider gaps (unset: by masses and stiffnesses)"},
    {"contact.slip", 1e-9, 10, 1e-3, "m/s", kReal, kLog,
     "speed up to which a barrier's friction lets things creep; lower holds better and is harder to solve"},
    {"contact.frictionSolves", 1, 20, 1, "", kWhole, kLinear,
     "solves of a step behind a barrier, each with the normal forces of the last; more has friction in the step of an impact"},

    // videos
    {"record.fps", 1, 240, 30, "1/s", kWhole, kLinear, "pictures a second of a video; the physics does not change"},
    {"record.width", 64, 7680, 1280, "px", kWhole, kLinear, "a video's width"},
    {"record.height", 64, 7680, 720, "px", kWhole, kLinear, "a video's height"},

    // measurements
    {"measure.starts", 1, 1000, 1, "", kWhole, kLog, "runs of which figures are the mean, with stiffnesses a hundredth apart"},
};
// clang-format on

}  // namespace

std::span<const Range> ranges() { return kRanges; }

const Range& range(std::string_view key) {
  for (const Range& row : kRanges) {
    if (row.key == key) return row;
  }
  throw std::logic_error("no range is called '" + std::string(key) + "'");
}

bool permits(const Range& range, double value) {
  // Written so that NaN fails it.
  const bool within = value >= range.min && value <= range.max;
  return within && (!range.whole || value == std::floor(value));
}

std::string refusal(const Range& range, double value) {
  const bool within = value >= range.min && value <= range.max;
  std::string text = number_text(value);
  if (within && range.whole) return text + " is not a whole number";
  text += " is not within " + number_text(range.min) + " to " + number_text(range.max);
  if (!range.unit.empty()) text.append(" ").append(range.unit);
  return text;
}

double checked(std::string_view key, double value, std::string_view where) {
  const Range& row = range(key);
  if (!permits(row, value)) throw InputError(one_line(where) + ": " + refusal(row, value));
  return value;
}

}  // namespace rebound::scene
