#include "session/journal.hpp"

#include <xxhash.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mesh/atomic_file.hpp"
#include "scene/files.hpp"
#include "scene/parse.hpp"
#include "session/command_text.hpp"
#include "session/journal_format.hpp"
#include "sim/base/memory_reserve.hpp"

namespace rebound::session {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(Json json) {
  std::string line = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const sim::CleanUp clean_up;
  json = nullptr;
  return line;
}

std::uint64_t of_points(const sim::Points& points, std::uint64_t seed) {
  return XXH3_64bits_withSeed(points.data(), sizeof(double) * static_cast<std::size_t>(points.size()), seed);
}

}  // namespace

std::uint64_t checksum(const Session& session) {
  const double H = session.record().measured.total();
  const std::uint64_t x = of_points(session.state().x, 0), v = of_points(session.state().v, x);
  return XXH3_64bits_withSeed(&H, sizeof H, v);
}

std::vector<std::uint64_t> checksums(const Ensemble& ensemble) {
  std::vector<std::uint64_t> sums;
  for (const Pane& pane : ensemble.panes()) sums.push_back(checksum(*pane.session));
  return sums;
}

std::string hexadecimal(std::uint64_t number) {
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, number >>= 4) text[static_cast<std::size_t>(i)] = "0123456789abcdef"[number & 15];
  return text;
}

const char* instructions_of_this_machine() {
  switch (sim::instruction_set()) {
    case sim::InstructionSet::avx512:
      return "avx512";
    case sim::InstructionSet::avx2:
      return "avx2";
    case sim::InstructionSet::baseline:
      break;
  }
  return "baseline";
}

MeshFile mesh_file(const std::filesystem::path& file) {
  const std::string bytes = scene::read_text(file, kLargestMeshFile);
  return {bytes.size(), hexadecimal(XXH3_64bits(bytes.data(), bytes.size()))};
}

// ---- writing ----
//
// JSON that is let go of wants memory, so each line begins by seeing that there is some.

std::string header_line(const scene::Description& scene, const std::filesystem::path& folder) {
  const sim::MemoryReserve reserve;
  Json header{{"rebound-run", kRunFormat}, {"instructions", instructions_of_this_machine()}};
  header["meshes"] = Json::array();
  for (const scene::Body& body : scene.bodies)
    if (const auto* mesh = std::get_if<scene::FileMesh>(&body.mesh)) {
      const MeshFile file = mesh_file(mesh->file);
      header["meshes"].push_back({{"body", &body - scene.bodies.data()}, {"size", file.size}, {"xxh3", file.hash}});
    }
  header["scene"] = scene::to_json(scene, folder);
  return line_of(std::move(header));
}

std::string entry_line(const Entry& entry) {
  const sim::MemoryReserve reserve;
  Json line{{"frame", entry.frame}};
  write_event(entry.event, line);
  return line_of(std::move(line));
}

std::string failure_line(const Failure& failure) {
  const sim::MemoryReserve reserve;
  return line_of({{"frame", failure.frame}, {"pane", failure.pane}, {"failed", failure.what}});
}

std::string frame_line(std::int64_t frame, std::span<const std::uint64_t> sums) {
  const sim::MemoryReserve reserve;
  Json line{{"frame", frame}, {"sums", Json::array()}};
  for (const std::uint64_t sum : sums) line["sums"].push_back(hexadecimal(sum));
  return line_of(std::move(line));
}

std::string end_line(std::int64_t frame) {
  const sim::MemoryReserve reserve;
  return line_of({{"frame", frame}, {"end", true}});
}

void Journal::write(const std::filesystem::path& file) const {
  std::error_code ignored;
  std::string text = header_line(scene_, std::filesystem::absolute(file, ignored).parent_path());
  auto entry = entries_.begin();
  auto failure = failures_.begin();
  for (std::int64_t frame = 0; frame <= last(); ++frame) {
    for (; failure != failures_.end() && failure->frame == frame; ++failure) text += failure_line(*failure);
    text += frame_line(frame, sums(frame));
    for (; entry != entries_.end() && entry->frame == frame; ++entry) text += entry_line(*entry);
  }
  write_file_atomically(file, text + end_line(last()));
}

// ---- keeping ----

std::span<const std::uint64_t> Journal::sums(std::int64_t frame) const {
  const auto i = static_cast<std::size_t>(frame);
  const std::size_t begin = i > 0 ? ends_[i - 1] : 0;
  return std::span(sums_).subspan(begin, ends_[i] - begin);
}

void Journal::add_sums(std::span<const std::uint64_t> sums) {
  sums_.insert(sums_.end(), sums.begin(), sums.end());
  ends_.push_back(sums_.size());
}

// A hand that is nowhere does not move, and cannot be written.
void Journal::add(std::int64_t frame, const Event& event) {
  const auto* addressed = std::get_if<Addressed>(&event);
  const auto* move = addressed != nullptr ? std::get_if<MoveGrab>(&addressed->command) : nullptr;
  if (move == nullptr || move->target.allFinite()) entries_.push_back({frame, event});
}

void Journal::make_room() {
  if (entries_.size() == entries_.capacity()) entries_.reserve(2 * entries_.size() + 1);
}

void Journal::add_frame(const Ensemble& ensemble) {
  for (const Pane& pane : ensemble.panes()) {
    const std::string& what = pane.session->failure();
    const auto of_pane = [&](const Failure& failure) { return failure.pane == pane.id && failure.what == what; };
    if (!what.empty() && std::none_of(failures_.begin(), failures_.end(), of_pane))
      failures_.push_back({ensemble.frame(), pane.id, what});
  }
  add_sums(checksums(ensemble));
}

void Journal::truncate(std::int64_t frame) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.frame >= frame; });
  std::erase_if(failures_, [&](const Failure& failure) { return failure.frame > frame; });
  if (frame >= last()) return;
  ends_.resize(static_cast<std::size_t>(frame + 1));
  sums_.resize(ends_.back());
}

void Journal::go_back_to(const Mark& mark) {
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(mark.entries), entries_.end());
  failures_.erase(failures_.begin() + static_cast<std::ptrdiff_t>(mark.failures), failures_.end());
  ends_.resize(mark.frames);
  sums_.resize(ends_.empty() ? 0 : ends_.back());
}

std::string divergence(const Journal& journal, const Ensemble& ensemble) {
  const std::int64_t frame = ensemble.frame();
  const auto panes = ensemble.panes();
  const std::string place = "frame " + std::to_string(frame);
  for (const Failure& failure : journal.failures()) {
    const Session* pane = failure.frame == frame ? ensemble.find(failure.pane) : nullptr;
    if (pane != nullptr && pane->failure().empty())
      return place + ", pane " + std::to_string(failure.pane) + ": did not fail as in the recording (" + failure.what +
             ")";
  }
  const auto recorded = journal.sums(frame);
  if (recorded.size() != panes.size())
    return place + ": " + std::to_string(panes.size()) + " panes, and " + std::to_string(recorded.size()) +
           " in the recording";
  for (std::size_t i = 0; i < panes.size(); ++i) {
    const std::uint64_t sum = checksum(*panes[i].session);
    if (sum != recorded[i])
      return place + ", pane " + std::to_string(panes[i].id) + ": differs from the recording (checksum " +
             hexadecimal(sum) + ", recorded " + hexadecimal(recorded[i]) + ")";
  }
  return {};
}

}  // namespace rebound::session
