// Recordings that are kept on disk from one run to the next.
#pragma once

#include "motion/recording.hpp"
#include "sim/linear/factor_cache.hpp"

namespace rebound::motion {

/// What a run of this scene is kept under: of all that it depends on.
std::string name_of(const scene::Description& description, std::int64_t frames);

/// Nothing if there is none, or no cache.
std::optional<Recording> find(sim::FactorCache* cache, const std::string& name);
void keep(sim::FactorCache* cache, const std::string& name, const Recording& run);

}  // namespace rebound::motion
