#include "mesh/tetgen.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "mesh/child_process.hpp"
#include "mesh/geometry.hpp"
#include "mesh/tetgen_protocol.hpp"
#include "mesh/text.hpp"

namespace rebound::mesh {
namespace {

constexpr const char* kWorker = "rebound-tetgen";
constexpr std::size_t kMostOutput = std::size_t{1} << 30;

template <typename T>
void append(std::string& bytes, const T* values, std::size_t count) {
  if (count > 0) bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

std::string switches_of(const TetgenOptions& options) {
  std::string switches = "pQ";
  if (options.refine) {
    switches += 'q';
    append_number(switches, options.quality);
    switches += '/';
    append_number(switches, options.min_dihedral);
  }
  if (options.max_volume) {
    // TetGen reads no exponents.
    char volume[400];
    std::snprintf(volume, sizeof volume, "%.40f", *options.max_volume);
    for (char& c : volume)
      if (c == ',') c = '.';
    (switches += 'a') += volume;
  }
  if (options.keep_boundary) switches += 'Y';
  return switches;
}

std::string request_of(const Surface& surface, const TetgenOptions& options) {
  const std::string switches = switches_of(options);
  protocol::Request request;
  request.switches = switches.size();
  request.vertices = static_cast<std::uint64_t>(surface.points.rows());
  request.triangles = surface.triangles.size();
  std::string bytes;
  append(bytes, &request, 1);
  bytes += switches;
  append(bytes, surface.points.data(), static_cast<std::size_t>(surface.points.size()));
  append(bytes, surface.triangles.data(), surface.triangles.size());
  return bytes;
}

/// Only printable characters of the first line, so that the message stays one line.
std::string first_line(const std::string& complaint) {
  const std::string line = complaint.substr(0, complaint.find('\n'));
  return line.empty() ? "" : " (it said: " + in_quotes(line) + ")";
}

[[noreturn]] void refuse(const TetgenOptions& options, const ChildOutcome& outcome) {
  using Kind = ChildOutcome::Kind;
  const std::string who = options.name + ": TetGen ";
  const std::string remedy = "; use the lattice method, or mend the surface";
  const std::string said = first_line(outcome.complaint);
  switch (outcome.kind) {
    case Kind::not_started:
      throw MeshError(options.name + ": the TetGen worker could not be started: " + std::strerror(outcome.code) +
                      "; reinstall Rebound or use the lattice method");
    case Kind::out_of_work:
      throw MeshError(who + "needed more than " + std::to_string(options.work_seconds) +
                      " s of processor time and was stopped; ask for larger tets, or use the lattice method");
    case Kind::out_of_patience:
      throw TetgenInterrupted(
          who + "had not ended after " + std::to_string(std::lround(options.wall_seconds)) +
          " s and was stopped; try again when the machine has less to do, or use the lattice method");
    case Kind::answered_too_much:
      throw MeshError(who + "answered with more than 1 GiB and was stopped; ask for larger tets");
    case Kind::killed_by_signal:
      if (outcome.code == SIGKILL)
        throw TetgenInterrupted(who +
                                "was killed from outside (for want of memory?); try again, or use the lattice method");
      throw MeshError(who + "gave up on this surface (signal " + std::to_string(outcome.code) + ")" + said + remedy);
    case Kind::exited:
      break;
  }
  if (outcome.code == protocol::kExitOutOfMemory) throw MeshError(who + "needed more than 4 GiB; ask for larger tets");
  throw MeshError(who + "refused this surface (status " + std::to_string(outcome.code) + ")" + said + remedy);
}

/// Takes values off the front of an answer.
class AnswerReader {
 public:
  explicit AnswerReader(const std::string& bytes) : rest_(bytes) {}

  template <typename T>
  bool take(T* values, std::uint64_t count) {
    if (count > rest_.size() / sizeof(T)) return false;
    if (count == 0) return true;
    std::memcpy(values, rest_.data(), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
    return true;
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

/// False when the answer is cut short or makes no sense.
bool read_answer(const std::string& bytes, TetMesh& mesh) {
  AnswerReader reader(bytes);
  protocol::Answer answer;
  if (!reader.take(&answer, 1) || answer.magic != protocol::kAnswerMagic) return false;
  if (answer.vertices > reader.left() / 24 || answer.tetrahedra > reader.left() / 16) return false;
  mesh.points.resize(static_cast<Eigen::Index>(answer.vertices), 3);
  mesh.tetrahedra.resize(answer.tetrahedra);
  std::uint64_t end = 0;
  if (!reader.take(mesh.points.data(), 3 * answer.vertices) ||
      !reader.take(mesh.tetrahedra.data(), answer.tetrahedra) || !reader.take(&end, 1) || end != protocol::kEndMagic)
    return false;
  if (!mesh.points.allFinite()) return false;
  for (const Tetrahedron& tet : mesh.tetrahedra)
    for (const int v : tet)
      if (v < 0 || v >= mesh.points.rows()) return false;
  return true;
}

}  // namespace

std::filesystem::path tetgen_worker() {
  if (const char* named = std::getenv("REBOUND_TETGEN"); named && *named) return named;
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto folder = self.parent_path();
  for (const auto& candidate :
       {folder / kWorker, folder.parent_path() / kWorker, folder.parent_path() / "libexec" / "rebound" / kWorker})
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  throw MeshError(std::string("the TetGen worker '") + kWorker + "' is neither in " + folder.string() + " nor in " +
                  folder.parent_path().string() +
                  " nor in its libexec/rebound; reinstall Rebound, set REBOUND_TETGEN, " + "or use the lattice method");
}

TetMesh tetgen(const Surface& surface, const TetgenOptions& options, const Progress& progress) {
  if (!(options.quality >= 1.1 && options.quality <= 10))
    throw MeshError(options.name + ": a quality of " + std::to_string(options.quality) + " must lie in [1.1, 10]");
  if (options.max_volume && !(*options.max_volume > 0))
    throw MeshError(options.name + ": the largest volume of a tet must be positive");
  progress.step("filling with TetGen", 0);

  // TetGen's tolerances and its reading of volumes suit bodies of about one metre.
  const Eigen::AlignedBox3d box = bounding_box(surface);
  const Eigen::RowVector3d middle = box.center().transpose();
  const double scale = box.sizes().maxCoeff();
  Surface unit = surface;
  unit.points = (surface.points.rowwise() - middle) / scale;
  TetgenOptions unit_options = options;
  if (options.max_volume) unit_options.max_volume = *options.max_volume / (scale * scale * scale);

  const ChildOutcome outcome =
      run_child(tetgen_worker(), request_of(unit, unit_options),
                {options.work_seconds, options.wall_seconds, kMostOutput}, progress, "filling with TetGen");
  if (outcome.kind != ChildOutcome::Kind::exited || outcome.code != protocol::kExitOk) refuse(options, outcome);
  TetMesh mesh;
  if (!read_answer(outcome.output, mesh) || mesh.points.rows() < surface.points.rows())
    throw MeshError(options.name + ": TetGen's answer of " + count_of(std::ssize(outcome.output), "byte") +
                    " is cut short or broken; try again, or use the lattice method");
  if (mesh.tetrahedra.empty())
    throw MeshError(options.name + ": TetGen found nothing to fill; close the surface, or use the lattice method");
  mesh.points = (mesh.points * scale).rowwise() + middle;
  mesh.points.topRows(surface.points.rows()) = surface.points;  // to the last bit
  for (Tetrahedron& tet : mesh.tetrahedra)
    if (tet_volume(mesh.points, tet) < 0) std::swap(tet[2], tet[3]);
  return mesh;
}

}  // namespace rebound::mesh
