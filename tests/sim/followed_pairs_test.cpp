// Eigenpairs that follow a matrix: one sweep against dense Rayleigh-Ritz in the same space, what it says of its own
// error, and many steps in a row.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "sim/linear/followed_pairs.hpp"
#include "sim/step/modes.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

using Eigen::MatrixXd;

constexpr double kFollowStep = 0.01;

struct Followed {
  // Squeezed, K is indefinite, and at a large step S with it.
  explicit Followed(bool indefinite)
      : cube(indefinite ? "stvk" : "stable-neo-hookean", 1e5, 0.4, 3), system(cube.model) {
    if (!indefinite) cube.hold_a_face();
    x = cube.rest + random_points(cube.model.vertices(), 1, 0.01);
    if (indefinite) x.col(1) *= 0.5;
    h = indefinite ? 0.03 : kFollowStep;
    for (int i = 0; i < cube.model.vertices(); ++i)
      if (cube.model.fixed[static_cast<std::size_t>(i)]) x.row(i) = cube.rest.row(i);
  }
  void assemble(const Points& at, int threads = 1) {
    work = std::make_unique<Workspace>(threads);
    system.assemble(at, h, {}, *work);
    ASSERT_TRUE(system.factor_for_modes());
  }
  // A little farther on, as the next step is.
  Points moved() const {
    Points to = x + random_points(cube.model.vertices(), 9, 0.003);
    for (int i = 0; i < cube.model.vertices(); ++i)
      if (cube.model.fixed[static_cast<std::size_t>(i)]) to.row(i) = x.row(i);
    return to;
  }

  MaterialCube cube;
  LinearizedSystem system;
  std::unique_ptr<Workspace> work;
  Points x;
  double h;
};

TEST(FollowedPairs, OneSweepIsRayleighRitzInTheSpaceOfOneSweep) {
  for (const bool indefinite : {false, true})
    for (const int wanted : {1, 5, 20}) {
      Followed body(indefinite);
      body.assemble(body.x);
      const LowestPairs before = lowest_pairs(body.system, wanted, 1, {1e-8, 100}, {});
      ASSERT_TRUE(before.converged);
      body.assemble(body.moved());
      EXPECT_EQ(body.system.positive_definite(), !indefinite);

      const auto found = follow_pairs(body.system, wanted, 1, {1e-14, 1}, before.X);
      ASSERT_TRUE(found);
      const MatrixXd& X = before.X;
      MatrixXd SX, image;
      body.system.multiply(X, SX);
      MatrixXd W = SX - X * (X.transpose() * SX);
      body.system.precondition(W);
      MatrixXd V(X.rows(), X.cols() + W.cols());
      V << X, W;
      for (auto column : V.colwise()) column.normalize();
      const MatrixXd Q = Eigen::HouseholderQR<MatrixXd>(V).householderQ() * MatrixXd::Identity(V.rows(), V.cols());
      body.system.multiply(Q, image);
      const Vector theta = (Q.transpose() * image).selfadjointView<Eigen::Lower>().eigenvalues();
      for (int i = 0; i < found->theta.size(); ++i)
        EXPECT_NEAR(found->theta[i], theta[i], 1e-10 * std::max(1.0, std::abs(theta[i])))
            << indefinite << wanted << ' ' << i;

      // What it says of itself is so.
      const MatrixXd gram = found->X.transpose() * found->X;
      EXPECT_LT((gram - MatrixXd::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff(), 1e-11);
      body.system.multiply(found->X, image);
      double residual = 0;
      for (int i = 0; i < found->count; ++i)
        residual =
            std::max(residual, (image.col(i) - found->theta[i] * found->X.col(i)).norm() / std::abs(found->theta[i]));
      EXPECT_NEAR(found->residual, residual, 1e-4 * residual + 1e-7) << indefinite << wanted;
      EXPECT_EQ(found->sweeps, 1);
    }
}

// Nothing moved: nothing is solved for.
TEST(FollowedPairs, WhereNothingMovesNothingIsSwept) {
  Followed body(false);
  body.assemble(body.x);
  const LowestPairs before = lowest_pairs(body.system, 8, 1, {1e-8, 100}, {});
  const auto found = follow_pairs(body.system, 8, 1, {1e-6, 2}, before.X);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->converged);
  EXPECT_EQ(found->sweeps, 0);
  EXPECT_LT((found->theta - before.theta).cwiseAbs().maxCoeff(), 1e-9);
}

