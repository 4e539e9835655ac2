#include "sim/linear/factor_cache.hpp"

#include <xxhash.h>

#include <cstdint>
#include <cstdio>
#include <new>

namespace rebound::sim {
namespace {

XXH3_state_t* of(void* state) { return static_cast<XXH3_state_t*>(state); }

}  // namespace

Fingerprint::Fingerprint() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(of(state_));
}

Fingerprint::~Fingerprint() { XXH3_freeState(of(state_)); }

// The length goes in as well, so that two arrays are not taken for the same two cut elsewhere.
void Fingerprint::add_bytes(std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  XXH3_128bits_update(of(state_), &size, sizeof size);
  XXH3_128bits_update(of(state_), bytes.data(), bytes.size());
}

std::string Fingerprint::name() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(of(state_));
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

}  // namespace rebound::sim
