// A run as text: every event and number survives, a replay is the same to the last bit, and no file does harm.
#include "session/journal.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "mesh/error.hpp"
#include "scene/material.hpp"
#include "session/run_file.hpp"
#include "support/runs.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

class JournalFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("rebound_journal_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file(const char* name) const { return folder_ / name; }
  std::filesystem::path write(const std::string& text) const {
    std::ofstream(file("written.run"), std::ios::binary) << text;
    return file("written.run");
  }
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// Why a file with this text cannot be read.
  std::string refusal(const std::string& text) const {
    try {
      (void)Journal::read(write(text));
    } catch (const InputError& e) {
      return e.what();
    }
    return "read";
  }

 private:
  std::filesystem::path folder_;
};

/// A run in memory with some of everything in it.
Journal recorded(Ensemble& ensemble) {
  Journal journal(ensemble.first().description());
  journal.add_frame(ensemble);
  for (int frame = 0; frame < 24; ++frame) {
    for (const Event& event : eventful(frame)) {
      ensemble.apply(event);
      journal.add(frame, event);
    }
    ensemble.step();
    journal.add_frame(ensemble);
  }
  return journal;
}

Ensemble start() { return Ensemble(std::make_unique<Session>(scene::load_world(eventful_scene()), 1)); }

/// The first divergence of a replay; empty if there is none.
std::string replayed(const Journal& journal) {
  Ensemble ensemble(std::make_unique<Session>(scene::load_world(journal.scene()), 2));
  std::size_t next = 0;
  for (;;) {
    if (std::string where = divergence(journal, ensemble); !where.empty()) return where;
    for (; next < journal.entries().size() && journal.entries()[next].frame == ensemble.frame(); ++next)
      ensemble.apply(journal.entries()[next].event);
    if (ensemble.frame() == journal.last()) return {};
    ensemble.step();
  }
}

TEST_F(JournalFiles, ReplayIsTheSameToTheLastBit) {
  Ensemble ensemble = start();
  const Journal journal = recorded(ensemble);
  EXPECT_GT(ensemble.panes().size(), 1u);
  journal.write(file("a.run"));
  const Journal read = Journal::read(file("a.run"));
  EXPECT_EQ(read.scene(), journal.scene());
  EXPECT_EQ(read.last(), journal.last());
  EXPECT_EQ(read.entries().size(), journal.entries().size());
  EXPECT_EQ(read.other_instructions(), "");
  EXPECT_EQ(replayed(read), "");
  read.write(file("b.run"));
  EXPECT_EQ(text_of(file("a.run")), text_of(file("b.run"))) << "what is read is what was written";
}

TEST_F(JournalFiles, ARunOfASheetIsReplayedToTheLastBit) {
  scene::Description d;
  d.solver.type = "quasi-newton";
  scene::Body body;
  body.mesh = scene::ClothMesh{{1, 1}, {12, 12}, true};
  body.material = scene::default_material(body.mesh);
  body.attachments.push_back({std::vector<int>{0, 12}, 1e3, {}});
  d.bodies.push_back(body);
  scene::Material other = body.material;
  other.law = "neo-hookean";
  other.thickness = 1.0 / 300;
  other.bending = 0;
  other.pretension = 0.1 + 0.2;
  Ensemble ensemble(std::make_unique<Session>(scene::load_world(d), 1));
  Journal journal(ensemble.first().description());
  journal.add_frame(ensemble);
  for (int frame = 0; frame < 15; ++frame) {
    std::vector<Command> commands;
    if (frame == 3) commands = {Grab{{0, 80}, {0.2, 0.3, 0.1}, 1}, Pin{{{0, 5}}}};
    if (frame == 8) commands = {SetMaterial{0, other}, Release{}};
    for (Command& command : commands) {
      const Event event(Addressed{kAllPanes, std::move(command)});
      ensemble.apply(event);
      journal.add(frame, event);
    }
    ensemble.step();
    journal.add_frame(ensemble);
  }
  journal.write(file("a.run"));
  const Journal read = Journal::read(file("a.run"));
  EXPECT_EQ(read.scene(), journal.scene());
  EXPECT_EQ(replayed(read), "");
}

