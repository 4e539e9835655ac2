// How bodies answer impulses at the contacts of a step: as the implicit step itself would have answered forces there,
// so that what is pushed at one point takes along as much of the body as it holds on to within h.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/base/workers.hpp"

namespace rebound::sim {

/// By the factor of L in a matrix (s^2): the vertices between which its inverse is known (ContactRows::known).
using ContactKnowledge = std::map<double, std::vector<int>>;

/// One row per contact, m/s.
using ContactWays = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// An impulse at a contact of Model::contacts, kg m/s.
struct ContactImpulse {
  int contact;
  Vec3 impulse;
};

class ContactResponse {
 public:
  virtual ~ContactResponse() = default;

  /// G = U^T A^-1 U, 1/kg: what an impulse at one contact does to the velocity at another, the same for x, y and z; in
  /// the order of Model::contacts, which must not crowd. A has the grabs and pins in it, and no contacts.
  virtual Eigen::Ref<const Eigen::MatrixXd> delassus() const = 0;
  /// Rows [begin, end) of ways += G impulses, of at most kMostImpulses, to the precision of respond().
  virtual void add_ways(std::span<const ContactImpulse> impulses, int begin, int end, ContactWays& ways) const = 0;
  static constexpr int kMostImpulses = 8;
  /// L in A = M + coefficient L, without grabs and pins, lower triangle; null where it is not known.
  virtual const SparseMatrix* laplacian() const { return nullptr; }
  virtual double coefficient() const { return 0; }  ///< s^2
  /// b := A^-1 b: impulses (kg m/s) to velocities, n x 3.
  virtual void respond(Points& b, Workers& workers) = 0;
  /// The same for a b that is zero off the vertices of contacts, which not all of the matrix need be read for.
  virtual void respond_at_contacts(Points& b, Workers& workers) { respond(b, workers); }
};

}  // namespace rebound::sim
