// A cube of any material, by itself.
#pragma once

#include "support/models.hpp"

namespace rebound::test {

/// Every material of tetrahedra in the table whose stiffness is Young's modulus and Poisson's ratio.
inline std::vector<const char*> solid_materials() {
  std::vector<const char*> ids;
  for (const MaterialInfo& info : materials())
    if (info.kind == ElementKind::tetrahedra && !info.is_whole) ids.push_back(info.id.data());
  return ids;
}

/// The same with underscores, as GoogleTest wants names.
inline std::string test_name(std::string id) {
  std::replace(id.begin(), id.end(), '-', '_');
  return id;
}

/// 1 m, 1000 kg, with `divisions` cells along each edge.
struct MaterialCube {
  MaterialCube(std::string_view material, double young, double poisson, int divisions)
      : MaterialCube(material, young, poisson, mesh::box({1, 1, 1}, {divisions, divisions, divisions}, 5)) {}
  /// The same of another shape.
  MaterialCube(std::string_view material, double young, double poisson, const mesh::TetMesh& shape)
      : rest(shape.points), tetrahedra(shape.tetrahedra) {
    const int n = static_cast<int>(rest.rows());
    model = free_vertices(n);
    model.M.setConstant(1000.0 / n);
    model.extent = 2;
    MaterialValues values;
    values.young = young;
    values.poisson = poisson;
    const std::vector<MaterialValues> all(tetrahedra.size(), values);
    const std::vector<double> fill(tetrahedra.size(), 1.0);
    for (auto& energy : find_material(material)->laws.front().make({rest, tetrahedra, all, fill, {}}))
      model.energies.push_back(std::move(energy));
  }

  void fall() { model.energies.push_back(std::make_unique<Gravity>(model.M, Vec3(0, -9.81, 0))); }
  /// Holds all vertices of the face x = -1/2.
  void hold_a_face() {
    for (Eigen::Index v = 0; v < rest.rows(); ++v)
      if (rest(v, 0) < -0.499) model.fixed[static_cast<std::size_t>(v)] = 1;
  }
  /// Rows of fixed vertices as at rest, without motion.
  void keep_held(State& state) const {
    for (Eigen::Index v = 0; v < rest.rows(); ++v)
      if (model.fixed[static_cast<std::size_t>(v)]) {
        state.x.row(v) = rest.row(v);
        state.v.row(v).setZero();
      }
  }

  Points rest;
  std::vector<std::array<int, 4>> tetrahedra;
  Model model;
};

}  // namespace rebound::test
