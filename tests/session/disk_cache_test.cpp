// What is found is what was kept, to the last byte, or nothing at all; and a session does not notice the difference.
#include "session/disk_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>

#include "support/worlds.hpp"

namespace rebound::test {
namespace {

namespace fs = std::filesystem;
using session::DiskCache;

class DiskCacheTest : public testing::Test {
 protected:
  ~DiskCacheTest() override { fs::remove_all(folder_); }

  static std::vector<std::byte> bytes(std::size_t size, int seed) {
    std::vector<std::byte> result(size);
    for (std::size_t i = 0; i < size; ++i) result[i] = static_cast<std::byte>((i * 31 + seed) % 251);
    return result;
  }
  fs::path file(const std::string& name) const { return folder_ / (name + ".factor"); }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("cache of " + std::to_string(getpid()));
};

TEST_F(DiskCacheTest, GivesBackWhatWasKept) {
  DiskCache cache(folder_ / "deeper");
  EXPECT_TRUE(cache.find("a").empty());
  cache.keep("a", bytes(1000, 1));
  cache.keep("b", bytes(10, 2));
  EXPECT_EQ(cache.find("a"), bytes(1000, 1));
  EXPECT_EQ(DiskCache(folder_ / "deeper").find("b"), bytes(10, 2)) << "another run of the program";
  cache.keep("a", bytes(500, 3));
  EXPECT_EQ(cache.find("a"), bytes(500, 3));
}

// What a program that was killed has left half written.
TEST_F(DiskCacheTest, ClearsWhatDeadWritersLeftAndCountsWhatLivingOnesWrite) {
  const pid_t dead = fork();
  if (dead == 0) _exit(0);
  ASSERT_EQ(waitpid(dead, nullptr, 0), dead);
  fs::create_directories(folder_);
  const auto leave = [&](const std::string& name, std::size_t size) {
    std::ofstream(folder_ / name) << std::string(size, 'x');
    return folder_ / name;
  };
  const fs::path left = leave("a.factor." + std::to_string(dead), 5000),
                 written = leave("b.factor." + std::to_string(getppid()), 600),
                 old = leave("c.factor." + std::to_string(getppid()), 10), other = leave("notes.1", 10);
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  DiskCache cache(folder_, 2000);
  cache.keep("d", bytes(500, 1));
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(old)) << "nobody writes for two hours";
  EXPECT_TRUE(fs::exists(written));
  EXPECT_TRUE(fs::exists(other)) << "it is none of ours";
  EXPECT_EQ(cache.find("d"), bytes(500, 1));
  // 600 of 2000 are being written, so two of 500 fit and three do not.
  cache.keep("e", bytes(500, 2));
  cache.keep("f", bytes(500, 3));
  EXPECT_TRUE(cache.find("d").empty());
  EXPECT_EQ(cache.find("f"), bytes(500, 3));
}

TEST_F(DiskCacheTest, NeverGivesBackWhatIsDamaged) {
  DiskCache cache(folder_);
  const auto damage = [&](const auto& how) {
    cache.keep("a", bytes(1000, 1));
    how();
    EXPECT_TRUE(cache.find("a").empty());
    cache.keep("a", bytes(1000, 1));
    EXPECT_EQ(cache.find("a"), bytes(1000, 1)) << "it is made anew";
  };
  damage([&] { fs::resize_file(file("a"), 900); });
  damage([&] { fs::resize_file(file("a"), 5); });
  damage([&] { fs::resize_file(file("a"), 0); });
  damage([&] { std::ofstream(file("a"), std::ios::app) << "more"; });
  for (const int at : {0, 9, 17, 25, 32, 700})
    damage([&] {
      std::fstream stream(file("a"), std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(at);
      const char flipped = static_cast<char>(stream.get() ^ 4);
      stream.seekp(at);
      stream.put(flipped);
    });
}

// A file that somebody has given another name, and one that is no file.
TEST_F(DiskCacheTest, NeverGivesBackWhatIsAnothers) {
  DiskCache cache(folder_);
  cache.keep("a", bytes(1000, 1));
  fs::copy_file(file("a"), file("b"));
  EXPECT_TRUE(cache.find("b").empty()) << "it says whose it is";
  EXPECT_EQ(cache.find("a"), bytes(1000, 1));
  fs::create_directory(file("folder"));
  EXPECT_TRUE(cache.find("folder").empty());
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(cache.find("pipe").empty()) << "nobody waits for its writer";
}

TEST_F(DiskCacheTest, ForgetsWhatWasNotUsedForLongest) {
  DiskCache cache(folder_, 3500);
  const auto aged = [&](const std::string& name, int hours) {
    fs::last_write_time(file(name), fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  cache.keep("a", bytes(1000, 1));
  cache.keep("b", bytes(1000, 2));
  cache.keep("c", bytes(1000, 3));
  aged("a", 3);
  aged("b", 2);
  aged("c", 1);
  EXPECT_FALSE(cache.find("a").empty());  // used now
  cache.keep("d", bytes(1000, 4));
  EXPECT_TRUE(cache.find("b").empty());
  for (const char* name : {"a", "c", "d"}) EXPECT_FALSE(cache.find(name).empty()) << name;
  cache.keep("e", bytes(5000, 5));
  EXPECT_TRUE(cache.find("e").empty()) << "larger than all there is";
  for (const char* name : {"a", "c", "d"}) EXPECT_FALSE(cache.find(name).empty()) << name;
}

TEST_F(DiskCacheTest, CostsNothingWhereItCannotBeWritten) {
  std::ofstream(folder_) << "a file where the folder should be";
  DiskCache cache(folder_);
  cache.keep("a", bytes(1000, 1));
  EXPECT_TRUE(cache.find("a").empty());
  DiskCache none{fs::path()};
  none.keep("a", bytes(1000, 1));
  EXPECT_TRUE(none.find("a").empty());
}

/// Counts, and may lie.
class Watched final : public sim::FactorCache {
 public:
  explicit Watched(DiskCache& cache) : cache_(cache) {}
  std::vector<std::byte> find(const std::string& name) override {
    auto bytes = cache_.find(name);
    (bytes.empty() ? missed : found) += 1;
    if (lies) bytes.resize(bytes.size() / 2);
    return bytes;
  }
  void keep(const std::string& name, std::span<const std::byte> bytes) override {
    ++kept;
    cache_.keep(name, bytes);
  }

  int found = 0, missed = 0, kept = 0;
  bool lies = false;

 private:
  DiskCache& cache_;
};

TEST_F(DiskCacheTest, ASessionThatFindsItsFactorsIsTheSameToTheLastByte) {
  DiskCache cache(folder_);
  const auto run = [&](sim::FactorCache* factors, double stiffness) {
    session::Session s(scene::load_world(hanging_cloth(72, stiffness)), 1, factors);
    EXPECT_GE(s.model().vertices(), sim::FactorCache::kFewestRows);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(s.step());
    return sim::Points(s.state().x);
  };
  const sim::Points expected = run(nullptr, 100);
  Watched first(cache), again(cache), stiffer(cache), lying(cache);
  EXPECT_EQ(run(&first, 100), expected);
  EXPECT_EQ(first.found, 0);
  EXPECT_EQ(first.kept, 3) << "an order of elimination, two inverses";
  EXPECT_EQ(run(&again, 100), expected);
  EXPECT_EQ(again.found, 3);
  EXPECT_EQ(again.kept, 0);
  EXPECT_EQ(run(&stiffer, 200), run(nullptr, 200));
  EXPECT_EQ(stiffer.found, 1) << "the order, which does not depend on the stiffness";
  EXPECT_EQ(stiffer.kept, 2);
  lying.lies = true;
  EXPECT_EQ(run(&lying, 100), expected) << "half of the bytes are as good as none";
  EXPECT_EQ(lying.kept, 3);
}

// Ten kinds of damage that no checksum tells, as it was done before the bytes were kept, or by who writes checksums.
TEST_F(DiskCacheTest, AnInverseThatDoesNotInvertIsMadeAnew) {
  DiskCache cache(folder_);
  const auto run = [&](sim::FactorCache* factors) {
    session::Session s(scene::load_world(hanging_cloth(72, 100)), 1, factors);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(s.step());
    return sim::Points(s.state().x);
  };
  using Bytes = std::vector<std::byte>;
  class Damaging final : public sim::FactorCache {
   public:
    Damaging(DiskCache& cache, std::function<void(Bytes&)> how) : cache_(cache), how_(std::move(how)) {}
    Bytes find(const std::string& name) override {
      Bytes bytes = cache_.find(name);
      if (!bytes.empty() && name.starts_with("inverse-")) {
        how_(bytes);
        ++damaged;
      }
      return bytes;
    }
    void keep(const std::string& name, std::span<const std::byte> bytes) override {
      kept += name.starts_with("inverse-");
      cache_.keep(name, bytes);
    }
    int damaged = 0, kept = 0;

   private:
    DiskCache& cache_;
    std::function<void(Bytes&)> how_;
  };
  const sim::Points expected = run(nullptr);
  Damaging whole(cache, [](Bytes&) {});
  EXPECT_EQ(run(&whole), expected);
  Bytes other;  // another matrix's, of the same plan
  {
    DiskCache others(folder_ / "other");
    Damaging seen(others, [&](Bytes& bytes) { other = bytes; });
    for (int i = 0; i < 2; ++i) session::Session(scene::load_world(hanging_cloth(72, 900)), 1, &seen);
  }
  ASSERT_FALSE(other.empty());
  constexpr std::size_t kHead = 16;
  const std::pair<const char*, std::function<void(Bytes&)>> kinds[] = {
      {"cut", [](Bytes& b) { b.resize(b.size() / 2); }},
      {"cut to nothing but its head", [](Bytes& b) { b.resize(kHead); }},
      {"longer", [](Bytes& b) { b.resize(b.size() + 64); }},
      {"all zero behind the head", [](Bytes& b) { std::fill(b.begin() + kHead, b.end(), std::byte{0}); }},
      {"all ones", [](Bytes& b) { std::fill(b.begin() + kHead, b.end(), std::byte{0xff}); }},
      {"an error that is no number", [](Bytes& b) { std::fill(b.begin() + 8, b.begin() + kHead, std::byte{0xff}); }},
      {"halves taken for floats", [](Bytes& b) { b[0] ^= std::byte{1}; }},
      {"shifted by a byte", [](Bytes& b) { std::rotate(b.begin() + kHead, b.begin() + kHead + 1, b.end()); }},
      {"turned round", [](Bytes& b) { std::reverse(b.begin() + kHead, b.end()); }},
      {"another matrix's", [&](Bytes& b) { b = other; }},
  };
  for (const auto& [name, how] : kinds) {
    Damaging damaging(cache, how);
    EXPECT_EQ(run(&damaging), expected) << name;
    EXPECT_GT(damaging.damaged, 0) << name;
    EXPECT_EQ(damaging.kept, damaging.damaged) << name << ": it is kept anew";
  }
}

TEST_F(DiskCacheTest, ALaterChangeIsNotKept) {
  DiskCache cache(folder_);
  Watched watched(cache);
  session::Session s(scene::load_world(hanging_cloth(72, 100)), 1, &watched);
  scene::Material m = s.description().bodies[0].material;
  m.stiffness = 300;
  s.apply(session::SetMaterial{0, m});
  s.apply(session::SetTimeStep{0.01});
  EXPECT_TRUE(s.step());
  EXPECT_EQ(watched.kept, 3) << "a slider must not fill the disk";
}

}  // namespace
}  // namespace rebound::test
