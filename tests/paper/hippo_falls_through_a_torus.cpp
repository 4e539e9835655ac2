// [Dinev18 Sec. 4.3, Fig. 11, Tab. II]: an elastic hippo falls through a fixed ring that is narrower than it, at 10 ms
// a frame. The blend keeps its energy, and what is inside the ring stays little; implicit midpoint blows up, in ten
// substeps too.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "scene/parse.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using sim::Vec3;

struct Fall {
  std::int64_t through = 0;  ///< first frame with all of it below the ring, 0 if none
  double freely = 0;         ///< the same, as a number of frames, if the ring were not there
  double error = 0;          ///< largest |H - target| / scale
  double depth = 0;          ///< m, of the deepest point in the ring
  double volume = 0;         ///< m^3, the most that is inside the ring: depth times area at the surface's vertices
  double touching = 0;       ///< m^2, the most of its surface that is
  double body = 0;           ///< m^3, the hippo
  bool failed = false;
};

/// How deep p is in the ring, m; negative outside.
double depth_in(const scene::Obstacle& ring, const Vec3& p) {
  const auto& torus = std::get<scene::TorusShape>(ring.shape);
  const Vec3 q = p - Vec3(ring.transform.translate.data());
  return torus.tube - std::hypot(std::hypot(q.x(), q.z()) - torus.radius, q.y());
}

void look_inside(const session::Session& s, const scene::Obstacle& ring, Fall& fall) {
  const mesh::Points surface = s.surface(0);
  double volume = 0, touching = 0;
  for (const auto& face : s.world().bodies[0].surface.triangles) {
    const Vec3 a = surface.row(face[0]), b = surface.row(face[1]), c = surface.row(face[2]);
    const double third = (b - a).cross(c - a).norm() / 6;
    for (const Vec3& p : {a, b, c}) {
      const double depth = depth_in(ring, p);
      if (depth <= 0) continue;
      fall.depth = std::max(fall.depth, depth);
      volume += third * depth;
      touching += third;
    }
  }
  fall.volume = std::max(fall.volume, volume);
  fall.touching = std::max(fall.touching, touching);
}

Fall fall(const char* integrator, int substeps) {
  auto d = scene::read_scene(std::string(REBOUND_SOURCE_DIR) + "/assets/scenes/hippo-through-torus-of-fig-11.json");
  d.integrator.type = integrator;
  d.substeps = substeps;
  const scene::Obstacle ring = d.obstacles[0];
  const double density = d.bodies[0].material.density;
  const double below = ring.transform.translate[1] - std::get<scene::TorusShape>(ring.shape).tube;
  const double h = d.timeStep;
  session::Session s = open(d, 2);
  Fall result;
  result.freely = std::sqrt(2 * (s.state().x.col(1).maxCoeff() - below) / 9.81) / h;
  result.body = s.model().M.sum() / density;
  while (s.frame() < 120) {
    if (!s.step()) {
      result.failed = true;
      break;
    }
    result.error = std::max(result.error, std::abs(energy_error(s)));
    look_inside(s, ring, result);
    if (result.through == 0 && s.state().x.col(1).maxCoeff() < below) result.through = s.frame();
  }
  return result;
}

TEST(Figure11, TheHippoFallsThroughTheRingAndStaysWhole) {
  const Fall run = fall("stabilized", 1);
  EXPECT_FALSE(run.failed);
  EXPECT_GT(run.through, run.freely + 2) << "it has to squeeze through";
  EXPECT_LT(run.error, 0.0101) << "the tolerance, and rounding";
  EXPECT_GT(run.touching, 0.05);
  EXPECT_LT(run.depth, 0.07);
  EXPECT_LT(run.volume, 0.01 * run.body);
}

TEST(Figure11, ImplicitMidpointBlowsUpInTenSubstepsToo) {
  for (const int substeps : {1, 10}) {
    const Fall run = fall("implicit-midpoint", substeps);
    // In one step a frame it is 9 to 11 times off, at ten iterations and at thirty.
    EXPECT_GT(run.error, substeps == 1 ? 5 : 100) << substeps << " substeps";
  }
}

}  // namespace
}  // namespace rebound::test
