#include "session/mode_show.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rebound::session {
namespace {

// Looking may take this share of the time.
constexpr double kShareOfTime = 0.25;
// A mode is played so fast at the most, and its farthest point moves by this share of the world.
constexpr double kFastest = 1.0;  // Hz
constexpr double kWay = 0.12;

}  // namespace

void ModeShow::add_to(const Timeline& timeline, const ShownModes& shown, Moment& moment) {
  if (shown.wanted == 0) {
    for (Snapshot& snapshot : moment.panes) snapshot.modes.reset();
    panes_.clear();
    playing_.reset();
    return;
  }
  std::erase_if(panes_, [&](const auto& pane) { return timeline.ensemble().find(pane.first) == nullptr; });
  if (playing_ != shown.played) began_ = Clock::now();
  playing_ = shown.played;
  for (Snapshot& snapshot : moment.panes) {
    const Session& session = *timeline.ensemble().find(snapshot.pane);
    Watched& watched = panes_[snapshot.pane];
    const bool plays = playing_ && playing_->pane == snapshot.pane;
    look(session, shown.wanted, plays, watched);
    snapshot.modes = watched.seen;
    if (plays) play(session, *playing_, watched, snapshot);
  }
}

void ModeShow::look(const Session& session, int wanted, bool at_once, Watched& watched) {
  const bool is_there = watched.seen && watched.seen->wanted == wanted && watched.revision == session.revision() &&
                        watched.seen->frame == session.frame();
  if (is_there || (!at_once && watched.seen && Clock::now() < watched.due)) return;
  watched.seen = std::make_shared<const SeenModes>(watched.watch.look(session, wanted));
  watched.revision = session.revision();
  watched.due = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(
                                   watched.seen->milliseconds / kShareOfTime));
}

void ModeShow::play(const Session& session, const PlayedMode& played, const Watched& watched, Snapshot& snapshot) {
  const auto mode = static_cast<std::size_t>(played.mode);
  if (mode >= watched.seen->modes.size()) return;
  const double hertz = std::clamp(std::abs(watched.seen->modes[mode].frequency), 0.2 * kFastest, kFastest);
  const double t = std::chrono::duration<double>(Clock::now() - began_).count();
  const double way = kWay * session.model().extent * std::sin(2 * std::numbers::pi * hertz * t);
  for (std::size_t body = 0; body < snapshot.surfaces.size(); ++body) {
    const mesh::Points surface = watched.watch.surface(session, static_cast<int>(body), played.mode, way);
    Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>>(snapshot.surfaces[body].data(), surface.rows(),
                                                                         3) = surface.cast<float>();
  }
}

}  // namespace rebound::session
