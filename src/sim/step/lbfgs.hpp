// L-BFGS: the last few steps and what they did to the gradient, made into a better inverse Hessian than H0.
//
// Source: [Nocedal80], two-loop recursion; for elastic bodies, with H0 the prefactored (M + h^2 L)^-1 [Liu17].
//
// Here H0 is linear and dear, so it is applied once an iteration, to the gradient g; with t_i = H0 y_i = p_{i+1} - p_i,
// p = H0 g, the two loops are sums of products and one combination of vectors:
//   H g = scale (p - sum_i a_i t_i) + sum_i c_i s_i,   scale = s . y / y . t of the latest step
//
// The scale mends that H0 comes from a bound of the Hessian: without it steps are too short until five are known.
#pragma once

#include <array>

namespace rebound::sim {

/// Which combination it is; the vectors are the caller's, in a ring of kKept places.
class Lbfgs {
 public:
  static constexpr int kKept = 5;
  using Numbers = std::array<double, kKept>;

  /// Products of the pair in the place next_place() with every kept one, j, itself included.
  struct PairProducts {
    Numbers sy{};  ///< s . y_j
    Numbers ys{};  ///< y . s_j
    Numbers yt{};  ///< y . t_j
  };
  struct Direction {
    double along_p = 1;            ///< -H g = -along_p p + sum_j along_t[j] t_j + along_s[j] s_j
    Numbers along_t{}, along_s{};
    double slope = 0;  ///< -g . H g
  };

  void restart() { count_ = 0; }
  int kept() const { return count_ < kKept ? count_ : kKept; }
  int next_place() const { return count_ % kKept; }

  /// Takes over the pair in next_place(). One that bends the wrong way is left out; its place is free again.
  void add(const PairProducts& products);
  /// gp = g . p; sg[j] = s_j . g; yp[j] = y_j . p.
  Direction direction(double gp, const Numbers& sg, const Numbers& yp) const;

 private:
  int count_ = 0;
  std::array<Numbers, kKept> sy_{};  ///< s_i . y_j
  std::array<Numbers, kKept> yt_{};  ///< y_i . t_j
};

}  // namespace rebound::sim