// Counts what it is asked to solve for.
class Counted : public InvertedMatrix {
 public:
  explicit Counted(LinearizedSystem& system) : system_(system) {}
  int size() const override { return system_.size(); }
  void multiply(const MatrixXd& from, MatrixXd& to) override { system_.multiply(from, to); }
  void precondition(Eigen::Ref<MatrixXd> x) override {
    solved += static_cast<int>(x.cols());
    system_.precondition(x);
  }
  double offset() const override { return system_.offset(); }
  void sharpen(double shift) override { system_.sharpen(shift); }
  void restrict(MatrixXd& x) const override { system_.restrict(x); }
  int free() const override { return system_.free(); }
  Workers& workers() override { return system_.workers(); }

  int solved = 0;  ///< columns

 private:
  LinearizedSystem& system_;
};

// How far the answers are from exact ones: a sine.
double wrong(LinearizedSystem& system, const LowestPairs& pairs) {
  const LowestPairs exact = lowest_pairs(system, pairs.count, 1, {1e-10, 100}, {});
  const MatrixXd answers = pairs.X.leftCols(pairs.count);
  return (answers - exact.X * (exact.X.transpose() * answers)).colwise().norm().maxCoeff();
}

// Pairs that hardly turn are swept every other time and are wrong by no more than two such turns, and a tenth, beside
// what one sweep a step leaves; others do not rest.
TEST(FollowedPairs, RestEveryOtherTimeWhereTheyHardlyTurn) {
  constexpr int kWanted = 20, kSteps = 12;
  const int all = kWanted + guards_of(kWanted), half = kWanted / 2 + guards_of(kWanted);
  for (const bool slow : {true, false}) {
    Followed body(false);
    body.assemble(body.x);
    LowestPairs pairs = lowest_pairs(body.system, kWanted, 1, {1e-8, 100}, {}), restless = pairs;
    const Points way = (slow ? 0.02 : 1) * (body.moved() - body.x);
    PairFollower follower;
    PairsRest rest;
    int solved = 0;
    for (int step = 1; step <= kSteps; ++step) {
      body.assemble(body.x + way * std::sin(0.5 * step));
      Counted S(body.system);
      const MatrixXd start = pairs.X, restless_start = restless.X;
      ASSERT_TRUE(follower.run(S, kWanted, 1, {1e-10, 1}, start, pairs, &rest));
      ASSERT_TRUE(follower.run(body.system, kWanted, 1, {1e-10, 1}, restless_start, restless));
      if (slow && step > 1) {
        EXPECT_LE(S.solved, half + 1) << step;
      }
      solved += S.solved;
      EXPECT_LT(wrong(body.system, pairs), 1.1 * wrong(body.system, restless) + 2 * PairsRest::kHardlyTurns)
          << slow << ' ' << step;
    }
    if (!slow) {
      EXPECT_GT(solved, 0.9 * all * kSteps);
    }
  }
}

