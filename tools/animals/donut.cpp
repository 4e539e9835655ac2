#include "characters.hpp"

namespace rebound::animals {

Sculpture donut() {
  constexpr double kRing = 0.34, kDough = 0.15, kMiddle = 0.15;
  Sculpture icing;
  icing.add(torus({0, kMiddle, 0}, kRing, kDough + 0.016));
  icing.carve(below_wave(kMiddle - 0.01, 0.04, 8), 0.035);

  Sculpture s;
  s.add(torus({0, kMiddle, 0}, kRing, kDough));
  s.add([icing](const Vector3d& p) { return icing.value(p); }, 0.006);
  // Sprinkles: where around the ring, how far out, and which way they lie.
  struct Sprinkle {
    double around, out, lie;
  };
  const Sprinkle sprinkles[] = {{5, 0.31, 40},   {32, 0.4, 120},   {55, 0.28, 10},  {80, 0.38, 75},   {108, 0.32, 150},
                                {135, 0.4, 30},  {160, 0.29, 95},  {188, 0.36, 5},  {212, 0.41, 130}, {240, 0.3, 60},
                                {265, 0.37, 15}, {290, 0.28, 110}, {315, 0.39, 80}, {340, 0.35, 170}};
  for (const auto& [around, out, lie] : sprinkles) {
    const Vector3d middle = s.on_surface(turned(0, around, 0) * Vector3d(0, 0, out) + Vector3d(0, 0.33, 0));
    const Vector3d half = turned(0, lie, 0) * Vector3d(0, 0, 0.04);
    s.add(cone({middle + half, 0.027}, {middle - half, 0.027}), 0.008);
  }
  s.stand();
  return s;
}

}  // namespace rebound::animals
