// Worlds of soft boxes, sheets and obstacles whose surfaces may not touch, and a test of their crossings that shares
// nothing with the search.
#pragma once

#include <memory>
#include <random>

#include "mesh/shapes.hpp"
#include "sim/collide/contact_body.hpp"
#include "sim/contact/crossing.hpp"
#include "sim/energy/gravity.hpp"
#include "sim/energy/materials.hpp"
#include "sim/stepper.hpp"
#include "support/crossings.hpp"
#include "support/models.hpp"

namespace rebound::test {

using namespace rebound::sim;

struct BoxBody {
  Vec3 size{0.1, 0.1, 0.1};  ///< m
  std::array<int, 3> divisions{2, 2, 2};
  Vec3 centre{0, 0, 0};
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  double young = 1e5, density = 1000;
  Vec3 v{0, 0, 0}, omega{0, 0, 0};
};

struct BarrierWorld {
  explicit BarrierWorld(const std::vector<BoxBody>& boxes, double distance = 1e-3, double friction = 0,
                        const Vec3& g = Vec3(0, -9.81, 0), const char* material = "neo-hookean") {
    int n = 0;
    std::vector<mesh::TetMesh> meshes;
    for (const BoxBody& box : boxes) {
      meshes.push_back(mesh::box({box.size[0], box.size[1], box.size[2]}, box.divisions, 5));
      n += static_cast<int>(meshes.back().points.rows());
    }
    model = free_vertices(n);
    model.M.setZero();
    model.bodies.clear();
    model.extent = 1;
    model.g = g;
    now = {Points(n, 3), Points(n, 3), {}};
    int first = 0;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const BoxBody& box = boxes[b];
      const mesh::TetMesh& mesh = meshes[b];
      const int count = static_cast<int>(mesh.points.rows());
      model.bodies.push_back({first, count});
      Points rest = Points::Zero(n, 3);
      rest.middleRows(first, count) = mesh.points;
      std::vector<std::array<int, 4>> tets;
      for (auto tet : mesh.tetrahedra) {
        const Vec3 o = mesh.points.row(tet[0]);
        Eigen::Matrix3d edges;
        for (int c = 0; c < 3; ++c)
          edges.col(c) = mesh.points.row(tet[static_cast<std::size_t>(c) + 1]).transpose() - o;
        for (int& v : tet) {
          v += first;
          model.M[v] += box.density * edges.determinant() / 24;
        }
        tets.push_back(tet);
      }
      MaterialValues values;
      values.young = box.young;
      values.poisson = 0.3;
      const std::vector<MaterialValues> all(tets.size(), values);
      const std::vector<double> fill(tets.size(), 1);
      for (auto& energy : find_material(material)->laws.front().make({rest, tets, all, fill, {}}))
        model.energies.push_back(std::move(energy));
      const mesh::Boundary boundary = mesh::boundary_of(mesh);
      BodyShape shape{mesh.points, mesh.tetrahedra, std::vector<double>(mesh.tetrahedra.size(), 1.0), {}, {}};
      for (const int v : boundary.vertex_of) shape.corners.push_back(BodyPoint::at_vertex(v));
      shape.faces = boundary.surface.triangles;
      model.contact_bodies.push_back(std::make_shared<const ContactBody>(std::move(shape)));
      for (int i = 0; i < count; ++i) {
        const Vec3 r = box.turn * mesh.points.row(i).transpose();
        now.x.row(first + i) = (box.centre + r).transpose();
        now.v.row(first + i) = (box.v + box.omega.cross(r)).transpose();
      }
      first += count;
    }
    if (!g.isZero()) model.energies.push_back(std::make_shared<Gravity>(model.M, g));
    model.body_contact = {true, false, 1e4, friction, 0, BarrierLaw{}};
    model.body_contact.barrier->distance = distance;
  }

  void add_floor(double friction = 0, const Vec3& normal = Vec3::UnitY()) {
    Obstacle plane{Plane{}, {}, {}, 1e5, friction};
    plane.pose.R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), normal).toRotationMatrix();
    plane.before = plane.pose;
    model.obstacles.push_back(plane);
  }

  /// Steps, and looks for crossings and flat elements after each. False if a step was not made.
  bool run(int steps, double h, std::string_view integrator = "backward-euler", int threads = 1,
           double tolerance = 1e-6) {
    work = std::make_unique<Workspace>(threads);
    stepper = std::make_unique<sim::Stepper>(model, *work, integrator, "newton");
    stepper->settings.solver.tolerance = tolerance;
    stepper->settings.solver.iterations = 200;
    history = {};
    history.now = now;
    ledger = stepper->ledger(history.now, h);
    for (int i = 0; i < steps; ++i)
      if (!step(h)) return false;
    return true;
  }
  bool step(double h) {
    report = stepper->step(history, ledger, h);
    iterations += report.iterations;
    now = history.now;
    return report.outcome == Outcome::done;
  }
  int crossings() const { return test::crossings(model, now.x); }
  Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index i = 0; i < now.v.rows(); ++i) sum += model.M[i] * now.v.row(i).transpose();
    return sum;
  }
  Vec3 angular_momentum() const {
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index i = 0; i < now.v.rows(); ++i) sum += model.M[i] * Vec3(now.x.row(i)).cross(Vec3(now.v.row(i)));
    return sum;
  }
  Vec3 middle(int body) const {
    const BodyRange& range = model.bodies[static_cast<std::size_t>(body)];
    return now.x.middleRows(range.first, range.count).colwise().mean().transpose();
  }

  Model model;
  State now;
  History history;
  Ledger ledger;
  StepReport report;
  int iterations = 0;
  std::unique_ptr<Workspace> work;
  std::unique_ptr<sim::Stepper> stepper;
};

inline Eigen::Matrix3d turned(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

}  // namespace rebound::test
