#include "render/video.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace rebound::render {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Video : public testing::Test {
 protected:
  Video() : folder(fs::path(testing::TempDir()) / ("rebound_video_" + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~Video() override { fs::remove_all(folder); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
    return names;
  }
  fs::path folder;
};

VideoOptions small() { return {.width = 160, .height = 120, .frames_per_second = 25}; }

Image frame_number(int i, int width = 160, int height = 120) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::uint8_t* pixel = image.pixel(x, y);
      pixel[0] = static_cast<std::uint8_t>(x + 7 * i);
      pixel[1] = static_cast<std::uint8_t>(2 * y);
      pixel[3] = 255;
    }
  }
  return image;
}

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {};
  std::array<char, 256> text{};
  const std::size_t size = fread(text.data(), 1, text.size() - 1, pipe);
  pclose(pipe);
  std::string result(text.data(), size);
  while (!result.empty() && result.back() == '\n') result.pop_back();
  return result;
}

int count_frames(const fs::path& video) {
  const std::string count = output_of(
      "ffprobe -v error -count_frames -select_streams v -show_entries "
      "stream=nb_read_frames -of csv=p=0 '" +
      video.string() + "'");
  return count.empty() ? -1 : std::atoi(count.c_str());
}

/// Puts back what PATH was.
class OtherPath {
 public:
  explicit OtherPath(const std::string& path) : old_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
  ~OtherPath() { setenv("PATH", old_.c_str(), 1); }

 private:
  std::string old_;
};

TEST_F(Video, HasEveryFrameAtItsRate) {
  VideoWriter video(folder / "clip.mp4", small());
  for (int i = 0; i < 30; ++i) video.write(frame_number(i));
  video.finish();
  EXPECT_EQ(count_frames(folder / "clip.mp4"), 30);
  EXPECT_EQ(output_of("ffprobe -v error -select_streams v -show_entries stream=r_frame_rate,width,height,pix_fmt -of "
                      "csv=p=0 '" +
                      (folder / "clip.mp4").string() + "'"),
            "160,120,yuv420p,25/1");
  EXPECT_EQ(files(), std::vector<std::string>{"clip.mp4"});
}

TEST_F(Video, OddSizesAndMatroskaWork) {
  VideoOptions options = small();
  options.width = 161;
  options.height = 99;
  VideoWriter video(folder / "it's odd: 50%.mkv", options);
  for (int i = 0; i < 5; ++i) video.write(frame_number(i, 161, 99));
  video.finish();
  EXPECT_EQ(files(), std::vector<std::string>{"it's odd: 50%.mkv"});
}

TEST_F(Video, AbandonedItLeavesNothing) {
  {
    VideoWriter video(folder / "clip.mp4", small());
    for (int i = 0; i < 5; ++i) video.write(frame_number(i));
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(Video, WithoutFfmpegSaysSoAtOnce) {
  const OtherPath empty(folder.string());
  const auto start = Clock::now();
  try {
    VideoWriter video(folder / "clip.mp4", small());
    FAIL();
  } catch (const MissingProgram& error) {
    EXPECT_NE(std::string(error.what()).find("install the package ffmpeg"), std::string::npos) << error.what();
  }
  EXPECT_LT(seconds_since(start), 0.2);
  EXPECT_TRUE(files().empty());
}

TEST_F(Video, AKilledEncoderIsAMessageAndKeepsWhatItHad) {
  VideoWriter video(folder / "clip.mp4", small());
  for (int i = 0; i < 120; ++i) video.write(frame_number(i));
  while (!fs::exists(folder / "clip.mp4.part.mkv") || fs::file_size(folder / "clip.mp4.part.mkv") < 20'000) {
    video.write(frame_number(0));
  }
  kill(video.process_id(), SIGKILL);
  const auto start = Clock::now();
  EXPECT_THROW(for (int i = 0; i < 1000; ++i) video.write(frame_number(i)), OutputError);
  EXPECT_LT(seconds_since(start), 1.0);
  EXPECT_NE(video.failure().find("signal 9"), std::string::npos) << video.failure();
  EXPECT_THROW(video.finish(), OutputError);
  EXPECT_FALSE(fs::exists(folder / "clip.mp4"));
  EXPECT_GT(count_frames(folder / "clip.partial.mkv"), 30);
}

TEST_F(Video, AStalledEncoderIsNoticed) {
  VideoOptions options = small();
  options.patience = std::chrono::milliseconds(300);
  VideoWriter video(folder / "clip.mp4", options);
  video.write(frame_number(0));
  kill(video.process_id(), SIGSTOP);
  const auto start = Clock::now();
  EXPECT_THROW(for (int i = 0; i < 1000; ++i) video.write(frame_number(i)), OutputError);
  EXPECT_LT(seconds_since(start), 3.0);
  EXPECT_NE(video.failure().find("taken no frame"), std::string::npos) << video.failure();
}

TEST_F(Video, AFullQueueDropsAndCounts) {
  VideoOptions options = small();
  options.queue_frames = 2;
  VideoWriter video(folder / "clip.mp4", options);
  kill(video.process_id(), SIGSTOP);
  int accepted = 0;
  for (int i = 0; i < 100; ++i) accepted += video.try_write(frame_number(i)) ? 1 : 0;
  EXPECT_GT(video.frames_dropped(), 0);
  EXPECT_EQ(video.frames_dropped(), 100 - accepted);
  kill(video.process_id(), SIGCONT);
  video.finish();
  EXPECT_EQ(count_frames(folder / "clip.mp4"), accepted);
}

TEST_F(Video, RefusesWhatCannotWork) {
  EXPECT_THROW(VideoWriter(folder / "clip.avi", small()), OutputError);
  EXPECT_THROW(VideoWriter(folder / "missing" / "clip.mp4", small()), OutputError);
  EXPECT_THROW(VideoWriter(folder / "clip.mp4", {.width = 0}), OutputError);
  EXPECT_THROW(VideoWriter(folder / "clip.mp4", {.frames_per_second = 0}), OutputError);
  VideoWriter video(folder / "clip.mp4", small());
  EXPECT_THROW(video.write(frame_number(0, 10, 10)), OutputError);
}

TEST_F(Video, TheEncodersOwnWordsAreTheMessage) {
  // A folder of the final name's temporary file: ffmpeg itself has to refuse.
  fs::create_directories(folder / "clip.mp4.part.mkv" / "full");
  VideoWriter video(folder / "clip.mp4", small());
  try {
    for (int i = 0; i < 50; ++i) video.write(frame_number(i));
    video.finish();
    FAIL();
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("clip.mp4"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("irectory"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace rebound::render
