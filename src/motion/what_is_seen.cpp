#include "motion/what_is_seen.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <unsupported/Eigen/FFT>

namespace rebound::motion {
namespace {

constexpr double kShortestVisible = 4;  // pictures

constexpr double kRounding = 1e-12;  // of powers in single precision
// Of fewer Eigen's transform makes nothing: it fails.
constexpr Eigen::Index kFewestPictures = 2;

// Calls visit(column, period in pictures, power), of every column of the rows from `first` on; a mean has an infinite
// period. Powers of a column sum to the mean of its squares.
template <class Visit>
void each_power(const Recording::Series& series, Eigen::Index first, Eigen::Index rows, const Visit& visit) {
  if (rows < kFewestPictures) {
    for (Eigen::Index c = 0; rows > 0 && c < series.cols(); ++c)
      visit(c, INFINITY, static_cast<double>(series(first, c)) * static_cast<double>(series(first, c)));
    return;
  }
  Eigen::FFT<float> fft;
  std::vector<float> values(static_cast<std::size_t>(rows));
  std::vector<std::complex<float>> spectrum;
  const auto n = static_cast<double>(rows);
  for (Eigen::Index c = 0; c < series.cols(); ++c) {
    for (Eigen::Index i = 0; i < rows; ++i) values[static_cast<std::size_t>(i)] = series(first + i, c);
    fft.fwd(spectrum, values);
    for (std::size_t k = 0; k < spectrum.size(); ++k) {
      const auto turns = static_cast<double>(std::min(k, spectrum.size() - k));
      visit(c, turns == 0 ? INFINITY : n / turns, std::norm(std::complex<double>(spectrum[k])) / (n * n));
    }
  }
}

// Over five pictures; where there are fewer, as it is.
Recording::Series smoothed(const Recording::Series& x, Eigen::Index rows) {
  const Eigen::Index half = rows > 4 ? 2 : 0;
  Recording::Series result(rows - 2 * half, x.cols());
  for (Eigen::Index i = 0; i < result.rows(); ++i) result.row(i) = x.middleRows(i, 2 * half + 1).colwise().mean();
  return result;
}

}  // namespace

Bands bands(const Recording& run) {
  const auto five_seconds = static_cast<Eigen::Index>(std::llround(5 / run.seconds));
  const Eigen::Index rows = std::min<Eigen::Index>(run.samples, std::max<Eigen::Index>(run.samples / 2, five_seconds));
  Bands result;
  double steady = 0, total = 0;
  each_power(run.v, run.samples - rows, rows, [&](Eigen::Index, double period, double power) {
    (std::isinf(period) ? steady : total) += power;
    if (std::isinf(period)) return;
    (period < kShortestVisible ? result.below_4 : period < 8 ? result.from_4_to_8 : result.above_8) += power;
  });
  // Of an even motion the rest is rounding.
  if (total <= kRounding * steady) return {};
  if (total > 0)
    for (double* share : {&result.below_4, &result.from_4_to_8, &result.above_8}) *share /= total;
  return result;
}

double visible_kinetic(const Recording& run) {
  const Eigen::Index rows = (run.samples + 2) / 3;
  double K = 0;
  each_power(run.mass_v, run.samples - rows, rows, [&](Eigen::Index c, double period, double power) {
    if (period >= kShortestVisible) K += 0.5 * static_cast<double>(run.mass[c / 3]) * power;
  });
  return K;
}

Course course(const Recording& run) {
  const auto rows = static_cast<std::size_t>(run.samples);
  Course result{std::vector<double>(rows, 0), std::vector<double>(rows, 0)};
  if (run.samples < kFewestPictures) {
    for (Eigen::Index c = 0; rows > 0 && c < run.mass_v.cols(); ++c)
      result.seen[0] += 0.5 * static_cast<double>(run.mass[c / 3]) * std::pow(static_cast<double>(run.mass_v(0, c)), 2);
    return result;
  }
  Eigen::FFT<float> fft;
  std::vector<float> values(rows), slow;
  std::vector<std::complex<float>> spectrum;
  for (Eigen::Index c = 0; c < run.mass_v.cols(); ++c) {
    for (std::size_t i = 0; i < rows; ++i) values[i] = run.mass_v(static_cast<Eigen::Index>(i), c);
    fft.fwd(spectrum, values);
    for (std::size_t k = 0; k < spectrum.size(); ++k)
      if (static_cast<double>(std::min(k, spectrum.size() - k)) * kShortestVisible > static_cast<double>(rows))
        spectrum[k] = 0;
    fft.inv(slow, spectrum);
    const double m = static_cast<double>(run.mass[c / 3]);
    for (std::size_t i = 0; i < rows; ++i) {
      const double fast = static_cast<double>(values[i]) - static_cast<double>(slow[i]);
      result.seen[i] += 0.5 * m * static_cast<double>(slow[i]) * static_cast<double>(slow[i]);
      result.shiver[i] += 0.5 * m * fast * fast;
    }
  }
  return result;
}

double path_error(const Recording& run, const Recording& reference) {
  const auto two_seconds = static_cast<Eigen::Index>(std::llround(2 / run.seconds)) + 1;
  const Eigen::Index rows =
      std::min({two_seconds, static_cast<Eigen::Index>(run.samples), static_cast<Eigen::Index>(reference.samples)});
  const Recording::Series a = smoothed(run.x, rows), b = smoothed(reference.x, rows);
  if (a.size() == 0) return 0;
  const double points = static_cast<double>(a.size()) / 3;
  return std::sqrt((a - b).cast<double>().squaredNorm() / points) / run.diagonal;
}

double late_swing(const Recording& run) {
  const Eigen::Index rows = (run.samples + 2) / 3;
  if (rows == 0) return 0;
  const Eigen::MatrixXd late = run.centre.middleRows(run.samples - rows, rows).cast<double>();
  return std::sqrt((late.rowwise() - late.colwise().mean()).rowwise().squaredNorm().mean());
}

}  // namespace rebound::motion
