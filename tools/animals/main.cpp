// make_animals OUT_DIR [NAME...]: writes the meshes of the named characters, or of all.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "obj.hpp"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: make_animals OUT_DIR [NAME...]\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  for (const auto& character : rebound::animals::characters()) {
    if (argc > 2 && std::find(argv + 2, argv + argc, character.name) == argv + argc) continue;
    const auto path = folder / (character.name + ".obj");
    std::ofstream file(path, std::ios::binary);
    file << rebound::animals::make(character);
    if (!file.flush()) {
      std::cerr << path.string() << ": cannot be written\n";
      return 3;
    }
  }
  return 0;
}
