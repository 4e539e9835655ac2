#include <algorithm>
#include <cmath>

#include "mesh/structures/recipes.hpp"

namespace rebound::mesh {
namespace {

constexpr int kSpans = 10;
constexpr double kSpan = 2.1, kColumn = 0.3, kDeck = 6.6, kBelow = 6.2, kRise = 5.4, kArch = 0.35;
constexpr double kAcross[] = {0, 0.35, 1.05, 1.75, 2.1};
constexpr double kLength = kSpans * kSpan + (kSpans + 1) * kColumn;

// Along the bridge: a column, then three pieces of a span, and so on.
bool is_column(int piece) { return piece % 4 == 0; }

double along(double line) {
  const int piece = std::min(static_cast<int>(line), 4 * kSpans);
  const double start = piece / 4 * (kColumn + kSpan) + (is_column(piece) ? 0 : kColumn + (piece % 4 - 1) * kSpan / 3);
  return start + (line - piece) * (is_column(piece) ? kColumn : kSpan / 3);
}

// The grid's lines upwards: two cells of the arch, four of a column, two of the deck.
double height(double x, double line) {
  const double top = kArch + kRise * (1 - std::pow(2 * x / kLength - 1, 2));
  if (line <= 2) return top - kArch + kArch * line / 2;
  if (line <= 6) return top + (kBelow - top) * (line - 2) / 4;
  return kBelow + (kDeck - kBelow) * (line - 6) / 2;
}

double across(double line) {
  const int low = std::min(static_cast<int>(line), 3);
  return kAcross[low] + (line - low) * (kAcross[low + 1] - kAcross[low]) - kAcross[4] / 2;
}

}  // namespace

Blocks bridge(Detail detail) {
  const auto place = [](double i, double j, double k) -> Eigen::Vector3d {
    const double x = along(i);
    return {x - kLength / 2, height(x, j), across(k)};
  };
  Blocks body;
  FilledGrid grid(body, detail == Detail::fine ? std::array{7, 4, 1} : std::array{1, 1, 1}, place);
  for (int i = 0; i <= 4 * kSpans; ++i)
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < 4; ++k) {
        const bool rib = k == 0 || k == 3, deck = j >= 6, arch = j < 2;
        const bool tie = arch && i % 8 == 0;
        if (deck || tie || (rib && (arch || is_column(i)))) grid.fill({i, j, k});
      }
  return body;
}

}  // namespace rebound::mesh
