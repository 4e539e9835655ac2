// A body with contacts at random points of it, and the same in dense matrices.
#pragma once

#include "minimized.hpp"
#include "sim/step/system_matrix.hpp"

namespace rebound::test {

using Random = std::mt19937;

inline Vec3 random_direction(Random& random) {
  std::normal_distribution<double> normal;
  return Vec3(normal(random), normal(random), normal(random)).normalized();
}

// A cube that falls, and contacts at random points of random elements of it.
struct Bumping {
  explicit Bumping(int divisions, double young = 2e5) : model(arap_cube(divisions, young, rest)) {
    box = mesh::box({1, 1, 1}, {divisions, divisions, divisions}, 6);
    model.energies.push_back(std::make_shared<Gravity>(model.M, Vec3(0, -9.81, 0)));
    state = {rest, random_points(model.vertices(), 3, 0.3)};
  }

  void fix(std::initializer_list<int> vertices) {
    for (const int v : vertices) model.fixed[static_cast<std::size_t>(v)] = 1;
    model.clear_fixed(state.v);
  }

  /// The surface is 2 cm inside or outside, so that a good half of them is pressed.
  Contact contact(Random& random, double stiffest = 1e6) const {
    std::uniform_real_distribution<double> uniform;
    BodyPoint point{box.tetrahedra[random() % box.tetrahedra.size()], {}};
    double sum = 0;
    for (double& w : point.weights) sum += w = random() % 3 == 0 ? 0 : uniform(random);
    if (sum == 0) sum = point.weights[0] = 1;
    for (double& w : point.weights) w /= sum;
    Contact c{point, {}, random_direction(random), std::pow(stiffest, 0.4 + 0.6 * uniform(random)), 0, 0, Vec3::Zero()};
    c.x_s = c.point.of(rest) + (0.06 * uniform(random) - 0.02) * c.n;
    return c;
  }
  std::vector<Contact> contacts(int count, unsigned seed) const {
    Random random(seed);
    std::vector<Contact> all;
    for (int i = 0; i < count; ++i) all.push_back(contact(random));
    return all;
  }

  Points solve(Minimizer& minimizer, const Scheme& scheme, int iterations, double h = 0.01, int threads = 1) const {
    Workspace work(threads);
    return minimized(model, state, minimizer, scheme, h, iterations, work);
  }

  Points rest;
  Model model;
  mesh::TetMesh box;
  State state;
};

// A + c sum k (U x n) (U x n)^T, 3n x 3n; of fixed vertices only the masses.
inline Eigen::MatrixXd dense_system(const Model& model, double c) {
  const int n = model.vertices();
  const Eigen::MatrixXd lower = system_matrix(model.M, model.fixed, model.laplacian(), c);
  const Eigen::MatrixXd A = lower.selfadjointView<Eigen::Lower>();
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) all.block<3, 3>(3 * i, 3 * j) = A(i, j) * Eigen::Matrix3d::Identity();
  for (const Contact& contact : model.contacts.items) {
    Vector row = Vector::Zero(3 * n);
    for (int j = 0; j < contact.point.count; ++j)
      if (!model.fixed[static_cast<std::size_t>(contact.point.vertices[j])])
        row.segment<3>(3 * contact.point.vertices[j]) += contact.point.weights[j] * contact.n;
    all += c * contact.stiffness * row * row.transpose();
  }
  return all;
}

inline Points dense_solve(const Eigen::MatrixXd& A, const Points& b) {
  const Vector x = A.llt().solve(Eigen::Map<const Vector>(b.data(), b.size()));
  return Eigen::Map<const Points>(x.data(), b.rows(), 3);
}
inline Points dense_product(const Eigen::MatrixXd& A, const Points& x) {
  const Vector b = A * Eigen::Map<const Vector>(x.data(), x.size());
  return Eigen::Map<const Points>(b.data(), x.rows(), 3);
}

}  // namespace rebound::test
