// The cast. Each stands on y = 0 (or hovers a little above it), faces +z and is about a metre tall.
#pragma once

#include <string>
#include <vector>

#include "shape.hpp"
#include "surface.hpp"

namespace rebound::animals {

struct Character {
  std::string name;
  std::string what;  ///< one line, for the file's head
  Sculpture (*sculpt)();
  EdgeLengths lengths;
};

const std::vector<Character>& characters();

Sculpture bunny();
Sculpture cactus();
Sculpture dinosaur();
Sculpture dog();
Sculpture frog();
Sculpture gummy_bear();
Sculpture hippo();
Sculpture octopus();

}  // namespace rebound::animals
