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
  int holes = 0;       ///< that go right through: the surface's genus
  double cell = 0.02;  ///< of the grid that is marched over, metres: finer than any gap between two limbs
};

const std::vector<Character>& characters();

Sculpture bunny();
Sculpture cactus();
Sculpture cow();
Sculpture dinosaur();
Sculpture dog();
Sculpture donut();
Sculpture duck();
Sculpture frog();
Sculpture gummy_bear();
Sculpture hippo();
Sculpture octopus();

}  // namespace rebound::animals
