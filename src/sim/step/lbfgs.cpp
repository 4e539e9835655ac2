#include "sim/step/lbfgs.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

// Of y . H0 y: below it a step is rounding, or negative curvature.
constexpr double kLeastCurvature = 1e-6;
// Of a step's s . y, what is left of it beside the later ones.
constexpr double kLeastNew = 0.1;

}  // namespace

Lbfgs::Direction Lbfgs::direction(const Numbers& pg, const Numbers& dg) {
  note(pg, dg);
  Direction direction = combine();
  if (!(direction.slope < 0)) {
    first_ = now_;
    direction = combine();
  }
  // d . g_j of the new d and the g's that are known.
  Numbers& own = dg_[place()];
  for (int age = 0; age <= kept(); ++age) {
    const int j = place(age);
    double sum = 0;
    for (int older = 0; older <= kept(); ++older) {
      const int q = place(older);
      sum += direction.along_p[q] * pg_[q][j];
      if (older > 0) sum += direction.along_d[q] * dg_[q][j];
    }
    own[j] = sum;
  }
  return direction;
}

void Lbfgs::went(double length) {
  length_[place()] = length;
  ++now_;
  first_ = std::max(first_, now_ - kKept);
}

void Lbfgs::note(const Numbers& pg, const Numbers& dg) {
  const int now = place();
  pg_[now][now] = pg[now];
  for (int age = 1; age <= kept(); ++age) {
    const int q = place(age);
    pg_[q][now] = pg_[now][q] = pg[q];
    dg_[q][now] = dg[q];
  }
}

double Lbfgs::s_y(const Steps& of, int i, int j) const {
  return length_[of.from[i]] * (dg_[of.from[i]][of.to[j]] - dg_[of.from[i]][of.from[j]]);
}

double Lbfgs::y_t(const Steps& of, int i, int j) const {
  return (pg_[of.to[i]][of.to[j]] - pg_[of.to[i]][of.from[j]]) -
         (pg_[of.from[i]][of.to[j]] - pg_[of.from[i]][of.from[j]]);
}

// L is made row by row, which tells of each step how much of it is new.
Lbfgs::Steps Lbfgs::choose_steps() const {
  Steps steps;
  auto& [n, from, to, L, scale] = steps;
  for (int age = 1; age <= kept(); ++age) {
    from[n] = place(age);
    to[n] = place(age - 1);
    const double sy = s_y(steps, n, n), yt = y_t(steps, n, n);
    if (!(sy > kLeastCurvature * yt)) continue;
    double left = sy;
    for (int j = 0; j < n; ++j) {
      L[n][j] = 0.5 * (s_y(steps, n, j) + s_y(steps, j, n));
      for (int k = 0; k < j; ++k) L[n][j] -= L[n][k] * L[j][k];
      L[n][j] /= L[j][j];
      left -= L[n][j] * L[n][j];
    }
    if (!(left > kLeastNew * sy)) continue;
    L[n][n] = std::sqrt(left);
    scale = n == 0 ? sy / yt : std::max(scale, sy / yt);
    ++n;
  }
  return steps;
}

Lbfgs::Shares Lbfgs::Steps::solve(Shares x) const {
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= L[i][k] * x[k];
    x[i] /= L[i][i];
  }
  for (int i = count - 1; i >= 0; --i) {
    for (int k = i + 1; k < count; ++k) x[i] -= L[k][i] * x[k];
    x[i] /= L[i][i];
  }
  return x;
}

// a = B^-1 S^T g,   c = a - B^-1 Y^T r,   r = scale (p - T a).
Lbfgs::Direction Lbfgs::combine() const {
  const Steps steps = choose_steps();
  const int now = place(), n = steps.count;
  Shares sg{}, yr{};
  for (int i = 0; i < n; ++i) sg[i] = length_[steps.from[i]] * dg_[steps.from[i]][now];
  const Shares a = steps.solve(sg);
  for (int i = 0; i < n; ++i) {
    yr[i] = pg_[steps.to[i]][now] - pg_[steps.from[i]][now];
    for (int j = 0; j < n; ++j) yr[i] -= a[j] * y_t(steps, i, j);
    yr[i] *= steps.scale;
  }
  const Shares back = steps.solve(yr);
  Direction direction;
  direction.along_p[now] = -steps.scale;
  for (int i = 0; i < n; ++i) {
    direction.along_p[steps.to[i]] += steps.scale * a[i];
    direction.along_p[steps.from[i]] -= steps.scale * a[i];
    direction.along_d[steps.from[i]] -= (a[i] - back[i]) * length_[steps.from[i]];
  }
  for (int age = 0; age <= kept(); ++age) {
    const int q = place(age);
    direction.slope += direction.along_p[q] * pg_[q][now];
    if (age > 0) direction.slope += direction.along_d[q] * dg_[q][now];
  }
  return direction;
}

}  // namespace rebound::sim
