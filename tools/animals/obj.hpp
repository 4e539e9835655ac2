// Wavefront OBJ, as text.
#pragma once

#include <string>

#include "characters.hpp"

namespace rebound::animals {

/// The file's text: the same characters each time, on every machine.
std::string obj_text(const Character& character, const Mesh& mesh);

/// March, remesh, write: the whole way from a character to its file.
std::string make(const Character& character);

}  // namespace rebound::animals
