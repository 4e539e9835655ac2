// A Hessian times many vectors: what a dense matrix gives, by panels of any width, and the same bits on every
// instruction set and number of threads.
#include <gtest/gtest.h>

#include "sim/linear/hessian_multiply_kernel.hpp"
#include "support/kernels.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

using namespace sim;

constexpr int kAtOnce = HessianBlocks::kVectorsAtOnce;

struct HessianOfACube {
  MaterialCube cube{"stable-neo-hookean", 1e5, 0.4, 5};
  HessianBlocks H{cube.model.laplacian()};

  HessianOfACube() {
    Workspace work(1);
    cube.model.add_hessian(cube.rest, Curvature::exact, H, work);
    H.scale_and_add(1e-3, cube.model.M, cube.model.fixed, work.workers);
  }
  Eigen::MatrixXd dense() const { return Eigen::MatrixXd(H.matrix()).selfadjointView<Eigen::Lower>(); }
};

TEST(HessianMultiply, APanelIsWhatADenseMatrixGivesOnAnyNumberOfThreads) {
  const HessianOfACube body;
  const Eigen::MatrixXd dense = body.dense();
  for (const int vectors : {kAtOnce, 3 * kAtOnce, 8 * kAtOnce}) {
    const HessianBlocks::Panel x = HessianBlocks::Panel::Random(dense.rows(), vectors);
    const Eigen::MatrixXd exact = dense * x;
    HessianBlocks::Panel alone;
    for (const int threads : {1, 2, 3}) {
      Workers workers(threads);
      HessianBlocks::Panel product = HessianBlocks::Panel::Zero(x.rows(), vectors);
      body.H.multiply(x, product, workers);
      EXPECT_LT((product - exact).norm(), 1e-13 * exact.norm()) << vectors;
      if (threads == 1) alone = product;
      EXPECT_EQ(product, alone) << vectors;
    }
  }
}

TEST(HessianMultiply, IsTheSameToTheBitOnEveryInstructionSet) {
  const HessianOfACube body;
  const int n = body.cube.model.vertices();
  const HessianRows rows = body.H.rows();
  const SparseMatrix& H = body.H.matrix();
  const Vector one = Vector::Random(H.rows());
  Vector of_one;
  for (const HessianMultiplyKernel* kernel :
       REBOUND_USABLE_KERNELS(hessian_multiply_kernel(), kHessianMultiplyKernel)) {
    Vector product(H.rows());
    kernel->multiply_one(rows, 0, n, n, one.data(), product.data());
    if (of_one.size() == 0) of_one = product;
    EXPECT_EQ(product, of_one) << kernel->instruction_set;
  }
  for (int vectors = kAtOnce; vectors <= 9 * kAtOnce; vectors += kAtOnce) {
    const HessianBlocks::Panel x = HessianBlocks::Panel::Random(H.rows(), vectors);
    const Eigen::MatrixXd exact = body.dense() * x;
    HessianBlocks::Panel baseline;
    for (const HessianMultiplyKernel* kernel :
         REBOUND_USABLE_KERNELS(hessian_multiply_kernel(), kHessianMultiplyKernel)) {
      HessianBlocks::Panel product(H.rows(), vectors);
      kernel->multiply(rows, 0, n, vectors, x.data(), product.data());
      EXPECT_LT((product - exact).norm(), 1e-13 * exact.norm()) << kernel->instruction_set << vectors;
      if (baseline.size() == 0) baseline = product;
      EXPECT_EQ(product, baseline) << kernel->instruction_set << vectors;
    }
    // Whatever the others are, a vector is the same.
    HessianBlocks::Panel first(H.rows(), kAtOnce);
    const HessianBlocks::Panel of_first = x.leftCols(kAtOnce);
    hessian_multiply_kernel().multiply(rows, 0, n, kAtOnce, of_first.data(), first.data());
    EXPECT_EQ(first, baseline.leftCols(kAtOnce)) << vectors;
  }
}

TEST(HessianMultiply, OneVectorIsWhatADenseMatrixGivesOnAnyNumberOfThreads) {
  const HessianOfACube body;
  const Points x = Points::Random(body.cube.model.vertices(), 3);
  const Vector exact = body.dense() * Eigen::Map<const Vector>(x.data(), x.size());
  Points alone;
  for (const int threads : {1, 2, 3}) {
    Workers workers(threads);
    Points product;
    body.H.multiply(x, product, workers);
    EXPECT_LT((Eigen::Map<const Vector>(product.data(), product.size()) - exact).norm(), 1e-13 * exact.norm());
    if (threads == 1) alone = product;
    EXPECT_EQ(product, alone);
  }
}

}  // namespace
}  // namespace rebound::test
