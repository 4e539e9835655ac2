// What is known of each command: its line in a run's file never changes, and all that the traits say agrees with what
// happens.
#include "session/command.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "session/journal.hpp"
#include "support/runs.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

template <class Variant, std::size_t i = 0>
void each_alternative(const auto& visit) {
  if constexpr (i < std::variant_size_v<Variant>) {
    using T = std::variant_alternative_t<i, Variant>;
    if constexpr (!std::is_same_v<T, Addressed>) visit(T{});
    each_alternative<Variant, i + 1>(visit);
  }
}

// Runs of older versions are read by newer ones.
TEST(Commands, TheirLinesAreWhatTheyHaveAlwaysBeen) {
  scene::Material material;
  material.young = 1e5 / 3;
  material.restLengths = {0.1, 1.0 / 3};
  scene::Material sheet;
  sheet.model = "membrane";
  sheet.law = "stvk";
  sheet.thickness = 2e-3;
  sheet.pretension = 0.1;
  scene::Obstacle ball;
  ball.name = "ball";
  ball.shape = scene::SphereShape{0.25};
  ball.friction = 0.5;
  const std::string ball_text =
      R"("obstacle":{"name":"ball","sphere":{"radius":0.25},"transform":{"translate":[0.0,0.0,0.0],)"
      R"("rotate":{"axis":[0.0,1.0,0.0],"angle":0.0},"scale":1.0},"stiffness":100000.0,"friction":0.5}})";
  const std::vector<std::pair<Event, std::string>> lines{
      {Addressed{kAllPanes, Grab{{1, 2}, {0.5, -1, 1e-300}, 1.0 / 3}},
       R"("do":"grab","body":1,"vertex":2,"target":[0.5,-1.0,1e-300],"strength":0.3333333333333333})"},
      {Addressed{kAllPanes, MoveGrab{{0.1 + 0.2, 2, 0}}}, R"("do":"moveGrab","target":[0.30000000000000004,2.0,0.0]})"},
      {Addressed{kAllPanes, Release{}}, R"("do":"release"})"},
      {Addressed{kAllPanes, Pin{{{0, 1}, {2, 3}}}}, R"("do":"pin","points":[[0,1],[2,3]]})"},
      {Addressed{kAllPanes, Unpin{{{0, 1}}}}, R"("do":"unpin","points":[[0,1]]})"},
      {Addressed{kAllPanes, UnpinAll{}}, R"("do":"unpinAll"})"},
      {Addressed{2, SetPins{{1, 5, 7}}}, R"("pane":2,"do":"setPins","vertices":[1,5,7]})"},
      {Addressed{1, SetIntegrator{"bdf2"}}, R"("pane":1,"do":"setIntegrator","type":"bdf2"})"},
      {Addressed{1, SetBlend{1.0 / 7, false}},
       R"("pane":1,"do":"setBlend","tolerance":0.14285714285714285,"forwardBlend":false})"},
      {Addressed{1, SetUnresolved{"held"}}, R"("pane":1,"do":"setUnresolved","unresolved":"held"})"},
      {Addressed{1, SetAlpha{0.5, 2, 3, "sdirk2"}},
       R"("pane":1,"do":"setAlpha","alphaMin":0.5,"alphaMax":2.0,"every":3,"base":"sdirk2"})"},
      {Addressed{1, SetRho{0.3}}, R"("pane":1,"do":"setRho","rho":0.3})"},
      {Addressed{1, SetWind{{{3, 0, -2}, 0.5, 7, 1, 2, 1.5}}},
       R"("pane":1,"do":"setWind","x":3.0,"y":0.0,"z":-2.0,"gusts":0.5,"seed":7,"from":1.0,"until":2.0,"density":1.5})"},
      {Addressed{0, SetRegions{2, {{std::vector<int>{3, 1}, "stvk", {{"young", 2e6}, {"density", 900}}}}}},
       R"("pane":0,"do":"setRegions","body":2,"regions":[{"elements":[3,1],)"
       R"("material":{"model":"stvk","density":900.0,"young":2000000.0}}]})"},
      {Addressed{1, SetModes{9}}, R"("pane":1,"do":"setModes","modes":9})"},
      {Addressed{kAllPanes, SetEnergy{{{0, 0.95, {}, {}, {}}, {1, 1, 2.0, -3.5, {}}, {4, 1, {}, {}, 7.0}}}},
       R"("do":"setEnergy","energy":[{"from":0.0,"factor":0.95,"ground":"rest"},)"
       R"({"from":1.0,"factor":1.0,"foldTime":2.0,"ground":-3.5},{"from":4.0,"target":7.0}]})"},
      {Addressed{0, SetSolver{{"local-global", {}, {}, {}, true}}},
       R"("pane":0,"do":"setSolver","type":"local-global","iterations":"auto"})"},
      {Addressed{0, SetSolver{{"newton", 7, 3, true}}},
       R"("pane":0,"do":"setSolver","type":"newton","iterations":7,"stabilizerIterations":3,"acceleration":true})"},
      {Addressed{0, SetSolver{{"local-global", 10, {}, false}}},
       R"("pane":0,"do":"setSolver","type":"local-global","iterations":10,"acceleration":false})"},
      {Addressed{0, SetTimeStep{1.0 / 30}}, R"("pane":0,"do":"setTimeStep","timeStep":0.03333333333333333})"},
      {Addressed{0, SetSubsteps{4}}, R"("pane":0,"do":"setSubsteps","substeps":4})"},
      {Addressed{0, SetMaterial{3, material}},
       R"("pane":0,"do":"setMaterial","body":3,"model":"arap","law":"hookean","young":33333.333333333336,)"
       R"("poisson":0.3,"density":1000.0,"stiffness":100.0,"restLengths":[0.1,0.3333333333333333]})"},
      {Addressed{0, SetMaterial{1, sheet}},
       R"("pane":0,"do":"setMaterial","body":1,"model":"membrane","law":"stvk","young":100000.0,)"
       R"("poisson":0.3,"density":1000.0,"stiffness":100.0,"thickness":0.002,"pretension":0.1})"},
      {Addressed{0, SetDamping{{"rayleigh", 1.0 / 3000, "second"}}},
       R"("pane":0,"do":"setDamping","type":"rayleigh","coefficient":0.0003333333333333333,"per":"second"})"},
      {Addressed{0, SetGravity{{0.1, -9.81, 0.3}}}, R"("pane":0,"do":"setGravity","gravity":[0.1,-9.81,0.3]})"},
      {Addressed{0, SetContact{}},
       R"("pane":0,"do":"setContact","bodies":true,"self":false,"stiffness":10000.0,"friction":0.0})"},
      {Addressed{0, PushApart{}}, R"("pane":0,"do":"pushApart"})"},
      {Addressed{kAllPanes, Reset{}}, R"("do":"reset"})"},
      {Addressed{kAllPanes, AddObstacle{ball, 2}}, R"("do":"addObstacle","index":2,)" + ball_text},
      {Addressed{kAllPanes, AddObstacle{ball}}, R"("do":"addObstacle",)" + ball_text},
      {Addressed{kAllPanes, RemoveObstacle{3}}, R"("do":"removeObstacle","index":3})"},
      {Addressed{kAllPanes, SetObstacle{1, ball}}, R"("do":"setObstacle","index":1,)" + ball_text},
      {Addressed{kAllPanes, MoveObstacle{1, {1.0 / 3, 0, -2}, {{0, 0.5, 1}, 1.0 / 7}}},
       R"("do":"moveObstacle","index":1,"translate":[0.3333333333333333,0.0,-2.0],)"
       R"("rotate":{"axis":[0.0,0.5,1.0],"angle":0.14285714285714285}})"},
      {AddPane{0, "newmark"}, R"("do":"addPane","from":0,"type":"newmark"})"},
      {RemovePane{1}, R"("do":"removePane","pane":1})"},
      {Undo{}, R"("do":"undo"})"},
      {Redo{}, R"("do":"redo"})"}};
  std::set<std::size_t> commands, events;
  for (const auto& [event, line] : lines) {
    EXPECT_EQ(entry_line({3, event}), R"({"frame":3,)" + line + "\n");
    events.insert(event.index());
    if (const Command* command = command_of(event)) commands.insert(command->index());
  }
  EXPECT_EQ(commands.size(), std::variant_size_v<Command>);
  EXPECT_EQ(events.size(), std::variant_size_v<Event>);
}

