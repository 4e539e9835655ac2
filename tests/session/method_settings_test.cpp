// What the tables say of which method reads which setting is what their steps say.
#include <gtest/gtest.h>

#include <functional>

#include "scene/method_settings.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

// A stretched cube that spins, of a material that curves down where it is pressed: it is blended, searched and
// projected.
scene::Description stretched_cube() {
  auto d = spinning_cube(2, 1e5);
  d.bodies[0].material.model = "neo-hookean";
  d.bodies[0].start = scene::StretchedStart{{1.9, 0.6, 0.6}};
  d.solver.type = "quasi-newton";
  return d;
}

// What explodes does so in the same frame, if it is the same motion.
sim::State after(const scene::Description& d, int frames) {
  Session s = open(d);
  for (int i = 0; i < frames && s.step(); ++i) {
  }
  return s.state();
}

bool matters(const scene::Description& usual, const scene::Description& changed) {
  constexpr int kFrames = 60;
  const sim::State a = after(usual, kFrames), b = after(changed, kFrames);
  return a.x != b.x || a.v != b.v;
}

struct Change {
  std::string pointer;
  std::function<void(scene::Description&)> make;
};

// Is `pointer` said to have no effect where it has none, and only there?
void expect_as_said(const scene::Description& usual, const Change& change) {
  scene::Description changed = usual;
  change.make(changed);
  const std::vector<std::string> idle = scene::idle_settings(changed);
  EXPECT_EQ(matters(usual, changed), idle.empty())
      << change.pointer << ", " << usual.integrator.type << ", " << usual.solver.type;
  for (const std::string& line : idle) EXPECT_TRUE(line.starts_with(change.pointer + ": ")) << line;
}

TEST(MethodSettings, OfIntegratorsAreReadByThoseThatSaySo) {
  const std::vector<Change> changes{
      {"/integrator/tolerance", [](auto& d) { d.integrator.tolerance = 1e-4; }},
      {"/integrator/forwardBlend", [](auto& d) { d.integrator.forwardBlend = false; }},
      {"/integrator/unresolved", [](auto& d) { d.integrator.unresolved = "heat"; }},
      {"/integrator/alphaMin", [](auto& d) { d.integrator.alphaMin = 1; }},
      {"/integrator/alphaMax", [](auto& d) { d.integrator.alphaMax = 0.9; }},
      {"/integrator/every", [](auto& d) { d.integrator.every = 4; }},
      {"/integrator/base", [](auto& d) { d.integrator.base = "sdirk2"; }},
      {"/integrator/rho", [](auto& d) { d.integrator.rho = 0.3; }},
      {"/integrator/modes", [](auto& d) { d.integrator.modes = 12; }},
      {"/solver/stabilizerIterations", [](auto& d) { d.solver.stabilizerIterations = 3; }},
      {"/energy",
       [](auto& d) {
         d.energy = {{0, 0.5, {}, {}, {}}};
       }},
  };
  for (const sim::IntegratorInfo& info : sim::integrators()) {
    auto d = stretched_cube();
    d.integrator.type = info.id;
    if (info.schemes.empty()) d.timeStep = 1e-3;  // nothing is solved to its end, so in steps of 33 ms it explodes
    for (const Change& change : changes) expect_as_said(d, change);
  }
}

TEST(MethodSettings, OfSolversAreReadByThoseThatSaySo) {
  const std::vector<Change> changes{
      {"/solver/acceleration", [](auto& d) { d.solver.acceleration = true; }},
      {"/solver/tolerance", [](auto& d) { d.solver.tolerance = 1e-2; }},
      {"/solver/projection", [](auto& d) { d.solver.projection = "absolute"; }},
  };
  for (const sim::SolverInfo& info : sim::solvers()) {
    auto d = stretched_cube();
    d.integrator.type = "backward-euler";
    d.solver.type = info.id;
    if (info.squared_distances_alone) d.bodies[0].material.model = "arap";
    for (const Change& change : changes) expect_as_said(d, change);
  }
}

TEST(MethodSettings, OfContactsAreReadByTheirKind) {
  auto d = stretched_cube();
  d.file = "here.json";
  d.contact.distance = 0.01;
  d.obstacles.emplace_back().cubicStiffness = 1e7;
  EXPECT_EQ(scene::idle_settings(d),
            (std::vector<std::string>{
                "here.json: /contact/distance: has no effect, as contact of type 'springs' does not read it; only "
                "'barrier' does",
                "here.json: /obstacles/0/cubicStiffness: has no effect, as an obstacle that meets by 'spring' does not "
                "read it; only one that meets by 'cubic' does"}));
  d.contact.type = "barrier";
  d.obstacles[0] = {};
  EXPECT_TRUE(scene::idle_settings(d).empty());
}

TEST(MethodSettings, OfWindAndMassesAreReadWhereNothingOverrulesThem) {
  auto d = stretched_cube();
  const auto expect = [&](const std::string& pointer, auto change) { expect_as_said(d, {pointer, change}); };
  const auto rise = [](auto& changed) {
    if (!changed.wind) changed.wind.emplace();
    changed.wind->gusts = 0.5;
  };
  const auto weigh = [](auto& changed) { changed.bodies[0].material.density = 500; };
  expect("/wind/gusts", rise);
  expect("/bodies/0/material/density", weigh);
  d.bodies[0].masses.assign(static_cast<std::size_t>(scene::load_world(d).bodies[0].rest.rows()), 0.5);
  expect("/bodies/0/material/density", weigh);
  d.wind.emplace().velocity = {3, 0, 0};
  expect("/wind/gusts", rise);
}

// What only shows once the world is built is said as what the file itself shows: with the file and the place.
TEST(MethodSettings, MessagesOfABuiltWorldNameTheFile) {
  auto d = stretched_cube();
  d.file = "here.json";
  d.bodies[0].material.young = 1e12;
  d.timeStep = 1;
  d.bodies[0].material.density = 1e-3;
  const auto message = [&] {
    try {
      open(d);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(message().starts_with("here.json: /timeStep: a step of 1 s is too long")) << message();
  d = stretched_cube();
  d.file = "here.json";
  d.bodies[0].material.law = "squared";
  d.bodies[0].material.model = "springs";
  EXPECT_TRUE(message().starts_with("here.json: /bodies/0/material/")) << message();
}

}  // namespace
}  // namespace rebound::test
