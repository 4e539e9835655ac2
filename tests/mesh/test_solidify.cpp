#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "mesh/bcc.hpp"
#include "mesh/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/lattice.hpp"
#include "mesh/obj.hpp"
#include "mesh/shapes.hpp"
#include "mesh/solidify.hpp"
#include "mesh/surfaces.hpp"

namespace rebound::mesh {
namespace {

double filled_volume(const Solid& solid) {
  double sum = 0;
  for (std::size_t t = 0; t < solid.fill.size(); ++t)
    sum += solid.fill[t] * tet_volume(solid.tets.points, solid.tets.tetrahedra[t]);
  return sum;
}

/// Tets that share a face hang together.
int parts_of(const TetMesh& mesh) {
  std::vector<int> group(mesh.tetrahedra.size());
  std::iota(group.begin(), group.end(), 0);
  const auto find = [&](int i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  std::map<Triangle, int> owner;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
    for (int skip = 0; skip < 4; ++skip) {
      Triangle face;
      for (int k = 0, n = 0; k < 4; ++k)
        if (k != skip) face[n++] = mesh.tetrahedra[t][k];
      std::sort(face.begin(), face.end());
      const auto [found, added] = owner.try_emplace(face, static_cast<int>(t));
      if (!added) group[find(static_cast<int>(t))] = find(found->second);
    }
  std::set<int> roots;
  for (std::size_t t = 0; t < group.size(); ++t) roots.insert(find(static_cast<int>(t)));
  return static_cast<int>(roots.size());
}

/// What every solid must be, whatever it came from.
void expect_sound(const Solid& solid, const std::string& what) {
  ASSERT_FALSE(solid.tets.tetrahedra.empty()) << what;
  ASSERT_TRUE(solid.tets.points.allFinite()) << what;
  EXPECT_GT(quality_of(solid.tets).min_volume, 0) << what;
  EXPECT_GE(quality_of(solid.tets).min_dihedral, 5) << what;
  ASSERT_EQ(solid.fill.size(), solid.tets.tetrahedra.size()) << what;
  for (const double fill : solid.fill) {
    ASSERT_GT(fill, 0) << what;
    ASSERT_LE(fill, 1) << what;
  }
  std::vector<char> used(static_cast<std::size_t>(solid.tets.points.rows()), 0);
  for (const auto& t : solid.tets.tetrahedra)
    for (const int v : t) used[v] = 1;
  EXPECT_EQ(std::count(used.begin(), used.end(), 0), 0) << what << ": a vertex without mass";
  ASSERT_EQ(std::ssize(solid.embedding.vertices), solid.surface.points.rows()) << what;
  for (const auto& weights : solid.embedding.weights) {
    double sum = 0;
    for (const double w : weights) {
      ASSERT_GE(w, 0) << what;
      ASSERT_LE(w, 1) << what;
      sum += w;
    }
    ASSERT_NEAR(sum, 1, 1e-12) << what;
  }
  EXPECT_FALSE(solid.notes.empty()) << what;
  for (const auto& note : solid.notes) EXPECT_EQ(note.find('\n'), std::string::npos) << note;
}

double embedding_error(const Solid& solid) {
  const double extent = bounding_box(solid.surface).diagonal().norm();
  return (solid.embedding.apply(solid.tets.points) - solid.surface.points).cwiseAbs().maxCoeff() / extent;
}

SolidOptions small(SolidMethod method = SolidMethod::automatic) {
  SolidOptions options;
  options.method = method;
  options.wanted_tets = 1500;
  options.name = "odd.obj";
  return options;
}

TEST(Bcc, TetsFillSpaceOnce) {
  std::set<BccKey> seen;
  double volume = 0;
  for (int i = 0; i < 20000; ++i) {
    // A low-discrepancy walk through one cell.
    const Eigen::Vector3d p(5 + std::fmod(i * 0.754877666, 1), 6 + std::fmod(i * 0.569840296, 1),
                            7 + std::fmod(i * 0.362437038, 1));
    const BccTet tet = locate(p);
    Points corners(4, 3);
    const auto doubled = doubled_corners(tet);
    for (int k = 0; k < 4; ++k) corners.row(k) << doubled[k][0] / 2.0, doubled[k][1] / 2.0, doubled[k][2] / 2.0;
    for (const double w : barycentric(corners, {0, 1, 2, 3}, p)) ASSERT_GE(w, -1e-12);
    ASSERT_NEAR(tet_volume(corners, {0, 1, 2, 3}), 1.0 / 12, 1e-15);
    ASSERT_TRUE(tet_meets_triangle(tet, {p, p, p}));
    EXPECT_EQ(key_of(tet_of(key_of(tet))), key_of(tet));
    if (seen.insert(key_of(tet)).second) volume += 1.0 / 12;
  }
  EXPECT_NEAR(volume, 2, 1e-12) << "24 tets reach into a cell";
}

TEST(Lattice, FollowsVolumeAndWish) {
  const Surface ball = icosphere(1, 4);
  for (const int wanted : {100, 1000, 10000}) {
    LatticeOptions options;
    options.wanted_tets = wanted;
    const Solid solid = lattice(ball, ball, options);
    expect_sound(solid, "ball");
    EXPECT_NEAR(static_cast<double>(solid.tets.tetrahedra.size()) / wanted, 1, 0.25);
    EXPECT_NEAR(quality_of(solid.tets).min_dihedral, 60, 1e-6) << "all dihedral angles are 60 or 90 degrees";
    EXPECT_NEAR(filled_volume(solid) / signed_volume(ball), 1, wanted < 1000 ? 0.1 : 0.03);
    EXPECT_GT(total_volume(solid.tets), signed_volume(ball));
    EXPECT_LT(embedding_error(solid), 1e-14);
    EXPECT_EQ(parts_of(solid.tets), 1);
    // The boundary is a closed skin: each of its edges has as many triangles one way as the other.
    const Surface boundary = boundary_of(solid.tets).surface;
    EXPECT_NEAR(signed_volume(boundary), total_volume(solid.tets), 1e-9);
  }
}

TEST(Lattice, SizeByVolume) {
  LatticeOptions options;
  options.max_volume = 1e-4;
  const Surface ball = icosphere(0.5, 3);
  const Solid solid = lattice(ball, ball, options);
  for (const auto& t : solid.tets.tetrahedra) ASSERT_NEAR(tet_volume(solid.tets.points, t), 1e-4, 1e-12);
  options.max_volume = 1e-12;
  EXPECT_THROW(lattice(ball, ball, options), MeshError);
}

TEST(Lattice, KeepsFarPartsApartAndThinEars) {
  Surface two = together(icosphere(1, 3), icosphere(1, 3));
  two.points.bottomRows(two.points.rows() / 2).rowwise() += Eigen::RowVector3d(3, 0, 0);
  LatticeOptions options;
  options.wanted_tets = 3000;
  EXPECT_EQ(parts_of(lattice(two, two, options).tets), 2);

  // A spike far thinner than a cell is still covered from end to end.
  Surface spiked = icosphere(1, 3);
  const int tip = static_cast<int>(spiked.points.rows());
  spiked.points.conservativeResize(tip + 1, 3);
  spiked.points.row(tip) << 5, 0.1, 0.2;
  const Triangle root = spiked.triangles[200];
  spiked.triangles[200] = {root[0], root[1], tip};
  spiked.triangles.push_back({root[1], root[2], tip});
  spiked.triangles.push_back({root[2], root[0], tip});
  options.wanted_tets = 500;
  const Solid solid = lattice(spiked, spiked, options);
  EXPECT_LT(embedding_error(solid), 1e-14);
  EXPECT_EQ(parts_of(solid.tets), 1);
}

TEST(Lattice, FillsCavitiesWithNothing) {
  Surface inner = icosphere(0.6, 3);
  turn_all(inner);
  const Surface hollow = together(icosphere(1, 3), inner);
  const Solid solid = lattice(hollow, hollow, {});
  EXPECT_NEAR(filled_volume(solid) / signed_volume(hollow), 1, 0.03);
}

TEST(Solidify, ConformingWhereTheSurfaceIsGood) {
  const Surface ball = icosphere(0.3, 3);
  const Solid solid = solidify(ball);
  expect_sound(solid, "ball");
  EXPECT_NE(solid.notes.back().find("follow the surface exactly"), std::string::npos) << solid.notes.back();
  EXPECT_NEAR(total_volume(solid.tets), signed_volume(ball), 1e-12);
  EXPECT_EQ(embedding_error(solid), 0);
}

TEST(Solidify, CrossingPartsBecomeALatticeOfTheirUnion) {
  const Surface crossing = together(cube_surface(), cube_surface(1, Eigen::RowVector3d(0.5, 0.5, 0.5)));
  const Solid solid = solidify(crossing);
  expect_sound(solid, "crossing");
  EXPECT_NE(solid.notes.back().find("parts pass through each other in"), std::string::npos) << solid.notes.back();
  EXPECT_NEAR(filled_volume(solid), 2 - 0.125, 0.05) << "what both hold counts once";
}

TEST(Solidify, ExplicitTetgenNamesWhyNotAndWhere) {
  const auto refusal = [](const Surface& surface) {
    try {
      solidify(surface, small(SolidMethod::tetgen));
    } catch (const MeshError& error) {
      return error;
    }
    return MeshError("accepted");
  };
  const MeshError crossing = refusal(together(cube_surface(), cube_surface(1, Eigen::RowVector3d(0.5, 0.45, 0.4))));
  EXPECT_NE(std::string(crossing.what()).find("parts pass through each other"), std::string::npos) << crossing.what();
  EXPECT_EQ(crossing.triangles.size(), 5u);
  const MeshError open = refusal(cut_sphere(1, 3, 0));
  EXPECT_NE(std::string(open.what()).find("is open"), std::string::npos) << open.what();
  EXPECT_EQ(open.triangles.size(), 5u);
  const MeshError fin = refusal(odd_surface(4, 1));
  EXPECT_FALSE(fin.triangles.empty()) << fin.what();
}

class OddSurface : public ::testing::TestWithParam<int> {};

TEST_P(OddSurface, GivesABody) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Surface surface = odd_surface(GetParam(), seed);
    const std::string what = odd_name(GetParam()) + " " + std::to_string(seed);
    try {
      const Solid solid = solidify(surface, small());
      expect_sound(solid, what);
      EXPECT_LT(embedding_error(solid), 1e-6) << what;
      EXPECT_LT(solid.tets.tetrahedra.size(), 4000u) << what;
    } catch (const MeshError& error) {
      ADD_FAILURE() << what << ": " << error.what();
    }
    try {
      expect_sound(solidify(surface, small(SolidMethod::lattice)), what + " as a lattice");
    } catch (const MeshError& error) {
      ADD_FAILURE() << what << " as a lattice: " << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, OddSurface, ::testing::Range(0, kOddKinds));

TEST(Solidify, FillsAFineSurfaceWithoutVerticesInside) {
  // As [Dinev18] did: 3.4 to 3.5 tets a vertex.
  SolidOptions options;
  options.method = SolidMethod::tetgen;
  options.refine = false;
  const Surface ball = icosphere(1, 5);
  const Solid solid = solidify(ball, options);
  const double vertices = static_cast<double>(solid.tets.points.rows());
  EXPECT_LE(vertices, 1.01 * static_cast<double>(ball.points.rows()));
  EXPECT_NEAR(static_cast<double>(solid.tets.tetrahedra.size()) / vertices, 3.5, 0.7);
  EXPECT_NEAR(filled_volume(solid) / signed_volume(ball), 1, 1e-9);
  EXPECT_GT(quality_of(solid.tets).min_volume, 0);
  EXPECT_EQ(embedding_error(solid), 0);
}

TEST(Solidify, WorksInAnyUnit) {
  std::size_t tets = 0;
  for (const double scale : {1e-6, 1.0, 1e6}) {
    for (const SolidMethod method : {SolidMethod::tetgen, SolidMethod::lattice}) {
      const Solid solid = solidify(icosphere(scale, 2), small(method));
      expect_sound(solid, "scaled");
      EXPECT_NEAR(filled_volume(solid) / std::pow(scale, 3), signed_volume(icosphere(1, 2)), 0.1);
      EXPECT_LT(embedding_error(solid), 1e-12);
      if (method == SolidMethod::lattice) {
        if (tets == 0) tets = solid.tets.tetrahedra.size();
        EXPECT_NEAR(static_cast<double>(solid.tets.tetrahedra.size()), static_cast<double>(tets), 5);
      }
    }
  }
}

TEST(Solidify, SheetsHaveMass) {
  const Solid solid = solidify(grid_surface(1, 10), small());
  expect_sound(solid, "sheet");
  EXPECT_EQ(parts_of(solid.tets), 1);
  EXPECT_GT(filled_volume(solid), 0);
  EXPECT_LT(embedding_error(solid), 1e-12);
}

// A vertex that lies a thousand times farther off than the body is large makes a box that is nearly empty.
TEST(Solidify, AFarVertexTakesNoTime) {
  Surface ball = icosphere(1, 5);
  Surface open = cut_sphere(1, 5, 0.2);
  for (Surface* surface : {&ball, &open})
    for (const double far : {30.0, 300.0, 1e5}) {
      Surface spoilt = *surface;
      spoilt.points.row(70) = far * Eigen::RowVector3d(0.5, 0.7, 0.6).normalized();
      SolidOptions options;
      const auto start = std::chrono::steady_clock::now();
      const Solid solid = solidify(spoilt, options);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (kTimed) {
        EXPECT_LT(seconds, 10) << far;
      }
      expect_sound(solid, "spoilt");
    }
  // And it can be cancelled while it is at it, and tells how far it is.
  ball.points.row(70) *= 300;
  std::atomic<bool> cancel{false};
  double last = 0;
  Progress progress{[&](const std::string&, double done) {
                      last = done;
                      cancel = done > 0.3;
                    },
                    &cancel};
  EXPECT_THROW(solidify(ball, {}, progress), Cancelled);
  EXPECT_GT(last, 0.3);
}

TEST(Lattice, IsTheSameWhetherCellsAreLookedAtOneByOneOrInCubes) {
  Surface inner = icosphere(0.5, 3);
  turn_all(inner);
  for (const Surface& surface : {icosphere(1, 4), together(icosphere(1, 3), inner), cube_surface(1)}) {
    // So that the size of the cells does not depend on the surface, by a hair.
    LatticeOptions options;
    options.max_volume = 4e-4;
    const Solid in_cubes = lattice(surface, surface, options);
    // An opening of no consequence: a tiny triangle on its own.
    Surface open = surface;
    const int n = static_cast<int>(open.points.rows());
    open.points.conservativeResize(n + 3, 3);
    open.points.bottomRows(3) = open.points.row(0).replicate(3, 1);
    open.points(n + 1, 0) += 1e-9;
    open.points(n + 2, 1) += 1e-9;
    open.triangles.push_back({n, n + 1, n + 2});
    const Solid one_by_one = lattice(surface, open, options);
    EXPECT_EQ(in_cubes.tets.tetrahedra, one_by_one.tets.tetrahedra);
    EXPECT_EQ(in_cubes.tets.points, one_by_one.tets.points);
    EXPECT_EQ(in_cubes.fill, one_by_one.fill);
  }
}

TEST(Solidify, RefusesATriangleOrTwo) {
  const auto refusal = [](const Surface& surface) {
    for (const auto method : {SolidMethod::automatic, SolidMethod::lattice}) {
      SolidOptions options = small(method);
      options.name = "flat.obj";
      try {
        solidify(surface, options);
        ADD_FAILURE() << "made a body";
      } catch (const MeshError& error) {
        EXPECT_NE(std::string(error.what()).find("flat.obj: "), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("volume"), std::string::npos) << error.what();
      }
    }
  };
  Surface sheet;
  sheet.points.resize(4, 3);
  sheet.points << 0, 0, 0, 1, 0, 0.5, 1, 1, 1.5, 0, 1, 1;
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  refusal(sheet);
  sheet.triangles = {{0, 1, 2}};
  refusal(sheet);
  sheet.points(3, 2) = 3;  // a book that is open
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  refusal(sheet);
}

TEST(Solidify, ComesAsNearToTheWantedNumberAsIsAskedFor) {
  const Surface ball = icosphere(1, 4);
  SolidOptions options = small();
  options.wanted_tets = static_cast<int>(ball.triangles.size());  // the surface alone needs three times as many
  options.most_off = 0.15;
  const double made = static_cast<double>(solidify(ball, options).tets.tetrahedra.size());
  EXPECT_LT(std::abs(made / options.wanted_tets - 1), 0.15);
}

TEST(Solidify, RefusesBadOptionsAndEmptySurfaces) {
  const Surface ball = icosphere(1, 1);
  const auto refusal = [&](auto change) {
    SolidOptions options = small();
    change(options);
    return message_of<MeshError>([&] { solidify(ball, options); });
  };
  EXPECT_NE(refusal([](auto& o) { o.wanted_tets = 0; }).find("odd.obj: 0 tets"), std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.quality = 1.0; }).find("[1.1, 10]"), std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.max_volume = NAN; }).find("positive and finite"), std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.max_volume = 1e-9; }).find("2,000,000"), std::string::npos);
  EXPECT_NE(message_of<MeshError>([&] { solidify(Surface{}, small()); }).find("odd.obj: "), std::string::npos);
  EXPECT_THROW(solid_method("magic"), MeshError);
  EXPECT_EQ(solid_method("auto"), SolidMethod::automatic);
}

