#include "papers/drum.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace rebound::papers {
namespace {

constexpr int kMost = 20;  // lines or circles

int whole(scene::Reader& reader, std::string_view key, int least) {
  return static_cast<int>(reader.required(key, "a whole number")
                              .integer({key, static_cast<double>(least), kMost, static_cast<double>(least), "", true,
                                        false, "which mode of the drum"}));
}

/// The largest |J_n| up to its k-th zero.
double largest_height(int n, double zero) {
  constexpr int kSamples = 2000;
  double most = 0;
  for (int i = 0; i <= kSamples; ++i) most = std::max(most, std::abs(std::cyl_bessel_j(n, zero * i / kSamples)));
  return most;
}

}  // namespace

Strike read_strike(const scene::Value& value) {
  Strike strike;
  value.object([&](scene::Reader& reader) {
    strike.lines = whole(reader, "lines", 0);
    strike.circles = whole(reader, "circles", 1);
    const scene::Value speed = reader.required("speed", "m/s, of the fastest point");
    strike.speed = speed.plain_number();
    if (!(strike.speed > 0)) speed.fail("must be above 0");
  });
  return strike;
}

double bessel_zero(int n, int k) {
  // J_n has no zero below n, and its zeros are more than 3 apart for n of 0 and more than pi for others.
  constexpr double kStep = 0.5;
  double left = std::max(0.1, static_cast<double>(n));
  for (;; left += kStep) {
    double from = left, to = left + kStep;
    if (std::cyl_bessel_j(n, from) * std::cyl_bessel_j(n, to) > 0 || --k > 0) continue;
    for (int i = 0; i < 60; ++i) {
      const double middle = (from + to) / 2;
      (std::cyl_bessel_j(n, from) * std::cyl_bessel_j(n, middle) > 0 ? from : to) = middle;
    }
    return (from + to) / 2;
  }
}

sim::Vector drum_mode(const Strike& strike, const sim::Points& rest) {
  const double radius = rest.rowwise().norm().maxCoeff();
  const double zero = bessel_zero(strike.lines, strike.circles), most = largest_height(strike.lines, zero);
  sim::Vector heights(rest.rows());
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    const double x = rest(i, 0), z = rest(i, 2), share = std::min(1.0, std::hypot(x, z) / radius);
    heights[i] = std::cyl_bessel_j(strike.lines, zero * share) * std::cos(strike.lines * std::atan2(z, x)) / most;
  }
  return heights;
}

}  // namespace rebound::papers
