// What a stage minimises where surfaces press, rub, or belong to an affine body.
#include <gtest/gtest.h>

#include "barrier_world.hpp"
#include "sim/contact/barrier.hpp"
#include "sim/step/newton.hpp"
#include "sim/step/tangent_matrix.hpp"

namespace rebound::test {
namespace {

constexpr TwoStageScheme kKept = keeping_at_end(kTrBdf2);
constexpr std::array kRows{kBackwardEuler, kBdf2,        kImplicitMidpoint, kNewmark,      kTrBdf2.first,
                           kKept.first,    kKept.second, kSdirk2.second,    kSdirk2Adjoint};

// A block that lies on the floor and slides: all of the step's own terms are there.
TEST(StepObjective, IsWhatItsGradientAndItsHessianSayWithTheStepsOwnTermsInIt) {
  BoxBody box;
  box.size = {0.1, 0.04, 0.1};
  box.divisions = {1, 1, 1};
  box.young = 1e6;
  box.centre = {0, 0.0205, 0};
  box.v = {0.3, 0, 0.1};
  constexpr double h = 0.005;
  for (const Scheme& scheme : kRows)
    for (const double mu : {0.0, 0.5}) {
      SCOPED_TRACE(std::string(scheme.id) + " " + std::to_string(mu));
      BarrierWorld world({box});
      world.add_floor(mu);
      ASSERT_TRUE(world.run(20, h, "bdf2", 1, 1e-9));
      world.stepper->find_contacts(world.history, h);
      ASSERT_EQ(world.model.step_losses.empty(), mu == 0);
      if (scheme.keeps_at_end) world.model.shapes = {world.model.energies.front()};  // then all of it counts once more
      StepBuffers buffers;
      const StepObjective g(world.model, scheme, h, {world.now, &world.now}, buffers, *world.work);
      Points x = world.now.x + 0.8 * h * world.now.v, dg, ahead, behind;
      g.begin(x);
      ASSERT_TRUE(g.settle(x));
      ASSERT_FALSE(barrier_touches(world.model, x).empty());
      const double E = g.gradient(x, dg), value = g.value(x);
      EXPECT_NEAR(g.value_from(x, E), value, 1e-12 * std::abs(value));
      TangentMatrix H(world.model);
      H.choose_pattern();
      g.hessian(x, Curvature::exact, H.blocks());
      Points Hd;
      for (unsigned seed = 0; seed < 3; ++seed) {
        const Points d = random_points(static_cast<int>(x.rows()), seed);
        constexpr double e = 1e-8;
        g.gradient(x + e * d, ahead);
        g.gradient(x - e * d, behind);
        const double slope = (g.value(x + e * d) - g.value(x - e * d)) / (2 * e);
        EXPECT_NEAR(slope, dg.cwiseProduct(d).sum(), 1e-5 * dg.norm() * d.norm());
        if (mu > 0) continue;  // what slides begins with another curvature than its own (sliding.hpp)
        H.blocks().multiply(d, Hd, world.work->workers);
        EXPECT_LT((Hd - (ahead - behind) / (2 * e)).norm(), 1e-4 * Hd.norm());
      }
    }
}

// An affine body that an impact has strained, and that turns: with the force of its beginning the trapezoid rule would
// have the strain swing to the other side, and push whatever the body touches.
TEST(StepObjective, StrainOfAnAffineBodyDoesNotSwingAndItsSpinStays) {
  const Points rest = (Points(4, 3) << 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1).finished() * 0.03;
  Model model = free_vertices(4);
  model.M.setConstant(0.0025);
  model.bodies = model.affine = {{0, 4}};
  MaterialValues values;
  values.rigidity = 1e8;
  const std::vector<std::array<int, 4>> tets{{0, 2, 1, 3}};
  const std::vector<MaterialValues> all{values};
  const std::vector<double> fill{1};
  for (auto& energy : find_material("affine")->laws.front().make({rest, tets, all, fill, {}}))
    model.energies.push_back(std::move(energy));
  model.shapes = model.energies;
  constexpr double h = 0.005;
  const Vec3 omega(3, 20, -8);
  const auto strain = [&](const Points& x) {
    Eigen::Matrix3d now, then;
    for (int k = 0; k < 3; ++k) {
      now.col(k) = (x.row(k + 1) - x.row(0)).transpose();
      then.col(k) = (rest.row(k + 1) - rest.row(0)).transpose();
    }
    const Eigen::Matrix3d F = now * then.inverse();
    return (F.transpose() * F - Eigen::Matrix3d::Identity()).norm();
  };
  State now{1.01 * rest, Points(4, 3), {}};
  for (int i = 0; i < 4; ++i) now.v.row(i) = omega.cross(Vec3(now.x.row(i))).transpose();
  Workspace work(1);
  StepBuffers buffers;
  const StepObjective g(model, kKept.first, h, {now, &now}, buffers, work);
  State next{now.x, now.v, {}};
  Newton newton(model);
  const SolveReport report = newton.minimize(g, SolveEffort(50), nullptr, next.x);
  EXPECT_TRUE(report.converged);
  EXPECT_GT(strain(now.x), 0.03);
  EXPECT_LT(strain(next.x), 1e-3 * strain(now.x));
  // As much as a rigid body turns, to the third order.
  const double angle = g.h() * omega.norm();
  const Vec3 r = now.x.row(0).transpose(), r_next = next.x.row(0).transpose();
  const Vec3 turned = Eigen::AngleAxisd(angle, omega.normalized()) * r / 1.01;
  EXPECT_LT((r_next - turned).norm(), angle * angle * angle / 6 * r.norm());
}

}  // namespace
}  // namespace rebound::test
