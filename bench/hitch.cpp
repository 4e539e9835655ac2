// What a user feels: the longest wait between two frames after each thing that they can do, on a body of 158,720
// tetrahedra (33 x 33 x 32 vertices) whose session runs as the window runs it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "scene/build.hpp"
#include "session/runner.hpp"

namespace rebound::session {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr auto kWatch = std::chrono::milliseconds(2500);
constexpr auto kLook = std::chrono::microseconds(500);

scene::Description hanging_box() {
  scene::Description d;
  scene::Body body;
  body.name = "box";
  body.mesh = scene::BoxMesh{{1, 1, 1}, {32, 32, 31}, 5};
  body.material.young = 1e5;
  body.material.density = 1000;
  body.fixed = scene::BoxRegion{{-1, 0.499, -1}, {1, 1, 1}};
  d.bodies.push_back(body);
  return d;
}

SurfacePoint nearest(const Runner& runner, const sim::Vec3& place) {
  const auto& points = runner.bodies()[0].surface.points;
  Eigen::Index best = 0;
  (points.rowwise() - place.transpose()).rowwise().squaredNorm().minCoeff(&best);
  return {0, static_cast<int>(best)};
}

std::vector<SurfacePoint> below(const Runner& runner, double height) {
  const auto& points = runner.bodies()[0].surface.points;
  std::vector<SurfacePoint> result;
  for (Eigen::Index i = 0; i < points.rows(); ++i)
    if (points(i, 1) < height) result.push_back({0, static_cast<int>(i)});
  return result;
}

class Watch {
 public:
  explicit Watch(Runner& runner) : runner_(runner) {}

  /// Posts, looks on for a while, prints the line of that.
  void after(const char* what, const std::vector<Command>& commands) {
    runner_.take_records();
    for (const Command& command : commands) runner_.post(command);
    const auto start = Clock::now();
    auto last = start;
    double longest_gap = 0;
    while (Clock::now() - start < kWatch) {
      std::this_thread::sleep_for(kLook);
      if (!runner_.latest(snapshot_) || snapshot_.record.frame == frame_) continue;
      frame_ = snapshot_.record.frame;
      const auto now = Clock::now();
      longest_gap = std::max(longest_gap, Milliseconds(now - last).count());
      last = now;
    }
    std::vector<double> steps;
    for (const FrameRecord& record : runner_.take_records()) steps.push_back(record.step_ms);
    std::sort(steps.begin(), steps.end());
    for (const std::string& refusal : runner_.take_refusals()) std::printf("refused: %s\n", refusal.c_str());
    if (steps.empty()) steps.push_back(0);
    std::printf("%-28s %8zu %12.1f %12.1f %12.1f\n", what, steps.size(), steps[steps.size() / 2], steps.back(),
                longest_gap);
    std::fflush(stdout);
  }

  const scene::Description& description() const { return snapshot_.description; }

 private:
  Runner& runner_;
  std::int64_t frame_ = 0;
  Snapshot snapshot_;
};

void watch_everything() {
  const auto opening = Clock::now();
  auto session = std::make_unique<Session>(scene::load_world(hanging_box()), 2);
  std::printf("opened in %.0f ms, h^2 k/m = %.3g\n", Milliseconds(Clock::now() - opening).count(),
              session->stiffness_number());
  Runner runner(std::move(session), false);
  Watch watch(runner);
  std::printf("%-28s %8s %12s %12s %12s\n", "", "frames", "median step", "longest step", "longest gap");
  watch.after("first frames", {});
  watch.after("run", {});
  const SurfacePoint corner = nearest(runner, {0.5, -0.5, 0.5});
  watch.after("grab", {Grab{corner, {0.6, -0.6, 0.6}, 1}});
  watch.after("move", {MoveGrab{{0.9, -0.3, 0.5}}});
  watch.after("release", {Release{}});
  watch.after("pin one", {Pin{{nearest(runner, {-0.5, -0.5, 0.5})}}});
  std::vector<SurfacePoint> edge;
  for (int i = 0; i < 12; ++i) edge.push_back(nearest(runner, {-0.5, -0.5, 0.4 - i / 32.0}));
  watch.after("pin twelve", {Pin{edge}});
  watch.after("pin a box", {Pin{below(runner, -0.45)}});
  watch.after("unpin the box", {Unpin{below(runner, -0.45)}});
  scene::Material material = watch.description().bodies[0].material;
  material.young *= 10;
  watch.after("stiffness x 10", {SetMaterial{0, material}});
  material.density /= 2;
  watch.after("density / 2", {SetMaterial{0, material}});
  std::vector<Command> storm;
  for (int i = 0; i < 100; ++i) {
    material.young *= 0.98;
    storm.push_back(SetMaterial{0, material});
  }
  watch.after("100 stiffnesses", storm);
  watch.after("gravity", {SetGravity{{0, -5, 0}}});
  watch.after("time step / 2", {SetTimeStep{0.0165}});
  watch.after("backward Euler", {SetIntegrator{"backward-euler"}});
  watch.after("BDF2", {SetIntegrator{"bdf2"}});
  watch.after("stabilized", {SetIntegrator{"stabilized"}});
  watch.after("reset", {Reset{}});
}

}  // namespace
}  // namespace rebound::session

int main() { rebound::session::watch_everything(); }
