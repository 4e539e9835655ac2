// What bodies bump into: which there are, more of them, and how they and the bodies meet.
#include <algorithm>
#include <array>
#include <span>

#include "app/panels/panels.hpp"
#include "app/widgets.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

/// The numbers of each shape.
struct Sizes {
  Desk& desk;
  bool operator()(scene::PlaneShape&) const { return false; }
  bool operator()(scene::SphereShape& sphere) const {
    return range_field_into(desk, "Radius", "obstacle.size", sphere.radius);
  }
  bool operator()(scene::BoxShape& box) const {
    bool changed = false;
    constexpr std::array kSides{"Width (x)", "Height (y)", "Depth (z)"};
    for (std::size_t c = 0; c < 3; ++c) changed |= range_field_into(desk, kSides[c], "obstacle.size", box.size[c]);
    return changed;
  }
  bool operator()(scene::CapsuleShape& capsule) const {
    const bool radius = range_field_into(desk, "Radius", "obstacle.size", capsule.radius);
    return range_field_into(desk, "Length", "obstacle.size", capsule.length) || radius;
  }
  bool operator()(scene::TorusShape& torus) const {
    const bool radius = range_field_into(desk, "Ring's radius", "obstacle.size", torus.radius);
    return range_field_into(desk, "Tube's radius", "obstacle.size", torus.tube) || radius;
  }
  bool operator()(scene::MeshShape&) const { return false; }
};

void add_buttons(Desk& desk) {
  static constexpr std::array kKinds{ObstacleKind::floor, ObstacleKind::sphere, ObstacleKind::box,
                                     ObstacleKind::capsule, ObstacleKind::torus};
  static const std::array kFirst{name_of(kKinds[0]), name_of(kKinds[1]), name_of(kKinds[2])};
  static const std::array kSecond{name_of(kKinds[3]), name_of(kKinds[4]), "Mesh..."};
  muted_text(desk, "Add");
  if (const auto i = segmented(desk, "first", kFirst, -1))
    desk.requests.obstacle = kKinds[static_cast<std::size_t>(*i)];
  const auto i = segmented(desk, "second", kSecond, -1);
  if (i && *i < 2) desk.requests.obstacle = kKinds[static_cast<std::size_t>(3 + *i)];
  if (i && *i == 2) desk.requests.actions.push_back(Action::open_obstacle);
}

/// A row of the list. True if its fields are to be shown.
bool entry(Desk& desk, int index, const scene::Obstacle& obstacle) {
  const bool chosen = desk.chosen_obstacle == index;
  const std::string kind = name_of(obstacle.shape);
  std::string text = obstacle.name.empty() || obstacle.name == kind ? kind : obstacle.name + " (" + kind + ")";
  if (!obstacle.motion.empty()) text += ", moved by the scene";
  if (ImGui::Selectable(text.c_str(), chosen)) desk.chosen_obstacle = chosen ? -1 : index;
  if (ImGui::IsItemHovered()) desk.requests.marked_obstacle = index;
  return desk.chosen_obstacle == index;
}

/// Where it is and how it is turned.
void place_fields(Desk& desk, int index, const scene::Obstacle& obstacle) {
  session::MoveObstacle move{index, obstacle.transform.translate, obstacle.transform.rotate};
  bool moved = false;
  constexpr std::array kPlaces{"x", "y", "z"};
  for (std::size_t c = 0; c < 3; ++c)
    moved |= range_field_into(desk, kPlaces[c], "transform.translate", move.translate[c]);
  constexpr std::array kAxes{"x##axis", "y##axis", "z##axis"};
  int axis = -1;
  for (int c = 0; c < 3; ++c) {
    scene::Vec3 unit{};
    unit[static_cast<std::size_t>(c)] = 1;
    if (move.rotate.axis == unit) axis = c;
  }
  moved |= range_field_into(desk, "Turn", "transform.rotate.angle", move.rotate.angle);
  row_label(desk, "about", "The axis that it is turned about; none is lit where it was turned by hand");
  if (const auto chosen = segmented(desk, "axis", kAxes, axis)) {
    move.rotate.axis = {};
    move.rotate.axis[static_cast<std::size_t>(*chosen)] = 1;
    moved = true;
  }
  if (moved) desk.requests.commands.push_back(move);
}

