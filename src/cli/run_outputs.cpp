#include "cli/run_outputs.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "film/ledger_plot.hpp"
#include "film/sheet.hpp"
#include "mesh/error.hpp"
#include "mesh/obj.hpp"
#include "session/tables.hpp"

namespace rebound::cli {
namespace {

/// NAME_BODY_FRAME.obj is the surface of a body at a frame; this is the beginning.
std::string mesh_name(const scene::Description& scene, std::size_t body) {
  std::string name = scene.bodies[body].name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  return (name.empty() ? "body" : name) + '_' + std::to_string(body) + '_';
}

}  // namespace

bool is_mesh_name(const scene::Description& scene, const std::string& file) {
  constexpr std::string_view kEnding = ".obj";
  if (!file.ends_with(kEnding)) return false;
  for (std::size_t body = 0; body < scene.bodies.size(); ++body) {
    const std::string begin = mesh_name(scene, body);
    if (!file.starts_with(begin) || file.size() <= begin.size() + kEnding.size()) continue;
    const std::string number = file.substr(begin.size(), file.size() - begin.size() - kEnding.size());
    if (number.find_first_not_of("0123456789") == std::string::npos) return true;
  }
  return false;
}

std::unique_ptr<session::OutputFile> opened(const std::string& file, const std::string& begin) {
  if (file.empty()) return nullptr;
  auto output = std::make_unique<session::OutputFile>(file);
  output->write(begin);
  return output;
}

RunOutputs::RunOutputs(const RunFiles& files, const scene::WorldView& world)
    : ledger_(opened(files.ledger, session::ledger_header())),
      states_(opened(files.states, session::states_header())),
      modes_(opened(files.modes, session::modes_header())),
      solves_(opened(files.solves, session::solves_header())),
      constraints_(opened(files.constraints, session::constraints_header())),
      mode_count_(files.mode_count),
      plot_name_(files.plot),
      mesh_folder_(files.meshes) {
  if (!files.plot.empty()) film::require_plot_name(files.plot);
  plot_ = opened(files.plot);
  if (!files.motion.empty()) motion_ = std::make_unique<film::MotionFile>(files.motion, world);
  if (mesh_folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(mesh_folder_, error);
  if (error) throw InputError(files.meshes + ": the folder cannot be made (" + error.message() + ")");
}

void RunOutputs::frame(const session::Session& session) {
  if (ledger_) ledger_->write(session::ledger_row(session.record()));
  if (states_) states_->write(session::states_rows(session));
  if (solves_) solves_->write(session::solves_rows(session));
  if (constraints_) constraints_->write(session::constraints_rows(session));
  if (modes_) {
    const session::SeenModes& seen = mode_watch_.look(session, mode_count_);
    if (!seen.trouble.empty())
      throw std::runtime_error("frame " + std::to_string(session.frame()) + ": --modes: " + seen.trouble);
    modes_->write(session::modes_rows(seen));
  }
  if (plot_) records_.push_back(session.record());
  if (!mesh_folder_.empty()) write_meshes(session);
  if (motion_) {
    session::look(session, moment_);
    motion_->add(moment_);
  }
}

void RunOutputs::commit(const session::Session& session) {
  if (ledger_) ledger_->commit();
  if (states_) states_->commit();
  if (modes_) modes_->commit();
  if (solves_) solves_->commit();
  if (constraints_) constraints_->commit();
  if (motion_) motion_->commit();
  if (plot_) {
    const auto& d = session.description();
    plot_->write(film::ledger_plot(plot_name_, d.name + ", " + film::title_of(d.integrator.type), records_));
    plot_->commit();
  }
  if (!mesh_folder_.empty()) tell_of_older_meshes(session);
}

// Who reads the folder as one motion would see an earlier, longer run go on where this one ends.
void RunOutputs::tell_of_older_meshes(const session::Session& session) const {
  long long last = -1;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(mesh_folder_, error)) {
    const std::string name = entry.path().stem().string();
    if (is_mesh_name(session.description(), entry.path().filename().string()))
      last = std::max(last, std::atoll(name.substr(name.rfind('_') + 1).c_str()));
  }
  if (last > session.frame())
    std::fprintf(stderr, "note: --meshes: %s has meshes of an earlier run up to frame %lld beside these\n",
                 mesh_folder_.string().c_str(), last);
}

void RunOutputs::write_meshes(const session::Session& session) {
  for (std::size_t body = 0; body < session.world().bodies.size(); ++body) {
    char number[32];
    std::snprintf(number, sizeof number, "%06lld.obj", static_cast<long long>(session.frame()));
    const auto& geometry = session.world().bodies[body];
    // Springs that are no surface are seen as lines.
    const auto lines = geometry.surface.triangles.empty() ? geometry.edges() : std::span<const mesh::Edge>();
    mesh::write_obj(mesh_folder_ / (mesh_name(session.description(), body) + number),
                    {session.surface(static_cast<int>(body)), geometry.surface.triangles}, lines);
  }
}

}  // namespace rebound::cli
