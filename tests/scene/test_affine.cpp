// The geometry of affine bodies: mass, centre and inertia against closed forms, and four vertices that carry them.
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

#include "mesh/geometry.hpp"
#include "mesh/moments.hpp"
#include "mesh/shapes.hpp"
#include "scene/affine_geometry.hpp"
#include "scene/build.hpp"
#include "scene/ranges.hpp"
#include "scene_support.hpp"

namespace rebound::scene {
namespace {

constexpr double kPi = std::numbers::pi;
using Eigen::Matrix3d;
using Eigen::Vector3d;

mesh::Surface surface_of(const mesh::TetMesh& tets) { return mesh::boundary_of(tets).surface; }

/// A closed surface about the y axis: round by round, `around` points each.
mesh::Surface turned(int rounds, int around, const std::function<Vector3d(double, double)>& at) {
  mesh::Surface surface;
  surface.points.resize(rounds * around, 3);
  for (int i = 0; i < rounds; ++i)
    for (int j = 0; j < around; ++j)
      surface.points.row(i * around + j) = at(2 * kPi * i / rounds, 2 * kPi * j / around).transpose();
  for (int i = 0; i < rounds; ++i)
    for (int j = 0; j < around; ++j) {
      const int a = i * around + j, b = (i + 1) % rounds * around + j, c = i * around + (j + 1) % around,
                d = (i + 1) % rounds * around + (j + 1) % around;
      surface.triangles.push_back({a, c, b});
      surface.triangles.push_back({b, c, d});
    }
  if (mesh::signed_volume(surface) < 0)
    for (auto& t : surface.triangles) std::swap(t[1], t[2]);
  return surface;
}
mesh::Surface ring(double radius, double tube, int n) {
  return turned(n, n, [=](double u, double v) {
    const double out = radius + tube * std::cos(v);
    return Vector3d(out * std::cos(u), tube * std::sin(v), out * std::sin(u));
  });
}

TEST(Moments, OfABoxAreExactWhereverItIsAndHoweverItIsTurned) {
  const Vector3d size(2, 1, 0.5);
  mesh::Surface box = surface_of(mesh::box({2, 1, 0.5}, {3, 2, 1}));
  const Matrix3d R = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const Vector3d at(100, -20, 3);
  box.points = (box.points * R.transpose()).rowwise() + at.transpose();
  const mesh::SolidMoments m = mesh::moments_of(box);
  EXPECT_NEAR(m.volume, 1, 1e-13);
  EXPECT_LT((m.centre - at).norm(), 1e-13);
  const Matrix3d second = R * Vector3d(size.cwiseAbs2() / 12).asDiagonal() * R.transpose();
  EXPECT_LT((m.second - second).norm(), 1e-13);
}

// The polyhedron inscribed in a ball or torus is smaller by O(1/n^2): extrapolated, the closed form comes out.
TEST(Moments, OfATorusAndABallConvergeToTheirClosedForms) {
  const double R = 1, r = 0.3, V = 2 * kPi * kPi * R * r * r;
  const auto check = [](const std::function<mesh::Surface(int)>& surface, double volume, const Vector3d& second) {
    const mesh::SolidMoments coarse = mesh::moments_of(surface(64)), fine = mesh::moments_of(surface(128));
    EXPECT_NEAR(coarse.volume / volume - 1, 4 * (fine.volume / volume - 1), 1e-3 * (1 - coarse.volume / volume));
    EXPECT_NEAR((4 * fine.volume - coarse.volume) / 3, volume, 1e-5 * volume);
    const Matrix3d extrapolated = (4 * fine.second - coarse.second) / 3;
    EXPECT_LT((extrapolated - Matrix3d(second.asDiagonal())).norm(), 1e-5 * second.norm());
    EXPECT_LT(fine.centre.norm(), 1e-12);
  };
  // About the axis V (R^2 + 3/4 r^2), about a diameter V (R^2/2 + 5/8 r^2); the second moment along y is V r^2/4.
  check([&](int n) { return ring(R, r, n); }, V,
        V * Vector3d(R * R / 2 + 3 * r * r / 8, r * r / 4, R * R / 2 + 3 * r * r / 8));
  // A ball as a spindle: from pole to pole and round.
  const auto ball = [](int n) {
    mesh::Surface surface;
    surface.points.resize(2 + (n - 1) * n, 3);
    surface.points.row(0) << 0, 1, 0;
    surface.points.row(1) << 0, -1, 0;
    const auto at = [n](int i, int j) { return 2 + (i - 1) * n + (j + n) % n; };
    for (int i = 1; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const double down = kPi * i / n, round = 2 * kPi * j / n;
        surface.points.row(at(i, j)) << std::sin(down) * std::cos(round), std::cos(down),
            std::sin(down) * std::sin(round);
      }
    for (int j = 0; j < n; ++j) {
      surface.triangles.push_back({0, at(1, j + 1), at(1, j)});
      surface.triangles.push_back({1, at(n - 1, j), at(n - 1, j + 1)});
      for (int i = 1; i + 1 < n; ++i) {
        surface.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
        surface.triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
      }
    }
    return surface;
  };
  check(ball, 4 * kPi / 3, 4 * kPi / 15 * Vector3d::Ones());
}

/// Integrals over the tetrahedra of a mesh, exact to the second degree, by the corners and the middle.
template <class Integrand>
auto integral(const mesh::TetMesh& mesh, const Integrand& f) {
  decltype(f(Vector3d(0, 0, 0))) sum = f(Vector3d(0, 0, 0)) * 0;
  for (const auto& tet : mesh.tetrahedra) {
    const double V = mesh::tet_volume(mesh.points, tet);
    Vector3d middle = Vector3d::Zero();
    for (const int v : tet) middle += mesh::point(mesh.points, v) / 4;
    sum += 4 * V / 5 * f(middle);
    for (const int v : tet) sum += V / 20 * f(mesh::point(mesh.points, v));
  }
  return sum;
}

const std::vector<std::pair<const char*, mesh::TetMesh>>& solids() {
  static const std::vector<std::pair<const char*, mesh::TetMesh>> list{{"box", mesh::box({1, 0.5, 0.2}, {4, 2, 1})},
                                                                       {"ball", mesh::sphere(0.5, 8)},
                                                                       {"torus", mesh::torus(0.5, 0.2, 6)}};
  return list;
}

// W^T M W = (m/4) 1: with it mass, momentum, angular momentum and kinetic energy of any affine motion agree.
TEST(AffineGeometry, FourEqualMassesCarryTheBody) {
  for (const auto& [name, mesh] : solids()) {
    SCOPED_TRACE(name);
    mesh::TetMesh placed = mesh;
    placed.points.rowwise() += Eigen::RowVector3d(0.25, -0.5, 0.125);
    const BodyGeometry body = affine_from_tets(placed, name);
    const double V = mesh::total_volume(placed);
    ASSERT_TRUE(body.is_affine());
    EXPECT_EQ(body.vertices(), 4);
    EXPECT_GT(mesh::tet_volume(body.rest, {0, 1, 2, 3}), 0);
    EXPECT_NEAR(body.fill[0] * mesh::tet_volume(body.rest, {0, 1, 2, 3}), V, 1e-12 * V);
    const mesh::SolidMoments moments = mesh::moments_of(body.surface);
    const auto weights = [&](const Vector3d& x) {
      const auto w = mesh::barycentric(body.rest, {0, 1, 2, 3}, x);
      return Eigen::Vector4d(w[0], w[1], w[2], w[3]);
    };
    const Eigen::Matrix4d masses =
        integral(placed, [&](const Vector3d& x) { return Eigen::Matrix4d(weights(x) * weights(x).transpose()); }) / V;
    EXPECT_LT((masses - 0.25 * Eigen::Matrix4d::Identity()).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((moments.centre - Vector3d(body.rest.colwise().mean().transpose())).norm(), 1e-13);
  }
}

TEST(AffineGeometry, MomentaAndKineticEnergyOfAnyAffineMotionAreThoseOfTheBody) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (const auto& [name, mesh] : solids()) {
    SCOPED_TRACE(name);
    const BodyGeometry body = affine_from_tets(mesh, name);
    const double V = mesh::total_volume(mesh), m = 1000 * V;
    for (int round = 0; round < 10; ++round) {
      // x -> A x + t, v = B x + u.
      Matrix3d A, B;
      Vector3d t, u;
      for (int i = 0; i < 3; ++i) {
        t[i] = normal(random);
        u[i] = normal(random);
        for (int j = 0; j < 3; ++j) A(i, j) = normal(random), B(i, j) = normal(random);
      }
      const Vector3d p = 1000 * integral(mesh, [&](const Vector3d& X) { return Vector3d(B * X + u); });
      const Vector3d L =
          1000 * integral(mesh, [&](const Vector3d& X) { return Vector3d((A * X + t).cross(B * X + u)); });
      const double K = 500 * integral(mesh, [&](const Vector3d& X) { return (B * X + u).squaredNorm(); });
      Vector3d p4 = Vector3d::Zero(), L4 = Vector3d::Zero();
      double K4 = 0;
      for (int j = 0; j < 4; ++j) {
        const Vector3d X = body.rest.row(j).transpose(), v = B * X + u;
        p4 += m / 4 * v;
        L4 += m / 4 * (A * X + t).cross(v);
        K4 += m / 8 * v.squaredNorm();
      }
      EXPECT_LT((p4 - p).norm(), 1e-12 * m * u.norm());
      EXPECT_LT((L4 - L).norm(), 1e-12 * m * (1 + t.norm()) * (1 + u.norm()));
      EXPECT_NEAR(K4, K, 1e-12 * K);
    }
  }
}

TEST(AffineGeometry, TheSurfaceHangsOnItWhereItIs) {
  for (const auto& [name, mesh] : solids()) {
    const BodyGeometry body = affine_from_tets(mesh, name);
    EXPECT_LT((body.embedding.apply(body.rest) - body.surface.points).rowwise().norm().maxCoeff(), 1e-14) << name;
    EXPECT_LT((body.numbering.apply(body.rest) - mesh.points).rowwise().norm().maxCoeff(), 1e-14) << name;
    for (const auto& w : body.embedding.weights) EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1, 1e-14);
  }
}

// ---- from scenes ----

std::string affine_body(const std::string& mesh, const std::string& more = "") {
  return R"({"rebound": 1, "solver": {"type": "newton"}, "contact": {"bodies": false}, "bodies": [{"name": "it", "mesh": )" +
         mesh + R"(, "material": {"model": "affine", "density": 500})" + more + "}]}";
}

TEST(AffineScenes, MassIsDensityTimesVolumeWhateverTheMesh) {
  for (const auto& [mesh, volume, near] :
       {std::tuple{R"({"box": {"size": [1, 2, 3], "divisions": [1, 2, 3]}})", 6.0, 1e-13},
        std::tuple{R"({"sphere": {"radius": 0.5, "divisions": 24}})", kPi / 6, 0.02},
        std::tuple{R"({"torus": {"radius": 1, "tube": 0.3, "divisions": 16}})", 2 * kPi * kPi * 0.09, 0.03},
        std::tuple{R"({"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tetrahedra": [[0,1,2,3]]})", 1.0 / 6, 1e-13}}) {
    const World world = load_world(parsed(affine_body(mesh, R"(, "transform": {"scale": 2, "translate": [5, 0, 0]})")));
    const sim::Model model = build_model(world);
    EXPECT_EQ(model.vertices(), 4);
    EXPECT_NEAR(model.M.sum() / (500 * 8 * volume), 1, near) << mesh;
    EXPECT_EQ(model.M.maxCoeff(), model.M.minCoeff());
  }
}

/// An OBJ file of these vertices and triangles (counted from 1).
std::string obj(const mesh::Surface& surface) {
  std::string text;
  for (Eigen::Index i = 0; i < surface.points.rows(); ++i)
    text += "v " + std::to_string(surface.points(i, 0)) + ' ' + std::to_string(surface.points(i, 1)) + ' ' +
            std::to_string(surface.points(i, 2)) + '\n';
  for (const auto& t : surface.triangles)
    text += "f " + std::to_string(t[0] + 1) + ' ' + std::to_string(t[1] + 1) + ' ' + std::to_string(t[2] + 1) + '\n';
  return text;
}

class AffineFiles : public testing::Test {
 protected:
  /// What is said of such a file.
  std::string refusal(const mesh::Surface& surface) {
    return error_of([&] { (void)load(surface); });
  }
  World load(const mesh::Surface& surface) {
    const auto file = folder_.write("it.obj", obj(surface));
    return load_world(parse_scene(affine_body("{\"file\": \"" + file.string() + "\"}"), "test.json", {}));
  }
  TemporaryFolder folder_;
};

TEST_F(AffineFiles, AClosedSurfaceIsTakenAsItIsAndNotFilled) {
  const mesh::Surface box = surface_of(mesh::box({1, 0.5, 0.25}, {2, 1, 1}));
  const World world = load(box);
  EXPECT_EQ(world.bodies[0].surface.triangles, box.triangles);
  EXPECT_EQ(world.bodies[0].numbered_vertices(), box.points.rows());
  EXPECT_NEAR(build_model(world).M.sum(), 500 * 0.125, 1e-9);
}

TEST_F(AffineFiles, ASurfaceThatFacesInwardsIsTurned) {
  mesh::Surface box = surface_of(mesh::box({1, 0.5, 0.25}, {2, 1, 1}));
  for (auto& t : box.triangles) std::swap(t[0], t[1]);
  EXPECT_NEAR(build_model(load(box)).M.sum(), 500 * 0.125, 1e-9);
}

TEST_F(AffineFiles, AnOpenOneIsRefusedByName) {
  mesh::Surface box = surface_of(mesh::box({1, 1, 1}, {1, 1, 1}));
  box.triangles.pop_back();
  const std::string small = refusal(box);
  EXPECT_NE(small.find("it.obj: is open"), std::string::npos) << small;
  box.triangles.resize(box.triangles.size() / 2);
  const std::string large = refusal(box);
  EXPECT_NE(large.find("it.obj: is open"), std::string::npos) << large;
  EXPECT_NE(large.find("close it"), std::string::npos) << large;
}

TEST_F(AffineFiles, AFlatOneIsRefused) {
  mesh::Surface flat = surface_of(mesh::box({1, 1, 1}, {1, 1, 1}));
  flat.points.col(1).setZero();
  EXPECT_NE(refusal(flat), "no error");
  mesh::Surface thin = surface_of(mesh::box({1, 1e-6, 1}, {1, 1, 1}));
  for (Eigen::Index i = 0; i < thin.points.rows(); ++i) thin.points(i, 1) = 0;
  EXPECT_NE(refusal(thin), "no error");
}

// Pinched in the middle and turned by half there: a bow, of which one half is inside out.
TEST_F(AffineFiles, OneThatIsInsideOutInPartIsRefused) {
  mesh::Surface bow = surface_of(mesh::box({4, 1, 1}, {1, 1, 1}));
  for (Eigen::Index i = 0; i < bow.points.rows(); ++i)
    if (bow.points(i, 0) > 0) bow.points(i, 1) *= -0.8;
  const std::string message = refusal(bow);
  EXPECT_NE(message.find("it.obj: is inside out in part, at triangle "), std::string::npos) << message;
}

TEST(AffineScenes, WhatMakesNoSenseOfThemIsRefusedInOneLine) {
  const auto refusal = [](const std::string& more) {
    return error_of(
        [&] { (void)build_model(load_world(parsed(affine_body(R"({"box": {"divisions": [1, 1, 1]}})", more)))); });
  };
  EXPECT_NE(refusal(R"(, "masses": [1,1,1,1,1,1,1,1])").find("/bodies/0/masses: 'affine' has its mass"),
            std::string::npos);
  EXPECT_NE(refusal(R"(, "start": {"type": "randomized"})").find("/bodies/0/start: 'affine' moves as one"),
            std::string::npos);
  EXPECT_NE(refusal(R"(, "start": {"type": "twisted"})").find("/bodies/0/start: "), std::string::npos);
  EXPECT_EQ(refusal(R"(, "start": {"type": "stretched", "scale": [1.1, 1, 1]})"), "no error");
  EXPECT_NE(refusal(R"(, "velocities": [[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]])")
                .find("/velocities: "),
            std::string::npos);
  EXPECT_NE(refusal(R"(, "regions": [{"elements": [0], "material": {"density": 5}}])")
                .find("/bodies/0/regions: 'affine' is of one"),
            std::string::npos);
  EXPECT_NE(refusal(R"(, "fixed": [0, 1, 2, 3])").find("/bodies/0/fixed: the 4 vertices lie in a plane"),
            std::string::npos);
  EXPECT_NE(refusal(R"(, "fixed": [0])").find("'attachments'"), std::string::npos);
  EXPECT_NE(refusal(R"(, "fixed": [8])").find("/bodies/0/fixed/0: "), std::string::npos);
  EXPECT_EQ(refusal(R"(, "fixed": [0, 1, 2, 4], "attachments": [{"vertices": [7]}])"), "no error");
}

}  // namespace
}  // namespace rebound::scene
