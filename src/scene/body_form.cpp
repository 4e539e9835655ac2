#include "scene/body_form.hpp"

#include <Eigen/LU>

#include "mesh/error.hpp"
#include "scene/affine_geometry.hpp"
#include "scene/files.hpp"
#include "sim/energy/signed_svd.hpp"
#include "sim/model/rigid_motion.hpp"

namespace rebound::scene {
namespace {

bool names_vertices(const Body& body) {
  const auto by_number = [](const Selection& selection) {
    const auto* vertices = std::get_if<std::vector<int>>(&selection);
    return vertices != nullptr && !vertices->empty();
  };
  bool names = by_number(body.fixed) || !body.traces.empty();
  for (const Attachment& attachment : body.attachments) names = names || by_number(attachment.vertices);
  return names;
}

// Where the vertices of a mesh are those of tetrahedra, they are the same in both forms; a surface file is filled anew.
void require_same_numbers(const Body& body, std::size_t b) {
  const auto* file = std::get_if<FileMesh>(&body.mesh);
  if (file == nullptr || !is_surface_file(file->file) || !names_vertices(body)) return;
  throw InputError("/bodies/" + std::to_string(b) +
                   ": names vertices by number, which are others in its tetrahedra than in its surface; select them by "
                   "boxes in the scene, then it can become rigid and soft again");
}

/// A body's own frame: centre of mass and spread at rest, and what the body is doing.
struct Whole {
  double mass;
  sim::Vec3 at_rest, centre, p, L;
  Eigen::Matrix3d inertia;

  Whole(const sim::Points& rest, const sim::Vector& M, const sim::Points& x, const sim::Points& v)
      : mass(M.sum()), at_rest(rest.transpose() * M / mass), centre(x.transpose() * M / mass), p(v.transpose() * M) {
    L.setZero();
    inertia.setZero();
    for (Eigen::Index i = 0; i < M.size(); ++i) {
      const sim::Vec3 r = x.row(i).transpose() - centre;
      L += M[i] * r.cross(sim::Vec3(v.row(i).transpose()));
      inertia += M[i] * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
    }
  }
};

/// The rotation nearest to the affine map that takes the shape at rest to where it is, by masses.
Eigen::Matrix3d turned(const MovingBody& body, const Whole& whole) {
  Eigen::Matrix3d moved = Eigen::Matrix3d::Zero(), spread = Eigen::Matrix3d::Zero();
  for (Eigen::Index i = 0; i < body.M.size(); ++i) {
    const sim::Vec3 X = body.geometry.rest.row(i).transpose() - whole.at_rest;
    moved += body.M[i] * (body.x.row(i).transpose() - whole.centre) * X.transpose();
    spread += body.M[i] * X * X.transpose();
  }
  const sim::SignedSvd svd = sim::signed_svd(moved * spread.inverse());
  return svd.U * svd.V.transpose();
}

}  // namespace

bool is_of_other_form(const Description& description, std::size_t body, const BodyGeometry& geometry) {
  return is_whole(description.bodies[body].material) != geometry.is_affine();
}

std::shared_ptr<const BodyGeometry> other_form(const Description& description, std::size_t b,
                                               const std::shared_ptr<const BodyGeometry>& geometry,
                                               const mesh::Progress& progress) {
  const Body& body = description.bodies[b];
  require_same_numbers(body, b);
  const std::string place = "/bodies/" + std::to_string(b);
  if (geometry->is_affine())
    return geometry->soft ? geometry->soft : std::make_shared<const BodyGeometry>(load_body(description, b, progress));
  const auto tets = geometry->tetrahedra();
  const auto* file = std::get_if<FileMesh>(&body.mesh);
  const bool is_surface = file != nullptr && is_surface_file(file->file);
  BodyGeometry made = is_surface ? affine_from_surface(geometry->surface, place + "/mesh", progress)
                                 : affine_from_tets({geometry->rest, {tets.begin(), tets.end()}}, place + "/mesh");
  made.notes = geometry->notes;
  made.soft = geometry;
  return std::make_shared<const BodyGeometry>(std::move(made));
}

void carry_over(const MovingBody& from, MovingBody& to) {
  const Whole was(from.geometry.rest, from.M, from.x, from.v);
  const sim::Points& rest = to.geometry.rest;
  const Whole undeformed(rest, to.M, rest, sim::Points::Zero(rest.rows(), 3));
  const Eigen::Matrix3d R = turned(from, was);
  const sim::Vec3 v = was.p / undeformed.mass;
  const sim::Vec3 omega = sim::angular_velocity(R * undeformed.inertia * R.transpose(), was.L);
  to.x.resize(rest.rows(), 3);
  to.v.resize(rest.rows(), 3);
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    const sim::Vec3 r = R * (rest.row(i).transpose() - undeformed.at_rest);
    to.x.row(i) = (was.centre + r).transpose();
    to.v.row(i) = (v + omega.cross(r)).transpose();
  }
}

}  // namespace rebound::scene
