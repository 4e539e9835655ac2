// Functions of a Hessian times vectors by Lanczos, held against those of its eigenvalues; the Hessian by rows against
// what it is made of.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>

#include "sim/base/aligned_buffer.hpp"
#include "sim/linear/hessian_by_rows.hpp"
#include "sim/linear/lanczos.hpp"
#include "sim/step/linearized_system.hpp"
#include "support/kernels.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

using namespace sim;

struct ScaledStiffness {
  MaterialCube cube{"stable-neo-hookean", 1e5, 0.4, 6};
  Workspace work{1};
  LinearizedSystem system{cube.model};
  HessianByRows K;
  Vector b_of_rows, other_of_rows;

  ScaledStiffness() {
    cube.hold_a_face();
    system.assemble_stiffness(cube.rest, work);
    K.take(system.matrix(), work.workers);
    K.to_rows(system.scaled_motion(Points(cube.rest.array().square())), b_of_rows);
    K.to_rows(1e-3 * system.scaled_motion(Points(cube.rest.array().cube())), other_of_rows);
  }
  PairMatrix pair_matrix() const {
    return {[this](int first, int end, const double* from, double* to) { return K.multiply(first, end, from, to); },
            [this](int first, int end) { return K.reach(first, end); }, [this](int row) { return K.work_before(row); }};
  }
  LanczosResult functions(const Vector& b, const Vector& other, const ScalarFunctions& functions,
                          const LanczosLimits& limits, int threads = 1) const {
    Workers workers(threads);
    LanczosResult result;
    Lanczos().run(pair_matrix(), {b, other}, functions, limits, result, workers);
    return result;
  }
  int size() const { return static_cast<int>(b_of_rows.size()); }
};

using ScalarFunction = std::function<double(double)>;

ScalarFunctions together(std::vector<ScalarFunction> functions) {
  const auto count = static_cast<int>(functions.size());
  return {count, [functions = std::move(functions)](double at, double* values) {
            for (std::size_t k = 0; k < functions.size(); ++k) values[k] = functions[k](at);
          }};
}
double swinging(double lambda) { return std::cos(std::sqrt(std::abs(lambda))); }
double fading(double lambda) { return std::exp(-lambda); }

TEST(HessianByRows, IsWhatItWasMadeOfOnAnyNumberOfThreads) {
  ScaledStiffness body;
  const int n = body.size() / 3;
  const Vector x = Vector::Random(3 * n), y = Vector::Random(3 * n);
  std::vector<double> from(static_cast<std::size_t>(kPairStride * n)), to(from.size());
  Vector x_of_rows, y_of_rows, image, exact, back;
  body.K.to_rows(x, x_of_rows);
  body.K.to_rows(y, y_of_rows);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c) {
      from[static_cast<std::size_t>(kPairStride * i + c)] = x_of_rows[3 * i + c];
      from[static_cast<std::size_t>(kPairStride * i + 4 + c)] = y_of_rows[3 * i + c];
    }
  for (const int threads : {1, 3}) {
    Workers workers(threads);
    body.K.take(body.system.matrix(), workers);
    std::fill(to.begin(), to.end(), 1.0);
    const PairProducts one = body.K.multiply(0, n / 2, from.data(), to.data());
    const PairProducts rest = body.K.multiply(n / 2, n, from.data(), to.data());
    for (const auto& [vector, offset] : {std::pair(&x, 0), std::pair(&y, 4)}) {
      Vector of_rows(3 * n);
      for (int i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) of_rows[3 * i + c] = to[static_cast<std::size_t>(kPairStride * i + offset + c)];
      body.K.to_vertices(of_rows, back);
      body.system.multiply(*vector, exact);
      EXPECT_LT((back - exact).norm(), 1e-13 * exact.norm()) << threads;
    }
    for (int i = 0; i < n; ++i) EXPECT_EQ(to[static_cast<std::size_t>(kPairStride * i + 3)], 0);
    body.system.multiply(x, image);
    body.system.multiply(y, exact);
    EXPECT_NEAR(one.ww + rest.ww, x.squaredNorm() + y.squaredNorm(), 1e-12 * x.squaredNorm());
    EXPECT_NEAR(one.wAw + rest.wAw, x.dot(image) + y.dot(exact), 1e-12 * image.norm() * x.norm());
  }
}

