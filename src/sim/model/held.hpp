// What keeps a body from moving as it likes.
#pragma once

#include "sim/model/model.hpp"

namespace rebound::sim {

/// Pins, hands or rods hold it, so that it does not turn about its centre.
bool is_held(const Model& model, const BodyRange& body);

}  // namespace rebound::sim
