// Rows as people and as programs read them.
#pragma once

#include <string>
#include <vector>

#include "bench/suite.hpp"

namespace rebound::bench {

/// The line above the rows, and a row; no line break.
std::string table_head();
std::string table_line(const Row& row);

/// A list of objects, one per row.
std::string to_json(const std::vector<Row>& rows);

}  // namespace rebound::bench
