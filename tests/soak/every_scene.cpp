// Every built-in scene under `rebound`, at a tenth of its stiffness, as it is, and at ten times: no frame fails,
// nothing runs away, every state is finite.
//   soak_every_scene [--frames N] [--seconds S] [--only NAME]
//
// S bounds the time of one world, since some take seconds a frame; what was cut is said.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "arguments.hpp"
#include "mesh/error.hpp"
#include "scene/material.hpp"
#include "scene/parse.hpp"
#include "session/session.hpp"

namespace {

using namespace rebound;

constexpr std::array kFactors{0.1, 1.0, 10.0};

scene::Description with_stiffness(scene::Description d, double factor) {
  d.integrator.type = "rebound";
  scene::scale_stiffness(d, factor);
  return d;
}

std::vector<std::filesystem::path> built_in_scenes() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(REBOUND_SOURCE_DIR) / "assets/scenes"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

struct Outcome {
  int frames = 0;
  double most = 0;  ///< times its target that the energy ever was
  std::string fault;
};

Outcome simulate(const scene::Description& description, int frames, double seconds) {
  Outcome outcome;
  const soak::Stopwatch watch;
  session::Session session(scene::load_world(description), 1);
  while (outcome.frames < frames && watch.seconds() < seconds) {
    if (!session.step()) {
      outcome.fault = session.failure();
      break;
    }
    ++outcome.frames;
    outcome.most = std::max(outcome.most, session.record().times_its_target());
    if (!session.state().finite()) outcome.fault = "a state that is not finite";
    if (outcome.most > session::kRunsAway) outcome.fault = "the energy runs away";
    if (!outcome.fault.empty()) break;
  }
  return outcome;
}

}  // namespace

int main(int argc, char** argv) {
  soak::Arguments arguments(argc, argv);
  const int frames = arguments.number("--frames", 300), seconds = arguments.number("--seconds", 20);
  const std::string only = arguments.text("--only", "");
  if (!arguments.are_used_up()) return 2;
  int faults = 0, worlds = 0, cut = 0;
  for (const auto& file : built_in_scenes()) {
    const std::string name = file.stem().string();
    if (!only.empty() && name != only) continue;
    const scene::Description as_it_is = scene::read_scene(file);
    for (const double factor : kFactors) {
      const soak::Stopwatch watch;
      Outcome outcome;
      try {
        outcome = simulate(with_stiffness(as_it_is, factor), frames, seconds);
      } catch (const InputError& refused) {
        std::printf("%s, stiffness times %g, is refused: %s\n", name.c_str(), factor, refused.what());
        continue;
      }
      ++worlds;
      faults += !outcome.fault.empty();
      cut += outcome.fault.empty() && outcome.frames < frames;
      std::printf("%s%s, stiffness times %g: %d frames, %.1f ms each, energy at most %.3g times its target%s%s\n",
                  outcome.fault.empty() ? "" : "FAULT: ", name.c_str(), factor, outcome.frames,
                  1e3 * watch.seconds() / std::max(1, outcome.frames), outcome.most, outcome.fault.empty() ? "" : ": ",
                  outcome.fault.c_str());
      std::fflush(stdout);
    }
  }
  std::printf("%d worlds, %d with a fault, %d cut at %d s\n", worlds, faults, cut, seconds);
  return faults == 0 && worlds > 0 ? 0 : 1;
}
