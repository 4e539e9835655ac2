#include "scene/description.hpp"

namespace rebound::scene {

std::string Description::place(const std::string& pointer) const {
  return file.empty() ? pointer : file.string() + ": " + pointer;
}

}  // namespace rebound::scene