// Another body's pattern is planned anew.
TEST(HessianByRows, FollowsItsHessian) {
  ScaledStiffness body;
  MaterialCube other("stable-neo-hookean", 1e5, 0.4, 3);
  LinearizedSystem system(other.model);
  system.assemble_stiffness(other.rest, body.work);
  HessianByRows fresh;
  fresh.take(system.matrix(), body.work.workers);
  body.K.take(system.matrix(), body.work.workers);
  const std::size_t numbers = static_cast<std::size_t>(kPairStride * other.model.vertices());
  const std::vector<double> from(numbers, 1);
  std::vector<double> a(numbers), b(numbers);
  fresh.multiply(0, other.model.vertices(), from.data(), a.data());
  body.K.multiply(0, other.model.vertices(), from.data(), b.data());
  EXPECT_EQ(a, b);
}

// What stands outside of its reach is not read.
TEST(HessianByRows, ReadsWhatItSaysItReaches) {
  ScaledStiffness body;
  const int n = body.size() / 3;
  const std::size_t numbers = static_cast<std::size_t>(kPairStride * n);
  const std::vector<double> ones(numbers, 1);
  std::vector<double> all(numbers), some(numbers);
  body.K.multiply(0, n, ones.data(), all.data());
  for (const auto& [first, end] : {std::pair(0, n), std::pair(0, 7), std::pair(n / 3, n / 2), std::pair(n - 1, n)}) {
    const auto [low, high] = body.K.reach(first, end);
    EXPECT_LE(low, first);
    EXPECT_GE(high, end);
    if (end - first < n / 2) {
      EXPECT_LT(high - low, n);
    }
    std::vector<double> from(numbers, std::numeric_limits<double>::quiet_NaN());
    std::fill(from.begin() + kPairStride * low, from.begin() + kPairStride * high, 1.0);
    body.K.multiply(first, end, from.data(), some.data());
    for (int i = kPairStride * first; i < kPairStride * end; ++i)
      EXPECT_EQ(some[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i)]) << first << " " << i;
  }
}

TEST(LanczosKernel, IsTheSameToTheBitOnEveryInstructionSet) {
  constexpr int kRows = 37, kBlocks = 5;
  std::vector<int> begin{0}, meets;
  for (int i = 0; i < kRows; ++i) {
    for (int k = 0; k < kBlocks; ++k) meets.push_back(kPairStride * ((7 * i + 5 * k) % kRows));
    begin.push_back(static_cast<int>(meets.size()));
  }
  const Vector values = Vector::Random(9 * kRows * kBlocks + 1);
  const BlockRows A{values.data(), begin.data(), meets.data()};
  const Vector w = Vector::Random(kPairStride * kRows), before = Vector::Random(kPairStride * kRows);
  const Vector T = Vector::Random(kRows + 10), first_sum = Vector::Random(kRows + 10);

  std::vector<Vector> baseline;
  for (const LanczosKernel* kernel : REBOUND_USABLE_KERNELS(lanczos_kernel(), kLanczosKernel)) {
    Vector product(w.size()), next = before, dots(2);
    AlignedBuffer<double> kept(6 * kRows);
    const PairProducts products = kernel->multiply(A, 0, kRows, w.data(), product.data());
    dots << products.wAw, products.ww;
    kernel->recur(0, kRows, {0.3, 0.9, 0.7}, product.data(), w.data(), next.data());
    kernel->keep(0, kRows / 2, w.data(), kept.data());
    kernel->keep(kRows / 2, kRows, w.data(), kept.data());
    for (int i = 0; i < kRows; ++i)
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(kept[static_cast<std::size_t>(6 * i + c)], w[kPairStride * i + c]);
        EXPECT_EQ(kept[static_cast<std::size_t>(6 * i + 3 + c)], w[kPairStride * i + 4 + c]);
      }
    Vector columns[3] = {T, first_sum, Vector(w.head(kRows + 10))};
    kernel->add_columns({{w.data(), w.data() + 1, before.data(), product.data(), w.data() + 2, w.data() + 3,
                          before.data() + 1, product.data() + 1},
                         {{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}, {1, -2, 3, -4, 5, -6, 7, -8}, {0.7, 0, 0.5, 0}},
                         {columns[0].data(), columns[1].data(), columns[2].data()}},
                        8, kRows);
    const std::vector<Vector> all{product, next, dots, columns[0], columns[1], columns[2]};
    if (baseline.empty()) baseline = all;
    EXPECT_EQ(all, baseline) << kernel->instruction_set;
  }
}

