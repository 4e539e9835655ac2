// The numbers that materials ask for.
#pragma once

namespace rebound::sim {

/// A material takes those that its row in the table of materials names, and looks at no others. Ranges stand in
/// scene/ranges.cpp.
struct MaterialValues {
  double young = 1e5;       ///< Pa; stiffer holds its shape and makes 33 ms harder
  double poisson = 0.3;     ///< -; arap: enters through mu = young / (2 (1 + poisson)) alone
  double stiffness = 100;   ///< N/m a spring; law `squared`: N/m^3
  double rigidity = 1e7;    ///< Pa, kappa of an affine body; it strains by about a pressure / (8 kappa)
  double thickness = 1e-3;  ///< m, of a sheet
  double bending = 1;       ///< -, stiffness against bending as a factor: 1 is that of the material, 0 none
  double pretension = 0;    ///< -, share by which the shape that is given is stretched already
  bool operator==(const MaterialValues&) const = default;
};

}  // namespace rebound::sim
