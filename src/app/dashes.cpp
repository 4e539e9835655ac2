#include "app/dashes.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::app {

void draw_dashes(ImDrawList& list, std::span<const ImVec2> line, ImU32 color, float width, float on, float off) {
  float at = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const ImVec2 a = line[i - 1], b = line[i];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    for (float s = 0; s < length;) {
      const float phase = std::fmod(at + s, on + off);
      const bool inked = phase < on;
      const float next = std::min(length, s + (inked ? on - phase : on + off - phase) + 1e-3f);
      const auto point = [&](float d) {
        return ImVec2(a.x + (b.x - a.x) * d / length, a.y + (b.y - a.y) * d / length);
      };
      if (inked) list.AddLine(point(s), point(next), color, width);
      s = next;
    }
    at += length;
  }
}

}  // namespace rebound::app
