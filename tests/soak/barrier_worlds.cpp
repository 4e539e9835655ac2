// Worlds between surfaces that may not touch, looked at after every frame by a test that shares nothing with the
// search: nothing crosses, nothing is inside out, and no more energy is there than the books say, but for what a
// drop may gain.
//   soak_barrier_worlds [--drops N] [--towers N] [--seconds S]
//
//   drops    two soft boxes thrown at each other on a floor
//   towers   of twenty blocks, stood up in that many directions of space; they stand
//   threads  a tower gives the same bytes on 1, 2 and 3 threads
//   nail     a hard rod shot at a sheet that is held all round
//   heap     thirty blocks tumble onto a floor in steps of 33 ms with `rebound`, which turns what spins free
//   cards    the card house with a friction of 0.4 for S seconds; it stands
//   rings    two linked rings that gravity pulls in all directions at ten times its strength, for S seconds; they stay
//   linked
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>

#include "arguments.hpp"
#include "mesh/error.hpp"
#include "scene/material.hpp"
#include "scene/parse.hpp"
#include "session/session.hpp"
#include "support/crossings.hpp"

namespace {

using namespace rebound;
using sim::Vec3;

scene::Vec3 plain(const Vec3& v) { return {v[0], v[1], v[2]}; }

scene::Rotation plain(const Eigen::AngleAxisd& turn) {
  return {plain(Vec3(turn.axis())), turn.angle() * 180 / 3.141592653589793};
}

scene::Body block(const scene::Vec3& size, const std::array<int, 3>& divisions, double young) {
  scene::Body body;
  body.mesh = scene::BoxMesh{size, divisions, 5};
  body.material.model = "neo-hookean";
  body.material.young = young;
  body.material.poisson = 0.3;
  return body;
}

scene::Description behind_a_barrier(double distance, double friction) {
  scene::Description d;
  d.timeStep = 0.01;
  d.integrator.type = "backward-euler";
  d.solver.type = "newton";
  d.contact.type = "barrier";
  d.contact.distance = distance;
  d.contact.friction = friction;
  return d;
}

scene::Obstacle floor(const Vec3& up, double friction) {
  scene::Obstacle plane;
  plane.shape = scene::PlaneShape{plain(up), 0};
  plane.friction = friction;
  return plane;
}

struct Outcome {
  double most_rise = 1e-9;   ///< of what has gone through the books
  double most_of_scale = 0;  ///< and of the scale, where a method promises no more
  int worlds = 0, frames = 0, faults = 0, slow = 0;
  double worst_rise = 0;  ///< H above its target, as a share of what has gone through the books

