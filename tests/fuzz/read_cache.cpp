// A factor's file in the cache, whatever it holds: what is found is what was kept; and an inverse that comes from it,
// damaged in any way that its checksum does not tell, is as good as one that was made.
#include <cmath>
#include <cstring>

#include "scratch_file.hpp"
#include "session/disk_cache.hpp"
#include "sim/linear/block_inverse.hpp"

namespace {

using namespace rebound;
using namespace rebound::sim;

/// A net of points that hang on their neighbours, as wide as the cache begins.
SparseMatrix net() {
  constexpr int kSide = 71;
  static_assert(kSide * kSide >= FactorCache::kFewestRows);
  Triplets entries;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const int i = y * kSide + x;
      entries.emplace_back(i, i, 5);
      if (x > 0) entries.emplace_back(i, i - 1, -1);
      if (y > 0) entries.emplace_back(i, i - kSide, -1);
    }
  SparseMatrix A(kSide * kSide, kSide * kSide);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

class Kept final : public FactorCache {
 public:
  std::vector<std::byte> find(const std::string&) override { return bytes; }
  void keep(const std::string&, std::span<const std::byte> made) override { bytes.assign(made.begin(), made.end()); }
  std::vector<std::byte> bytes;
};

// Four bytes say where, one what.
void damage(std::vector<std::byte>& bytes, std::span<const std::uint8_t> how) {
  for (std::size_t i = 0; i + 5 <= how.size(); i += 5) {
    std::uint32_t at = 0;
    std::memcpy(&at, how.data() + i, sizeof at);
    bytes[at % bytes.size()] = static_cast<std::byte>(how[i + 4]);
  }
}

void inverts(std::span<const std::uint8_t> how) {
  static const SparseMatrix A = net();
  static const EliminationPlan plan(A);
  static Workers alone(1);
  static const std::vector<std::byte> good = [] {
    Kept cache;
    const BlockInverse made(plan, A, alone, &cache);
    return cache.bytes;
  }();
  Kept cache;
  cache.bytes = good;
  damage(cache.bytes, how);
  const BlockInverse inverse(plan, A, alone, &cache);
  if (!inverse.ok() || !(inverse.error() < 0.1)) std::abort();
}

// An inverse takes as long as hundreds of files: one in sixteen, the same ones every time.
bool is_chosen(std::span<const std::uint8_t> data) {
  std::uint32_t hash = 2166136261u;
  for (const std::uint8_t byte : data) hash = (hash ^ byte) * 16777619u;
  return (hash >> 16) % 16 == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static session::DiskCache cache(fuzz::ScratchFile::folder());
  const fuzz::ScratchFile file(".factor", {data, size});
  if (!cache.find("fuzz").empty() && size < 32) std::abort();
  if (size >= 1 && data[0] == 0 && is_chosen({data, size})) inverts({data + 1, size - 1});
  return 0;
}