// Two terms at once, in stretches of rows, are one after the other in all rows, to the bit.
TEST(LanczosKernel, AddsTermsOfChebyshevsSumAsOneByOne) {
  constexpr int kEdge = 8, kRows = 37, kAll = kEdge + 48;
  const auto column = [](int rows) {
    Vector v = Vector::Zero(kAll);
    v.segment(kEdge, rows) = Vector::Random(rows);
    return v;
  };
  for (const int rows : {1, 8, 20, 32, kRows}) {
    const Vector diagonal = column(kRows);
    Vector beside = column(kRows);
    beside[kEdge] = 0;
    const Vector before = column(rows), now = column(rows), sums[3] = {column(kRows), column(kRows), column(kRows)};
    const double c[2][3] = {{0.1, 0.2, -0.3}, {0.7, -0.5, 1.1}};

    std::vector<Vector> expected{before, now, sums[0], sums[1], sums[2]};
    for (int term = 0; term < 2; ++term) {
      Vector &last = expected[static_cast<std::size_t>(term)], &x = expected[static_cast<std::size_t>(1 - term)];
      for (int k = 0; k < 3; ++k) expected[static_cast<std::size_t>(2 + k)] += c[term][k] * x;
      for (int i = kEdge; i < kEdge + (rows + 7) / 8 * 8; ++i)
        last[i] = 2 * (diagonal[i] * x[i] + beside[i] * x[i - 1] + beside[i + 1] * x[i + 1]) - last[i];
    }
    for (const LanczosKernel* kernel : REBOUND_USABLE_KERNELS(lanczos_kernel(), kLanczosKernel))
      for (const int stretch : {8, 24, 48}) {
        std::vector<Vector> all{before, now, sums[0], sums[1], sums[2]};
        ChebyshevPair pair{diagonal.data() + kEdge,
                           beside.data() + kEdge,
                           all[0].data() + kEdge,
                           all[1].data() + kEdge,
                           {},
                           {all[2].data() + kEdge, all[3].data() + kEdge, all[4].data() + kEdge},
                           rows};
        std::copy(&c[0][0], &c[0][0] + 6, &pair.c[0][0]);
        for (int first = -8; first < 48; first += stretch) kernel->chebyshev(pair, first, first + stretch);
        // Of what is after the rows, the next terms know nothing.
        for (Vector* v : {&all[0], &all[1], &expected[0], &expected[1]})
          v->tail(kAll - kEdge - (rows + 7) / 8 * 8).setZero();
        EXPECT_EQ(all, expected) << kernel->instruction_set << ", " << rows << " rows, " << stretch << " at a time";
      }
  }
}

TEST(Lanczos, FunctionsOfATridiagonalMatrixAreThoseOfItsEigenvalues) {
  Workers workers(2);
  for (const int m : {1, 2, 30, 200, 1000}) {
    // All eigenvalues are above zero, where the root has its kink.
    const Vector diagonal = 5e4 * (Vector::Random(m).array() + 1.5), off = 1e4 * Vector::Random(m);
    Eigen::MatrixXd T = diagonal.asDiagonal();
    for (int i = 0; i + 1 < m; ++i) T(i, i + 1) = T(i + 1, i) = off[i];
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs(T);
    const std::array<ScalarFunction, 3> functions{
        [](double lambda) { return std::cos(0.1 * std::sqrt(std::abs(lambda))); },
        [](double lambda) { return std::cos(2 * std::sqrt(std::abs(lambda))); },
        [](double lambda) { return 1e-3 * lambda; }};
    Eigen::MatrixXd sums(m, 3);
    TridiagonalFunctions().run(diagonal, off, together({functions.begin(), functions.end()}), sums, workers);
    for (Eigen::Index k = 0; k < 3; ++k) {
      const Vector exact = pairs.eigenvectors() *
                           pairs.eigenvalues().unaryExpr(functions[static_cast<std::size_t>(k)]).asDiagonal() *
                           pairs.eigenvectors().transpose().col(0);
      EXPECT_LT((sums.col(k) - exact).norm(), 1e-10 * std::max(1.0, exact.norm())) << m << " " << k;
    }
  }
}