TEST_F(JournalFiles, EveryEventSurvivesToTheLastDigit) {
  std::mt19937_64 random(3);
  const auto number = [&] { return std::ldexp(static_cast<double>(random() >> 11), -40); };
  scene::Material material;
  material.young = 1e5 + number() * 1e-4;
  material.restLengths = {0.1, 1.0 / 3, 5e-324};
  scene::Obstacle obstacle;
  obstacle.name = "a \"torus\"";
  obstacle.shape = scene::TorusShape{1.0 / 3, 1.0 / 7};
  obstacle.transform = {{0.1, 0.2, 0.3}, {{1, 1, 0}, 1.0 / 3}, 1.0 / 3};
  obstacle.stiffness = 1e6 / 7;
  obstacle.friction = 0.1 + 0.2;
  obstacle.motion = {{1.0 / 3, {0.1, 0, 0}, {{0, 1, 0}, 90}}};
  const std::vector<Event> events{
      Addressed{kAllPanes, Grab{{1, 2}, {number(), -number(), 1e-300}, 1.0 / 3}},
      Addressed{kAllPanes, MoveGrab{{0.1 + 0.2, -1.7976931348623157e308, 0}}},
      Addressed{kAllPanes, Release{}},
      Addressed{kAllPanes, Pin{{{0, 1}, {2, 3}}}},
      Addressed{kAllPanes, Unpin{{{0, 1}}}},
      Addressed{kAllPanes, UnpinAll{}},
      Addressed{2, SetPins{{1, 5, 7}}},
      Addressed{1, SetIntegrator{"bdf2"}},
      Addressed{1, SetBlend{1.0 / 7, false}},
      Addressed{1, SetUnresolved{"heat"}},
      Addressed{1, SetAlpha{0.5, 2, 3, "sdirk2"}},
      Addressed{1, SetRho{1.0 / 3}},
      Addressed{1, SetModes{17}},
      Addressed{1, SetEnergy{{{0, 0.95, {}, {}, {}}, {1.0 / 3, 1, 2.0, -3.5, {}}}}},
      Addressed{0, SetSolver{{"local-global", {}, {}, {}, true}}},
      Addressed{0, SetSolver{{"newton", 7, 3, true}}},
      Addressed{0, SetSolver{{"local-global", 10, {}, false}}},
      Addressed{0, SetTimeStep{1.0 / 30}},
      Addressed{0, SetSubsteps{4}},
      Addressed{0, SetTimeStep{0.01}, true},
      Addressed{0, SetMaterial{3, material, {"newton", 7, {}, false, false, 1.0 / 3, "clamp"}}},
      Addressed{0, SetRegions{1,
                              {{scene::BoxRegion{{0, 0, 0}, {1, 2, 1.0 / 3}}, "corotated", {}},
                               {std::vector<int>{0, 7}, {}, {{"young", 1e6 / 3}}}}}},
      Addressed{0, SetDamping{{"rayleigh", 1.0 / 3000, "second"}}},
      Addressed{0, SetGravity{{0.1, -9.81, 0.3}}},
      Addressed{0, SetWind{{{1.0 / 3, 0, 7}, 0.1, 5, 0, 1e6, 1.2}}},
      Addressed{kAllPanes, PushApart{}},
      Addressed{kAllPanes, Reset{}},
      Addressed{kAllPanes, AddObstacle{obstacle, 2}},
      Addressed{kAllPanes, AddObstacle{obstacle}},
      Addressed{kAllPanes, RemoveObstacle{3}},
      Addressed{kAllPanes, SetObstacle{1, obstacle}},
      Addressed{kAllPanes, MoveObstacle{1, {1.0 / 3, 0, -2}, {{0, 0.1, 1}, 1.0 / 7}}},
      Addressed{kAllPanes, SetContact{}},
      AddPane{0, "newmark"},
      RemovePane{1},
      Undo{},
      Redo{}};
  // Every alternative is among them.
  std::set<std::size_t> commands, kinds;
  Ensemble ensemble = start();
  Journal journal(ensemble.first().description());
  journal.add_frame(ensemble);
  for (const Event& event : events) {
    journal.add(0, event);
    kinds.insert(event.index());
    if (const auto* addressed = std::get_if<Addressed>(&event)) commands.insert(addressed->command.index());
  }
  EXPECT_EQ(commands.size(), std::variant_size_v<Command>);
  EXPECT_EQ(kinds.size(), std::variant_size_v<Event>);
  journal.write(file("a.run"));
  const Journal read = Journal::read(file("a.run"));
  ASSERT_EQ(read.entries().size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i)
    EXPECT_EQ(entry_line(read.entries()[i]), entry_line(journal.entries()[i]));
  const auto& grab = std::get<Grab>(std::get<Addressed>(read.entries()[0].event).command);
  const auto& written = std::get<Grab>(std::get<Addressed>(events[0]).command);
  EXPECT_EQ(grab.target, written.target);
  EXPECT_EQ(grab.strength, written.strength);
  EXPECT_EQ(grab.radius, written.radius);
  EXPECT_EQ(grab.point.vertex, 2);
  EXPECT_EQ(std::get<SetMaterial>(std::get<Addressed>(read.entries()[20].event).command).material, material);
  EXPECT_EQ(std::get<AddObstacle>(std::get<Addressed>(read.entries()[27].event).command).obstacle, obstacle);
}

