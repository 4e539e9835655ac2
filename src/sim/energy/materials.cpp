#include "sim/energy/materials.hpp"

#include <algorithm>

#include "sim/energy/affine.hpp"
#include "sim/energy/arap_tets.hpp"
#include "sim/energy/corotated.hpp"
#include "sim/energy/fixed_corotated.hpp"
#include "sim/energy/membrane.hpp"
#include "sim/energy/neo_hookean.hpp"
#include "sim/energy/springs.hpp"
#include "sim/energy/stable_neo_hookean.hpp"
#include "sim/energy/stvk.hpp"
#include "sim/energy/tets.inl"

namespace rebound::sim {
namespace {

using TetList = std::vector<std::array<int, 4>>;
using EdgeList = std::vector<std::array<int, 2>>;

Energies alone(std::unique_ptr<Energy> energy) {
  Energies energies;
  energies.push_back(std::move(energy));
  return energies;
}

Energies make_arap(const MaterialElements& body) {
  std::vector<double> mu;
  for (std::size_t t = 0; t < body.values.size(); ++t) mu.push_back(Lame(body.values[t]).mu * body.fill[t]);
  return alone(std::make_unique<ArapTets>(body.rest, std::get<TetList>(body.elements), mu, body.fill));
}

template <TetMaterial Material>
Energies make_tets(const MaterialElements& body) {
  return alone(std::make_unique<Tets<Material>>(body.rest, std::get<TetList>(body.elements), body.values, body.fill));
}

template <SpringLaw law>
Energies make_springs(const MaterialElements& body) {
  std::vector<double> stiffness;
  for (const MaterialValues& values : body.values) stiffness.push_back(values.stiffness);
  return alone(std::make_unique<Springs>(body.rest, std::get<EdgeList>(body.elements), body.lengths, stiffness, law));
}

constexpr bool kSquaredDistance = true, kAnyEnergy = false;

constexpr MaterialParameter kYoung{"young", "Young's modulus", "material.young", &MaterialValues::young};
constexpr MaterialParameter kPoisson{"poisson", "Poisson's ratio", "material.poisson", &MaterialValues::poisson};
constexpr MaterialParameter kPoissonFrom0{"poisson", "Poisson's ratio", "material.poisson.from0",
                                          &MaterialValues::poisson};
constexpr MaterialParameter kStiffness{"stiffness", "Stiffness", "material.stiffness", &MaterialValues::stiffness};

constexpr MaterialParameter kRigidity{"stiffness", "Stiffness", "material.rigidity", &MaterialValues::rigidity};

constexpr MaterialParameter kThickness{"thickness", "Thickness", "material.thickness", &MaterialValues::thickness};
constexpr MaterialParameter kBending{"bending", "Bending", "material.bending", &MaterialValues::bending};
constexpr MaterialParameter kPretension{"pretension", "Pretension", "material.pretension", &MaterialValues::pretension};

constexpr MaterialParameter kSolid[] = {kYoung, kPoisson};
constexpr MaterialParameter kSolidFrom0[] = {kYoung, kPoissonFrom0};
constexpr MaterialParameter kSprings[] = {kStiffness};
constexpr MaterialParameter kWhole[] = {kRigidity};
constexpr MaterialParameter kSheet[] = {kYoung, kPoissonFrom0, kThickness, kBending, kPretension};

constexpr MaterialLaw kArap[] = {{"", "", kSquaredDistance, make_arap}};
template <TetMaterial Material>
constexpr MaterialLaw kTets[] = {{"", "", kAnyEnergy, make_tets<Material>, Material::kHasBarrier}};
constexpr MaterialLaw kAffine[] = {{"", "", kAnyEnergy, make_tets<Affine>, Affine::kHasBarrier, true}};
constexpr MaterialLaw kSpringLaws[] = {
    {"hookean", "k/2 (|d| - l)^2", kSquaredDistance, make_springs<SpringLaw::hookean>},
    {"squared", "k/2 (|d|^2 - l^2)^2, k in N/m^3", kAnyEnergy, make_springs<SpringLaw::squared>},
};

constexpr MaterialLaw kMembraneLaws[] = {
    {"stvk", "mu |G|^2 + lambda/2 tr(G)^2, G Green's strain", kAnyEnergy, make_stvk_membrane},
    {"neo-hookean", "mu/2 (tr C - 2 - 2 ln j) + lambda/2 (ln j)^2, infinite where a triangle has no area", kAnyEnergy,
     make_neo_hookean_membrane, true},
};

constexpr MaterialInfo kMaterials[] = {
    {"arap", "As rigid as possible",
     "Tetrahedra, mu V |F - R|^2. Poisson's ratio enters through mu = young / (2 (1 + poisson)) alone.",
     ElementKind::tetrahedra, kSolid, kArap},
    {"corotated", "Corotated",
     "Tetrahedra, mu |F - R|^2 + lambda/2 tr(S - 1)^2 a volume: linear elasticity that turns with the body; keeps its "
     "volume while strains are small.",
     ElementKind::tetrahedra, kSolid, kTets<Corotated>},
    {"fixed-corotated", "Fixed corotated",
     "Tetrahedra, mu |F - R|^2 + lambda/2 (det F - 1)^2 a volume: keeps its volume, and rights itself when it was "
     "turned inside out.",
     ElementKind::tetrahedra, kSolidFrom0, kTets<FixedCorotated>},
    {"stvk", "St. Venant-Kirchhoff",
     "Tetrahedra, mu |G|^2 + lambda/2 tr(G)^2 a volume, G Green's strain: hard to stretch, and collapses under "
     "pressure.",
     ElementKind::tetrahedra, kSolid, kTets<StVK>},
    {"neo-hookean", "Neo-Hookean",
     "Tetrahedra, rubber: mu/2 (|F|^2 - 3) - mu ln J + lambda/2 (ln J)^2 a volume, infinite where J <= 0: never turns "
     "inside out.",
     ElementKind::tetrahedra, kSolidFrom0, kTets<NeoHookean>},
    {"stable-neo-hookean", "Stable neo-Hookean",
     "Tetrahedra, rubber: mu/2 (|F|^2 - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2 a volume; smooth whatever happens "
     "to it.",
     ElementKind::tetrahedra, kSolid, kTets<StableNeoHookean>},
    {"affine", "Rigid (affine)",
     "The whole body as one tetrahedron of equal masses that has its mass and inertia, kappa |F F^T - 1|^2 a volume: all but "
     "rigid. For any closed surface; with newton, newton-cg or gast.",
     ElementKind::tetrahedra, kWhole, kAffine, true},
    {"springs", "Mass-spring", "Edges. Law hookean: k/2 (|d| - l)^2; law squared: k/2 (|d|^2 - l^2)^2, with Newton.",
     ElementKind::edges, kSprings, kSpringLaws},
    {"membrane", "Membrane",
     "Triangles: cloth, drums and shells of a thickness, stretched by law stvk or neo-hookean and bent by hinges between "
     "the triangles.",
     ElementKind::triangles, kSheet, kMembraneLaws},
};

}  // namespace

bool MaterialInfo::asks_for(std::string_view key) const {
  return std::any_of(parameters.begin(), parameters.end(), [&](const auto& parameter) { return parameter.key == key; });
}

const MaterialLaw* MaterialInfo::find_law(std::string_view law) const {
  if (!has_choice_of_law()) return &laws.front();
  for (const MaterialLaw& one : laws)
    if (one.id == law) return &one;
  return nullptr;
}

std::span<const MaterialInfo> materials() { return kMaterials; }

const MaterialInfo* find_material(std::string_view id) {
  for (const MaterialInfo& info : kMaterials)
    if (info.id == id) return &info;
  return nullptr;
}

const MaterialInfo* usual_material(ElementKind kind) {
  for (const MaterialInfo& info : kMaterials)
    if (info.kind == kind) return &info;
  return nullptr;
}

}  // namespace rebound::sim