TEST(Solidify, CanBeCancelledAtEveryReport) {
  const Surface ball = icosphere(1, 4);
  int reports = 0;
  Progress counting{[&](const std::string&, double fraction) {
    ++reports;
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
  }};
  solidify(ball, small(SolidMethod::lattice), counting);
  ASSERT_GT(reports, 10);
  for (int stop = 0; stop < reports; stop += 3) {
    std::atomic<bool> cancel{false};
    int seen = 0;
    Progress progress{[&](const std::string&, double) { cancel = seen++ == stop || cancel; }, &cancel};
    EXPECT_THROW(solidify(ball, small(SolidMethod::lattice), progress), Cancelled);
  }
}

class RealMesh : public testing::TestWithParam<const char*> {};

TEST_P(RealMesh, BecomesABodyWithinFiveSeconds) {
  const auto path = std::filesystem::path(REBOUND_SOURCE_DIR) / ".." / "shared" / "meshes" / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> notes;
  SolidOptions options;
  options.name = GetParam();
  const Surface surface = read_obj(path, &notes);
  const Solid solid = solidify(surface, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (kTimed) {
    EXPECT_LT(seconds, 5);
  }
  expect_sound(solid, GetParam());
  EXPECT_LT(embedding_error(solid), 1e-12);
  EXPECT_EQ(solid.surface.triangles.size(), surface.triangles.size()) << "the surface seen is the one loaded";
  EXPECT_EQ(parts_of(solid.tets), 1);
  EXPECT_NEAR(static_cast<double>(solid.tets.tetrahedra.size()), 12000, 12000 * 0.8);
  std::string all;
  for (const auto& note : solid.notes) all += "\n  " + note;
  RecordProperty("notes", all);
  std::printf("  %s: %.2f s, %zu tets%s\n", GetParam(), seconds, solid.tets.tetrahedra.size(), all.c_str());
}

INSTANTIATE_TEST_SUITE_P(Shared, RealMesh, testing::Values("stanford-bunny.obj", "spot.obj", "cow.obj", "suzanne.obj"),
                         [](const auto& mesh) {
                           const std::string name = mesh.param;
                           return name.substr(name.rfind('-') + 1, name.find('.') - name.rfind('-') - 1);
                         });

TEST(RealMesh, BunnyHolesAreCounted) {
  const auto path = std::filesystem::path(REBOUND_SOURCE_DIR) / ".." / "shared" / "meshes" / "stanford-bunny.obj";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  const Solid solid = solidify(read_obj(path));
  const auto said = std::find_if(solid.notes.begin(), solid.notes.end(), [](const std::string& note) {
    return note.starts_with("5 holes closed (223 boundary edges");
  });
  EXPECT_NE(said, solid.notes.end());
}

}  // namespace
}  // namespace rebound::mesh
