// What takes long may be prepared beside the session: the same to the last byte, and booked when it takes effect.
#include "session/preparation.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "mesh/error.hpp"
#include "session/journal.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

// 343 vertices are solved in double precision, 2197 in single.
constexpr int kDivisions[] = {6, 12};

scene::Description lifted_cube(int divisions) {
  auto d = spinning_cube(divisions, 1e5);
  d.gravity = {0, -9.81, 0};
  d.bodies[0].start = scene::StretchedStart{{1.2, 1, 0.9}};
  d.bodies[0].attachments.push_back({std::vector<int>{0}, 1e4, {{0, {0, 0, 0}}, {1, {0, 1, 0}}}});
  return d;
}

std::vector<SurfacePoint> points(int first, int count) {
  std::vector<SurfacePoint> result;
  for (int i = first; i < first + count; ++i) result.push_back({0, i});
  return result;
}

scene::Material other_material(const Session& s) {
  scene::Material m = s.description().bodies[0].material;
  m.young *= 4;
  m.density *= 0.7;
  return m;
}

// Every command that may take long, in an order in which each one has something to do.
std::vector<Command> slow_commands(const Session& s) {
  return {Pin{points(40, 30)},
          SetMaterial{0, other_material(s)},
          Unpin{points(40, 5)},
          SetTimeStep{0.02},
          SetIntegrator{"bdf2"},
          SetSubsteps{2},
          UnpinAll{},
          SetSolver{{"newton", 3, {}}},
          SetSolver{{"local-global", 10, {}}},
          SetIntegrator{"stabilized"}};
}

void prepare_elsewhere(Session& s, const Command& command) {
  const auto made = s.preparation(command);
  if (made)
    std::thread([&] {
      sim::Workers alone(1);
      made->run(alone);
    }).join();
  s.apply(command, made.get());
}

void expect_same(const Session& a, const Session& b, const std::string& when) {
  EXPECT_EQ(a.state().x, b.state().x) << when;
  EXPECT_EQ(a.state().v, b.state().v) << when;
  EXPECT_EQ(a.record().measured.total(), b.record().measured.total()) << when;
  EXPECT_EQ(a.record().target, b.record().target) << when;
  EXPECT_EQ(a.record().added, b.record().added) << when;
  EXPECT_EQ(a.record().dissipated, b.record().dissipated) << when;
  EXPECT_EQ(a.stiffness_number(), b.stiffness_number()) << when;
  EXPECT_EQ(a.factor_nonzeros(), b.factor_nonzeros()) << when;
}

TEST(Preparation, ElsewhereIsTheSameToTheLastByteAsAtOnce) {
  for (const int divisions : kDivisions) {
    Session at_once = open(lifted_cube(divisions), 2), elsewhere = open(lifted_cube(divisions), 1);
    for (Session* s : {&at_once, &elsewhere}) {
      s->apply(Grab{{0, 20}, {0.5, 1, 0.5}, 1});
      for (int i = 0; i < 3; ++i) ASSERT_TRUE(s->step());
    }
    for (const Command& command : slow_commands(at_once)) {
      const std::string when = std::string(subject(command).words) + ", " + std::to_string(divisions) + " cells";
      at_once.apply(command);
      prepare_elsewhere(elsewhere, command);
      expect_same(at_once, elsewhere, when);
      for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(at_once.step() && elsewhere.step()) << when;
        expect_same(at_once, elsewhere, when + ", a step later");
      }
    }
  }
}

TEST(Preparation, TheSessionGoesOnAndWhatItMeansIsBookedWhenItTakesEffect) {
  for (const int divisions : kDivisions) {
    Session s = open(lifted_cube(divisions)), undisturbed = open(lifted_cube(divisions));
    for (Session* session : {&s, &undisturbed}) ASSERT_TRUE(session->step());
    for (const Command& command : slow_commands(s)) {
      const auto made = s.preparation(command);
      std::thread elsewhere([&] {
        sim::Workers alone(1);
        if (made) made->run(alone);
      });
      for (const Command& meanwhile :
           std::initializer_list<Command>{Grab{{0, 30}, {1, 1, 1}, 1}, MoveGrab{{1, 2, 1}}}) {
        s.apply(meanwhile);
        undisturbed.apply(meanwhile);
        EXPECT_TRUE(s.step() && undisturbed.step());
      }
      elsewhere.join();
      expect_same(s, undisturbed, std::string(subject(command).words) + " is not in effect yet");
      const double H = s.record().measured.total(), target = s.record().target;
      s.apply(command, made.get());
      undisturbed.apply(command);
      const double change = s.record().measured.total() - H;
      EXPECT_NEAR(s.record().target - target, change, 1e-9 * (1 + std::abs(H))) << subject(command).words;
      // The hand that came meanwhile is in the factors.
      for (int i = 0; i < 2; ++i) ASSERT_TRUE(s.step() && undisturbed.step());
      expect_same(s, undisturbed, subject(command).words.data());
    }
  }
}

