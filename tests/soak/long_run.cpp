// Many frames with obstacles, friction and damping: what the ledger says must add up to what the bodies have, the
// memory must not grow, and the last frames must take as long as the first.   soak_long_run --frames N
//
// The books: the target is H_0 + added - dissipated. Here each frame's share is summed again, cause by cause and with
// compensation, and held against it; the bound is a share of the throughput, which is all that ever went in or out.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "arguments.hpp"
#include "session/session.hpp"

namespace {

using namespace rebound;

constexpr double kIdentity = 1e-9;
constexpr double kMostGrowth = 1.0;  // MiB

double resident_mebibytes() {
  std::ifstream statm("/proc/self/statm");
  double all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// A cube that a paddle throws about on a rough floor between walls, for ever.
scene::Description world() {
  scene::Description d;
  scene::Body body;
  body.mesh = scene::BoxMesh{{0.5, 0.5, 0.5}, {2, 2, 2}, 5};
  body.material.young = 1e5;
  d.bodies.push_back(body);
  d.damping.coefficient = 0.01;
  const auto wall = [](scene::Vec3 normal, double offset) {
    scene::Obstacle plane;
    plane.shape = scene::PlaneShape{normal, offset};
    plane.stiffness = 2e4;
    plane.friction = 0.4;
    return plane;
  };
  d.obstacles = {wall({0, 1, 0}, -0.6), wall({1, 0, 0}, -1), wall({-1, 0, 0}, -1), wall({0, 0, 1}, -1),
                 wall({0, 0, -1}, -1)};
  return d;
}

/// Kahan's.
struct Sum {
  void add(double value) {
    const double y = value - lost, t = total + y;
    lost = (t - total) - y;
    total = t;
  }
  double total = 0, lost = 0;
};

double percentile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

int main(int argc, char** argv) {
  soak::Arguments arguments(argc, argv);
  const int frames = arguments.number("--frames", 20'000);
  if (!arguments.are_used_up() || frames < 2000) return 2;
  session::Session session(scene::load_world(world()), 1);
  const int part = std::max(500, frames / 24), warm_up = std::min(5000, frames / 4);
  // Of full size from the start: what they hold is not to count as growth.
  const auto size = static_cast<std::size_t>(part);
  std::vector<double> first(size), last(size);
  Sum added, dissipated;
  session::FrameRecord before = session.record();
  double throughput = 0, worst = 0, warm = 0;
  const soak::Stopwatch watch;
  for (int frame = 1; frame <= frames; ++frame) {
    // A push and a turn now and then, so that it never comes to rest.
    if (frame % 90 == 0)
      session.apply(session::SetGravity{{3 * std::sin(0.11 * frame), -9.81, 3 * std::cos(0.07 * frame)}});
    if (!session.step()) {
      std::printf("FAULT: %s\n", session.failure().c_str());
      return 1;
    }
    const session::FrameRecord& now = session.record();
    // Cause by cause, from the differences of a frame: what has moved through the books since the last one.
    double in = 0, out = 0;
    for (int c = 0; c < sim::kAddedCauses; ++c) in += now.added[c] - before.added[c];
    for (int c = 0; c < sim::kDissipatedCauses; ++c) out += now.dissipated[c] - before.dissipated[c];
    added.add(in);
    dissipated.add(out);
    throughput += std::abs(in) + std::abs(out);
    const double sums = now.initial + added.total - dissipated.total;
    worst = std::max(worst, std::abs(now.target - sums) / (std::abs(now.initial) + throughput));
    before = now;
    if (frame > warm_up && frame <= warm_up + part) first[static_cast<std::size_t>(frame - warm_up - 1)] = now.step_ms;
    if (frame > frames - part) last[static_cast<std::size_t>(frame - (frames - part) - 1)] = now.step_ms;
    if (frame == warm_up) warm = resident_mebibytes();
    if (frame % std::max(1, frames / 10) == 0) {
      std::printf(
          "frame %d of %d, %.0f s: H %.6g J, target %.6g J, throughput %.6g J, books off by %.2g of it, %.1f MiB\n",
          frame, frames, watch.seconds(), now.measured.total(), now.target, throughput, worst, resident_mebibytes());
      std::fflush(stdout);
    }
  }
  const double growth = resident_mebibytes() - warm;
  std::printf(
      "%d frames, %.0f s; books off by at most %.2g of %.6g J; memory grew by %.2f MiB after warm-up; p99 of a frame "
      "%.3f ms in the first part, %.3f ms in the last\n",
      frames, watch.seconds(), worst, throughput, growth, percentile(first, 0.99), percentile(last, 0.99));
  const bool holds = worst < kIdentity && growth < kMostGrowth && throughput > 0;
  if (!holds) std::printf("FAULT: the books, or the memory\n");
  return holds ? 0 : 1;
}
