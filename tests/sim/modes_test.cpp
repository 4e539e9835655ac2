// Eigenmodes of a body as it stands, held against dense eigenvalues and against Spectra.
#include <gtest/gtest.h>

#include <Spectra/SymGEigsShiftSolver.h>
#include <Eigen/Eigenvalues>
#include <numbers>

#include "sim/step/modes.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

constexpr double kStep = 0.01;

struct Body : MaterialCube {
  explicit Body(int divisions = 3, const char* material = "stable-neo-hookean")
      : MaterialCube(material, 1e5, 0.4, divisions) {}

  // Of M^-1/2 K M^-1/2 over the free coordinates, ascending.
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> dense(const Points& x) {
    Workspace work(1);
    const Eigen::MatrixXd lower = model.stiffness_matrix(x, work);
    const Eigen::MatrixXd K = lower.selfadjointView<Eigen::Lower>();
    std::vector<int> free;
    for (int i = 0; i < model.vertices(); ++i)
      for (int c = 0; c < 3 && !model.fixed[static_cast<std::size_t>(i)]; ++c) free.push_back(3 * i + c);
    Eigen::MatrixXd scaled(free.size(), free.size());
    for (std::size_t i = 0; i < free.size(); ++i)
      for (std::size_t j = 0; j < free.size(); ++j)
        scaled(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            K(free[i], free[j]) / std::sqrt(model.M[free[i] / 3] * model.M[free[j] / 3]);
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled);
  }

  Modes modes(const Points& x, int wanted, const Modes* before = nullptr) {
    Workspace work(2);
    LinearizedSystem system(model);
    system.assemble(x, kStep, {}, work);
    EXPECT_TRUE(system.factor_for_modes());
    return lowest_modes(system, wanted, before);
  }
};

void expect_modes(Body& body, const Points& x, const Modes& modes) {
  const Vector exact = body.dense(x).eigenvalues();
  const double scale = std::max(std::abs(exact[0]), std::abs(exact[modes.count - 1]));
  for (int i = 0; i < modes.count; ++i) EXPECT_NEAR(modes.lambda[i], exact[i], 1e-8 * scale) << i;
  const Eigen::MatrixXd gram = modes.answers().transpose() * modes.answers();
  EXPECT_LT((gram - Eigen::MatrixXd::Identity(modes.count, modes.count)).cwiseAbs().maxCoeff(), 1e-12);
  // Of S itself, not of what the search believes.
  Workspace work(1);
  LinearizedSystem system(body.model);
  system.assemble(x, kStep, {}, work);
  Eigen::MatrixXd image;
  system.multiply(Eigen::MatrixXd(modes.answers()), image);
  for (int i = 0; i < modes.count; ++i) {
    const double theta = 1 + kStep * kStep * modes.lambda[i];
    EXPECT_LT((image.col(i) - theta * modes.X.col(i)).norm(), 2e-8 * std::abs(theta)) << i;
  }
}

TEST(Modes, AreThoseOfTheDenseMatrix) {
  Body body;
  body.hold_a_face();
  State state{body.rest + random_points(body.model.vertices(), 1, 0.01), Points::Zero(body.model.vertices(), 3)};
  body.keep_held(state);
  for (const int wanted : {1, 5, 20, 60}) {
    const Modes modes = body.modes(state.x, wanted);
    EXPECT_TRUE(modes.converged) << wanted;
    EXPECT_LE(modes.count, wanted + 1);
    expect_modes(body, state.x, modes);
  }
}

// More than there are is all there are.
TEST(Modes, OfATinyBodyAreAllOfThem) {
  Body body(1);
  const Points x = body.rest + random_points(body.model.vertices(), 3, 0.02);
  const Modes modes = body.modes(x, 60);
  EXPECT_EQ(modes.count, 3 * body.model.vertices());
  expect_modes(body, x, modes);
}