// Whatever it was made from: a model with other gravity, other pins, another solver, another stack of what can be
// undone.
TEST(Preparation, IsMadeAgainWhereSomethingElseWasDoneMeanwhile) {
  const auto all = [](Command command) { return Event(Addressed{kAllPanes, std::move(command)}); };
  const std::vector<Event> between{
      all(SetGravity{{0, 3, 0}}), all(Pin{points(100, 30)}), all(SetSolver{{"newton", 3, {}}}),
      all(SetTimeStep{0.01}),     AddPane{0, "bdf2"},        Undo{}};
  for (const Event& meanwhile : between) {
    Ensemble at_once(std::make_unique<Session>(scene::load_world(lifted_cube(6)), 1));
    Ensemble elsewhere(std::make_unique<Session>(scene::load_world(lifted_cube(6)), 1));
    const std::vector<Event> slow{all(SetMaterial{0, other_material(elsewhere.first())}),
                                  all(SetSolver{{"local-global", 7, {}}}), AddPane{0, "newmark"}, Undo{}};
    for (const Event& event : slow) {
      for (Ensemble* ensemble : {&at_once, &elsewhere}) {
        ensemble->apply(all(SetSubsteps{2}));
        ensemble->apply(all(SetIntegrator{"stabilized"}));
      }
      PreparedEvent prepared = elsewhere.begin(event);
      while (prepared.made.size() < prepared.parts.size()) {
        prepared.made.push_back(elsewhere.preparation(prepared));
        sim::Workers alone(1);
        if (prepared.made.back()) prepared.made.back()->run(alone);
      }
      for (Ensemble* ensemble : {&at_once, &elsewhere}) ensemble->apply(meanwhile);
      elsewhere.apply(event, prepared);
      at_once.apply(event);
      for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(at_once.step() && elsewhere.step());
        ASSERT_EQ(checksums(at_once), checksums(elsewhere))
            << "event " << event.index() << ", meanwhile " << meanwhile.index();
      }
    }
  }
}

TEST(Preparation, IsOnlyForWhatTakesLong) {
  Session s = open(lifted_cube(12));
  for (const Command& command : std::initializer_list<Command>{
           Grab{{0, 3}, {1, 2, 3}, 1}, MoveGrab{{1, 1, 1}}, Release{}, SetGravity{{0, 1, 0}},
           SetDamping{{"rigid-preserving", 0.1, "second"}}, SetBlend{0.02, false}, SetSolver{{"local-global", 5, {}}},
           SetIntegrator{"backward-euler"}, SetIntegrator{"forward-euler"}, SetIntegrator{"energy-constrained"},
           Pin{points(100, 4)}, Pin{points(200, 12)}, Unpin{points(150, 100)}, UnpinAll{}, Reset{}}) {
    EXPECT_EQ(s.preparation(command), nullptr) << subject(command).words;
    const double nonzeros = s.factor_nonzeros();
    s.apply(command);
    s.step();
    EXPECT_EQ(s.factor_nonzeros(), nonzeros) << subject(command).words;
  }
  s.apply(Pin{points(100, 16)});
  EXPECT_NE(s.preparation(Pin{points(200, 1)}), nullptr) << "one pin too many for low rank";
  EXPECT_NE(s.preparation(SetIntegrator{"bdf2"}), nullptr);
  EXPECT_NE(s.preparation(SetTimeStep{0.01}), nullptr);
}

// Nothing is left to be factored when it is first wanted, such as in the first frame that blends.
TEST(Preparation, FactorsAreThereWhenTheSessionOpens) {
  for (const auto& info : sim::integrators())
    for (const int divisions : kDivisions) {
      auto d = lifted_cube(divisions);
      d.integrator.type = info.id;
      d.integrator.tolerance = 0;
      Session s = open(d);
      const double nonzeros = s.factor_nonzeros();
      EXPECT_EQ(nonzeros > 0, !info.schemes.empty());
      for (int i = 0; i < 4; ++i) s.step();
      EXPECT_EQ(s.factor_nonzeros(), nonzeros) << info.id;
    }
}

// Halved time steps share a matrix with the step before: backward Euler's of one is midpoint's of the other. That one
// must survive when old ones have to go.
TEST(Preparation, NothingWantedIsForgottenHoweverManyTimeStepsThereWere) {
  for (const int divisions : kDivisions) {
    Session s = open(lifted_cube(divisions));
    for (int i = 0; i < 11; ++i) {
      s.apply(SetTimeStep{s.description().timeStep / 2});
      EXPECT_EQ(s.preparation(SetIntegrator{"stabilized"}), nullptr) << "step " << s.description().timeStep;
    }
  }
}

TEST(Preparation, OfWhatIsRefusedChangesNothing) {
  Session s = open(lifted_cube(6));
  EXPECT_THROW(s.preparation(SetIntegrator{"magic"}), InputError);
  EXPECT_THROW(s.preparation(SetTimeStep{-1}), InputError);
  EXPECT_THROW(s.preparation(SetSubsteps{0}), InputError);
  EXPECT_THROW(s.preparation(Pin{{{0, 100000}}}), InputError);
  scene::Material hopeless = s.description().bodies[0].material;
  hopeless.young = 1e12;
  hopeless.density = 1e-3;
  const auto made = s.preparation(SetMaterial{0, hopeless});
  ASSERT_NE(made, nullptr);
  sim::Workers alone(1);
  EXPECT_THROW(made->run(alone), InputError);
  EXPECT_EQ(s.description().bodies[0].material.young, 1e5);
  EXPECT_TRUE(s.step());
}

TEST(Preparation, EndsEarlyWhenItIsCancelled) {
  Session s = open(lifted_cube(6));
  const std::atomic<bool> cancel{true};
  const auto made = s.preparation(SetMaterial{0, other_material(s)});
  sim::Workers alone(1);
  made->run(alone, &cancel);
  EXPECT_TRUE(s.step());
}

}  // namespace
}  // namespace rebound::test