// So long that two threads follow each other through its rows.
TEST(Lanczos, FunctionsOfALongTridiagonalMatrixAreTheSameOnAnyNumberOfThreads) {
  constexpr int m = 2300;
  const Vector diagonal = 5e4 * (Vector::Random(m).array() + 1.5), off = 1e4 * Vector::Random(m);
  const ScalarFunctions functions =
      together({[](double lambda) { return std::cos(6 * std::sqrt(std::abs(lambda))); }, fading});
  Eigen::MatrixXd one(m, 2), more(m, 2);
  Workers alone(1);
  ASSERT_GT(TridiagonalFunctions().run(diagonal, off, functions, one, alone), 700);
  for (const int threads : {2, 3}) {
    Workers workers(threads);
    TridiagonalFunctions().run(diagonal, off, functions, more, workers);
    EXPECT_EQ(more, one) << threads;
  }
}

// Two vectors of lengths far apart, each as its own.
TEST(Lanczos, FunctionsAreThoseOfTheEigenvaluesForBothVectors) {
  ScaledStiffness body;
  Eigen::MatrixXd dense(body.size(), body.size());
  Vector unit = Vector::Zero(body.size()), image;
  for (int i = 0; i < body.size(); ++i) {
    unit[i] = 1;
    body.system.multiply(unit, image);
    dense.col(i) = image;
    unit[i] = 0;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs(dense);
  const std::vector<ScalarFunction> functions{swinging, fading};
  const LanczosResult both = body.functions(body.b_of_rows, body.other_of_rows, together(functions), {1e-10, 3000});
  ASSERT_TRUE(both.converged);
  for (const auto& [of_rows, y] : {std::pair(&body.b_of_rows, &both.y[0]), std::pair(&body.other_of_rows, &both.y[1])})
    for (Eigen::Index k = 0; k < 2; ++k) {
      Vector b, of_vertices;
      body.K.to_vertices(*of_rows, b);
      body.K.to_vertices(y->col(k), of_vertices);
      const Vector exact = pairs.eigenvectors() *
                           pairs.eigenvalues().unaryExpr(functions[static_cast<std::size_t>(k)]).asDiagonal() *
                           (pairs.eigenvectors().transpose() * b);
      EXPECT_LT((of_vertices - exact).norm(), 1e-9 * b.norm()) << k;
    }
}

// A call like the last one looks where that one had enough, and a wrong guess costs directions, never the result.
TEST(Lanczos, LooksFirstWhereTheLastCallHadEnough) {
  ScaledStiffness body;
  const auto functions = together({swinging});
  const auto run = [&](int likely) {
    return body.functions(body.b_of_rows, body.other_of_rows, functions, {1e-10, 3000, 2e9, likely});
  };
  const LanczosResult unknown = run(0);
  ASSERT_TRUE(unknown.converged);
  ASSERT_GT(unknown.needed, 20);
  ASSERT_LE(2 * unknown.needed, unknown.products);
  for (const int likely : {unknown.needed, unknown.needed / 4, 2 * unknown.needed}) {
    const LanczosResult known = run(likely);
    EXPECT_TRUE(known.converged);
    EXPECT_NEAR(known.needed, unknown.needed, 2);
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_LE((known.y[k] - unknown.y[k]).norm(), 1e-9 * unknown.y[k].norm()) << likely;
  }
  EXPECT_LE(run(unknown.needed).products, 2 * (unknown.needed + unknown.needed / 256 + 4));
}

TEST(Lanczos, GivesTheSameBytesOnAnyNumberOfThreads) {
  ScaledStiffness body;
  const ScalarFunctions functions = together({swinging, fading});
  const LanczosResult one = body.functions(body.b_of_rows, body.other_of_rows, functions, {1e-10, 3000});
  for (const int threads : {2, 3}) {
    const LanczosResult more = body.functions(body.b_of_rows, body.other_of_rows, functions, {1e-10, 3000}, threads);
    EXPECT_EQ(more.y, one.y) << threads;
  }
}

// Long after all that b sees is found, T goes on with copies of it; what is asked for stays what it is.
TEST(Lanczos, GoesOnBeyondWhatItNeedsWithoutHarm) {
  ScaledStiffness body;
  const ScalarFunctions functions = together({swinging});
  const Vector none = Vector::Zero(body.size());
  constexpr double kNever = -1;
  const LanczosResult enough = body.functions(body.b_of_rows, none, functions, {1e-10, 3000});
  ASSERT_TRUE(enough.converged);
  EXPECT_TRUE((enough.y[1].array() == 0).all());
  for (const int directions : {150, 300, 400, 518, 700}) {
    const LanczosResult more = body.functions(body.b_of_rows, none, functions, {kNever, directions});
    EXPECT_LT((more.y[0] - enough.y[0]).norm(), 1e-8 * enough.y[0].norm()) << directions;
    EXPECT_EQ(more.products, directions);
  }
}

// Directions that there is no room for are made a second time.
TEST(Lanczos, NeedsNoRoomForAllDirections) {
  ScaledStiffness body;
  const ScalarFunctions functions = together({swinging, fading});
  const LanczosResult all = body.functions(body.b_of_rows, body.other_of_rows, functions, {1e-10, 3000});
  ASSERT_TRUE(all.converged);
  const int directions = all.products / 2;
  ASSERT_GT(directions, 25);
  for (const int kept : {1, 2, 17, directions - 1, directions}) {
    const double bytes = 2.0 * sizeof(double) * (body.size() * kept + 1);
    const LanczosResult some = body.functions(body.b_of_rows, body.other_of_rows, functions, {1e-10, 3000, bytes});
    EXPECT_TRUE(some.converged);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_LT((some.y[k] - all.y[k]).norm(), 1e-14 * all.y[k].norm()) << kept;
    EXPECT_EQ(some.products, 2 * (2 * directions - kept));
  }
}

// A body of which everything has been pinned.
TEST(Lanczos, OfNothingIsNothing) {
  ScaledStiffness body;
  const PairMatrix none{[](int, int, const double*, double*) {
                          return PairProducts{0, 0};
                        },
                        [](int first, int end) { return std::pair(first, end); }, [](int) { return 0.0; }};
  const ScalarFunctions functions = together({swinging});
  const Vector nothing;
  Workers workers(2);
  LanczosResult result;
  Lanczos lanczos;
  lanczos.run(body.pair_matrix(), {body.b_of_rows, body.other_of_rows}, functions, {1e-10, 3000}, result, workers);
  lanczos.run(none, {nothing, nothing}, functions, {1e-10, 3000}, result, workers);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.y[0].size(), 0);
  EXPECT_EQ(result.products, 0);
}

// A matrix that is not a number says so at once, and not after all directions that there may be.
TEST(Lanczos, EndsWhereTheMatrixIsNotANumber) {
  ScaledStiffness body;
  PairMatrix nothing = body.pair_matrix();
  nothing.multiply = [](int first, int end, const double* from, double* to) {
    constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
    std::fill(to + kPairStride * first, to + kPairStride * end, kNotANumber);
    double squares = 0;
    for (int i = kPairStride * first; i < kPairStride * end; ++i) squares += from[i] * from[i];
    return PairProducts{kNotANumber, squares};
  };
  const ScalarFunctions functions = together({swinging});
  Workers workers(1);
  LanczosResult result;
  Lanczos().run(nothing, {body.b_of_rows, body.other_of_rows}, functions, {1e-10, 3000}, result, workers);
  EXPECT_FALSE(result.y[0].allFinite());
  EXPECT_LT(result.products, 10);
}

}  // namespace
}  // namespace rebound::test