// A free body at rest: three ways to go and three to turn, none of which may be left out.
TEST(Modes, RigidOnesAreNotCutApart) {
  Body body;
  for (const int wanted : {1, 5, 6}) {
    const Modes modes = body.modes(body.rest, wanted);
    ASSERT_EQ(modes.count, 6) << wanted;
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(modes.lambda[i], 0, 1e-6);
  }
}

// A cube cut alike along all of its axes swings alike along them.
TEST(Modes, EqualFrequenciesAreTakenTogether) {
  Body body(4);
  const Vector exact = body.dense(body.rest).eigenvalues();
  const auto equal = [&](int i) { return exact[i] - exact[i - 1] < 1e-6 * exact[i]; };
  int cut = 7;
  while (!equal(cut)) ++cut;
  const Modes modes = body.modes(body.rest, cut);
  EXPECT_GT(modes.count, cut);
  EXPECT_FALSE(equal(modes.count));
  expect_modes(body, body.rest, modes);
}

// Squeezed to half, a body would rather buckle: K is indefinite, and so is S if it is stiff enough for the step.
TEST(Modes, BelowZeroAreFoundToo) {
  Body body(3, "stvk");
  Points x = body.rest;
  x.col(1) *= 0.5;
  x += random_points(body.model.vertices(), 5, 1e-3);
  const Vector exact = body.dense(x).eigenvalues();
  ASSERT_LT(exact[0], -1);
  const Modes modes = body.modes(x, 12);
  EXPECT_TRUE(modes.converged);
  expect_modes(body, x, modes);
  EXPECT_LT(frequency(modes.lambda[0]), 0);
}

TEST(Modes, OfAnIndefiniteSystemAreFoundToo) {
  Body body(3, "stvk");
  Points x = body.rest;
  x.col(1) *= 0.5;
  x += random_points(body.model.vertices(), 5, 1e-3);
  const Vector exact = body.dense(x).eigenvalues();
  const double h = 2 / std::sqrt(-exact[0]);
  Workspace work(1);
  LinearizedSystem system(body.model);
  system.assemble(x, h, {}, work);
  ASSERT_TRUE(system.factor_for_modes());
  EXPECT_FALSE(system.positive_definite());
  const Modes modes = lowest_modes(system, 12, nullptr);
  for (int i = 0; i < modes.count; ++i) EXPECT_NEAR(modes.lambda[i], exact[i], 1e-8 * std::abs(exact[0])) << i;
  Vector b = Eigen::Map<const Vector>(x.data(), x.size()), image;
  const Vector wanted = b;
  system.solve(b);
  system.multiply(b, image);
  EXPECT_LT((image - wanted).norm(), 1e-10 * wanted.norm());
}

// While a body moves, the modes of the step before are a start from which few sweeps are enough.
TEST(Modes, OfTheNextStepTakeAFewSweeps) {
  Body body(4);
  body.hold_a_face();
  State state{body.rest, Points::Zero(body.model.vertices(), 3)};
  state.v.col(1) = 2 * (body.rest.col(0).array() + 0.5).square();
  state.v.col(2) = 3 * (body.rest.col(0).array() + 0.5) * body.rest.col(1).array();
  Modes modes = body.modes(state.x, 8);
  const int cold = modes.sweeps;
  for (int frame = 0; frame < 20; ++frame) {
    state.x += kStep * state.v;
    modes = body.modes(state.x, 8, &modes);
    EXPECT_LE(modes.sweeps, 2);
    const Vector exact = body.dense(state.x).eigenvalues();
    // As a step sees it, by theta = 1 + h^2 lambda: a body that moves by a tenth of its size in ten steps.
    for (int i = 0; i < modes.count; ++i)
      EXPECT_NEAR(kStep * kStep * modes.lambda[i], kStep * kStep * exact[i], 2e-3) << frame << ' ' << i;
  }
  // Once it stands still they are as exact as is asked for: theta to 5e-4.
  const Vector exact = body.dense(state.x).eigenvalues();
  for (int again = 0; again < 10; ++again) modes = body.modes(state.x, 8, &modes);
  for (int i = 0; i < modes.count; ++i)
    EXPECT_NEAR(kStep * kStep * modes.lambda[i], kStep * kStep * exact[i], 6e-4) << i;
  EXPECT_GT(cold, 3);
}

