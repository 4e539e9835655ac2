// From any surface to a body that can be simulated.
#pragma once

#include <optional>
#include <string>

#include "mesh/error.hpp"
#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"

namespace rebound::mesh {

enum class SolidMethod {
  automatic,  ///< TetGen where the surface allows it and tets stay few, a lattice everywhere else
  tetgen,     ///< tets that follow the surface exactly, or a MeshError that says why not
  lattice,    ///< a lattice around the surface
};

struct SolidOptions {
  SolidMethod method = SolidMethod::automatic;
  int wanted_tets = 12'000;          ///< more is finer and slower
  std::optional<double> most_off;    ///< share of wanted_tets by which tets that follow the surface may miss them where
                                     ///< the method is automatic; default: 0.75 above, 0.8 below
  std::optional<double> max_volume;  ///< m^3 a tet; decides instead of wanted_tets
  std::optional<double> quality;     ///< TetGen's largest radius-edge ratio, in [1.1, 10], kept as it answers; default
                                     ///< 1.4, and then slivers are evened out
  bool refine = true;                ///< false: TetGen adds no vertices inside unless max_volume asks; slivers stay
  double wall_seconds = 900;         ///< by the clock, for TetGen; how long it may work does not depend on the clock
  std::string name = "the surface";  ///< what messages call it, such as the file
};

/// Beyond it slivers rule how fast a body is solved: unevenness() of tets that follow a surface unasked.
constexpr double kMostUneven = 10;

/// The body: its `surface` is `loaded` (less vertices that no triangle uses), embedded in the tets; `notes` tell the
/// user what was mended and how the body was made. Sizes are judged against the surface's own extent, whatever its
/// unit. The same surface and options give the same bytes. Throws MeshError for surfaces without area, bad options, or
/// (method tetgen) a surface that cannot be filled, with the first offending triangles; TetgenInterrupted, by any
/// method but lattice; and Cancelled.
Solid solidify(const Surface& loaded, const SolidOptions& options = {}, const Progress& progress = {});

/// "automatic" or "auto", "tetgen", "lattice". Throws MeshError for other words.
SolidMethod solid_method(const std::string& word);

}  // namespace rebound::mesh