/// What the way to meet needs of solver and integrator is changed first, so that one click does.
void make_room_for(Desk& desk, const scene::Obstacle& obstacle) {
  const sim::IntegratorInfo* integrator = sim::find_integrator(desk.now().description.integrator.type);
  choose_newton_unless(
      desk, obstacle.is_cubic() ? &sim::SolverInfo::takes_cubic_contacts : &sim::SolverInfo::keeps_constraints);
  if (integrator == nullptr || !(obstacle.is_cubic() ? !integrator->schemes.empty() : integrator->keeps_constraints))
    desk.requests.commands.push_back(session::SetIntegrator{"bdf2", {}});
}

/// Whether springs push bodies out, an energy of the third power does, or none sinks in at all.
bool meets_row(Desk& desk, scene::Obstacle& obstacle) {
  static constexpr std::array kKinds{"Springs", "Cubic", "Constraint"};
  static constexpr std::array kTypes{"spring", "cubic", "constraint"};
  if (desk.now().description.contact.is_barrier()) return false;
  row_label(
      desk, "Meets by",
      "Springs push out what has sunk in; cubic pushes with the square of the depth, with solvers newton, newton-cg "
      "and gast; a constraint lets nothing in, with solvers newton and gast, and the integrators Backward "
      "Euler, BDF2, Implicit midpoint and Newmark: Newton and BDF2 are chosen where others are");
  // A mesh is no constraint.
  const std::size_t choices = std::holds_alternative<scene::MeshShape>(obstacle.shape) ? 2 : 3;
  const auto now = std::find(kTypes.begin(), kTypes.end(), obstacle.meets) - kTypes.begin();
  const auto chosen = segmented(desk, "meets", std::span(kKinds).first(choices), static_cast<int>(now));
  if (!chosen || *chosen == now) return false;
  obstacle.meets = kTypes[static_cast<std::size_t>(*chosen)];
  if (obstacle.meets != kTypes[0]) make_room_for(desk, obstacle);
  return true;
}

void fields(Desk& desk, int index, scene::Obstacle obstacle) {
  place_fields(desk, index, obstacle);
  bool changed = std::visit(Sizes{desk}, obstacle.shape);
  changed |= meets_row(desk, obstacle);
  if (obstacle.is_cubic())
    changed |= range_field_into(desk, "Stiffness", "obstacle.cubicStiffness", obstacle.cubicStiffness);
  else if (!obstacle.is_constraint())
    changed |= range_field_into(desk, "Stiffness", "obstacle.stiffness", obstacle.stiffness);
  changed |= range_field_into(desk, "Friction", "obstacle.friction", obstacle.friction);
  if (changed) desk.requests.commands.push_back(session::SetObstacle{index, obstacle});
  if (ImGui::Button("Duplicate")) desk.requests.actions.push_back(Action::duplicate_obstacle);
  ImGui::SameLine();
  if (ImGui::Button("Remove")) {
    desk.requests.commands.push_back(session::RemoveObstacle{index});
    desk.chosen_obstacle = -1;
  }
}

}  // namespace

void obstacles_panel(Desk& desk) {
  if (!begin_section(desk, "Obstacles")) return;
  add_buttons(desk);
  const auto& obstacles = desk.now().description.obstacles;
  for (int i = 0; i < static_cast<int>(obstacles.size()); ++i) {
    ImGui::PushID(i);
    const scene::Obstacle& obstacle = obstacles[static_cast<std::size_t>(i)];
    if (entry(desk, i, obstacle)) fields(desk, i, obstacle);
    ImGui::PopID();
  }
  end_section(desk);
}

}  // namespace rebound::app