// Over and over, each step from the one before: the columns stay orthonormal, and the same on any number of threads.
TEST(FollowedPairs, StayOrthonormalAndTheSameOnAnyNumberOfThreads) {
  std::vector<MatrixXd> ends;
  for (const int threads : {1, 2, 3}) {
    Followed body(false);
    body.assemble(body.x, threads);
    LowestPairs pairs = lowest_pairs(body.system, 20, 1, {1e-8, 100}, {});
    const Points way = (body.moved() - body.x) / 10;
    for (int step = 1; step <= 1000; ++step) {
      body.assemble(body.x + way * std::sin(0.1 * step), threads);
      auto next = follow_pairs(body.system, 20, 1, {1e-10, 1}, pairs.X);
      ASSERT_TRUE(next);
      pairs = std::move(*next);
    }
    const MatrixXd gram = pairs.X.transpose() * pairs.X;
    EXPECT_LT((gram - MatrixXd::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff(), 1e-12);
    ends.push_back(pairs.X);
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

// A bar, soft where it is held and hard beyond, that bends round: the hard half turns whole, and a mode of the step
// before would stretch it. What is left of that makes the residual large, by the high theta of the hard half, and is
// small in the mode, as the dense matrix says; so is the turn.
TEST(FollowedPairs, OfAStiffBodyAreRightWhereTheirResidualIsLarge) {
  MaterialCube bar("stvk", 1e6, 0.4, mesh::box({1, 0.05, 0.08}, {20, 1, 1}, 5));
  std::vector<MaterialValues> values(bar.tetrahedra.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double middle = 0;
    for (const int v : bar.tetrahedra[i]) middle += bar.rest(v, 0) / 4;
    values[i].young = middle < 0 ? 1e6 : 1e12;
    values[i].poisson = 0.4;
  }
  bar.model.energies.clear();
  const std::vector<double> fill(values.size(), 1.0);
  for (auto& energy : find_material("stvk")->laws.front().make({bar.rest, bar.tetrahedra, values, fill, {}}))
    bar.model.energies.push_back(std::move(energy));
  bar.hold_a_face();
  constexpr double h = 0.02, kCurvatureAFrame = 0.2;
  constexpr int kWanted = 4;
  Workspace work(1);
  LinearizedSystem system(bar.model);
  // An arc of the soft half, and the hard half straight on.
  const auto at_frame = [&](int frame) {
    const double curvature = kCurvatureAFrame * (frame + 1);
    Points x = bar.rest;
    for (Eigen::Index v = 0; v < x.rows(); ++v) {
      const double s = bar.rest(v, 0) + 0.5, bent = std::min(s, 0.5), angle = curvature * bent;
      const Vec3 along(std::cos(angle), std::sin(angle), 0), across(-std::sin(angle), std::cos(angle), 0);
      const Vec3 arc(-0.5 + std::sin(angle) / curvature, (1 - std::cos(angle)) / curvature, bar.rest(v, 2));
      x.row(v) = (arc + (s - bent) * along + bar.rest(v, 1) * across).transpose();
    }
    system.assemble(x, h, {}, work);
    EXPECT_TRUE(system.factor_for_modes());
  };
  at_frame(0);
  Modes modes = lowest_modes(system, kWanted, nullptr);
  double largest_residual = 0;
  for (int frame = 1; frame <= 10; ++frame) {
    at_frame(frame);
    modes = lowest_modes(system, kWanted, &modes);
    ASSERT_EQ(modes.count, kWanted);
    largest_residual = std::max(largest_residual, modes.residual);

    const Eigen::Index n = system.size();
    MatrixXd identity = MatrixXd::Identity(n, n), S;
    system.restrict(identity);
    system.multiply(identity, S);
    const double highest = S.diagonal().maxCoeff();
    for (Eigen::Index i = 0; i < n; ++i)
      if (identity(i, i) == 0) S(i, i) = highest;  // what is held has no part in the lowest modes
    const Eigen::SelfAdjointEigenSolver<MatrixXd> exact(S);
    const MatrixXd U = exact.eigenvectors().leftCols(kWanted);
    for (int i = 0; i < kWanted; ++i) {
      const auto x = modes.X.col(i);
      // Not less than the turn: of pairs whose theta are hardly higher a sweep leaves most.
      EXPECT_LT((x - U * (U.transpose() * x)).norm(), 2 * modes.turn) << frame << ' ' << i;
      EXPECT_NEAR(1 + h * h * modes.lambda[i], exact.eigenvalues()[i], 1e-3 * exact.eigenvalues()[i])
          << frame << ' ' << i;
    }
    EXPECT_LT(modes.turn, 0.1) << frame;
  }
  EXPECT_GT(largest_residual, 1);
}

// All that is known is one eigenvalue: there may be more of it, which only a search can tell.
TEST(FollowedPairs, AreSoughtAnewWhereAllOfThemAreOne) {
  MaterialCube cube("stable-neo-hookean", 1e5, 0.4, 3);
  LinearizedSystem system(cube.model);
  Workspace work(1);
  system.assemble(cube.rest, kFollowStep, {}, work);
  ASSERT_TRUE(system.factor_for_modes());
  const LowestPairs rigid = lowest_pairs(system, 1, 1, {1e-8, 100}, {});
  ASSERT_EQ(rigid.count, 6);
  EXPECT_FALSE(follow_pairs(system, 1, 1, {1e-8, 1}, rigid.X.leftCols(4)));
  const auto found = follow_pairs(system, 1, 1, {1e-8, 1}, rigid.X);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 6);
}

}  // namespace
}  // namespace rebound::test
