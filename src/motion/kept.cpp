#include "motion/kept.hpp"

#include <xxhash.h>

#include <cstring>
#include <filesystem>

#include "scene/parse.hpp"

namespace rebound::motion {
namespace {

// Another number whenever a recording, or a step of the reference, means something else.
constexpr std::uint64_t kFormat = 1;

struct Head {
  std::uint64_t format, samples, points, vertices, checksum;
  double seconds, diagonal;
};

class Bytes {
 public:
  void add(const Recording::Series& series, Eigen::Index rows) {
    const Recording::Series kept = series.topRows(rows);
    const auto* begin = reinterpret_cast<const std::byte*>(kept.data());
    bytes.insert(bytes.end(), begin, begin + sizeof(float) * static_cast<std::size_t>(kept.size()));
  }
  std::vector<std::byte> bytes;
};

}  // namespace

std::string name_of(const scene::Description& description, std::int64_t frames) {
  const std::string text = scene::to_text(description) + std::to_string(frames);
  char name[64];
  std::snprintf(name, sizeof name, "motion-%016llx", static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
  return name;
}

void keep(sim::FactorCache* cache, const std::string& name, const Recording& run) {
  if (cache == nullptr) return;
  Bytes body;
  for (const Recording::Series* series : {&run.x, &run.v, &run.mass_v, &run.centre}) body.add(*series, run.samples);
  body.add(run.mass, run.mass.size());
  const Head head{kFormat,
                  static_cast<std::uint64_t>(run.samples),
                  static_cast<std::uint64_t>(run.x.cols()),
                  static_cast<std::uint64_t>(run.mass_v.cols()),
                  XXH3_64bits(body.bytes.data(), body.bytes.size()),
                  run.seconds,
                  run.diagonal};
  std::vector<std::byte> all(sizeof head);
  std::memcpy(all.data(), &head, sizeof head);
  all.insert(all.end(), body.bytes.begin(), body.bytes.end());
  cache->keep(name, all);
}

std::optional<Recording> find(sim::FactorCache* cache, const std::string& name) {
  if (cache == nullptr) return std::nullopt;
  const std::vector<std::byte> all = cache->find(name);
  Head head;
  if (all.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, all.data(), sizeof head);
  const std::byte* from = all.data() + sizeof head;
  const std::size_t size = all.size() - sizeof head;
  constexpr std::uint64_t kMost = 1'000'000;
  if (head.format != kFormat || head.samples > kMost || head.points > kMost || head.vertices > kMost) return std::nullopt;
  const std::uint64_t floats = head.samples * (2 * head.points + head.vertices + 3) + head.vertices / 3;
  if (size != floats * sizeof(float) || XXH3_64bits(from, size) != head.checksum) return std::nullopt;

  Recording run;
  run.samples = static_cast<int>(head.samples);
  run.seconds = head.seconds;
  run.diagonal = head.diagonal;
  const auto read = [&](auto& into, std::uint64_t rows, std::uint64_t columns) {
    into.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
    std::memcpy(into.data(), from, sizeof(float) * rows * columns);
    from += sizeof(float) * rows * columns;
  };
  read(run.x, head.samples, head.points);
  read(run.v, head.samples, head.points);
  read(run.mass_v, head.samples, head.vertices);
  read(run.centre, head.samples, 3);
  read(run.mass, head.vertices / 3, 1);
  return run;
}

}  // namespace rebound::motion
