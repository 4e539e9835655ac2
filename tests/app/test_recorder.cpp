// A recording has a picture for each thirtieth of simulated time, whatever the time step and however it comes.
#include "app/recorder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stb_image.h>
#include <unistd.h>

#include "render/gl.hpp"
#include "support/worlds.hpp"

namespace rebound::app {
namespace {

namespace fs = std::filesystem;

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() : folder(fs::path(testing::TempDir()) / ("rebound_recorder_" + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~RecorderTest() override { fs::remove_all(folder); }

  void SetUp() override {
    try {
      context = std::make_unique<render::OffscreenContext>();
    } catch (const render::GlError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// A box in the air with this time step, s.
  void open(double time_step) {
    scene::Description d;
    d.timeStep = time_step;
    scene::Body body;
    body.name = "box";
    body.mesh = scene::BoxMesh{{1, 1, 1}, {1, 1, 1}};
    d.bodies = {body};
    session.reset(new session::Session(test::open(d)));  // made in place: a session is not copied
    records = {session->record()};
    moment = {};
    session::look(*session, moment);
    picture.show(session->world().bodies, moment);
  }

  void start(const fs::path& file, std::size_t panes = 1) {
    RecordingOptions options;
    options.width = 160;
    options.height = 120;
    recorder.start(file, options, panes);
    take();
  }

  void take() {
    const RecordedPane panes[] = {{picture, moment, records}};
    recorder.take(panes);
    while (recorder.records() && !recorder.has_room()) usleep(500);
  }

  void step(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(session->step());
      records.push_back(session->record());
    }
    session::look(*session, moment);
    picture.update(moment);
  }

  std::optional<Recorder::Report> finish() {
    recorder.stop();
    for (int i = 0; i < 10'000; ++i) {
      if (auto report = recorder.poll()) return report;
      usleep(1000);
    }
    return std::nullopt;
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder / "shots"), {}));
  }

  fs::path folder;
  std::unique_ptr<render::OffscreenContext> context;
  std::unique_ptr<session::Session> session;
  session::Snapshot moment;
  std::deque<session::FrameRecord> records;
  film::Picture picture;
  Recorder recorder;
};

TEST_F(RecorderTest, APictureEachThirtiethOfASecond) {
  for (const double h : {0.001, 0.007, 1.0 / 60, 0.033, 1.0 / 30, 0.05, 0.1, 0.4}) {
    SCOPED_TRACE(h);
    open(h);
    start(folder / "shots" / "");
    while (moment.record.time < 1) {
      step(recorder.steps_to_next(moment));
      take();
    }
    // The last moment is seen until the next one would be.
    const int expected = static_cast<int>(std::floor((moment.record.time + h) * 30 - 1e-3)) + 1;
    const auto report = finish();
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->failed) << report->text;
    EXPECT_EQ(recorder.pictures(), expected);
    EXPECT_EQ(files(), static_cast<std::size_t>(expected));
    EXPECT_EQ(recorder.state(), Recorder::State::idle);
    fs::remove_all(folder / "shots");
  }
}

TEST_F(RecorderTest, EveryStepSeenOrOnlySomeIsTheSameVideo) {
  int pictures[2];
  for (const bool all : {false, true}) {
    open(0.004);
    start(folder / "shots" / "");
    while (moment.record.frame < 200) {
      step(all ? 1 : recorder.steps_to_next(moment));
      take();
    }
    finish();
    pictures[all] = recorder.pictures();
    fs::remove_all(folder / "shots");
  }
  EXPECT_NEAR(pictures[0], pictures[1], 1);
}

TEST_F(RecorderTest, AResetIsACutAndStandingStillIsNothing) {
  open(0.033);
  start(folder / "shots" / "");
  step(10);
  take();
  const int before = recorder.pictures();
  for (int i = 0; i < 5; ++i) take();
  EXPECT_EQ(recorder.pictures(), before) << "nothing moved";
  session->apply(session::Reset{});
  step(0);
  take();
  EXPECT_EQ(recorder.pictures(), before) << "a reset takes no time";
  step(10);
  take();
  EXPECT_NEAR(recorder.pictures(), 2 * before, 2);
  ASSERT_TRUE(finish());
}

