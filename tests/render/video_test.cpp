#include "render/video.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stb_image.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

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

/// What ffprobe says of a video's stream: "vp9,160,120,25/1".
std::string probed(const fs::path& video, const std::string& entries) {
  return output_of("ffprobe -v error -select_streams v -show_entries " + entries + " -of csv=p=0 '" + video.string() +
                   "'");
}

/// A file system of so many bytes under a folder, for a disk that is full.
class SmallDisk {
 public:
  SmallDisk(fs::path folder, const std::string& size) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
    mounted_ = mount("rebound_test", folder_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount2(folder_.c_str(), MNT_DETACH);
  }
  bool is_there() const { return mounted_; }

 private:
  fs::path folder_;
  bool mounted_ = false;
};

/// Noise, which no encoder makes small.
Image noise(int i) {
  Image image = frame_number(i);
  std::uint32_t state = 12345u + static_cast<std::uint32_t>(i);
  for (auto& byte : image.rgba) {
    state = 1664525u * state + 1013904223u;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  return image;
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

TEST_F(Video, EveryFormatHasItsCodecItsFramesAndItsDuration) {
  struct Case {
    const char* name;
    const char* stream;
  };
  for (const Case& c : {Case{"clip.mp4", "h264,160,120,25/1"}, Case{"clip.MKV", "h264,160,120,25/1"},
                        Case{"clip.webm", "vp9,160,120,25/1"}, Case{"clip.gif", "gif,160,120,25/1"}}) {
    SCOPED_TRACE(c.name);
    VideoWriter video(folder / c.name, small());
    for (int i = 0; i < 50; ++i) video.write(frame_number(i));
    video.finish();
    EXPECT_EQ(files(), std::vector<std::string>{c.name}) << "nothing else is left";
    EXPECT_EQ(count_frames(folder / c.name), 50);
    EXPECT_EQ(probed(folder / c.name, "stream=codec_name,width,height,r_frame_rate"), c.stream);
    EXPECT_NEAR(std::atof(probed(folder / c.name, "format=duration").c_str()), 2.0, 0.06);
    fs::remove(folder / c.name);
  }
}

TEST_F(Video, AGifHasThePicturesColours) {
  // Few colours, so that the palette holds them all: what is left of the difference is dithering and the encoder's.
  VideoWriter video(folder / "clip.gif", small());
  Image picture(160, 120);
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 160; ++x) {
      std::uint8_t* pixel = picture.pixel(x, y);
      pixel[0] = x < 80 ? 220 : 20;
      pixel[1] = y < 60 ? 180 : 40;
      pixel[2] = 90;
      pixel[3] = 255;
    }
  for (int i = 0; i < 5; ++i) video.write(picture);
  video.finish();
  const std::string pixels = output_of("ffmpeg -v error -i '" + (folder / "clip.gif").string() +
                                       "' -frames:v 1 -vf crop=1:1:40:30 -f rawvideo -pix_fmt rgb24 - | od -An -tu1");
  int r = 0, g = 0, b = 0;
  ASSERT_EQ(std::sscanf(pixels.c_str(), "%d %d %d", &r, &g, &b), 3) << pixels;
  EXPECT_NEAR(r, 220, 10);
  EXPECT_NEAR(g, 180, 10);
  EXPECT_NEAR(b, 90, 10);
}

TEST_F(Video, PicturesAreNumberedAndExact) {
  for (const std::string name : {"shots/", "shots/frame-%03d.png"}) {
    SCOPED_TRACE(name);
    const OtherPath no_ffmpeg(folder.string());
    VideoWriter video((folder / name).string(), small());
    for (int i = 0; i < 12; ++i) video.write(frame_number(i));
    video.finish();
    const bool plain = name.ends_with('/');
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder / "shots")) count += entry.is_regular_file() ? 1 : 0;
    EXPECT_EQ(count, 12u);
    EXPECT_TRUE(fs::exists(folder / "shots" / (plain ? "00000.png" : "frame-000.png")));
    int width = 0, height = 0;
    const fs::path last = folder / "shots" / (plain ? "00011.png" : "frame-011.png");
    unsigned char* pixels = stbi_load(last.c_str(), &width, &height, nullptr, 4);
    ASSERT_NE(pixels, nullptr);
    ASSERT_EQ(width, 160);
    ASSERT_EQ(height, 120);
    EXPECT_TRUE(std::equal(pixels, pixels + 4 * 160 * 120, frame_number(11).rgba.begin()));
    stbi_image_free(pixels);
    // An older recording is not written over.
    EXPECT_THROW(VideoWriter((folder / name).string(), small()), OutputError);
    fs::remove_all(folder / "shots");
  }
}

