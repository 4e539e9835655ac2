// The impulses of friction: along the surface at each pressed contact, as large as it takes to bring its way to rest,
// within a bound (friction.hpp). By projected Gauss-Seidel; where contacts crowd, by a few projected gradients.
#pragma once

#include <span>

#include "sim/contact/contact_response.hpp"
#include "sim/contact/free_turns.hpp"
#include "sim/model/model.hpp"

namespace rebound::sim {

/// A contact that is pressed and rough.
struct Pressed {
  const Contact* contact;
  int row;       ///< among the model's contacts
  double bound;  ///< kg m/s
  Vec3 lambda;   ///< kg m/s

  Vec3 along(const Vec3& v) const { return v - v.dot(contact->n) * contact->n; }
  Vec3 bounded(const Vec3& impulse) const {
    const double size = impulse.norm();
    return size > bound ? Vec3(bound / size * impulse) : impulse;
  }
};

/// The last step's impulse at a contact, as it would go on.
Vec3 last_impulse(const Contact& c);

/// sum, n x 3, += U^T impulse.
void add_impulse(const Contact& contact, const Vec3& impulse, Points& sum);

/// How bodies answer impulses at contacts: by A^-1, and by turning.
struct BodyAnswer {
  ContactResponse& by_matrix;
  FreeTurns turns;
};

/// What sum U_i^T lambda_i does to velocities, n x 3, m/s. pushed: without these impulses, one per contact, which the
/// step has answered already; or none.
Points answer(const Model& model, const std::vector<Pressed>& all, std::span<const Vec3> pushed, BodyAnswer& bodies,
              Workers& workers);

/// Finds lambda of all, beginning with what they have. w: the ways of the points relative to their surfaces without
/// them, but with those of `pushed`. share: what a way has of a change of velocity.
void find_impulses(const Model& model, double share, std::span<const Vec3> pushed, BodyAnswer& bodies, Workers& workers,
                   ContactWays w, std::vector<Pressed>& all);

}  // namespace rebound::sim
