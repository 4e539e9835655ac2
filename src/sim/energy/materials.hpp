// The table of materials: what elements each is of, its laws and numbers, what solvers can do with it, and how it is
// made. The scene reader and writer, the window, the command line and the tests all go by it.
//
// A new material of tetrahedra is a file with W, P and dP/dF (tet_material.hpp) and a row here.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sim/base/elements.hpp"
#include "sim/energy/energy.hpp"
#include "sim/energy/material_values.hpp"

namespace rebound::sim {

/// A number that a material asks for.
struct MaterialParameter {
  std::string_view key;    ///< its name in a scene
  std::string_view title;  ///< its name in the window
  std::string_view range;  ///< its row of scene::ranges(): unit and bounds
  double MaterialValues::*value;
};

/// The elements of a body and what each is made of.
struct MaterialElements {
  const Points& rest;                      ///< m, a vertex each
  const Elements& elements;                ///< of the kind that the material is for
  std::span<const MaterialValues> values;  ///< one an element
  std::span<const double> fill;            ///< of tetrahedra: the share of each one's volume that is material
  std::span<const double> lengths;         ///< of edges: without force, m
};

/// A body may have several, such as those of stretching and of bending.
using Energies = std::vector<std::unique_ptr<Energy>>;

struct MaterialLaw {
  std::string_view id;    ///< empty where a material has one law alone
  std::string_view what;  ///< one line
  bool squared_distance;  ///< E is a squared distance to what is projected on: what local/global needs
  Energies (*make)(const MaterialElements& body);
  bool has_barrier = false;        ///< E is infinite where an element is inside out, or a triangle has no area
  bool needs_convergence = false;  ///< so stiff that a solve that ends after a few iterations leaves nonsense
};

struct MaterialInfo {
  std::string_view id;
  std::string_view title;
  std::string_view what;  ///< its energy and what to expect, one line
  ElementKind kind;
  std::span<const MaterialParameter> parameters;
  std::span<const MaterialLaw> laws;  ///< at least one; the first is meant where none is named
  bool is_whole = false;              ///< one element carries the whole body, whose surface hangs on it

  bool asks_for(std::string_view key) const;
  bool has_choice_of_law() const { return laws.size() > 1; }
  /// Null if there is none of that name. Where there is no choice the name is not looked at.
  const MaterialLaw* find_law(std::string_view law) const;
};

std::span<const MaterialInfo> materials();
/// Null if there is none of that name.
const MaterialInfo* find_material(std::string_view id);
/// The first of the table for such elements, which bodies have that name none; null if there is none at all.
const MaterialInfo* usual_material(ElementKind kind);

}  // namespace rebound::sim
