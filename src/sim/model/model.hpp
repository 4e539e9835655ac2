// Everything about the world that does not move during a step: masses, energies, what is held.
#pragma once

#include <memory>
#include <optional>

#include "sim/base/body_range.hpp"
#include "sim/collide/obstacle.hpp"
#include "sim/constraint/constraint.hpp"
#include "sim/energy/attachments.hpp"
#include "sim/energy/contacts.hpp"
#include "sim/energy/energy.hpp"

namespace rebound::sim {

class ContactBody;

/// Surfaces that may not touch, of bodies and of obstacles.
struct BarrierLaw {
  double distance = 1e-3;           ///< d^, m: from there on they push each other away
  std::optional<double> stiffness;  ///< kappa, J/m^2; empty: by masses and stiffnesses
  double slip = 1e-3;       ///< epsilon_v, m/s: what slides slower than that is held by less than all of friction
  int friction_solves = 1;  ///< solves of a step, each with the normal forces that the last one ended with
};

/// How bodies meet one another, and themselves.
struct BodyContactLaw {
  bool bodies = false;                  ///< different ones
  bool self = false;                    ///< parts of one
  double stiffness = 0;                 ///< k_c, N/m a point
  double friction = 0;                  ///< k_f, -
  double thickness = 0;                 ///< m, of nets; 0: a share of their edges
  std::optional<BarrierLaw> barrier{};  ///< empty: springs
  std::optional<double> cubic{};        ///< k of k d sqrt(d + eps), N/m^2, in place of springs (cubic_contacts.hpp)

  bool any() const { return bodies || self; }
};

/// J, by EnergyKind.
using EnergyByKind = std::array<double, kEnergyKinds>;

/// Energies have masses, g and stiffnesses of their own, and solvers what they have worked out of them: M and
/// `energies` may be changed before a solver is made for the model, g at any time by set_gravity(). What the others
/// need told stands at Factors.
struct Model {
  Vector M;                         ///< kg a vertex, > 0
  std::vector<std::uint8_t> fixed;  ///< 1: not a degree of freedom, holds still
  Vec3 g = Vec3::Zero();            ///< m/s^2
  double extent = 1;                ///< m, the diagonal of the box around the bodies at rest
  std::vector<BodyRange> bodies;
  std::vector<BodyRange> affine;  ///< those that are four vertices, which only an energy holds in shape
  std::vector<BodyRange> thin;    ///< those that are sheets, nets or ropes
  std::vector<std::shared_ptr<const Energy>> energies;  ///< elastic, gravity; copies of a model share them
  std::vector<std::shared_ptr<const Energy>> shapes;    ///< those of them that hold affine bodies in shape
  Attachments attachments;                              ///< part of the world: in the prefactored matrices
  Attachments grabs;        ///< come and go while running: a low-rank addition to the factors
  Constraints constraints;  ///< what holds at the end of every step, by solvers that take them; copies share them
  std::vector<Obstacle> obstacles;
  std::vector<BodyPoint> colliders;  ///< the points that bump into things, bodies one after the other
  BodyContactLaw body_contact;
  std::vector<std::shared_ptr<const ContactBody>> contact_bodies;  ///< one a body, or none as long as none is needed
  Contacts contacts;                                               ///< found anew for every step: low rank as the grabs
  /// What else acts in the present step alone, its links too: where the step ends, whatever the method. Only solvers
  /// that ask for Hessians take it.
  std::vector<std::shared_ptr<const Energy>> step_energies;
  /// The same for forces that only take energy, as gradients of potentials that hold none. No part of E.
  std::vector<std::shared_ptr<const Energy>> step_losses;
  /// Bodies that may touch in the step by these, as pairs in order; -1 in place of the first: an obstacle.
  std::vector<std::pair<int, int>> touching;

  int vertices() const { return static_cast<int>(M.size()); }
  /// Which of the bodies a vertex is in.
  std::size_t body_of(int vertex) const;
  /// May bodies meet one another, or themselves?
  bool bodies_may_meet() const { return body_contact.self || (body_contact.bodies && bodies.size() > 1); }

  /// E(x) by kind, J.
  EnergyByKind energy_by_kind(const Points& x, Workspace& work) const;
  /// E(x), J.
  double energy(const Points& x, Workspace& work) const;
  /// gradient = dE(x), zero at fixed vertices; returns E(x).
  double gradient(const Points& x, Points& gradient, Workspace& work) const;
  /// What of both comes and goes or moves: handles, hands, contacts, the step's own energies.
  void add_passing_energy(const Points& x, EnergyByKind& E, Workspace& work) const;
  double add_passing_gradient(const Points& x, Points& gradient, Workspace& work) const;
  /// Of handles, hands and contacts alone.
  double add_held_gradient(const Points& x, Points& gradient, Workspace& work) const;
  bool has_step_terms() const { return !step_energies.empty() || !step_losses.empty(); }
  /// E(x) without the step's own energies, J, and so on.
  double lasting_energy(const Points& x, Workspace& work) const;
  double lasting_gradient(const Points& x, Points& gradient, Workspace& work) const;
  void add_lasting_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const;
  /// K(v) = 1/2 v^T M v over the free vertices, J.
  double kinetic(const Points& v) const;
  /// The same, added up in another order.
  double kinetic(const Points& v, Workers& workers) const;
  /// L of all but the grabs and contacts, lower triangle. workers: null: this thread alone.
  SparseMatrix laplacian(Workers* workers = nullptr) const;
  /// H += d2E(x), all of it.
  void add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const;
  /// The pairs (i >= j) of vertices that are linked in the present step, besides those of laplacian().
  std::vector<std::pair<int, int>> step_pattern() const;
  /// May that be another at x than when it was last asked for, in the same step?
  bool has_new_links(const Points& x) const;
  /// Has any energy a barrier?
  bool has_barrier() const;
  /// How far along d all energies stay finite and admissible, as a factor of d; infinite without a bound.
  double largest_step(const Points& x, const Points& d, Workspace& work) const;
  /// The same of the energies that last, and of the step's own.
  double lasting_largest_step(const Points& x, const Points& d, Workspace& work) const;
  double step_largest_step(const Points& x, const Points& d, Workspace& work) const;
  /// K = d2E(x), N/m, 3n x 3n, lower triangle; coordinate c of vertex i is row 3 i + c. Rows and columns of fixed
  /// vertices are zero. With M on the diagonal it is what eigenmodes are made of: K w = lambda M w.
  SparseMatrix stiffness_matrix(const Points& x, Workspace& work) const;

  /// Solid elements that are turned inside out.
  InsideOut inside_out(const Points& x) const;

  /// What the elements of its bodies go through at x.
  void element_fields(const Points& x, std::vector<ElementField>& fields, Workspace& work) const;

  /// Another g, here and in the energy.
  void set_gravity(const Vec3& to);

  /// Sets the rows of the fixed vertices to zero.
  void clear_fixed(Points& rows) const;
};

}  // namespace rebound::sim
