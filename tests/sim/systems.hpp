// System matrices M + c L to solve, lower triangles.
#pragma once

#include <random>
#include <string>

#include "support/models.hpp"

namespace rebound::test {

struct NamedSystem {
  std::string name;
  SparseMatrix A;
};

/// Lower triangle of M + sum k (e_i - e_j)(e_i - e_j)^T. Vertices of `pinned` keep their entries, as zeros.
inline SparseMatrix spring_system(const std::vector<double>& mass, const std::vector<std::array<int, 2>>& edges,
                                  const std::vector<double>& k, const std::vector<int>& pinned = {}) {
  const int n = static_cast<int>(mass.size());
  std::vector<char> held(mass.size(), 0);
  for (const int v : pinned) held[v] = 1;
  Triplets entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, mass[i]);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [i, j] = edges[e];
    for (const int end : {i, j}) entries.emplace_back(end, end, held[end] ? 0 : k[e]);
    entries.emplace_back(std::max(i, j), std::min(i, j), held[i] || held[j] ? 0 : -k[e]);
  }
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

inline SparseMatrix spring_system(const std::vector<double>& mass, const std::vector<std::array<int, 2>>& edges,
                                  double k, const std::vector<int>& pinned = {}) {
  return spring_system(mass, edges, std::vector<double>(edges.size(), k), pinned);
}

/// A 1 m ARAP cube of 1000 kg, M + c L.
inline SparseMatrix cube_system(int divisions, double c = 1.0e-3, double young = 1e6) {
  Points rest;
  const Model model = arap_cube(divisions, young, rest);
  SparseMatrix A = c * model.laplacian();
  for (int i = 0; i < A.rows(); ++i) A.coeffRef(i, i) += model.M[i];
  return A;
}

inline SparseMatrix cloth_system(int divisions, const std::vector<int>& pinned = {}, double k = 0.1) {
  const mesh::SpringMesh cloth = mesh::cloth({1, 1}, {divisions, divisions});
  const auto n = static_cast<std::size_t>(cloth.points.rows());
  return spring_system(std::vector<double>(n, 1.0 / static_cast<double>(n)), cloth.edges, k, pinned);
}

/// Both matrices on one diagonal: bodies that do not touch.
inline SparseMatrix side_by_side(const SparseMatrix& A, const SparseMatrix& B) {
  Triplets entries;
  for (const auto& [matrix, shift] : {std::pair{&A, 0}, std::pair{&B, static_cast<int>(A.rows())}})
    for (int column = 0; column < matrix->outerSize(); ++column)
      for (SparseMatrix::InnerIterator it(*matrix, column); it; ++it)
        entries.emplace_back(it.row() + shift, column + shift, it.value());
  SparseMatrix both(A.rows() + B.rows(), A.rows() + B.rows());
  both.setFromTriplets(entries.begin(), entries.end());
  return both;
}

/// n vertices of random mass, `edges` random springs of random stiffness: some vertices stay alone, some are hubs.
inline SparseMatrix random_system(int n, int edges, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> mass(n), k;
  for (double& m : mass) m = 0.1 + uniform(random);
  std::vector<std::array<int, 2>> ends;
  for (int e = 0; e < edges; ++e) {
    // The square makes low numbers the ends of many springs.
    const double u = uniform(random);
    const int i = static_cast<int>(u * u * n), j = static_cast<int>(uniform(random) * n);
    if (i == j) continue;
    ends.push_back({i, j});
    k.push_back(10 * uniform(random));
  }
  return spring_system(mass, ends, k);
}

/// Every kind of structure that a plan has to cope with.
inline std::vector<NamedSystem> systems() {
  const std::vector<std::array<int, 2>> pair{{0, 1}}, triangle{{0, 1}, {1, 2}, {0, 2}};
  std::vector<std::array<int, 2>> complete, star;
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < i; ++j) complete.push_back({i, j});
  for (int i = 1; i < 500; ++i) star.push_back({0, i});
  std::vector<int> edge_of_cloth;
  for (int i = 0; i < 41; ++i) edge_of_cloth.push_back(i);
  return {{"one vertex", spring_system({2.0}, {}, 1)},
          {"two vertices", spring_system({1.0, 3.0}, pair, 5)},
          {"two vertices apart", spring_system({1.0, 3.0}, {}, 5)},
          {"a triangle", spring_system({1.0, 2.0, 3.0}, triangle, 5)},
          {"vertices alone", spring_system(std::vector<double>(100, 0.5), {}, 1)},
          {"all with all", spring_system(std::vector<double>(60, 0.5), complete, 1)},
          {"a star", spring_system(std::vector<double>(500, 0.5), star, 3)},
          {"a small cube", cube_system(3)},
          {"a cube", cube_system(10)},
          {"a cloth", cloth_system(40)},
          {"a pinned cloth", cloth_system(40, edge_of_cloth)},
          {"two bodies", side_by_side(cube_system(6), cloth_system(20))},
          {"three bodies", side_by_side(side_by_side(cube_system(4), cube_system(5)), cube_system(7))},
          {"a sparse random net", random_system(2000, 2200, 1)},
          {"a random net", random_system(1500, 4000, 2)}};
}

}  // namespace rebound::test
