#include "render/ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace rebound::render {

namespace {

double nice_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  // A hair of tolerance, lest a rough step of 2.0000000001 become 5.
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string print(const char* format, int decimals, double value) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), format, decimals, value);
  return text.data();
}

std::string with_thousands(std::string digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t i = std::min(digits.find('.'), digits.size()); i > first + 3;) digits.insert(i -= 3, 1, ',');
  return digits;
}

/// How many digits after the point a multiple of `unit` needs.
int decimals_for(double unit) { return std::clamp(static_cast<int>(std::ceil(-std::log10(unit) - 1e-9)), 0, 12); }

}  // namespace

Ticks nice_ticks(double min, double max, int count) {
  if (min > max) std::swap(min, max);
  const double size = std::max(std::abs(min), std::abs(max));
  Ticks ticks;
  if (!std::isfinite(min) || !std::isfinite(max) || !std::isfinite(2 * size)) return ticks;
  // A range too narrow for its numbers' digits counts as empty.
  if (max - min <= 1e-12 * size || max == min) {
    const double room = size > 0 ? 0.5 * size : 0.5;
    min -= room;
    max += room;
  }
  ticks.step = nice_step(std::max((max - min) / std::max(count, 1), 1e-300));
  const double slack = 1e-9 * ticks.step;
  const double last = std::floor((max + slack) / ticks.step);
  for (double i = std::ceil((min - slack) / ticks.step); i <= last; ++i) {
    ticks.values.push_back(i == 0 ? 0.0 : i * ticks.step);
  }
  return ticks;
}

std::string tick_label(double value, double step) {
  step = std::abs(step);
  if (!(step > 0) || !std::isfinite(value)) return print("%.*g", 6, value);
  if (std::abs(value) < 1e-6 * step) return "0";
  const double size = std::abs(value);
  if (size >= 1e5 || step < 1e-4) {
    const double power = std::floor(std::log10(size) + 1e-9);
    const double unit = std::pow(10.0, power);
    return print("%.*f", decimals_for(std::min(step / unit, 1.0)), value / unit) + "e" +
           std::to_string(static_cast<int>(power));
  }
  return with_thousands(print("%.*f", decimals_for(step), value));
}

Prefix prefix_for(double size) {
  static constexpr Prefix kPrefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}};
  // Where prefixes that everyone knows end, powers of ten begin.
  if (!(size >= 1e-8 && size < 1e13)) return {};
  for (const Prefix& prefix : kPrefixes)
    if (size >= prefix.factor) return prefix;
  return std::end(kPrefixes)[-1];
}

}  // namespace rebound::render
