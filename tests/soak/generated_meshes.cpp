// Meshes of every odd kind, each simulated for some frames or refused by name:
//   soak_generated_meshes --each N [--frames F] [--first SEED]
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <map>

#include "arguments.hpp"
#include "mesh/error.hpp"
#include "mesh/obj.hpp"
#include "mesh/surfaces.hpp"
#include "session/session.hpp"

namespace {

using namespace rebound;

struct Outcome {
  int simulated = 0, refused = 0;
  double seconds = 0, longest = 0;  ///< of processors: how busy the machine is does not count
  std::string refusal;              ///< the latest
};

/// What this process and TetGen's, which it has waited for, have taken of processors.
double processor_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval& t : {used.ru_utime, used.ru_stime})
      sum += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  }
  return sum;
}

// One in so many has the number of tetrahedra that a mesh gets unasked; the others fewer, so that there can be
// more of them.
constexpr int kOneAsUsual = 16;
constexpr int kFewer = 1500;

scene::Description world_with(const std::filesystem::path& file, bool as_usual) {
  scene::Description scene;
  scene::Body body;
  body.mesh = scene::FileMesh{file, {}};
  body.autoScale = true;
  if (!as_usual) body.mesh.emplace<scene::FileMesh>(scene::FileMesh{file, {.tets = kFewer}});
  scene.bodies.push_back(body);
  scene::Obstacle floor;
  floor.shape = scene::PlaneShape{{0, 1, 0}, -0.6};
  scene.obstacles.push_back(floor);
  return scene;
}

/// Empty if all is well, else what is not.
std::string simulate(const std::filesystem::path& file, bool as_usual, int frames, Outcome& outcome) {
  try {
    session::Session session(scene::load_world(world_with(file, as_usual)), 1);
    for (int frame = 0; frame < frames; ++frame) {
      if (!session.step()) {
        if (frame > 0) return session.failure();
        // A matrix that cannot be factored shows when it is first wanted.
        outcome.refusal = session.failure();
        ++outcome.refused;
        return outcome.refusal.empty() ? "refused without a word" : "";
      }
      if (!session.state().finite() || !std::isfinite(session.record().measured.total())) return "not finite";
    }
    ++outcome.simulated;
  } catch (const InputError& error) {
    outcome.refusal = error.what();
    ++outcome.refused;
    if (outcome.refusal.empty() || outcome.refusal.find('\n') != std::string::npos)
      return "refused, but not in one line";
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  soak::Arguments arguments(argc, argv);
  const int each = arguments.number("--each", 4), frames = arguments.number("--frames", 100),
            first = arguments.number("--first", 1);
  if (!arguments.are_used_up()) return 2;
  const mesh::TemporaryFolder folder;
  int faults = 0, slow = 0;
  for (int kind = 0; kind < mesh::kOddKinds; ++kind) {
    Outcome outcome;
    for (int seed = first; seed < first + each; ++seed) {
      const auto file = folder.path() / (mesh::odd_name(kind) + "-" + std::to_string(seed) + ".obj");
      mesh::write_obj(file, mesh::odd_surface(kind, static_cast<std::uint64_t>(seed)));
      const double began = processor_seconds();
      const std::string fault = simulate(file, seed % kOneAsUsual == 1, frames, outcome);
      const double seconds = processor_seconds() - began;
      outcome.seconds += seconds;
      outcome.longest = std::max(outcome.longest, seconds);
      std::filesystem::remove(file);
      if (fault.empty()) continue;
      ++faults;
      std::printf("FAULT: %s, seed %d: %s\n", mesh::odd_name(kind).c_str(), seed, fault.c_str());
    }
    slow += outcome.longest > 60;
    std::printf("%-28s %4d simulated, %4d refused, %6.1f CPU s, the longest %.1f s%s%s\n", mesh::odd_name(kind).c_str(),
                outcome.simulated, outcome.refused, outcome.seconds, outcome.longest, outcome.refused > 0 ? "; " : "",
                outcome.refusal.substr(0, 100).c_str());
    std::fflush(stdout);
  }
  std::printf("%d meshes, %d faults, %d kinds with one above a minute\n", each * mesh::kOddKinds, faults, slow);
  return faults == 0 && slow == 0 ? 0 : 1;
}
