// A run, whatever it is: read whole or refused in one line; and what is read, if its world is small, is done: every
// event of its first frames.
#include <cmath>

#include "mesh/error.hpp"
#include "scratch_file.hpp"
#include "session/ensemble.hpp"
#include "session/journal.hpp"

namespace {

using namespace rebound;

// So that a run takes milliseconds.
constexpr int kMostCells = 64, kMostFrames = 6;
constexpr std::size_t kMostEvents = 40;

bool is_small(const scene::Description& scene) {
  if (scene.bodies.size() > 3 || scene.obstacles.size() > 8 || scene.substeps > 4 || !scene.energy.empty())
    return false;
  for (const auto& body : scene.bodies) {
    const auto* box = std::get_if<scene::BoxMesh>(&body.mesh);
    if (box == nullptr || box->divisions[0] * box->divisions[1] * box->divisions[2] > kMostCells) return false;
  }
  return true;
}

void replay(const session::Journal& journal) {
  session::Ensemble ensemble(std::make_unique<session::Session>(scene::load_world(journal.scene()), 1));
  std::size_t next = 0;
  for (int frame = 0; frame < kMostFrames; ++frame) {
    const auto& entries = journal.entries();
    for (; next < std::min(entries.size(), kMostEvents) && entries[next].frame <= ensemble.frame(); ++next) {
      const auto* addressed = std::get_if<session::Addressed>(&entries[next].event);
      // A cloth of a million steps a frame is no fault of the reader.
      if (addressed != nullptr && std::holds_alternative<session::SetSubsteps>(addressed->command)) continue;
      try {
        ensemble.apply(entries[next].event);
      } catch (const InputError&) {
        // Refused: nothing is changed.
      }
    }
    if (!ensemble.step()) return;
    for (const auto& pane : ensemble.panes())
      if (!pane.session->state().finite()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::ScratchFile file(".jsonl", {data, size});
  try {
    const session::Journal journal = session::Journal::read(file.path());
    if (is_small(journal.scene())) replay(journal);
  } catch (const InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
