// What a step of SIERE costs beside its rivals: semi-implicit Euler, of which it is made, and the exponential step.
#pragma once

#include "bench/stiff_bodies.hpp"
#include "bench/suite.hpp"

namespace rebound::bench {

/// The rows of siere/BODY: semi-implicit, siere with the paper's modes and with 50, exponential; a row a number of
/// threads. Throws InputError for settings that the scene refuses, std::runtime_error where a simulation fails.
std::vector<Row> siere_rows(const StiffBody& body, const Settings& settings, const Listener& listener);

}  // namespace rebound::bench
