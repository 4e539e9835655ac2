// Whole worlds for tests, made in memory.
#pragma once

#include <gtest/gtest.h>

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "session/session.hpp"

namespace rebound::test {

inline scene::Body cube_body(int divisions, double young) {
  scene::Body body;
  body.name = "cube";
  body.mesh = scene::BoxMesh{{1, 1, 1}, {divisions, divisions, divisions}, 5};
  body.material.young = young;
  return body;
}

/// [Dinev18 Fig. 5]: a free elastic cube spinning, no gravity, no damping.
inline scene::Description spinning_cube(int divisions = 5, double young = 1e6) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.bodies.push_back(cube_body(divisions, young));
  d.bodies[0].transform.rotate = {{1, 0, 1}, 20};
  d.bodies[0].angularVelocity = {0, 15, 0};
  return d;
}

/// A square of 1 m held by two corners.
inline scene::Description hanging_cloth(int divisions, double stiffness) {
  scene::Description d;
  scene::Body body;
  body.name = "cloth";
  body.mesh = scene::ClothMesh{{1, 1}, {divisions, divisions}};
  body.material.model = "springs";
  body.material.stiffness = stiffness;
  body.material.density = 0.3;
  body.attachments.push_back({std::vector<int>{0, divisions}, 1e4, {}});
  d.bodies.push_back(body);
  return d;
}

inline session::Session open(scene::Description d, int threads = 1) {
  return session::Session(scene::load_world(std::move(d)), threads);
}

/// What a session says when it refuses a command: one line, and nothing is changed. "done" where it does not refuse.
inline std::string refusal(session::Session& s, const session::Command& command) {
  const scene::Description before = s.description();
  const sim::State state = s.state();
  try {
    s.apply(command);
  } catch (const InputError& error) {
    EXPECT_TRUE(s.description() == before);
    EXPECT_EQ(s.state().x, state.x);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "done";
}

/// (H - target) / scale of the last frame.
inline double energy_error(const session::Session& s) {
  const auto& r = s.record();
  return (r.measured.total() - r.target) / r.scale;
}

/// Ten frames of four steps each against forty of a quarter, to the last bit.
inline void expect_substeps_are_frames(scene::Description d) {
  // A power of two, so that h / 4 and the times of what moves are the same.
  d.timeStep = 0.03125;
  d.substeps = 4;
  session::Session cut = open(d);
  d.timeStep /= 4;
  d.substeps = 1;
  session::Session fine = open(d);
  for (int frame = 0; frame < 10; ++frame) {
    ASSERT_TRUE(cut.step()) << cut.failure();
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(fine.step()) << fine.failure();
    ASSERT_EQ(cut.state().x, fine.state().x) << frame;
    ASSERT_EQ(cut.state().v, fine.state().v) << frame;
    ASSERT_EQ(cut.record().target, fine.record().target) << frame;
    ASSERT_EQ(cut.record().added, fine.record().added) << frame;
    ASSERT_EQ(cut.record().time, fine.record().time) << frame;
  }
}

}  // namespace rebound::test
