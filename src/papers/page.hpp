// One page of all rows: the paper and Rebound side by side, in one file that needs no other.
#pragma once

#include <string>
#include <vector>

#include "papers/reproduce.hpp"

namespace rebound::papers {

/// HTML. Every number on it is a row's file's (the paper's) or a kept result.
std::string page(const std::vector<Shown>& rows, const Request& request);

}  // namespace rebound::papers
