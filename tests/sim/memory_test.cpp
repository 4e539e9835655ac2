// What there is of memory is known before it is asked for, and threads that there is no room for are done without.
#include "sim/base/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "sim/base/workers.hpp"
#include "sim/linear/cholesky.hpp"
#include "sim/linear/numeric_factor.hpp"

namespace rebound::sim::test {
namespace {

namespace fs = std::filesystem;

class MemoryThatThereIs : public testing::Test {
 protected:
  ~MemoryThatThereIs() override { fs::remove_all(root_); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  Room room() const { return room_in_memory(root_.string()); }

  const fs::path root_ = fs::path(testing::TempDir()) / ("machine of " + std::to_string(getpid()));
};

TEST_F(MemoryThatThereIs, IsWhatTheSystemHasFree) {
  EXPECT_EQ(room().bytes, UINT64_MAX) << "what cannot be read bounds nothing";
  write("proc/meminfo",
        "MemTotal:        8000000 kB\nMemFree:  100 kB\nMemAvailable:    3000000 kB\nSwapFree: 500000 kB\n");
  EXPECT_EQ(room().bytes, 3500000ull * 1024);
  EXPECT_EQ(room().limit, "the memory that is free");
}

TEST_F(MemoryThatThereIs, IsBoundByEveryGroupAbove) {
  write("proc/meminfo", "MemTotal:        8000000 kB\nMemAvailable:    3000000 kB\n");
  write("proc/self/cgroup", "0::/user/mine\n");
  write("sys/fs/cgroup/user/mine/memory.max", "max\n");
  write("sys/fs/cgroup/user/mine/memory.current", "5000\n");
  EXPECT_EQ(room().bytes, 3000000ull * 1024);
  write("sys/fs/cgroup/user/memory.max", "1000000000\n");
  write("sys/fs/cgroup/user/memory.current", "700000000\n");
  write("sys/fs/cgroup/user/memory.stat", "anon 1\ninactive_file 150000000\nactive_file 50000000\n");
  EXPECT_EQ(room().bytes, 500'000'000u) << "what is cached of files can be had";
  EXPECT_EQ(room().limit, "the limit of its control group");
  write("sys/fs/cgroup/user/memory.current", "1300000000\n");
  EXPECT_EQ(room().bytes, 0u);
}

TEST_F(MemoryThatThereIs, IsBoundByGroupsOfTheFirstVersionToo) {
  write("proc/self/cgroup", "5:cpu:/\n4:memory:/docker/a\n0::/\n");
  write("sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes", "600000000\n");
  write("sys/fs/cgroup/memory/docker/a/memory.usage_in_bytes", "100000000\n");
  EXPECT_EQ(room().bytes, 500'000'000u);
}

TEST(Memory, IsRefusedByName) {
  EXPECT_NO_THROW(require_memory(1e6, "a body"));
  try {
    require_memory(2.3e15, "a body of 9 vertices");
    FAIL() << "nobody has that much";
  } catch (const OutOfMemory& refusal) {
    const std::string line = refusal.what();
    EXPECT_EQ(line.rfind("a body of 9 vertices needs about 2300 TB, and there is room for ", 0), 0u) << line;
    EXPECT_NE(line.find("take a coarser body"), std::string::npos) << line;
  }
  EXPECT_EQ(bytes_text(2.34e9), "2.3 GB");
  EXPECT_EQ(bytes_text(640.4e6), "640 MB");
}

/// In a process of its own.
void leave_room_for(std::size_t bytes) {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  statm >> pages;
  const rlim_t most = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + bytes;
  const rlimit limit{most, most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(9);
}

TEST(MemoryDeathTest, ThreadsWithoutRoomAreDoneWithout) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        leave_room_for(60u << 20);  // six stacks of 8 MiB
        Workers workers(64);
        std::vector<int> done(1000, 0);
        for (int round = 0; round < 20; ++round) workers.run(1000, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
        const bool all = std::all_of(done.begin(), done.end(), [](int n) { return n == 20; });
        _exit(all && workers.threads() < 64 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        leave_room_for(4u << 20);
        try {
          start_thread("the drummer", [] {});
        } catch (const OutOfMemory& refusal) {
          _exit(std::string(refusal.what()).rfind("the drummer cannot be started", 0) == 0 ? 0 : 1);
        }
        _exit(2);
      },
      testing::ExitedWithCode(0), "");
}

// The Laplacian of a cube of n^3 points, which fills in.
SparseMatrix cube(int n) {
  Triplets entries;
  const auto at = [n](int x, int y, int z) { return (z * n + y) * n + x; };
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        entries.emplace_back(at(x, y, z), at(x, y, z), 7);
        if (x > 0) entries.emplace_back(at(x, y, z), at(x - 1, y, z), -1);
        if (y > 0) entries.emplace_back(at(x, y, z), at(x, y - 1, z), -1);
        if (z > 0) entries.emplace_back(at(x, y, z), at(x, y, z - 1), -1);
      }
  SparseMatrix A(n * n * n, n * n * n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

// Where OpenBLAS is asked without, it waits for ever.
TEST(MemoryDeathTest, AFactorWithoutRoomIsRefusedByName) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto refusal_of = [](std::size_t bytes) {
    const SparseMatrix A = cube(34);
    const CholeskyAnalysis analysis(A);
    leave_room_for(bytes);
    try {
      const Cholesky factor(analysis, A);
      std::fprintf(stderr, "factored");
    } catch (const OutOfMemory& refusal) {
      std::fprintf(stderr, "%s", refusal.what());
    }
    _exit(0);
  };
  EXPECT_EXIT(refusal_of(std::size_t{2} << 30), testing::ExitedWithCode(0), "factored");
  EXPECT_EXIT(
      refusal_of(std::size_t{200} << 20), testing::ExitedWithCode(0),
      "the factor of a system matrix with 39304 rows needs about .* MB, and there is room for .* MB .the limit of "
      "its address space");
}

}  // namespace
}  // namespace rebound::sim::test
