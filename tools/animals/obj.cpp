#include "obj.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace rebound::animals {
namespace {

// Micrometres are fine enough, and make short text.
void append_coordinate(std::string& text, double metres) {
  const double rounded = std::round(metres * 1e6) / 1e6 + 0.0;  // + 0.0: never "-0"
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, rounded, std::chars_format::fixed).ptr);
}

// What is flat at the bottom is so to a hair's breadth; scenes want zero.
void stand_on_ground(Mesh& mesh) {
  double lowest = mesh.points.front().y();
  for (const Vector3d& p : mesh.points) lowest = std::min(lowest, p.y());
  for (Vector3d& p : mesh.points) p.y() -= lowest;
}

}  // namespace

std::string obj_text(const Character& character, const Mesh& mesh) {
  std::string text = "# Rebound: " + character.name + ", " + character.what +
                     ".\n# Made by Rebound's own generator, tools/animals; do not edit.\n"
                     "# Licence: Apache-2.0. Units: metres, y up, facing +z.\n# " +
                     std::to_string(mesh.points.size()) + " vertices, " + std::to_string(mesh.triangles.size()) +
                     " triangles.\n";
  for (const Vector3d& p : mesh.points) {
    text += "v";
    for (int axis = 0; axis < 3; ++axis) {
      text += ' ';
      append_coordinate(text, p[axis]);
    }
    text += '\n';
  }
  for (const Triangle& t : mesh.triangles) {
    text += "f";
    for (const int v : t) text += ' ' + std::to_string(v + 1);
    text += '\n';
  }
  return text;
}

std::string make(const Character& character) {
  const Sculpture sculpture = character.sculpt();
  Mesh mesh = remesh(march(sculpture, character.cell), sculpture, character.lengths);
  stand_on_ground(mesh);
  return obj_text(character, mesh);
}

}  // namespace rebound::animals
