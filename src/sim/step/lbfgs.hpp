// L-BFGS: the last few steps and what they did to the gradient, made into a better inverse Hessian than H0.
//
// Source: [Nocedal80]; for elastic bodies, with H0 the prefactored (M + h^2 L)^-1 [Liu17]. All steps at once, as blocks
// [Schnabel83]: with S and Y the steps and what they did, side by side,
//   H = S B^-1 S^T + (I - S B^-1 Y^T) scale H0 (I - Y B^-1 S^T),   B = S^T Y, its symmetric part
// which on a quadratic does to all steps what they did, whatever lengths were gone, where the two loops of [Nocedal80]
// do so to the latest alone. Energies are no quadratics: a step that says little that is new beside the later ones, or
// bends the wrong way, is left out.
//
// Here H0 is linear and dear, so it is applied once an iteration, to the gradient: p = H0 g. With
//   y_i = g_{i+1} - g_i,   t_i = H0 y_i = p_{i+1} - p_i,   s_i = length_i d_i
// it is sums of products and one combination of vectors:
//   d = -H g = -scale (p - sum_i a_i t_i) - sum_i c_i s_i,   scale = the largest s_i . y_i / y_i . t_i
// All products come from those of g with the p's and d's at hand, as H0 is symmetric: neither y nor t, nor an older g,
// is kept anywhere, and of memory an iteration reads little more than the p's and d's, twice.
//
// The scale mends that H0 comes from a bound of the Hessian: without it steps are too short until five are known.
#pragma once

#include <array>

namespace rebound::sim {

/// Which combination it is; the vectors p and d are the caller's, in two rings of kPlaces places.
class Lbfgs {
 public:
  static constexpr int kKept = 5;  ///< steps
  static constexpr int kPlaces = kKept + 1;
  using Numbers = std::array<double, kPlaces>;  ///< one a place

  struct Direction {
    Numbers along_p{}, along_d{};  ///< d = sum_q along_p[q] p_q + along_d[q] d_q
    double slope = 0;              ///< g . d
  };

  /// Forgets all iterates; the next one is the first.
  void restart() { first_ = now_ = 0; }
  /// Where the present p is to be, and then d.
  int place() const { return now_ % kPlaces; }
  /// Iterates before the present one that are of use: the ages 1 ... kept(); and the place of one.
  int kept() const { return now_ - first_; }
  int place(int age) const { return (now_ - age) % kPlaces; }

  /// pg[q] = p_q . g of all places in use, the present one too; dg[q] = d_q . g of those before. Where no downward
  /// direction comes out, all but the present iterate is forgotten and it is -p.
  Direction direction(const Numbers& pg, const Numbers& dg);
  /// What of the direction was gone: the next iterate is at x + length d.
  void went(double length);

 private:
  using Shares = std::array<double, kKept>;
  /// The steps that are of use, newest first: the i-th goes from the place from[i] to the place to[i].
  struct Steps {
    int count = 0;
    std::array<int, kKept> from{}, to{};
    std::array<Shares, kKept> L{};  ///< B = L L^T
    double scale = 1;

    Shares solve(Shares x) const;
  };

  void note(const Numbers& pg, const Numbers& dg);
  double s_y(const Steps& steps, int i, int j) const;
  double y_t(const Steps& steps, int i, int j) const;
  Steps choose_steps() const;
  Direction combine() const;

  int first_ = 0, now_ = 0;  ///< iterates
  // By place.
  std::array<Numbers, kPlaces> pg_{};  ///< p_i . g_j
  std::array<Numbers, kPlaces> dg_{};  ///< d_i . g_j
  Numbers length_{};
};

}  // namespace rebound::sim