TEST_F(JournalFiles, AChangedCommandIsSeenAtItsFrame) {
  Ensemble ensemble = start();
  const Journal journal = recorded(ensemble);
  journal.write(file("a.run"));
  std::string text = text_of(file("a.run"));
  const std::size_t at = text.find("0.8125");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 6, "0.8126");
  const Journal changed = Journal::read(write(text));
  const std::string where = replayed(changed);
  // The hand of frame 5 is seen after the step that follows.
  EXPECT_EQ(where.rfind("frame 6, pane 0: differs from the recording", 0), 0u) << where;
}

TEST_F(JournalFiles, AFailureIsRecordedAndComesAgain) {
  auto d = spinning_cube(2, 1e6);
  d.integrator.type = "forward-euler";
  Ensemble ensemble(std::make_unique<Session>(scene::load_world(d), 1));
  Journal journal(d);
  journal.add_frame(ensemble);
  {
    RunFile growing(file("grown.run"), d);
    growing.frame(ensemble);
    while (!ensemble.stands_still()) {
      ensemble.step();
      journal.add_frame(ensemble);
      growing.frame(ensemble);
    }
    // Another method goes on from there.
    const Entry onwards{ensemble.frame(), Addressed{0, SetIntegrator{"stabilized"}}};
    ensemble.apply(onwards.event);
    journal.add(onwards.frame, onwards.event);
    growing.entry(onwards);
    ensemble.step();
    journal.add_frame(ensemble);
    growing.frame(ensemble);
    growing.commit();
  }
  ASSERT_EQ(journal.failures().size(), 1u);
  journal.write(file("whole.run"));
  EXPECT_EQ(text_of(file("grown.run")), text_of(file("whole.run")));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(replayed(Journal::read(file("whole.run"))), "");
  // A run that fails where none was recorded, and one that does not where one was.
  std::string text = text_of(file("whole.run"));
  text.replace(text.find("forward-euler"), 13, "stabilized");
  EXPECT_NE(replayed(Journal::read(write(text))), "");
}

TEST_F(JournalFiles, RefusalsNameTheLine) {
  const Ensemble ensemble = start();
  const std::string header = header_line(ensemble.first().description(), {}),
                    frame = frame_line(0, checksums(ensemble));
  EXPECT_EQ(refusal(header + frame), "read");
  const auto expect = [&](const std::string& text, const std::string& place, const std::string& word) {
    const std::string what = refusal(text);
    EXPECT_NE(what.find(place), std::string::npos) << what;
    EXPECT_NE(what.find(word), std::string::npos) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  };
  expect("", "written.run: ", "empty");
  expect(header, "written.run: ", "no frame");
  expect("{}\n", "written.run:1: ", "rebound-run");
  expect("[]\n", "written.run:1: ", "header");
  expect("[\"rebound-run\"]\n", "written.run:1: ", "header");
  expect("{\"rebound-run\":2,\"instructions\":\"avx2\",\"scene\":{}}\n", "written.run:1: ", "format 2");
  expect("{\"rebound-run\":1,\"instructions\":\"avx2\",\"scene\":{\"rebound\":1,\"bodies\":[]}}\n",
         "written.run:1: ", "bodies");
  expect(header + "nonsense\n" + frame, "written.run:2:", "syntax error: unknown word at 'no'");
  expect(header + "{\"frame\":0,\"sums\":[\"12\"]}\n", "written.run:2: /sums/0", "16 hexadecimal");
  expect(header + "{\"frame\":0,\"sums\":[]}\n", "written.run:2: /sums", "1 to 6");
  expect(header + "{\"frame\":3,\"sums\":[\"0123456789abcdef\"]}\n", "written.run:2", "out of order");
  expect(header + frame + "{\"frame\":0}\n", "written.run:3: /", "'do' is missing");
  expect(header + frame + "{\"frame\":0,\"do\":\"grabb\"}\n", "written.run:3: /do", "did you mean 'grab'");
  expect(header + frame + "{\"frame\":0,\"do\":\"release\",\"x\":1}\n", "written.run:3: /x", "unknown key");
  expect(header + frame + "{\"frame\":0,\"do\":\"setTimeStep\",\"timeStep\":0}\n", "written.run:3: /timeStep",
         "within");
  expect(header + frame + "{\"frame\":1,\"do\":\"release\"}\n", "written.run:3", "out of order");
  expect(header + frame + end_line(1), "written.run:3", "out of order");
  expect(header + frame + end_line(0) + end_line(0), "written.run:4", "after the end");
  expect(header + frame + "{\"frame\":0,\"end\":false}\n", "written.run:3: /end", "true");
  expect(header + frame + "{\"frame\":0,\"do\":\"pin\",\"points\":[[0]]}\n", "written.run:3: /points/0", "2 whole");
}

