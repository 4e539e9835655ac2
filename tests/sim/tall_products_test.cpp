// Products of tall matrices by blocks of rows: those of Eigen, whatever their columns and the number of threads.
#include <gtest/gtest.h>

#include <array>

#include "sim/linear/tall_products.hpp"

namespace rebound::test {
namespace {

using Eigen::MatrixXd;
using sim::TallFactor;

constexpr int kTall = 3001;  // of several blocks, the last of them short

TEST(TallProducts, AreThoseOfEigenOnAnyNumberOfThreads) {
  const MatrixXd A = MatrixXd::Random(kTall, 4), B = MatrixXd::Random(kTall, 3), small = MatrixXd::Random(4, 3);
  MatrixXd first_product, first_sum;
  for (const int threads : {1, 2, 3}) {
    sim::Workers workers(threads);
    sim::TransposedProducts products;
    const auto sums = products.run(std::array{TallFactor{A, B}, TallFactor{A, A, true}}, workers);
    EXPECT_LT((sums[0] - A.transpose() * B).norm(), 1e-11);
    EXPECT_LT((sums[1] - A.transpose() * A).norm(), 1e-10);
    MatrixXd C = B;
    sim::set_products(C, 2, std::array{TallFactor{A, small}}, workers);
    EXPECT_LT((C - (2 * B + A * small)).norm(), 1e-12 * C.norm());
    if (threads == 1) {
      first_product = C;
      first_sum = sums[1];
    }
    EXPECT_EQ(C, first_product);
    EXPECT_EQ(sums[1], first_sum);
  }
}

TEST(TallProducts, OfNoColumnsAddNothing) {
  sim::Workers workers(2);
  const MatrixXd none(kTall, 0), B = MatrixXd::Random(kTall, 3), flat(0, 3);
  sim::TransposedProducts products;
  const auto sums = products.run(std::array{TallFactor{none, B}, TallFactor{B, none}, TallFactor{B, B, true}}, workers);
  EXPECT_EQ(sums[0].rows(), 0);
  EXPECT_EQ(sums[1].cols(), 0);
  EXPECT_LT((sums[2] - B.transpose() * B).norm(), 1e-10);
  MatrixXd C = B;
  sim::set_products(C, 2, std::array{TallFactor{none, flat}}, workers);
  EXPECT_EQ(C, 2 * B);
}

}  // namespace
}  // namespace rebound::test
