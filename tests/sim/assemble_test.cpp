// A matrix from its entries, against Eigen's, to the last byte.
#include "sim/linear/assemble.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

namespace rebound::test {
namespace {

using namespace sim;

TEST(Assemble, GivesTheBytesOfEigenOnAnyNumberOfThreads) {
  std::mt19937 random(7);
  for (const int size : {0, 1, 5, 8000}) {
    Triplets entries;
    for (int k = 0; k < 20 * size; ++k) {
      const int row = static_cast<int>(random() % static_cast<unsigned>(size));
      // Some columns stay empty, and some places have many entries, whose sum depends on their order.
      const int column = row / 3 * 2;
      entries.emplace_back((row + k % 3) % size, column, std::ldexp(1.0, static_cast<int>(random() % 80)) / 3);
    }
    SparseMatrix expected(size, size);
    expected.setFromTriplets(entries.begin(), entries.end());
    for (const int threads : {0, 1, 3}) {
      std::optional<Workers> workers;
      if (threads > 0) workers.emplace(threads);
      const SparseMatrix A = assemble(size, entries, workers ? &*workers : nullptr);
      ASSERT_EQ(A.nonZeros(), expected.nonZeros());
      EXPECT_TRUE(std::equal(A.outerIndexPtr(), A.outerIndexPtr() + size + 1, expected.outerIndexPtr()));
      EXPECT_TRUE(std::equal(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros(), expected.innerIndexPtr()));
      EXPECT_TRUE(std::equal(A.valuePtr(), A.valuePtr() + A.nonZeros(), expected.valuePtr()));
    }
  }
}

}  // namespace
}  // namespace rebound::test