TEST_F(JournalFiles, AMeshThatIsNotTheRecordedOneIsNamed) {
  auto d = eventful_scene();
  const auto mesh = file("tet.mesh");
  const auto write_mesh = [&](const char* last) {
    std::ofstream(mesh) << "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 " << last
                        << " 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n";
  };
  write_mesh("1");
  d.bodies[0].mesh = scene::FileMesh{mesh, {}};
  d.bodies[0].traces.clear();
  Ensemble ensemble(std::make_unique<Session>(scene::load_world(d), 1));
  Journal journal(d);
  journal.add_frame(ensemble);
  journal.write(file("a.run"));
  EXPECT_NE(text_of(file("a.run")).find("\"file\":\"tet.mesh\""), std::string::npos) << "paths go with the file";
  EXPECT_EQ(replayed(Journal::read(file("a.run"))), "");
  write_mesh("2");
  try {
    (void)Journal::read(file("a.run"));
    ADD_FAILURE() << "another mesh was taken for the recorded one";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("a.run:1: /meshes/0"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("tet.mesh"), std::string::npos) << e.what();
  }
}

TEST_F(JournalFiles, CutOffAnywhereItReadsAsWhatWasWhole) {
  Ensemble ensemble = start();
  const Journal journal = recorded(ensemble);
  journal.write(file("a.run"));
  const std::string text = text_of(file("a.run"));
  const std::size_t header = text.find('\n') + 1, first = text.find('\n', header) + 1;
  EXPECT_FALSE(Journal::read(write(text)).is_cut_off());
  EXPECT_TRUE(Journal::read(write(text.substr(0, text.size() - 1))).is_cut_off());
  for (std::size_t size = first; size < text.size(); size += 7) {
    const Journal cut = Journal::read(write(text.substr(0, size)));
    ASSERT_TRUE(cut.is_cut_off()) << "at byte " << size;
    ASSERT_LE(cut.last(), journal.last());
    for (std::int64_t frame = 0; frame <= cut.last(); ++frame)
      ASSERT_EQ(cut.sums(frame)[0], journal.sums(frame)[0]) << "cut at byte " << size;
  }
  for (std::size_t size = 0; size < first - 1; size += 11) EXPECT_NE(refusal(text.substr(0, size)), "read");
}

TEST_F(JournalFiles, MutilatedFilesAreReadOrRefusedInOneLine) {
  Ensemble ensemble = start();
  const Journal journal = recorded(ensemble);
  journal.write(file("a.run"));
  const std::string text = text_of(file("a.run"));
  std::mt19937 random(7);
  const std::string alphabet = "{}[]\":,0129eE-.x\n\0\xff\xc3truefals";
  int refused = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string mutated = text;
    for (unsigned k = 0; k < 1 + random() % 3; ++k) {
      const std::size_t at = random() % mutated.size();
      switch (random() % 3) {
        case 0:
          mutated[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          mutated.erase(at, 1 + random() % 40);
          break;
        default:
          mutated.insert(at, mutated.substr(random() % mutated.size(), random() % 60));
      }
    }
    const std::string what = refusal(mutated);
    ASSERT_EQ(what.find('\n'), std::string::npos) << what;
    refused += what != "read";
  }
  EXPECT_GT(refused, 500);
}

TEST_F(JournalFiles, EventsOfAnotherWorldAreRefusedAndDoNoHarm) {
  Ensemble ensemble = start();
  const Journal journal = recorded(ensemble);
  const auto expect_refused = [&](const Event& event) {
    const auto before = checksums(ensemble);
    EXPECT_THROW(ensemble.apply(event), InputError) << entry_line({0, event});
    EXPECT_EQ(checksums(ensemble), before);
  };
  expect_refused(Addressed{kAllPanes, Grab{{0, 1'000'000}, {0, 0, 0}, 1}});
  expect_refused(Addressed{kAllPanes, Grab{{7, 0}, {0, 0, 0}, 1}});
  expect_refused(Addressed{kAllPanes, Grab{{0, 0}, {NAN, 0, 0}, 1}});
  expect_refused(Addressed{kAllPanes, Pin{{{0, 1}, {0, 1'000'000}}}});
  expect_refused(Addressed{kAllPanes, SetPins{{1, 1'000'000}}});
  expect_refused(Addressed{kAllPanes, SetMaterial{7, {}}});
  expect_refused(Addressed{99, SetSubsteps{2}});
  expect_refused(AddPane{99, "bdf2"});
  expect_refused(AddPane{0, "magic"});
  expect_refused(RemovePane{99});
  scene::Material springs;
  springs.model = "springs";
  expect_refused(Addressed{kAllPanes, SetMaterial{0, springs}});
}

}  // namespace
}  // namespace rebound::test
