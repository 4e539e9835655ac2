#include "characters.hpp"

namespace rebound::animals {

const std::vector<Character>& characters() {
  static const std::vector<Character> all = {
      {"bunny", "a sitting bunny with long thick ears", bunny, {.coarsest = 0.05, .finest = 0.014, .turn = 0.75}},
      {"cactus",
       "a saguaro with two arms and a blossom, in a pot",
       cactus,
       {.coarsest = 0.05, .finest = 0.016, .turn = 0.95}},
      {"dinosaur", "a small dinosaur with a long neck", dinosaur, {.coarsest = 0.05, .finest = 0.013, .turn = 0.7}},
      {"dog", "a sitting dog with a long nose and floppy ears", dog, {.coarsest = 0.05, .finest = 0.014, .turn = 0.72}},
      {"frog", "a squat frog with a wide smile", frog, {.coarsest = 0.06, .finest = 0.016, .turn = 0.85}},
      {"gummy_bear", "a gummy bear, arms out for a hug", gummy_bear, {.coarsest = 0.05, .finest = 0.013, .turn = 0.6}},
      {"hippo", "a fat hippo with a big snout", hippo, {.coarsest = 0.06, .finest = 0.016, .turn = 0.8}},
      {"octopus", "an octopus with eight thick tentacles", octopus, {.coarsest = 0.06, .finest = 0.016, .turn = 0.75}},
  };
  return all;
}

}  // namespace rebound::animals