TEST(Modes, AreThoseOfSpectra) {
  Body body(5);
  body.hold_a_face();
  Workspace work(1);
  const SparseMatrix K = body.model.stiffness_matrix(body.rest, work);
  SparseMatrix M(K.rows(), K.cols());
  std::vector<int> free;
  for (int i = 0; i < body.model.vertices(); ++i)
    if (!body.model.fixed[static_cast<std::size_t>(i)])
      for (int c = 0; c < 3; ++c) free.push_back(3 * i + c);
  std::vector<int> place(static_cast<std::size_t>(K.rows()), -1);
  for (std::size_t i = 0; i < free.size(); ++i) place[static_cast<std::size_t>(free[i])] = static_cast<int>(i);
  Triplets of_K, of_M;
  for (int j = 0; j < K.cols(); ++j)
    for (SparseMatrix::InnerIterator it(K, j); it; ++it)
      if (place[static_cast<std::size_t>(it.row())] >= 0 && place[static_cast<std::size_t>(j)] >= 0)
        of_K.emplace_back(place[static_cast<std::size_t>(it.row())], place[static_cast<std::size_t>(j)], it.value());
  for (std::size_t i = 0; i < free.size(); ++i)
    of_M.emplace_back(static_cast<int>(i), static_cast<int>(i), body.model.M[free[i] / 3]);
  const auto n = static_cast<Eigen::Index>(free.size());
  SparseMatrix K_free(n, n), M_free(n, n);
  K_free.setFromTriplets(of_K.begin(), of_K.end());
  M_free.setFromTriplets(of_M.begin(), of_M.end());

  using Inverse = Spectra::SymShiftInvert<double, Eigen::Sparse, Eigen::Sparse>;
  using Product = Spectra::SparseSymMatProd<double>;
  Inverse inverse(K_free, M_free);
  Product product(M_free);
  constexpr int kWanted = 9;
  Spectra::SymGEigsShiftSolver<Inverse, Product, Spectra::GEigsMode::ShiftInvert> solver(inverse, product, kWanted, 40,
                                                                                         -1 / (kStep * kStep));
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12, Spectra::SortRule::SmallestAlge);
  ASSERT_EQ(solver.info(), Spectra::CompInfo::Successful);
  const Modes modes = body.modes(body.rest, kWanted);
  for (int i = 0; i < kWanted; ++i)
    EXPECT_NEAR(modes.lambda[i], solver.eigenvalues()[i], 1e-7 * modes.lambda[kWanted - 1]) << i;
}

// Half of a mode's energy is kinetic on the mean, and all of them together hold what the body holds.
TEST(ModalAnalysis, EnergiesOfAllModesAreTheBodysOwn) {
  Body body(1);
  for (int i = 0; i < 4; ++i) body.model.fixed[static_cast<std::size_t>(i)] = 1;
  // So near to rest that the body is linear.
  State state{body.rest + random_points(body.model.vertices(), 1, 1e-6), random_points(body.model.vertices(), 2, 1e-5)};
  body.keep_held(state);
  Workspace work(1);
  ModalAnalysis analysis(body.model);
  ASSERT_TRUE(analysis.look(state, kStep, 60, work));
  double total = 0;
  for (const ModeEnergy& mode : analysis.energies()) total += mode.total();
  const double H = body.model.energy(state.x, work) - body.model.energy(body.rest, work) + body.model.kinetic(state.v);
  EXPECT_NEAR(total, H, 1e-4 * H);
}

}  // namespace
}  // namespace rebound::test
