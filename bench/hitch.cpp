// What a user feels: the longest wait between two frames after each thing that they can do, on a body whose session
// runs as the window runs it: a hanging block of 158,720 tetrahedra (33 x 33 x 32 vertices), or the body of `rebound
// bench` that is named, on two threads or as many as are said.
//   rebound_bench_hitch [BODY [THREADS]]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "bench/bodies.hpp"
#include "scene/build.hpp"
#include "session/runner.hpp"

namespace rebound::session {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr auto kWatch = std::chrono::milliseconds(2500);
constexpr auto kDrag = std::chrono::milliseconds(10000);  // 300 frames of 33 ms
constexpr auto kLook = std::chrono::microseconds(500);
constexpr auto kMouse = std::chrono::milliseconds(8);

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
    look_on(what, kWatch, [] {});
  }

  /// Drags the hand in a circle, as often as a mouse tells where it is.
  void while_dragged(const char* what, std::chrono::milliseconds time, const sim::Vec3& middle) {
    runner_.take_records();
    const auto start = Clock::now();
    auto moved = start;
    look_on(what, time, [&] {
      if (Clock::now() - moved < kMouse) return;
      moved = Clock::now();
      const double angle = 6 * std::chrono::duration<double>(moved - start).count();
      runner_.post(MoveGrab{middle + sim::Vec3(0.4 * std::cos(angle), 0.4 * std::sin(angle), 0.2)});
    });
  }

  const scene::Description& description() const { return snapshot_.description; }

 private:
  template <class Meanwhile>
  void look_on(const char* what, std::chrono::milliseconds time, const Meanwhile& meanwhile) {
    const auto start = Clock::now();
    auto last = start;
    double longest_gap = 0, prepared = 0;
    while (Clock::now() - start < time) {
      std::this_thread::sleep_for(kLook);
      meanwhile();
      if (!runner_.latest(serial_, snapshot_)) continue;
      if (!snapshot_.preparing.empty()) prepared = Milliseconds(Clock::now() - start).count();
      if (snapshot_.record.frame == frame_) continue;
      frame_ = snapshot_.record.frame;
      const auto now = Clock::now();
      longest_gap = std::max(longest_gap, Milliseconds(now - last).count());
      last = now;
    }
    std::vector<double> steps;
    int iterations = 0;
    for (const FrameRecord& record : runner_.take_records()) {
      steps.push_back(record.step_ms);
      iterations += record.iterations;
    }
    const double iterations_a_frame = steps.empty() ? 0 : iterations / static_cast<double>(steps.size());
    std::sort(steps.begin(), steps.end());
    for (const std::string& refusal : runner_.take_refusals()) std::printf("refused: %s\n", refusal.c_str());
    if (steps.empty()) steps.push_back(0);
    const auto over = std::count_if(steps.begin(), steps.end(), [&](double ms) { return ms > 33; });
    std::printf("%-28s %8zu %12.1f %12.1f %12.1f %12td %12.1f %12.0f\n", what, steps.size(), steps[steps.size() / 2],
                steps.back(), longest_gap, over, iterations_a_frame, prepared);
    std::fflush(stdout);
  }

  Runner& runner_;
  std::uint64_t serial_ = 0;
  std::int64_t frame_ = 0;
  Snapshot snapshot_;
};

scene::World world_of(const char* body) {
  if (body == nullptr) return scene::load_world(hanging_box());
  for (const bench::BodyInfo& info : bench::bodies())
    if (info.name == body) return bench::swinging_world(info, {});
  throw std::runtime_error(std::string("no body is called ") + body);
}

void watch_everything(const char* body, int threads) {
  scene::World world = world_of(body);
  const auto opening = Clock::now();
  auto session = std::make_unique<Session>(std::move(world), threads);
  std::printf("opened in %.0f ms, h^2 k/m = %.3g\n", Milliseconds(Clock::now() - opening).count(),
              session->stiffness_number());
  Runner runner(std::move(session), false);
  Watch watch(runner);
  std::printf("%-28s %8s %12s %12s %12s %12s %12s %12s\n", "", "frames", "median step", "longest step", "longest gap",
              "over budget", "iterations", "prepared in");
  watch.after("first frames", {});
  watch.after("run", {});
  const SurfacePoint corner = nearest(runner, {0.5, -0.5, 0.5});
  watch.after("grab", {Grab{corner, {0.6, -0.6, 0.6}, 1}});
  watch.after("move", {MoveGrab{{0.9, -0.3, 0.5}}});
  watch.while_dragged("dragged in circles", kDrag, {0.6, -0.6, 0.6});
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

int main(int count, char** arguments) {
  rebound::session::watch_everything(count > 1 ? arguments[1] : nullptr, count > 2 ? std::atoi(arguments[2]) : 2);
}