TEST_F(Video, AbandonedPicturesAreRemovedAndTheirFolderToo) {
  {
    VideoWriter video((folder / "shots/").string(), small());
    for (int i = 0; i < 20; ++i) video.write(frame_number(i));
  }
  EXPECT_TRUE(files().empty());
  fs::create_directories(folder / "mine");
  { VideoWriter video((folder / "mine/%d.png").string(), small()); }
  EXPECT_EQ(files(), std::vector<std::string>{"mine"}) << "a folder that was there stays";
}

TEST_F(Video, AFullDiskIsAMessageAndKeepsWhatFitted) {
  for (const std::string name : {"clip.mp4", "clip.webm", "clip.gif", "shots/"}) {
    SCOPED_TRACE(name);
    const SmallDisk disk(folder / "disk", "1m");
    if (!disk.is_there()) GTEST_SKIP() << "no file system may be mounted here";
    VideoWriter video((folder / "disk" / name).string(), small());
    try {
      for (int i = 0; i < 2000; ++i) video.write(noise(i));
      video.finish();
      FAIL() << "it wrote more than there is room";
    } catch (const OutputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
      EXPECT_NE(message.find(name == "shots/" ? "shots" : "clip.partial.mkv"), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
    EXPECT_FALSE(fs::is_regular_file(folder / "disk" / name)) << "no half of a file has its name";
    if (name == "shots/") {
      for (const auto& entry : fs::directory_iterator(folder / "disk/shots"))
        EXPECT_EQ(count_frames(entry.path()), 1) << entry.path() << " is whole";
    } else {
      EXPECT_GT(count_frames(folder / "disk/clip.partial.mkv"), 10);
    }
  }
}

TEST_F(Video, AFileThatMayNotGrowIsAMessageAndKeepsWhatFitted) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small_files{300'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small_files);
  VideoWriter video(folder / "clip.mp4", small());
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THROW(for (int i = 0; i < 2000; ++i) video.write(noise(i)), OutputError);
  EXPECT_NE(video.failure().find("clip.partial.mkv"), std::string::npos) << video.failure();
  EXPECT_GT(count_frames(folder / "clip.partial.mkv"), 3);
}

TEST_F(Video, AKilledVp9EncoderLosesAtMostASecond) {
  VideoWriter video(folder / "clip.webm", small());
  for (int i = 0; i < 150; ++i) video.write(frame_number(i));
  while (video.is_full()) usleep(1000);
  kill(video.process_id(), SIGKILL);
  EXPECT_THROW(for (int i = 0; i < 1000; ++i) video.write(frame_number(i)), OutputError);
  // 8 may be queued, some lie in the pipe.
  EXPECT_GT(count_frames(folder / "clip.partial.mkv"), 90);
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
  const fs::path part = folder / files().at(0);
  EXPECT_TRUE(part.filename().string().starts_with("clip.mp4.partial-" + std::to_string(getpid()) + "-")) << part;
  while (fs::file_size(part) < 20'000) video.write(frame_number(0));
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
  try {
    VideoWriter(folder / "clip.avi", small());
    FAIL();
  } catch (const OutputError& error) {
    for (const char* known : {".mp4", ".mkv", ".webm", ".gif", "%05d.png"})
      EXPECT_NE(std::string(error.what()).find(known), std::string::npos) << error.what();
  }
  EXPECT_THROW(VideoWriter(folder / "one.png", small()), OutputError);
  EXPECT_THROW(VideoWriter(folder / "a%sb.png", small()), OutputError);
  EXPECT_THROW(VideoWriter(folder / "%d-%d.png", small()), OutputError);
  EXPECT_THROW(VideoWriter(folder / "missing" / "clip.mp4", small()), OutputError);
  EXPECT_THROW(VideoWriter(folder / "clip.mp4", {.width = 0}), OutputError);
  EXPECT_THROW(VideoWriter(folder / "clip.mp4", {.frames_per_second = 0}), OutputError);
  VideoWriter video(folder / "clip.mp4", small());
  EXPECT_THROW(video.write(frame_number(0, 10, 10)), OutputError);
}

/// A program of this name goes before the real one.
class OtherFfmpeg {
 public:
  OtherFfmpeg(const fs::path& folder, const std::string& script) : path_(folder.string() + ":" + std::getenv("PATH")) {
    fs::create_directories(folder);
    std::ofstream(folder / "ffmpeg") << "#!/bin/sh\n" << script << "\n";
    fs::permissions(folder / "ffmpeg", fs::perms::owner_all);
  }

 private:
  OtherPath path_;
};

TEST_F(Video, TheEncodersOwnWordsAreTheMessage) {
  const OtherFfmpeg other(folder / "bin", "echo 'it is Tuesday' >&2; exit 1");
  VideoWriter video(folder / "clip.mp4", small());
  try {
    for (int i = 0; i < 50; ++i) video.write(frame_number(i));
    video.finish();
    FAIL();
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("clip.mp4"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("it is Tuesday"), std::string::npos) << error.what();
  }
}

TEST_F(Video, AnEncoderThatNeverEndsIsGivenUp) {
  const OtherFfmpeg other(folder / "bin", "trap '' TERM INT; cat > /dev/null; while true; do sleep 1; done");
  VideoWriter video(folder / "clip.mp4", small());
  for (int i = 0; i < 5; ++i) video.write(frame_number(i));
  const auto start = Clock::now();
  EXPECT_THROW(video.finish(), OutputError);
  EXPECT_GT(seconds_since(start), 9);
  EXPECT_LT(seconds_since(start), 12);
  EXPECT_NE(video.failure().find("did not end in time"), std::string::npos) << video.failure();
  EXPECT_EQ(files(), std::vector<std::string>{"bin"});
}

// Ten seconds without anything written are its end, not ten seconds of work.
TEST_F(Video, AnEncoderThatIsSlowIsWaitedFor) {
  const OtherFfmpeg other(folder / "bin",
                          "for last; do :; done; cat > /dev/null\n"
                          "for i in 1 2 3; do sleep 4; echo picture >> \"${last#file:}\"; done");
  VideoWriter video(folder / "clip.mkv", small());
  video.write(frame_number(0));
  video.finish();
  EXPECT_EQ(fs::file_size(folder / "clip.mkv"), 24u);
}

TEST_F(Video, LinksThatLieInWaitAreNotFollowed) {
  std::ofstream(folder / "victim") << "precious";
  for (const char* ending : {".part.mkv", ".part.final", ".palette.png"})
    fs::create_symlink("victim", folder / ("clip.gif" + std::string(ending)));
  for (int serial = 0; serial < 90; ++serial)
    fs::create_symlink("victim",
                       folder / ("clip.gif.partial-" + std::to_string(getpid()) + "-" + std::to_string(serial)));
  VideoWriter video(folder / "clip.gif", small());
  for (int i = 0; i < 5; ++i) video.write(frame_number(i));
  video.finish();
  EXPECT_EQ(fs::file_size(folder / "victim"), 8u);
}

}  // namespace
}  // namespace rebound::render
