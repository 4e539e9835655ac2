// [Dinev18 Fig. 2, 3]: implicit midpoint on the spring of Eq. 7. At the small step it contracts and stays within its
// first 1.5 m; at the large one it extends beyond them and its energy runs away, while the angular momentum is kept to
// rounding at both.
#include <gtest/gtest.h>

#include "support/squared_spring.hpp"

namespace rebound::test {
namespace {

struct Flight {
  double shortest = 1e9, longest = 0;  ///< |x|, m
  double most_energy = 0;              ///< H / H_0
  double spin_error = 0;               ///< largest |l - l_0| / |l_0|
};

Flight fly(double h, int steps) {
  session::Session s = squared_spring("implicit-midpoint", h);
  const sim::Measurement start = s.record().measured;
  EXPECT_NEAR(start.total(), 78150, 78150 * 1e-14) << "k/2 (1.5^2 - 1)^2 + m/2 10^2";
  EXPECT_NEAR(start.l.z(), 7.5, 7.5 * 1e-14);
  Flight flight;
  for (int n = 1; n <= steps; ++n) {
    EXPECT_TRUE(s.step()) << s.failure();
    const double length = s.state().x.row(1).norm();
    flight.shortest = std::min(flight.shortest, length);
    flight.longest = std::max(flight.longest, length);
    flight.most_energy = std::max(flight.most_energy, s.record().measured.total() / start.total());
    flight.spin_error = std::max(flight.spin_error, (s.record().measured.l - start.l).norm() / start.l.norm());
  }
  return flight;
}

TEST(Figure2And3, TheSmallStepStaysWithinTheCircle) {
  const Flight flight = fly(kSmallStep, 1000);
  EXPECT_LT(flight.longest, 1.5);
  EXPECT_LT(flight.shortest, 1) << "it swings through its rest length";
  EXPECT_LT(flight.most_energy, 1.1);
  EXPECT_LT(flight.spin_error, 1e-12);
}

TEST(Figure2And3, TheLargeStepLeavesTheCircleAndKeepsTheSpin) {
  const Flight flight = fly(kLargeStep, 50);
  EXPECT_GT(flight.longest, 1.6);
  EXPECT_GT(flight.most_energy, 3);
  EXPECT_LT(flight.spin_error, 1e-12);
}

}  // namespace
}  // namespace rebound::test
