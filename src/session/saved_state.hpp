// All that a session's next frame depends on, to be put back later or into another session of the same scene. Factors
// are not in it: they are made again where they are missed.
#pragma once

#include <memory>
#include <optional>

#include "session/session.hpp"

namespace rebound::session {

/// What only commands other than the hand's change; shared by the states in between.
struct SavedSetup {
  scene::Description description;
  scene::BodyList bodies;
  scene::ContactShapes contact_shapes;
  std::vector<std::uint8_t> fixed;
  sim::RoundingState rounding_state;
  double stiffest = 0;  ///< 1/s^2
  std::shared_ptr<const Rest> rest;
};

/// Where an obstacle is and was: sim::Obstacle.
struct SavedPose {
  sim::Pose before, pose;
  bool fresh;
  bool operator==(const SavedPose&) const = default;
};

struct SavedState {
  std::shared_ptr<const SavedSetup> setup;
  std::shared_ptr<const sim::State> now, before;  ///< before: null if there is nothing to look back on
  std::vector<sim::Vec3> targets;                 ///< of the attachments, m
  std::vector<SavedPose> poses;                   ///< of the obstacles
  std::vector<std::uint8_t> led;                  ///< one per obstacle, as in the session
  std::shared_ptr<const sim::Stepper::Memory> memory;
  sim::ContactKnowledge contact_knowledge;
  std::optional<Hold> grab;
  sim::Ledger ledger;
  FrameRecord record;
  Traces traces;
  double left = 0;
  std::string left_by;
  std::string failure;
  sim::Outcome outcome = sim::Outcome::done;  ///< of the failure
  std::optional<FailureSite> failure_site;
  int full_backward_frames = 0;
  bool grew = false;
  double time_origin = 0;
  std::int64_t frame_origin = 0;
  std::size_t bytes = 0;  ///< of memory that is its own, `now` and `before` aside
};

}  // namespace rebound::session