  void fault(const std::string& world, int frame, const std::string& what) {
    ++faults;
    std::printf("FAULT: %s, frame %d: %s\n", world.c_str(), frame, what.c_str());
    std::fflush(stdout);
  }
};

using Each = std::function<void(session::Session&, int frame)>;

/// False after the first fault.
bool run(const std::string& name, session::Session& s, int frames, Outcome& outcome, const Each& before = {}) {
  ++outcome.worlds;
  for (int frame = 1; frame <= frames; ++frame) {
    if (before) before(s, frame);
    if (!s.step()) {
      outcome.fault(name, frame, s.failure());
      return false;
    }
    ++outcome.frames;
    outcome.slow += !s.record().converged;
    if (const int found = test::crossings(s.model(), s.state().x); found > 0) {
      outcome.fault(name, frame, std::to_string(found) + " crossings");
      return false;
    }
    if (const int wrong = s.model().inside_out(s.state().x).elements; wrong > 0) {
      outcome.fault(name, frame, std::to_string(wrong) + " elements inside out");
      return false;
    }
    const session::FrameRecord& r = s.record();
    double through = std::abs(r.initial);
    for (const double in : r.added) through += std::abs(in);
    for (const double out : r.dissipated) through += std::abs(out);
    const double rise = (r.measured.total() - r.target - outcome.most_of_scale * r.scale) / through;
    outcome.worst_rise = std::max(outcome.worst_rise, rise);
    if (rise > outcome.most_rise) {
      outcome.fault(name, frame, "more energy than the books have");
      return false;
    }
  }
  return true;
}

Vec3 middle(const session::Session& s, std::size_t body) {
  const auto [first, count] = s.model().bodies[body];
  return s.state().x.middleRows(first, count).colwise().mean().transpose();
}

void drops(int count, Outcome& outcome) {
  // Backward Euler may gain where an energy is not convex, as where a corner comes round another: in 5 of 4,000 drops,
  // up to 0.02 in one step of 10 ms, 0.002 at 5 ms, and nothing at 2.5 ms.
  outcome.most_rise = 0.05;
  for (int seed = 1; seed <= count; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> number(-1, 1);
    const double friction = seed % 5 == 0 ? 0.4 : 0;
    scene::Description d = behind_a_barrier(2e-3, friction);
    scene::Body lower = block({0.2, 0.05, 0.2}, {1 + seed % 2, 1, 1 + seed % 3}, seed % 4 == 0 ? 1e4 : 2e5),
                upper = lower;
    lower.transform.translate = {0, 0.03, 0};
    upper.transform.translate = {0.12 * number(random), 0.26 + 0.02 * number(random), 0.12 * number(random)};
    upper.transform.rotate = {{number(random), number(random), number(random)}, 180 * number(random)};
    upper.velocity = {number(random), -1 - 4 * std::abs(number(random)), number(random)};
    upper.angularVelocity = {5 * number(random), 5 * number(random), 5 * number(random)};
    d.bodies = {lower, upper};
    d.obstacles = {floor(Vec3::UnitY(), friction)};
    session::Session s(scene::load_world(std::move(d)), 1);
    run("drop " + std::to_string(seed), s, 25, outcome);
  }
}

// The whole world turned, so that no side of anything is along an axis of space.
scene::Description tower(int direction) {
  constexpr double kHigh = 0.12, kGap = 0.004;
  const Vec3 axis(std::cos(direction * 2.4), 0.3 * direction, std::sin(direction * 2.4));
  const Eigen::Matrix3d R = direction == 0 ? Eigen::Matrix3d::Identity().eval()
                                           : Eigen::AngleAxisd(0.55 * direction, axis.normalized()).toRotationMatrix();
  scene::Description d = behind_a_barrier(5e-3, 0.5);
  d.gravity = plain(Vec3(R * Vec3(0, -9.81, 0)));
  for (int i = 0; i < 20; ++i) {
    scene::Body body = block({0.3, kHigh, 0.3}, {2, 1, 2}, 1e6);
    body.transform.translate = plain(Vec3(R * Vec3(0, kGap + 0.5 * kHigh + i * (kHigh + kGap), 0)));
    body.transform.rotate = plain(Eigen::AngleAxisd(R * Eigen::AngleAxisd(0.12 * i, Vec3::UnitY()).toRotationMatrix()));
    d.bodies.push_back(body);
  }
  d.obstacles = {floor(R.col(1), 0.5)};
  return d;
}

void towers(int count, Outcome& outcome) {
  for (int direction = 0; direction < count; ++direction) {
    const std::string name = "tower " + std::to_string(direction);
    session::Session s(scene::load_world(tower(direction)), 2);
    const Vec3 top = middle(s, 19);
    if (run(name, s, 60, outcome) && !((middle(s, 19) - top).norm() < 0.12))
      outcome.fault(name, 60, "its top has moved by " + std::to_string((middle(s, 19) - top).norm()) + " m");
  }
}

void threads(Outcome& outcome) {
  sim::Points first;
  for (const int count : {1, 2, 3}) {
    session::Session s(scene::load_world(tower(5)), count);
    const std::string name = "tower on " + std::to_string(count) + " threads";
    if (!run(name, s, 25, outcome)) return;
    if (count == 1) first = s.state().x;
    if (!(first == s.state().x)) outcome.fault(name, 25, "other bytes than on one");
  }
}

void nail(Outcome& outcome) {
  for (const double speed : {2.0, 10.0, 40.0}) {
    scene::Description d = behind_a_barrier(2e-3, 0.3);
    d.timeStep = 1.0 / 240;
    scene::Body sheet;
    sheet.mesh = scene::ClothMesh{{0.5, 0.5}, {14, 14}, true};
    sheet.material = scene::default_material(sheet.mesh);
    sheet.material.law = "neo-hookean";
    sheet.material.young = 1e6;
    sheet.material.thickness = 2e-3;
    sheet.fixed = scene::BorderSelection{};
    scene::Body rod = block({0.012, 0.2, 0.012}, {1, 8, 1}, 1e8);
    rod.transform.translate = {0.013, 0.12, 0.007};
    rod.transform.rotate = {{1, 0, 0.5}, 4};
    rod.velocity = {0, -speed, 0};
    d.bodies = {sheet, rod};
    session::Session s(scene::load_world(std::move(d)), 2);
    run("nail at " + std::to_string(speed) + " m/s", s, 120, outcome);
  }
}

void heap(int seconds, Outcome& outcome) {
  constexpr double kStep = 0.033;
  scene::Description d = behind_a_barrier(5e-3, 0.5);
  d.timeStep = kStep;
  d.integrator.type = "rebound";
  for (int i = 0; i < 30; ++i) {
    const int layer = i / 5, place = i % 5;
    scene::Body body = block({0.3, 0.12, 0.3}, {3, 1, 3}, 1e6);
    body.transform.translate = {0.5 * (place - 2) + 0.1 * (layer % 2), 0.3 + 0.5 * layer, 0.02 * ((i + layer) % 3)};
    body.transform.rotate = {{1, 2, 0.5}, 17.0 * (i % 7)};
    d.bodies.push_back(body);
  }
  d.obstacles = {floor(Vec3::UnitY(), 0.5)};
  // A tenth of the tolerance. Where all lies, a solve to 1e-3 m/s is some 4e-6 of the scale off in each step.
  outcome.most_of_scale = 0.1 * d.integrator.tolerance;
  session::Session s(scene::load_world(std::move(d)), 2);
  run("heap", s, static_cast<int>((1 + seconds) / kStep), outcome);
}

void cards(int seconds, Outcome& outcome) {
  scene::Description d = scene::read_scene(REBOUND_SOURCE_DIR "/assets/scenes/card-house.json");
  d.contact.friction = 0.4;
  for (scene::Obstacle& table : d.obstacles) table.friction = 0.4;
  const int frames = static_cast<int>(seconds / d.timeStep);
  session::Session s(scene::load_world(std::move(d)), 2);
  const Vec3 top = middle(s, 6);
  if (run("cards", s, frames, outcome) && !((middle(s, 6) - top).norm() < 0.03))
    outcome.fault("cards", frames, "the topmost has moved by " + std::to_string((middle(s, 6) - top).norm()) + " m");
}

void rings(int seconds, Outcome& outcome) {
  scene::Description d = scene::read_scene(REBOUND_SOURCE_DIR "/assets/scenes/linked-rings.json");
  d.integrator.type = "backward-euler";
  d.obstacles.clear();
  const int frames = static_cast<int>(seconds / d.timeStep);
  session::Session s(scene::load_world(std::move(d)), 2);
  const bool whole = run("rings", s, frames, outcome, [](session::Session& pulled, int frame) {
    if (frame % 30 != 1) return;
    const double turn = 0.9 * (frame / 30);
    pulled.apply(session::SetGravity{{100 * std::sin(turn), -100 * std::cos(turn), 30 * std::sin(2.3 * turn)}});
  });
  if (whole && !((middle(s, 0) - middle(s, 1)).norm() < 1))
    outcome.fault("rings", frames, "they are " + std::to_string((middle(s, 0) - middle(s, 1)).norm()) + " m apart");
}

int report(const char* name, const std::function<void(Outcome&)>& worlds) {
  Outcome outcome;
  const soak::Stopwatch watch;
  try {
    worlds(outcome);
  } catch (const InputError& error) {
    outcome.fault(name, 0, error.what());
  }
  std::printf(
      "%-8s %5d worlds, %6d frames, %d faults, %d frames not converged, H above its target by at most %.1g of all, %.0f s\n",
      name, outcome.worlds, outcome.frames, outcome.faults, outcome.slow, outcome.worst_rise, watch.seconds());
  std::fflush(stdout);
  return outcome.faults;
}

}  // namespace

int main(int argc, char** argv) {
  soak::Arguments arguments(argc, argv);
  const int drop_count = arguments.number("--drops", 40), tower_count = arguments.number("--towers", 1),
            seconds = arguments.number("--seconds", 1);
  if (!arguments.are_used_up()) return 2;
  int faults = report("drops", [&](Outcome& o) { drops(drop_count, o); });
  faults += report("towers", [&](Outcome& o) { towers(tower_count, o); });
  faults += report("threads", threads);
  faults += report("nail", nail);
  // It lies after four seconds.
  faults += report("heap", [&](Outcome& o) { heap(std::max(seconds, 5), o); });
  faults += report("cards", [&](Outcome& o) { cards(seconds, o); });
  faults += report("rings", [&](Outcome& o) { rings(seconds, o); });
  return faults == 0 ? 0 : 1;
}
