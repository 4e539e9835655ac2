#include "characters.hpp"

namespace rebound::animals {

const std::vector<Character>& characters() {
  static const std::vector<Character> all = {
      {"bunny", "a sitting bunny with long thick ears", bunny, {.coarsest = 0.05, .finest = 0.012, .turn = 0.65}},
      {"cactus", "a saguaro with two arms, in a pot", cactus, {.coarsest = 0.05, .finest = 0.013, .turn = 0.9}},
  };
  return all;
}

}  // namespace rebound::animals
