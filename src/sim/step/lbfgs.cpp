#include "sim/step/lbfgs.hpp"

namespace rebound::sim {
namespace {

// Of y . H0 y: below it a pair is rounding, or negative curvature.
constexpr double kLeastCurvature = 1e-6;

}  // namespace

void Lbfgs::add(const PairProducts& products) {
  const int place = next_place();
  if (!(products.sy[place] > kLeastCurvature * products.yt[place])) {
    if (count_ >= kKept) restart();  // its vectors have taken the place of the oldest pair's
    return;
  }
  ++count_;
  for (int j = 0; j < kept(); ++j) {
    sy_[place][j] = products.sy[j];
    sy_[j][place] = products.ys[j];
    yt_[place][j] = yt_[j][place] = products.yt[j];
  }
}

Lbfgs::Direction Lbfgs::direction(double gp, const Numbers& sg, const Numbers& yp) const {
  const int n = kept(), oldest = count_ - n;
  const auto place = [&](int age) { return (oldest + age) % kKept; };
  Numbers a{}, c{};
  const int newest = (count_ + kKept - 1) % kKept;
  const double scale = n > 0 ? sy_[newest][newest] / yt_[newest][newest] : 1;
  for (int age = n - 1; age >= 0; --age) {
    const int i = place(age);
    double sq = sg[i];  // s_i . q, q = g - sum of the newer a_j y_j
    for (int newer = age + 1; newer < n; ++newer) sq -= a[place(newer)] * sy_[i][place(newer)];
    a[i] = sq / sy_[i][i];
  }
  for (int age = 0; age < n; ++age) {
    const int i = place(age);
    double yr = yp[i];  // y_i . r, r = scale (p - sum a_j t_j) + the older c_j s_j
    for (int j = 0; j < n; ++j) yr -= a[place(j)] * yt_[i][place(j)];
    yr *= scale;
    for (int older = 0; older < age; ++older) yr += c[place(older)] * sy_[place(older)][i];
    c[i] = a[i] - yr / sy_[i][i];
  }
  Direction direction{scale, {}, {}, -scale * gp};
  for (int i = 0; i < kKept; ++i) {
    direction.along_t[i] = scale * a[i];
    direction.along_s[i] = -c[i];
    direction.slope += scale * a[i] * yp[i] - c[i] * sg[i];  // g . t_i = y_i . p, since H0 is symmetric
  }
  return direction;
}

}  // namespace rebound::sim
