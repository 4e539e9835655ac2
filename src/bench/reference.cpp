#include "bench/reference.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <stdexcept>

#include "bench/interleave.hpp"
#include "scene/method_settings.hpp"
#include "sim/step/system_matrix.hpp"

namespace rebound::bench {
namespace {

using Eigen::Matrix3d;
using sim::Points;
using sim::Vec3;

/// The rotation nearest to F.
Matrix3d nearest_rotation(const Matrix3d& F) {
  const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3d U = svd.matrixU();
  // A reflection becomes a rotation at the least cost where the smallest singular value changes its sign.
  if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) = -U.col(2);
  return U * svd.matrixV().transpose();
}

[[noreturn]] void no_newton() { throw std::logic_error("the reference has no Hessian"); }

}  // namespace

PlainTets::PlainTets(const Points& rest, std::span<const std::array<int, 4>> tets, std::span<const double> mu) {
  for (std::size_t t = 0; t < tets.size(); ++t) {
    Matrix3d Dm;
    for (int k = 0; k < 3; ++k) Dm.col(k) = (rest.row(tets[t][k + 1]) - rest.row(tets[t][0])).transpose();
    elements_.push_back({tets[t], Dm.inverse(), 2 * mu[t] * Dm.determinant() / 6});
  }
}

Matrix3d PlainTets::deformation(const Element& element, const Points& x) {
  Matrix3d Ds;
  for (int k = 0; k < 3; ++k) Ds.col(k) = (x.row(element.vertices[k + 1]) - x.row(element.vertices[0])).transpose();
  return Ds * element.inverse_rest;
}

double PlainTets::value(const Points& x, sim::Workspace&) const {
  double E = 0;
  for (const Element& element : elements_) {
    const Matrix3d F = deformation(element, x);
    E += 0.5 * element.weight * (F - nearest_rotation(F)).squaredNorm();
  }
  return E;
}

double PlainTets::add_gradient(const Points& x, Points& gradient, sim::Workspace&) const {
  double E = 0;
  for (const Element& element : elements_) {
    const Matrix3d F = deformation(element, x);
    const Matrix3d difference = F - nearest_rotation(F);
    E += 0.5 * element.weight * difference.squaredNorm();
    const Matrix3d forces = element.weight * difference * element.inverse_rest.transpose();
    for (int k = 0; k < 3; ++k) gradient.row(element.vertices[k + 1]) += forces.col(k).transpose();
    gradient.row(element.vertices[0]) -= forces.rowwise().sum().transpose();
  }
  return E;
}

// F is linear in the vertices: each row of F is a sum of G's rows, one a vertex, times a coordinate.
void PlainTets::add_laplacian(sim::Triplets& L) const {
  for (const Element& element : elements_) {
    Eigen::Matrix<double, 4, 3> G;
    G.bottomRows<3>() = element.inverse_rest;
    G.row(0) = -element.inverse_rest.colwise().sum();
    const Eigen::Matrix4d entries = element.weight * G * G.transpose();
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        if (element.vertices[i] >= element.vertices[j])
          L.emplace_back(element.vertices[i], element.vertices[j], entries(i, j));
  }
}

void PlainTets::add_hessian(const Points&, sim::Curvature, sim::HessianBlocks&, sim::Workspace&) const { no_newton(); }

PlainSprings::PlainSprings(std::span<const std::array<int, 2>> edges, std::span<const double> lengths, double stiffness)
    : edges_(edges.begin(), edges.end()), lengths_(lengths.begin(), lengths.end()), stiffness_(stiffness) {}

double PlainSprings::value(const Points& x, sim::Workspace&) const {
  double E = 0;
  for (std::size_t s = 0; s < edges_.size(); ++s) {
    const double stretch = (x.row(edges_[s][0]) - x.row(edges_[s][1])).norm() - lengths_[s];
    E += 0.5 * stiffness_ * stretch * stretch;
  }
  return E;
}

