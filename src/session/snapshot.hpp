// A moment of a session, as plain data to draw from: a copy that another thread may keep.
#pragma once

#include "session/field_show.hpp"
#include "session/frame_budget.hpp"
#include "session/mode_watch.hpp"
#include "session/region_show.hpp"
#include "session/timeline.hpp"

namespace rebound::session {

/// A moment of one pane, as the window needs it to draw.
struct Snapshot {
  int pane = 0;
  std::vector<std::vector<float>> surfaces;  ///< a body: x, y, z of every surface point, m
  struct HeldPoint {
    SurfacePoint point;
    sim::Vec3 at;                   ///< where the point is, m
    sim::Vec3 target;               ///< where the hand is, m
    double force = 0;               ///< with which it pulls, N
    std::vector<sim::Vec3> around;  ///< what else it holds, m
  };
  std::optional<HeldPoint> grab;
  std::vector<sim::Vec3> pinned;                             ///< where bodies are held, m
  std::vector<int> pinned_vertices;                          ///< which they are, of the whole world, ascending
  std::vector<std::pair<sim::Vec3, sim::Vec3>> attachments;  ///< point and handle, m
  struct SeenObstacle {
    sim::Shape shape;
    sim::Pose pose;  ///< where it is
    sim::Pose goal;  ///< where a hand has put it
  };
  std::vector<SeenObstacle> obstacles;
  struct SeenContact {
    sim::Vec3 at;      ///< the point of the body, m
    sim::Vec3 n;       ///< out of the surface
    double force = 0;  ///< along n, N
  };
  std::vector<SeenContact> contacts;  ///< those that are pressed
  /// What rods and wires pull and push with, at each vertex that they move.
  std::vector<SeenContact> held;
  std::size_t constraints = 0;                        ///< how many there are
  std::vector<std::vector<sim::Vec3>> wires;          ///< where each of them lies, m
  double contact_distance = 0, contact_firmness = 0;  ///< of a barrier, m and J/m^2; 0 without one
  double finest_edge = 0;                 ///< m, the mean length of the finest body's edges, where a barrier knows it
  double smallest_gap = 0;                ///< m, of a barrier's contacts; 0 without any
  std::optional<sim::Crossing> crossing;  ///< for which it stands still
  sim::InsideOut inside_out;
  std::shared_ptr<const SeenModes> modes;          ///< null while nobody has asked for them; of a frame not long ago
  SeenField field;                                 ///< of kind none while nobody has asked for one
  std::shared_ptr<const RegionsOfBodies> regions;  ///< null where no body has any
  std::vector<InnerPlace> inner_places;            ///< of regions that no surface shows
  std::vector<float> vertices;  ///< x, y, z of every vertex of the world, m; empty while nobody has asked for them
  std::vector<TracePath> traces;
  std::vector<sim::SolveIterate> solves;  ///< of the last frame
  FrameRecord record;
  scene::Description description;             ///< as set by now, and asked for: what is still being prepared included
  scene::BodyList bodies;                     ///< in the forms that they have
  std::uint64_t revision = 0;                 ///< of the description and the bodies
  std::string preparing;                      ///< what is asked for and not yet in effect ("material"); the runner's
  std::string left_by;                        ///< as the session's
  std::string failure;                        ///< why it stands still, if it does
  sim::Outcome outcome = sim::Outcome::done;  ///< how its last step ended
  std::optional<FailureSite> failure_site;    ///< and where it broke
  std::optional<sim::Vec3> failure_at;        ///< the middle of its element, or its vertex, in the last good state, m
  double stiffness_number = 0;                ///< h^2 lambda_max(M^-1 L)
  FrameBudget budget;                         ///< the runner's; zeros until it has stepped
  double real_time = 1;  ///< simulated seconds a second of wall clock, over the last second; the runner's
  bool paused = false;   ///< the runner's
};

/// A moment of all panes, and where it lies in the run.
struct Moment {
  std::vector<Snapshot> panes;
  std::int64_t frame = 0;            ///< of the run, which goes on where a reset takes the records' frames back to 0
  std::int64_t first = 0, last = 0;  ///< the frames that can be gone to
  std::int64_t settled_since = 0;    ///< as the timeline's
  std::uint64_t branch = 0;          ///< grows whenever a past was left for another
  std::vector<std::shared_ptr<const Ghost>> ghosts;  ///< the oldest first
  bool can_undo = false, can_redo = false;
  bool replaying = false;  ///< a recorded run is being followed
  std::string divergence;  ///< where that came out otherwise, in one line; empty if it did not
};

/// Takes over the session's present moment; `snapshot` keeps its memory from frame to frame.
void look(const Session& session, Snapshot& snapshot);
/// The same with the vertices at x (n x 3, m), such as an iterate of a solve; the record stays that of the last frame.
void look(const Session& session, const sim::Points& x, Snapshot& snapshot);
/// The same for all panes.
void look(const Timeline& timeline, Moment& moment);
/// Writes where all vertices are into the panes of a moment, or takes it out.
void add_vertices(const Timeline& timeline, bool shown, Moment& moment);

}  // namespace rebound::session
