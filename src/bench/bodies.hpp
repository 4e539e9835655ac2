// The bodies of [Dinev18 Table I], a solid block, and larger ones that show how time grows, made by our own generators
// when they are asked for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/build.hpp"

namespace rebound::bench {

struct BodyInfo {
  std::string_view name;
  std::string_view what;   ///< how it is made
  int vertices, elements;  ///< in the table; ours are within 2 %
  bool springs;
  bool growth;  ///< far larger than the table's: only run when it is named
  /// Fills in what the body is made of.
  void (*make)(scene::World& world);
};

std::span<const BodyInfo> bodies();

/// The body stretched, spinning, and free in space. `settings`: POINTER=JSON, as scene::apply_set; mesh and integrator
/// cannot be set. `seed`: of a start that is set to be random. Throws InputError.
scene::World swinging_world(const BodyInfo& body, const std::vector<std::string>& settings,
                            std::optional<std::uint64_t> seed = {});

}  // namespace rebound::bench
