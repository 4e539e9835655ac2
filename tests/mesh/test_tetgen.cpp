#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "mesh/geometry.hpp"
#include "mesh/solidify.hpp"
#include "mesh/surfaces.hpp"
#include "mesh/tetgen.hpp"

namespace rebound::mesh {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A script in place of the worker, while it lives.
class FakeWorker {
 public:
  explicit FakeWorker(const std::string& script) {
    const auto path = folder_.write("worker", "#!/bin/sh\n" + script + "\n");
    chmod(path.c_str(), 0755);
    setenv("REBOUND_TETGEN", path.c_str(), 1);
  }
  ~FakeWorker() { unsetenv("REBOUND_TETGEN"); }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

std::string refusal(TetgenOptions options = {}) {
  options.name = "ball.obj";
  return message_of<MeshError>([&] { tetgen(icosphere(1, 2), options); });
}

void expect_says(const std::string& message, const std::string& words) {
  EXPECT_NE(message.find(words), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(Tetgen, FillsABallAndKeepsItsVertices) {
  const Surface ball = icosphere(0.01, 3);
  for (const bool keep : {false, true}) {
    TetgenOptions options;
    options.keep_boundary = keep;
    options.max_volume = signed_volume(ball) / 1000;
    const TetMesh mesh = tetgen(ball, options);
    EXPECT_TRUE(mesh.points.topRows(ball.points.rows()) == ball.points);
    EXPECT_NEAR(total_volume(mesh) / signed_volume(ball), 1, 1e-9);
    EXPECT_GT(quality_of(mesh).min_volume, 0);
    for (const auto& t : mesh.tetrahedra) EXPECT_LE(tet_volume(mesh.points, t), *options.max_volume * (1 + 1e-9));
    if (keep) {
      EXPECT_EQ(boundary_of(mesh).surface.triangles.size(), ball.triangles.size());
    }
  }
}

TEST(Tetgen, AddsNoVerticesUnlessItIsToRefine) {
  const Surface ball = icosphere(1, 4);
  TetgenOptions options;
  options.refine = false;
  const TetMesh plain = tetgen(ball, options);
  EXPECT_TRUE(plain.points == ball.points);
  EXPECT_NEAR(total_volume(plain) / signed_volume(ball), 1, 1e-9);
  const double vertices = static_cast<double>(ball.points.rows());
  EXPECT_GT(static_cast<double>(plain.tetrahedra.size()), 2.5 * vertices);
  EXPECT_LT(static_cast<double>(plain.tetrahedra.size()), 4 * vertices);
  EXPECT_GT(tetgen(ball).points.rows(), plain.points.rows());
  // A largest volume is kept all the same, but for a few tets in ten thousand, which refining would have caught.
  options.max_volume = signed_volume(ball) / 20000;
  const TetMesh fine = tetgen(ball, options);
  EXPECT_GT(fine.points.rows(), plain.points.rows());
  std::size_t larger = 0;
  for (const auto& t : fine.tetrahedra) {
    EXPECT_LE(tet_volume(fine.points, t), 1.5 * *options.max_volume);
    larger += tet_volume(fine.points, t) > *options.max_volume;
  }
  EXPECT_LE(larger, fine.tetrahedra.size() / 1000);
}

TEST(Tetgen, GivesTheSameTetsEachTime) {
  const TetMesh a = tetgen(icosphere(1, 2)), b = tetgen(icosphere(1, 2));
  EXPECT_EQ(a.tetrahedra, b.tetrahedra);
  EXPECT_TRUE(a.points == b.points);
}

TEST(Tetgen, RefusesItsOptions) {
  TetgenOptions options;
  options.quality = 0.5;
  expect_says(refusal(options), "[1.1, 10]");
  options = {};
  options.max_volume = -1;
  expect_says(refusal(options), "must be positive");
}

TEST(TetgenWorker, CrashesAreNamed) {
  {
    const FakeWorker fake("kill -SEGV $$");
    expect_says(refusal(), "ball.obj: TetGen gave up on this surface (signal 11)");
  }
  {
    const FakeWorker fake("cat > /dev/null; echo two facets meet >&2; kill -ABRT $$");
    expect_says(refusal(), "(signal 6) (it said: 'two facets meet')");
  }
  const FakeWorker fake("exit 7");
  expect_says(refusal(), "status 7");
}

TEST(TetgenWorker, ARealCrashIsNamedToo) {
  // Two cubes through each other: TetGen 1.5 ends in a segmentation fault.
  const Surface crossing = together(cube_surface(), cube_surface(1, Eigen::RowVector3d(0.5, 0.45, 0.4)));
  expect_says(message_of<MeshError>([&] { tetgen(crossing); }), "TetGen");
}

TEST(TetgenWorker, HangsAreCutShort) {
  for (const char* script : {"exec sleep 1000", "sleep 1000", "exec 1>&-; sleep 1000", "while :; do echo; done"}) {
    const FakeWorker fake(script);
    TetgenOptions options;
    options.wall_seconds = 0.3;
    const auto start = std::chrono::steady_clock::now();
    expect_says(refusal(options), "was stopped");
    EXPECT_LT(seconds_since(start), 2) << script;
  }
}

TEST(TetgenWorker, WorkWithoutEndIsCutShort) {
  const FakeWorker fake("while :; do :; done");
  TetgenOptions options;
  options.work_seconds = 1;
  expect_says(refusal(options), "TetGen needed more than 1 s of processor time and was stopped");
}

TEST(TetgenWorker, TheClockDoesNotDecideWhatABodyIs) {
  // As on a machine that is busy with other things: the worker gets no processor for longer than it may use one.
  const Surface ball = icosphere(1, 3);
  const Solid quick = solidify(ball);
  const std::string worker = tetgen_worker().string();
  const FakeWorker fake("sleep 6; exec " + worker);
  const Solid slow = solidify(ball);
  EXPECT_EQ(slow.notes, quick.notes);
  EXPECT_TRUE(slow.tets.points == quick.tets.points);
  EXPECT_EQ(slow.tets.tetrahedra, quick.tets.tetrahedra);
}

TEST(TetgenWorker, NoLatticeComesOfImpatience) {
  SolidOptions options;
  options.name = "ball.obj";
  options.wall_seconds = 0.3;
  const auto refused = [&] { return message_of<TetgenInterrupted>([&] { solidify(icosphere(1, 2), options); }); };
  {
    const FakeWorker fake("exec sleep 1000");
    expect_says(refused(), "ball.obj: TetGen had not ended after");
  }
  options.wall_seconds = 100;
  {
    const FakeWorker fake("kill -KILL $$");
    expect_says(refused(), "ball.obj: TetGen was killed from outside");
  }
}

TEST(TetgenWorker, BrokenAnswersAreNamed) {
  for (const char* script : {"cat > /dev/null", "cat > /dev/null; echo nonsense", "printf 'RBTGANS1\\1\\0\\0'"}) {
    const FakeWorker fake(script);
    expect_says(refusal(), "cut short or broken");
  }
  // A header that promises far more than follows must not take the memory for it.
  const FakeWorker fake(
      "cat > /dev/null; printf 'RBTGANS1\\377\\377\\377\\377\\377\\377\\0\\0\\1\\0\\0\\0\\0\\0\\0\\0'");
  expect_says(refusal(), "cut short or broken");
}

TEST(TetgenWorker, NoTetsAreNamed) {
  const FakeWorker fake(
      "cat > /dev/null; printf 'RBTGANS1\\242\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0'; head -c 3888 /dev/zero; "
      "printf RBTGEND1");
  expect_says(refusal(), "found nothing to fill");
}

TEST(TetgenWorker, AMissingOneIsNamed) {
  setenv("REBOUND_TETGEN", "/nowhere/rebound-tetgen", 1);
  expect_says(refusal(), "could not be started");
  unsetenv("REBOUND_TETGEN");
  EXPECT_NO_THROW(tetgen_worker());
}

TEST(TetgenWorker, CancellingKillsItAndItsChildren) {
  const FakeWorker fake("sleep 1.5 && touch $(dirname $0)/survived");
  std::atomic<bool> cancel{false};
  Progress progress{[&](const std::string&, double) { cancel = true; }, &cancel};
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(tetgen(icosphere(1, 2), {}, progress), Cancelled);
  EXPECT_LT(seconds_since(start), 0.5);
  std::this_thread::sleep_for(std::chrono::milliseconds(1800));
  EXPECT_FALSE(std::filesystem::exists(fake.folder() / "survived"));
}

TEST(TetgenWorker, AFailureFallsBackToALattice) {
  const FakeWorker fake("kill -SEGV $$");
  const Solid solid = solidify(icosphere(1, 2));
  EXPECT_GT(quality_of(solid.tets).min_volume, 0);
  expect_says(solid.notes.back(), "TetGen gave up on this surface (signal 11): simulated as a lattice");
  SolidOptions options;
  options.method = SolidMethod::tetgen;
  EXPECT_THROW(solidify(icosphere(1, 2), options), MeshError);
}

}  // namespace
}  // namespace rebound::mesh
