#include "characters.hpp"

namespace rebound::animals {

const std::vector<Character>& characters() {
  static const std::vector<Character> all = {
      {"bunny", "a sitting bunny with long thick ears", bunny, {.coarsest = 0.042, .finest = 0.014, .turn = 0.85}},
      {"cactus",
       "a saguaro with two arms and a blossom, in a pot",
       cactus,
       {.coarsest = 0.055, .finest = 0.014, .turn = 0.9}},
      {"cow", "a calf with a broad muzzle", cow, {.coarsest = 0.05, .finest = 0.014, .turn = 0.85}},
      {"dinosaur", "a small dinosaur with a long neck", dinosaur, {.coarsest = 0.046, .finest = 0.014, .turn = 0.8}},
      {"dog",
       "a sitting dog with a long nose and floppy ears",
       dog,
       {.coarsest = 0.048, .finest = 0.0145, .turn = 0.9}},
      {"donut", "a donut with icing and sprinkles", donut, {.coarsest = 0.06, .finest = 0.016, .turn = 1.0}, 1},
      {"duck", "a bath duck", duck, {.coarsest = 0.05, .finest = 0.014, .turn = 0.85}},
      {"frog", "a squat frog with a wide smile", frog, {.coarsest = 0.06, .finest = 0.016, .turn = 0.95}},
      {"gummy_bear",
       "a gummy bear, arms out for a hug",
       gummy_bear,
       {.coarsest = 0.045, .finest = 0.013, .turn = 0.65}},
      {"hippo", "a fat hippo with a big snout", hippo, {.coarsest = 0.056, .finest = 0.016, .turn = 0.85}},
      {"octopus", "an octopus with eight thick tentacles", octopus, {.coarsest = 0.056, .finest = 0.016, .turn = 0.9}},
  };
  return all;
}

}  // namespace rebound::animals
