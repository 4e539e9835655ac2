// How bodies turn by impulses at their contacts. A step's matrix A holds elements where they are, turned or not, so
// A^-1 answers a torque with next to no spin: the angular momentum that an impulse brings would be lost. A body that
// nothing holds has this on top,
//   dv_i = omega x r_i,   omega = E sum r x lambda,   E = (J + k K)^-1 - (J + k S)^-1,
// with r from its centre of mass, J its inertia, k = c gamma^2 h^2 the coefficient of L in A; K is what its pressed
// contacts hold against a turn with the centre free to move, S = sum L_ij (r_i . r_j I - r_i r_j^T) what A does. So a
// body on a floor is free to spin and to roll, and tips over as far as the floor lets it.
#pragma once

#include <span>
#include <vector>

#include "sim/contact/contact_response.hpp"
#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {

struct Pressed;

class FreeTurns {
 public:
  /// Of the bodies that have rough contacts, where they are at `at`, which must outlive this. pressed: the contacts
  /// that hold against a turn.
  FreeTurns(const Model& model, const State& at, std::span<const Pressed> pressed, const ContactResponse& response,
            Workers& workers);

  /// From here on no impulse has been given.
  void clear();
  /// At a contact of the model, kg m/s.
  void push(int contact, const Vec3& impulse);
  /// By all impulses: what a contact's way has of the turns, m/s.
  Vec3 way(int contact) const;
  /// An impulse's own share in its contact's way is no more than this times it, 1/kg.
  double own(int contact) const;
  /// By all impulses, at all vertices, m/s.
  void add_to(const Vector& M, Points& dv, Workers& workers) const;

 private:
  struct Body {
    BodyRange range;
    Moments moments;
    Eigen::Matrix3d E;          ///< 1/(kg m^2)
    double most = 0;            ///< the largest eigenvalue of E
    Vec3 omega = Vec3::Zero();  ///< rad/s
  };
  /// Of a contact and one of its bodies: the sums of its weights there, and of those times r.
  struct Arm {
    int body;
    double weight = 0;
    Vec3 r = Vec3::Zero();  ///< m
  };
  std::span<const Arm> arms(int contact) const {
    const auto c = static_cast<std::size_t>(contact);
    return std::span(arms_).subspan(begin_[c], begin_[c + 1] - begin_[c]);
  }
  void find_arms(const Model& model, Workers& workers);

  const State& at_;
  std::vector<Body> bodies_;
  std::vector<Arm> arms_;           ///< contact after contact
  std::vector<std::size_t> begin_;  ///< where a contact's begin, and their end
};

}  // namespace rebound::sim
