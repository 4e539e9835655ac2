#include "sim/step/quasi_newton.hpp"

#include "sim/step/float_quasi_newton.hpp"

namespace rebound::sim {
namespace {

// In double precision most laws take a singular value decomposition an element.
constexpr int kFewVertices = 100;

}  // namespace

QuasiNewton::QuasiNewton(const Model& model, Precision precision, Analysis known)
    : FrozenHessian(
          model, precision, std::move(known),
          [](const Model& of, const Analysis& known_of) {
            return std::unique_ptr<FloatStep>(std::make_unique<FloatQuasiNewton>(of, known_of));
          },
          kFewVertices) {}

}  // namespace rebound::sim
