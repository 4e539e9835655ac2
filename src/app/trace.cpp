#include "app/trace.hpp"

#include "app/seen.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "app/trouble.hpp"

namespace rebound::app {

namespace {

nlohmann::ordered_json body_names(const scene::Description& description) {
  auto names = nlohmann::ordered_json::array();
  for (const scene::Body& body : description.bodies) names.push_back(body.name);
  return names;
}

/// How many tetrahedra each has.
std::vector<int> regions_of_first_body(const session::Snapshot& now) {
  if (!now.regions || now.regions->empty()) return {};
  const auto& counts = now.regions->front().tetrahedra;
  return counts.empty() ? counts : std::vector<int>(counts.begin() + 1, counts.end());
}

}  // namespace

nlohmann::ordered_json described(const Stage& stage) {
  const auto& now = stage.now();
  const auto& r = now.record;
  const auto& bodies = now.description.bodies;
  const session::Moment& moment = stage.moment();
  nlohmann::ordered_json panes = nlohmann::json::array();
  for (std::size_t i = 0; i < stage.pane_count(); ++i) {
    const session::Snapshot& pane = moment.panes[i];
    const session::FrameRecord& record = pane.record;
    nlohmann::ordered_json obstacles = nlohmann::json::array();
    for (const auto& obstacle : pane.obstacles)
      obstacles.push_back({obstacle.pose.t.x(), obstacle.pose.t.y(), obstacle.pose.t.z()});
    panes.push_back({{"id", pane.pane},
                     {"obstacles", obstacles},
                     {"integrator", pane.description.integrator.type},
                     {"frame", record.frame},
                     {"user", record.added[static_cast<std::size_t>(sim::Added::user)]},
                     {"total", record.measured.total()},
                     {"seen", record.seen ? record.seen->kinetic : -1.0},
                     {"shiver", record.seen ? record.seen->shiver : -1.0},
                     {"insideOut", pane.inside_out.elements},
                     {"unseen", unseen_share(pane)},
                     {"held", pane.grab.has_value()},
                     {"young", pane.description.bodies.empty() ? 0.0 : pane.description.bodies.front().material.young},
                     {"left", record.left},
                     {"leftBy", pane.left_by},
                     {"target", record.target},
                     {"scale", record.scale},
                     {"times", record.times_its_target()},
                     {"plotted", stage.notes()[i].history.records().size()},
                     {"trouble", trouble(pane)},
                     {"failure_site", pane.failure_at.has_value()}});
  }
  return {{"panes", panes},
          {"chosen", stage.chosen()},
          {"run",
           {{"frame", moment.frame},
            {"first", moment.first},
            {"last", moment.last},
            {"branch", moment.branch},
            {"ghosts", moment.ghosts.size()},
            {"canUndo", moment.can_undo},
            {"canRedo", moment.can_redo}}},
          {"scene", now.description.name},
          {"bodies", body_names(now.description)},
          {"integrator", now.description.integrator.type},
          {"frame", r.frame},
          {"time", r.time},
          {"total", r.measured.total()},
          {"target", r.target},
          {"user", r.added[static_cast<std::size_t>(sim::Added::user)]},
          {"scale", r.scale},
          {"pressed", now.contacts.size()},
          {"paused", stage.paused()},
          {"speed", stage.speed()},
          {"realTime", now.real_time},
          {"pinned", now.pinned_vertices.size()},
          {"held", now.grab.has_value()},
          {"trouble", trouble(now)},
          {"markers", stage.history().markers().size()},
          {"young", bodies.empty() ? 0.0 : bodies.front().material.young},
          {"regions", regions_of_first_body(now)}};
}

nlohmann::ordered_json described(const Recorder& recorder) {
  constexpr std::array kStates = {"idle", "recording", "finishing", "failed"};
  return {{"state", kStates[static_cast<std::size_t>(recorder.state())]},
          {"pictures", recorder.pictures()},
          {"file", recorder.file().string()},
          {"failure", recorder.failure()},
          {"encoder", recorder.process_id()}};
}

Trace::Trace(const std::filesystem::path& file) {
  if (!file.empty()) file_.open(file);
}

bool Trace::is_due() const {
  return is_on() && std::chrono::steady_clock::now() - last_ > std::chrono::milliseconds(100);
}

void Trace::write(const nlohmann::ordered_json& line) {
  file_ << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  last_ = std::chrono::steady_clock::now();
}

}  // namespace rebound::app