TEST(Commands, EachHasANameOfItsOwnThatTheManualHas) {
  std::ifstream file(std::string(REBOUND_SOURCE_DIR) + "/docs/run_format.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  std::set<std::string> names;
  const auto look_up = [&]<class T>(const T&) {
    EXPECT_TRUE(names.insert(Traits<T>::name).second) << Traits<T>::name;
    EXPECT_NE(manual.find("`" + std::string(Traits<T>::name) + "`"), std::string::npos) << Traits<T>::name;
    EXPECT_FALSE(Traits<T>::subject.words.empty());
  };
  each_alternative<Command>(look_up);
  each_alternative<Event>(look_up);
}

// Its inverse sets what was there, and its description is what the session then has.
TEST(Commands, WhatIsAnEditCanBeTakenBackAndDescribed) {
  const scene::Description start = eventful_scene();
  scene::Material soft = start.bodies[0].material;
  soft.young /= 2;
  scene::Obstacle ball;
  ball.shape = scene::SphereShape{0.25};
  ball.transform.translate = {0, -9, 0};
  scene::Obstacle stiff_ball = ball;
  stiff_ball.stiffness *= 2;
  const std::vector<Command> edits{AddObstacle{ball},
                                   Pin{{{0, 1}, {0, 5}}},
                                   Unpin{{{0, 5}}},
                                   UnpinAll{},
                                   SetPins{{3, 4}},
                                   SetIntegrator{"bdf2"},
                                   SetBlend{0.02, false},
                                   SetUnresolved{"held"},
                                   SetAlpha{0.5, 2, 3, "sdirk2"},
                                   SetRho{0.3},
                                   SetModes{12},
                                   SetEnergy{{{0, 1, 2.0, -3.5, {}}}},
                                   SetSolver{{"newton", 5, 2, false}},
                                   SetTimeStep{0.02},
                                   SetSubsteps{3},
                                   SetMaterial{0, soft},
                                   SetRegions{0, {{std::vector<int>{0, 2}, {}, {{"young", 1e7}}}}},
                                   SetDamping{{"drag", 0.5, "second"}},
                                   SetGravity{{1, 2, 3}},
                                   SetWind{{{5, 0, 1}, 0.3, 2, 0, 10, 1.2}},
                                   SetContact{{false, true, 1e3, 0.1, {}}},
                                   AddObstacle{ball, 0},
                                   SetObstacle{0, stiff_ball},
                                   MoveObstacle{0, {0, -8, 0}, {}},
                                   RemoveObstacle{0}};
  std::set<std::size_t> seen;
  Session s = open(start);
  for (const Command& edit : edits) {
    const std::string what(subject(edit).words);
    seen.insert(edit.index());
    scene::Description described = s.description();
    const scene::Description before = s.description();
    const auto pins = s.model().fixed;
    describe(edit, described);
    const auto inverse = s.inverse(edit);
    ASSERT_TRUE(inverse) << what;
    s.apply(edit);
    EXPECT_EQ(s.description(), described) << what;
    EXPECT_NE(s.description() == before && s.model().fixed == pins, true) << what << " is an edit";
    const auto again = s.inverse(*inverse);
    s.apply(*inverse);
    EXPECT_EQ(s.description(), before) << what;
    EXPECT_EQ(s.model().fixed, pins) << what;
    ASSERT_TRUE(again) << what;
    s.apply(*again);
    EXPECT_EQ(s.description(), described) << what;
  }
  std::size_t all = 0;
  each_alternative<Command>([&]<class T>(const T&) { all += Traits<T>::is_edit ? 1 : 0; });
  EXPECT_EQ(seen.size(), all) << "every edit is among them";
}

TEST(Commands, WhatIsDescribedBeforeItIsCheckedDoesNoHarm) {
  scene::Description d = eventful_scene();
  const scene::Description before = d;
  for (const int nowhere : {-1, 7, 1 << 30})
    for (const Command& command :
         std::initializer_list<Command>{SetMaterial{nowhere, {}}, SetRegions{nowhere, {}}, RemoveObstacle{nowhere},
                                        SetObstacle{nowhere, {}}, MoveObstacle{nowhere, {}, {}}})
      describe(command, d);
  EXPECT_EQ(d, before);
}

}  // namespace
}  // namespace rebound::test
