#include "papers/plans.hpp"

#include <array>

namespace rebound::papers {

std::span<const PlanKind> plan_kinds() {
  static constexpr std::array kKinds{
      PlanKind{"scene", "a scene, frame by frame", read_scene_plan},
      PlanKind{"motion", "what is seen of a scene, against one of many small steps", read_motion_plan},
      PlanKind{"oscillator", "steps of a linear oscillator, as eigenvalues", read_oscillator_plan},
      PlanKind{"bar", "an elastic bar of one dimension that meets a wall", read_bar_plan},
      PlanKind{"wall", "a particle that meets a wall", read_wall_plan},
      PlanKind{"map", "where Newton's method arrives, over starts", read_map_plan},
      PlanKind{"least-steps", "a scene, with plain Newton tried at every step", read_least_steps_plan},
      PlanKind{"after-the-solve", "a scene whose obstacles are met after each solve", read_after_the_solve_plan},
      PlanKind{"modes", "the lowest eigenpairs of a grid by themselves, over how many", read_modes_plan},
      PlanKind{"printed", "an equation of [Dinev18] as it is printed", read_printed_plan},
      PlanKind{"two-springs", "the potential of two springs", read_two_springs_plan},
  };
  return kKinds;
}

}  // namespace rebound::papers
