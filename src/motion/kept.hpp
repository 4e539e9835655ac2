// Recordings that are kept on disk from one run to the next.
#pragma once

#include "motion/recording.hpp"
#include "sim/linear/factor_cache.hpp"

namespace rebound::motion {

/// What a run of this world is kept under: a checksum of its description and of its bodies, whose files may have
/// changed. Meshes of obstacles are not among it.
std::string kept_name(const scene::World& world, std::int64_t frames);

/// Nothing if there is none, or no cache.
std::optional<Recording> find(sim::FactorCache* cache, const std::string& name);
void keep(sim::FactorCache* cache, const std::string& name, const Recording& run);

}  // namespace rebound::motion
