#include "motion/kept.hpp"

#include <xxhash.h>

#include <cstdio>
#include <cstring>

#include "scene/parse.hpp"

namespace rebound::motion {
namespace {

// Another number whenever a recording, or a step of the reference, means something else.
constexpr std::uint64_t kFormat = 2;

struct Head {
  std::uint64_t format, samples, points, vertices, checksum;
  double seconds, diagonal, worst_energy_error;
};

void append(std::vector<std::byte>& bytes, const void* data, std::size_t size) {
  const auto* begin = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
}

void append(std::vector<std::byte>& bytes, const Recording::Series& series, Eigen::Index rows) {
  const Recording::Series kept = series.topRows(rows);
  append(bytes, kept.data(), sizeof(float) * static_cast<std::size_t>(kept.size()));
}

}  // namespace

std::string kept_name(const scene::World& world, std::int64_t frames) {
  const std::string text = scene::to_text(world.description) + std::to_string(frames);
  std::vector<std::byte> bytes;
  append(bytes, text.data(), text.size());
  for (const scene::BodyGeometry& body : world.bodies) {
    append(bytes, body.rest.data(), sizeof(double) * static_cast<std::size_t>(body.rest.size()));
    append(bytes, body.surface.points.data(), sizeof(double) * static_cast<std::size_t>(body.surface.points.size()));
    std::visit([&](const auto& list) { append(bytes, list.data(), list.size() * sizeof(list[0])); }, body.elements);
  }
  char name[64];
  std::snprintf(name, sizeof name, "motion-%016llx",
                static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
  return name;
}

void keep(sim::FactorCache* cache, const std::string& name, const Recording& run) {
  if (cache == nullptr) return;
  std::vector<std::byte> body;
  for (const Recording::Series* series : {&run.x, &run.v, &run.mass_v, &run.centre}) append(body, *series, run.samples);
  append(body, run.mass.data(), sizeof(float) * static_cast<std::size_t>(run.mass.size()));
  const Head head{kFormat,
                  static_cast<std::uint64_t>(run.samples),
                  static_cast<std::uint64_t>(run.x.cols()),
                  static_cast<std::uint64_t>(run.mass_v.cols()),
                  XXH3_64bits(body.data(), body.size()),
                  run.seconds,
                  run.diagonal,
                  run.worst_energy_error};
  std::vector<std::byte> all;
  append(all, &head, sizeof head);
  append(all, body.data(), body.size());
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
  if (head.format != kFormat || head.samples > kMost || head.points > kMost || head.vertices > kMost)
    return std::nullopt;
  const std::uint64_t floats = head.samples * (2 * head.points + head.vertices + 3) + head.vertices / 3;
  if (size != floats * sizeof(float) || XXH3_64bits(from, size) != head.checksum) return std::nullopt;

  Recording run;
  run.samples = static_cast<int>(head.samples);
  run.seconds = head.seconds;
  run.diagonal = head.diagonal;
  run.worst_energy_error = head.worst_energy_error;
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