double PlainSprings::add_gradient(const Points& x, Points& gradient, sim::Workspace&) const {
  double E = 0;
  for (std::size_t s = 0; s < edges_.size(); ++s) {
    const auto [a, b] = edges_[s];
    const Eigen::RowVector3d d = x.row(a) - x.row(b);
    const double length = d.norm(), stretch = length - lengths_[s];
    E += 0.5 * stiffness_ * stretch * stretch;
    gradient.row(a) += stiffness_ * stretch / length * d;
    gradient.row(b) -= stiffness_ * stretch / length * d;
  }
  return E;
}

void PlainSprings::add_laplacian(sim::Triplets& L) const {
  for (const auto& [a, b] : edges_) {
    L.emplace_back(a, a, stiffness_);
    L.emplace_back(b, b, stiffness_);
    L.emplace_back(std::max(a, b), std::min(a, b), -stiffness_);
  }
}

void PlainSprings::add_hessian(const Points&, sim::Curvature, sim::HessianBlocks&, sim::Workspace&) const {
  no_newton();
}

sim::Model plain_model(const scene::WorldView& world) {
  sim::Model model = scene::build_model(world);
  const scene::BodyGeometry& geometry = world.bodies[0];
  const scene::Material& material = world.description.bodies[0].material;
  for (auto& energy : model.energies) {
    if (energy->kind() != sim::EnergyKind::elastic) continue;
    if (geometry.is_solid()) {
      const double mu = material.young / (2 * (1 + material.poisson));
      energy = std::make_unique<PlainTets>(geometry.rest, geometry.tetrahedra(),
                                           std::vector<double>(geometry.tetrahedra().size(), mu));
    } else {
      std::vector<double> lengths;
      for (const auto& [a, b] : geometry.edges())
        lengths.push_back((geometry.rest.row(a) - geometry.rest.row(b)).norm());
      energy = std::make_unique<PlainSprings>(geometry.edges(), lengths, material.stiffness);
    }
  }
  return model;
}

Points PlainLocalGlobal::solve(double coefficient, const Points& b) {
  const auto [found, is_new] = factors_.try_emplace(coefficient);
  Factor& factor = found->second;
  if (is_new) {
    // CHOLMOD's nested dissection: of its orderings the one that solves fastest on these bodies.
    factor.cholmod().nmethods = 1;
    factor.cholmod().method[0].ordering = CHOLMOD_NESDIS;
    factor.cholmod().postorder = 1;
    factor.compute(sim::system_matrix(model_.M, model_.fixed, model_.laplacian(), coefficient));
    if (factor.info() != Eigen::Success) throw std::runtime_error("the reference could not factor its matrix");
    nonzeros_ += factor.cholmod().lnz;
  }
  return factor.solve(b);
}

sim::SolveReport PlainLocalGlobal::minimize(const sim::Objective& g, const sim::SolveEffort& effort,
                                            const sim::StopRule& stop, Points& x) {
  sim::SolveReport report;
  Points gradient;
  while (true) {
    const double E = g.gradient(x, gradient);
    if (stop && stop(x, E)) return report;
    const Points d = solve(g.frozen_coefficient(), gradient);
    x -= d;
    ++report.iterations;
    if (!d.allFinite()) report.outcome = sim::Outcome::not_finite;
    if (!d.allFinite() || report.iterations == effort.iterations || sim::negligible(d, x)) return report;
  }
}

ReferenceFrames::ReferenceFrames(const scene::WorldView& world) : model_(plain_model(world)), minimizer_(model_) {}

double ReferenceFrames::step(const session::Session& session) {
  const scene::Description& d = session.description();
  const auto integrator = sim::find_integrator(d.integrator.type)->make();
  history_ = session.history();
  model_.attachments = session.model().attachments;
  const Clock clock;
  for (int i = 0; i < d.substeps; ++i) {
    const sim::StepInput input{model_,
                               minimizer_,
                               work_,
                               history_,
                               session.ledger(),
                               d.timeStep / d.substeps,
                               scene::solver_settings(d),
                               {d.integrator.tolerance, d.integrator.forwardBlend}};
    const sim::StepReport report = integrator->step(input, next_);
    if (report.outcome != sim::Outcome::done) throw std::runtime_error("the reference blew up");
    sim::measure(model_, next_, work_);
    std::swap(history_.before, history_.now);
    std::swap(history_.now, next_);
    history_.has_before = true;
  }
  return clock.milliseconds();
}

}  // namespace rebound::bench
