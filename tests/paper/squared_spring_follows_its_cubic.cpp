// [Dinev18 Eq. 7, Fig. 2]: E = k/2 (|x|^2 - 1)^2 depends on the length alone, so a step's minimiser lies along a known
// direction and its length is the positive root of a cubic. Every one-solve method runs beside that closed form, each
// on its own, for 100 steps at the paper's two step sizes.
//
// Each method, written from its definition with a(x) = -(2k/m)(|x|^2 - 1) x, solves p + q a(p) = P for a point p:
//   backward Euler   p = x_{n+1},                q = -h^2,       P = x_n + h v_n
//   midpoint         p = (x_n + x_{n+1})/2,      q = -h^2/4,     P = x_n + h/2 v_n
//   trapezoid        p = x_{n+1},                q = -h^2/4,     P = x_n + h v_n + h^2/4 a(x_n)
//   BDF2             p = x_{n+1},                q = -4/9 h^2,   P = 4/3 x_n - 1/3 x_{n-1} + 2/3 h (4/3 v_n - 1/3
//   v_{n-1})
// With p = s P/|P| that is w s^3 + (1 - w) s = |P|, w = -2 q k/m; one change of sign: one positive root.
#include <gtest/gtest.h>

#include "support/scheme_names.hpp"
#include "support/squared_spring.hpp"

namespace rebound::test {
namespace {

// More digits than the code under test, so that what is measured is its error and not the reference's.
using Real = long double;
using Vector3 = Eigen::Matrix<Real, 3, 1>;

struct Point {
  Vector3 x, v;
};

constexpr Real kRatio = Real(kSquaredSpringStiffness) / Real(kSquaredSpringMass);

Vector3 acceleration(const Vector3& x) { return -2 * kRatio * (x.squaredNorm() - 1) * x; }

// The positive root of w s^3 + (1 - w) s = length.
Real positive_root(Real w, Real length) {
  const auto f = [&](Real s) { return (w * s * s + (1 - w)) * s - length; };
  Real low = 0, high = 1;
  while (f(high) <= 0) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const Real middle = (low + high) / 2;
    (f(middle) <= 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

// p with p + q a(p) = P.
Vector3 solve(Real q, const Vector3& P) { return positive_root(-2 * q * kRatio, P.norm()) * P.normalized(); }

Point backward_euler(const Point& now, const Point&, Real h) {
  const Vector3 x = solve(-h * h, now.x + h * now.v);
  return {x, now.v + h * acceleration(x)};
}

Point midpoint(const Point& now, const Point&, Real h) {
  const Vector3 p = solve(-h * h / 4, now.x + h / 2 * now.v);
  return {2 * p - now.x, now.v + h * acceleration(p)};
}

Point trapezoid(const Point& now, const Point&, Real h) {
  const Vector3 x = solve(-h * h / 4, now.x + h * now.v + h * h / 4 * acceleration(now.x));
  return {x, now.v + h / 2 * (acceleration(now.x) + acceleration(x))};
}

Point bdf2(const Point& now, const Point& before, Real h) {
  const Vector3 v = (4 * now.v - before.v) / 3;
  const Vector3 x = solve(-4 * h * h / 9, (4 * now.x - before.x) / 3 + 2 * h / 3 * v);
  return {x, v + 2 * h / 3 * acceleration(x)};
}

using Step = Point (*)(const Point& now, const Point& before, Real h);

Step definition_of(std::string_view id) {
  if (id == sim::kBackwardEuler.id) return backward_euler;
  if (id == sim::kImplicitMidpoint.id) return midpoint;
  if (id == sim::kNewmark.id) return trapezoid;
  if (id == sim::kBdf2.id) return bdf2;
  return nullptr;
}

class SquaredSpring : public testing::TestWithParam<std::tuple<sim::Scheme, double>> {};

TEST_P(SquaredSpring, FollowsTheRootOfItsCubicForAHundredSteps) {
  const auto& [scheme, h] = GetParam();
  const Step definition = definition_of(scheme.id);
  ASSERT_NE(definition, nullptr) << "a method without its definition here: " << scheme.id;
  session::Session s = squared_spring(scheme.id, h);
  Point before, now{{1.5L, 0, 0}, {0, 10, 0}};
  // Errors are a share of the motion's own size: at a turning point there is next to no velocity to compare with.
  Real longest = now.x.norm(), fastest = now.v.norm();
  for (int n = 1; n <= 100; ++n) {
    ASSERT_TRUE(s.step()) << s.failure();
    // A method of two steps begins with backward Euler.
    const Step step = n == 1 && scheme.two_steps() ? backward_euler : definition;
    const Point next = step(now, before, Real(h));
    before = now;
    now = next;
    const Vector3 x = s.state().x.row(1).transpose().cast<Real>(), v = s.state().v.row(1).transpose().cast<Real>();
    longest = std::max(longest, now.x.norm());
    fastest = std::max(fastest, now.v.norm());
    ASSERT_LT((x - now.x).norm(), 1e-10L * longest) << "step " << n;
    ASSERT_LT((v - now.v).norm(), 1e-10L * fastest) << "step " << n;
    ASSERT_EQ(s.state().x.row(0).norm(), 0) << "the origin is fixed";
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, SquaredSpring,
                         testing::Combine(testing::ValuesIn(sim::kSchemes), testing::Values(kSmallStep, kLargeStep)),
                         [](const auto& parameter) {
                           std::string name(std::get<0>(parameter.param).id);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + (std::get<1>(parameter.param) == kSmallStep ? "_small_step" : "_large_step");
                         });

}  // namespace
}  // namespace rebound::test