TEST_F(RecorderTest, TheCameraIsPutBackAndTheSizeIsItsOwn) {
  open(0.033);
  picture.camera().resize(777, 333);
  picture.go_home();
  const auto moving = picture.camera().moving();
  start(folder / "shots" / "");
  step(3);
  take();
  EXPECT_EQ(picture.camera().width(), 777);
  EXPECT_EQ(picture.camera().height(), 333);
  EXPECT_EQ(picture.camera().moving(), moving);
  finish();
  int width = 0, height = 0;
  unsigned char* pixels = stbi_load((folder / "shots" / "00000.png").c_str(), &width, &height, nullptr, 4);
  ASSERT_NE(pixels, nullptr);
  stbi_image_free(pixels);
  EXPECT_EQ(width, 160);
  EXPECT_EQ(height, 120);
}

TEST_F(RecorderTest, SeveralPanesAreSeenSideBySide) {
  open(0.033);
  RecordingOptions options;
  options.width = 320;
  options.height = 160;
  recorder.start(folder / "shots" / "", options, 2);
  film::Picture other;
  other.show(session->world().bodies, moment);
  other.camera().set_pose({{0, 0, 0}, 0.6f, 0.3f, 1e3f});  // far away: nothing to be seen
  picture.camera().set_pose({{0, 0, 0}, 0.6f, 0.3f, 2});
  const RecordedPane panes[] = {{picture, moment, records}, {other, moment, records}};
  recorder.take(panes);
  finish();
  int width = 0, height = 0;
  unsigned char* pixels = stbi_load((folder / "shots" / "00000.png").c_str(), &width, &height, nullptr, 4);
  ASSERT_NE(pixels, nullptr);
  const film::Sheet sheet(320, 160, 2, true);
  const auto red_in = [&](std::size_t pane) {
    const auto area = sheet.picture(pane);
    int count = 0;
    for (int y = area.y; y < area.y + area.height; ++y)
      for (int x = area.x; x < area.x + area.width; ++x)
        count += pixels[4 * (y * width + x)] > pixels[4 * (y * width + x) + 2] + 60 ? 1 : 0;
    return count;
  };
  EXPECT_GT(red_in(0), 300);
  EXPECT_LT(red_in(1), 50);
  stbi_image_free(pixels);
}

TEST_F(RecorderTest, AnEncoderThatDiesIsSaidOnceAndAnotherCanFollow) {
  open(0.033);
  start(folder / "clip.mp4");
  for (int i = 0; i < 20; ++i) {
    step(1);
    take();
  }
  kill(recorder.process_id(), SIGKILL);
  std::optional<Recorder::Report> report;
  for (int i = 0; i < 2000 && !report; ++i) {
    step(1);
    take();
    report = recorder.poll();
  }
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->failed);
  EXPECT_NE(report->text.find("signal 9"), std::string::npos) << report->text;
  EXPECT_EQ(recorder.state(), Recorder::State::failed);
  EXPECT_FALSE(recorder.poll());
  start(folder / "next.mp4");
  step(5);
  take();
  report = finish();
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->failed) << report->text;
  EXPECT_TRUE(fs::exists(folder / "next.mp4"));
}

TEST_F(RecorderTest, WhatCannotBeginLeavesItIdle) {
  open(0.033);
  RecordingOptions options;
  EXPECT_THROW(recorder.start(folder / "clip.txt", options, 1), render::OutputError);
  EXPECT_THROW(recorder.start(folder / "missing" / "clip.mp4", options, 1), render::OutputError);
  EXPECT_EQ(recorder.state(), Recorder::State::idle);
  take();
  EXPECT_EQ(recorder.pictures(), 0);
}

}  // namespace
}  // namespace rebound::app
