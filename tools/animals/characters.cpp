#include "characters.hpp"

namespace rebound::animals {

const std::vector<Character>& characters() {
  static const std::vector<Character> all = {
      // edges: coarsest, finest, turn; then the holes, the grid's cell
      {"bunny", "a sitting bunny with long thick ears", bunny, {0.042, 0.014, 0.85}},
      {"bunny_fine", "the bunny in small triangles", bunny, {0.014826, 0.004942, 0.30005}, 0, 0.012},
      {"cactus", "a saguaro with two arms and a blossom, in a pot", cactus, {0.055, 0.014, 0.9}},
      {"cow", "a calf with a broad muzzle", cow, {0.05, 0.014, 0.85}},
      {"dinosaur", "a small dinosaur with a long neck", dinosaur, {0.046, 0.014, 0.8}},
      {"dog", "a sitting dog with a long nose and floppy ears", dog, {0.048, 0.0145, 0.9}},
      {"donut", "a donut with icing and sprinkles", donut, {0.06, 0.016, 1.0}, 1},
      {"duck", "a bath duck", duck, {0.05, 0.014, 0.85}},
      {"frog", "a squat frog with a wide smile", frog, {0.06, 0.016, 0.95}},
      {"gummy_bear", "a gummy bear, arms out for a hug", gummy_bear, {0.045, 0.013, 0.65}},
      {"hippo", "a fat hippo with a big snout", hippo, {0.056, 0.016, 0.85}},
      {"octopus", "an octopus with eight thick tentacles", octopus, {0.056, 0.016, 0.9}},
  };
  return all;
}

}  // namespace rebound::animals
