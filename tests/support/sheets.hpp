// Sheets of triangles by themselves.
#pragma once

#include <Eigen/Geometry>

#include "support/models.hpp"

namespace rebound::test {

inline mesh::Surface flat_grid(double length, double width, int along, int across) {
  mesh::SpringMesh cloth = mesh::cloth({length, width}, {along, across});
  return {std::move(cloth.points), std::move(cloth.triangles)};
}

struct Sheet {
  Sheet(const mesh::Surface& surface, std::string_view law, const MaterialValues& values, double density = 1000)
      : rest(surface.points), triangles(surface.triangles) {
    model = free_vertices(static_cast<int>(rest.rows()));
    model.M.setZero();
    model.extent = (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm();
    const double stretch = 1 + values.pretension;
    for (const auto& t : triangles) {
      const Vec3 a = (rest.row(t[1]) - rest.row(t[0])).transpose(), b = (rest.row(t[2]) - rest.row(t[0])).transpose();
      for (const int v : t) model.M[v] += density * values.thickness * a.cross(b).norm() / 6 / (stretch * stretch);
    }
    const std::vector<MaterialValues> all(triangles.size(), values);
    for (auto& energy : find_material("membrane")->find_law(law)->make({rest, triangles, all, {}, {}}))
      model.energies.push_back(std::move(energy));
  }

  void fall() { model.energies.push_back(std::make_unique<Gravity>(model.M, Vec3(0, -9.81, 0))); }
  template <class Where>
  void hold(const Where& where) {
    for (Eigen::Index v = 0; v < rest.rows(); ++v)
      if (where(Vec3(rest.row(v).transpose()))) model.fixed[static_cast<std::size_t>(v)] = 1;
  }

  Points rest;
  std::vector<std::array<int, 3>> triangles;
  Model model;
};

}  // namespace rebound::test
