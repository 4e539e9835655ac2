#include "sim/contact/free_turns.hpp"

#include <algorithm>

#include "sim/base/row_passes.hpp"
#include "sim/contact/friction_impulses.hpp"
#include "sim/linear/small_pairs.hpp"
#include "sim/model/held.hpp"

namespace rebound::sim {
namespace {

using Matrix3 = Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Vector<double, 6>;

// Of the trace of J: a body without width, such as a thread, has next to none about its axis.
constexpr double kLeastInertia = 1e-6;

// S, of the lower triangle L, whose rows sum to zero in a free body: it is the same about any centre.
Matrix3 held_by_elements(const SparseMatrix& L, const BodyRange& body, const Points& x, Workers& workers) {
  const int *begin = L.outerIndexPtr(), *rows = L.innerIndexPtr();
  const double* values = L.valuePtr();
  const Vec3 origin = x.row(body.first).transpose();
  const auto sums = sum_rows<9>(workers, body.count, [&](Eigen::Index first, Eigen::Index count, auto& sum) {
    Matrix3 half = Matrix3::Zero();
    const int start = body.first + static_cast<int>(first);
    for (int column = start; column < start + static_cast<int>(count); ++column) {
      double total = 0;
      Vec3 pulled = Vec3::Zero();
      for (int k = begin[column]; k < begin[column + 1]; ++k) {
        const double entry = (rows[k] == column ? 0.5 : 1.0) * values[k];
        total += entry;
        pulled += entry * x.row(rows[k]).transpose();
      }
      half += (pulled - total * origin) * (x.row(column) - origin.transpose());
    }
    Eigen::Map<Matrix3>(sum.data()) = half;
  });
  const Matrix3 half = Eigen::Map<const Matrix3>(sums.data()), moments = half + half.transpose();
  return moments.trace() * Matrix3::Identity() - moments;
}

// E without what is below zero, as where contacts hold more than A.
Matrix3 without_negative(const Matrix3& E, double& most) {
  const FixedPairs<3> pairs = symmetric_pairs(E);
  Matrix3 left = Matrix3::Zero();
  most = 0;
  for (int k = 0; k < 3; ++k) {
    const double value = std::max(0.0, pairs.values[k]);
    most = std::max(most, value);
    left += value * pairs.vectors.col(k) * pairs.vectors.col(k).transpose();
  }
  return left;
}

}  // namespace

FreeTurns::FreeTurns(const Model& model, const State& at, std::span<const Pressed> pressed,
                     const ContactResponse& response, Workers& workers)
    : at_(at) {
  const SparseMatrix* L = response.laplacian();
  begin_.assign(model.contacts.items.size() + 1, 0);
  if (L == nullptr) return;
  find_arms(model, workers);
  const double k = response.coefficient();
  std::vector<Matrix6> held(bodies_.size(), Matrix6::Zero());
  for (const Pressed& r : pressed)
    for (const Arm& arm : arms(r.row)) {
      Vector6 push;
      push << arm.weight * r.contact->n, arm.r.cross(r.contact->n);
      held[static_cast<std::size_t>(arm.body)] += k * r.contact->stiffness * push * push.transpose();
    }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    Body& body = bodies_[b];
    Matrix3 J = body.moments.inertia;
    J.diagonal().array() += kLeastInertia * J.trace();
    Matrix6& moved = held[b];
    moved.diagonal().head<3>().array() += body.moments.mass;
    moved.bottomRightCorner<3, 3>() += J;
    const Matrix3 free = moved.inverse().bottomRightCorner<3, 3>();
    const Matrix3 by_A = (J + k * held_by_elements(*L, body.range, at.x, workers)).inverse();
    body.E = without_negative(free - by_A, body.most);
  }
}

void FreeTurns::find_arms(const Model& model, Workers& workers) {
  constexpr int kUnknown = -2, kHeld = -1;
  std::vector<int> places(model.bodies.size(), kUnknown);
  const auto place_of = [&](int vertex) {
    const std::size_t b = model.body_of(vertex);
    if (places[b] != kUnknown) return places[b];
    const BodyRange& range = model.bodies[b];
    places[b] = kHeld;
    if (range.count < 2 || is_held(model, range)) return kHeld;
    places[b] = static_cast<int>(bodies_.size());
    bodies_.push_back({range, moments(model, {&range, 1}, at_, workers), Matrix3::Zero()});
    return places[b];
  };
  for (std::size_t c = 0; c + 1 < begin_.size(); ++c) {
    begin_[c] = arms_.size();
    if (!(model.contacts.items[c].friction > 0)) continue;
    const BodyRow& point = model.contacts.items[c].point;
    for (int j = 0; j < point.count; ++j) {
      const int place = place_of(point.vertices[j]);
      if (place < 0) continue;
      const auto begin = arms_.begin() + static_cast<std::ptrdiff_t>(begin_[c]);
      auto arm = std::find_if(begin, arms_.end(), [&](const Arm& a) { return a.body == place; });
      if (arm == arms_.end()) arm = arms_.insert(arms_.end(), Arm{place});
      arm->weight += point.weights[j];
      arm->r += point.weights[j] *
                (at_.x.row(point.vertices[j]).transpose() - bodies_[static_cast<std::size_t>(place)].moments.x_cm);
    }
  }
  begin_.back() = arms_.size();
}

void FreeTurns::clear() {
  for (Body& body : bodies_) body.omega.setZero();
}

void FreeTurns::push(int contact, const Vec3& impulse) {
  for (const Arm& arm : arms(contact)) {
    Body& body = bodies_[static_cast<std::size_t>(arm.body)];
    body.omega += body.E * arm.r.cross(impulse);
  }
}

Vec3 FreeTurns::way(int contact) const {
  Vec3 sum = Vec3::Zero();
  for (const Arm& arm : arms(contact)) sum += bodies_[static_cast<std::size_t>(arm.body)].omega.cross(arm.r);
  return sum;
}

double FreeTurns::own(int contact) const {
  double sum = 0;
  for (const Arm& arm : arms(contact)) sum += bodies_[static_cast<std::size_t>(arm.body)].most * arm.r.squaredNorm();
  return sum;
}

// About the centre where it is now, which friction has moved since: a turn is to have no momentum.
void FreeTurns::add_to(const Vector& M, Points& dv, Workers& workers) const {
  for (const Body& body : bodies_) {
    if (body.omega.isZero(0)) continue;
    const auto [first, count] = body.range;
    const auto x = at_.x.middleRows(first, count);
    const Vec3 centre = x.transpose() * M.segment(first, count) / body.moments.mass;
    each_rows(workers, count, [&, first = first](Eigen::Index begin, Eigen::Index rows) {
      for (Eigen::Index i = begin; i < begin + rows; ++i)
        dv.row(first + i) += body.omega.cross(Vec3(x.row(i).transpose() - centre)).transpose();
    });
  }
}

}  // namespace rebound::sim
