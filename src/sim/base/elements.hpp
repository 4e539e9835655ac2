// What bodies are cut into, by the numbers of their vertices.
#pragma once

#include <array>
#include <variant>
#include <vector>

namespace rebound::sim {

enum class ElementKind { edges, triangles, tetrahedra };

/// The elements of one body, all of a kind; the alternatives stand in the order of ElementKind.
using Elements =
    std::variant<std::vector<std::array<int, 2>>, std::vector<std::array<int, 3>>, std::vector<std::array<int, 4>>>;

inline ElementKind kind_of(const Elements& elements) { return static_cast<ElementKind>(elements.index()); }

}  // namespace rebound::sim
