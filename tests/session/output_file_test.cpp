// Outputs are whole or not there, whatever stands where they go, and whoever else writes there.
#include "session/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "mesh/atomic_file.hpp"
#include "mesh/error.hpp"

namespace rebound::test {
namespace {

namespace fs = std::filesystem;
using session::OutputFile;

class OutputFiles : public testing::Test {
 protected:
  OutputFiles() { fs::create_directories(folder_); }
  ~OutputFiles() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  /// What comes out of a pipe that `write` writes into.
  template <class Write>
  std::string read_through(const fs::path& pipe, const Write& write) const {
    EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    // So that the reader comes to an end whatever has become of the pipe.
    const int writer = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);
    std::string text;
    std::thread reader([&] { text = content(pipe); });
    write();
    ::close(writer);
    reader.join();
    return text;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("outputs of " + std::to_string(getpid()));
};

TEST_F(OutputFiles, HaveTheirNameWhenTheyAreWhole) {
  const fs::path path = folder_ / "a.csv";
  std::ofstream(path) << "old";
  {
    OutputFile file(path);
    file.write("new");
    file.flush();
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(files(), 2u);
    file.commit();
    EXPECT_EQ(content(path), "new");
  }
  EXPECT_EQ(files(), 1u);
  {
    OutputFile given_up(path);
    given_up.write("half");
  }
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(files(), 1u);
  EXPECT_THROW(OutputFile file(folder_), InputError);
  EXPECT_THROW(OutputFile file(folder_ / "none" / "a.csv"), InputError);
}

TEST_F(OutputFiles, TwoOfOneNameDoNotMixTheirLines) {
  const fs::path path = folder_ / "a.csv";
  std::string first_text, second_text;
  OutputFile first(path), second(path);
  for (int i = 0; i < 50'000; ++i) {
    first.write("first\n");
    second.write("second\n");
    first_text += "first\n";
    second_text += "second\n";
  }
  second.commit();
  EXPECT_EQ(content(path), second_text);
  first.commit();
  EXPECT_EQ(content(path), first_text) << "the last one stays";
  EXPECT_EQ(files(), 1u);
}

// Somebody who may write to the folder lays links where a temporary file would be.
TEST_F(OutputFiles, DoNotFollowLinksThatLieInWait) {
  const fs::path path = folder_ / "a.csv", victim = folder_ / "victim";
  std::ofstream(victim) << "precious";
  fs::create_symlink(victim, path.string() + ".partial");
  for (int serial = 0; serial < 60; ++serial) {
    const std::string number = std::to_string(getpid()) + "-" + std::to_string(serial);
    fs::create_symlink(victim, path.string() + ".partial-" + number);
    fs::create_symlink(victim, path.string() + ".tmp-" + number);
  }
  OutputFile file(path);
  file.write("mine");
  file.commit();
  write_file_atomically(folder_ / "b.json", "{}");
  EXPECT_EQ(content(victim), "precious");
  EXPECT_EQ(content(path), "mine");
  EXPECT_FALSE(fs::is_symlink(path));
}

TEST_F(OutputFiles, ALinkAtTheNameItselfStaysOne) {
  std::ofstream(folder_ / "target") << "old";
  fs::create_symlink("target", folder_ / "a.csv");
  OutputFile file(folder_ / "a.csv");
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder_ / "a.csv"));
  EXPECT_EQ(content(folder_ / "target"), "new");
}

TEST_F(OutputFiles, GoThroughPipes) {
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += std::to_string(i) + ",";
  EXPECT_EQ(read_through(folder_ / "pipe",
                         [&] {
                           OutputFile file(folder_ / "pipe");
                           file.write(text);
                           file.commit();
                         }),
            text);
  EXPECT_TRUE(fs::is_fifo(folder_ / "pipe"));
  EXPECT_EQ(read_through(folder_ / "other", [&] { write_file_atomically(folder_ / "other", text); }), text);
  EXPECT_TRUE(fs::is_fifo(folder_ / "other"));
}

TEST_F(OutputFiles, LeaveDevicesWhereTheyAre) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP();
  ASSERT_THROW(
      {
        OutputFile file("/dev/full");
        file.write("x");
        file.commit();
      },
      InputError);
  ASSERT_TRUE(fs::is_character_file("/dev/full"));
  OutputFile file("/dev/null");
  file.write("x");
  file.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace rebound::test
