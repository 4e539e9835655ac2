// The global step: (M + h^2 L)^-1 on three right-hand sides, by substitution through CHOLMOD's simplicial factor and by
// the block inverse, on a solid body, a thin one, a small one and a cloth.
#include <benchmark/benchmark.h>

#include <map>
#include <string>

#include "mesh/shapes.hpp"
#include "sim/energy/arap_tets.hpp"
#include "sim/energy/springs.hpp"
#include "sim/linear/block_inverse.hpp"
#include "sim/linear/cholmod_support.hpp"

namespace rebound::sim {
namespace {

constexpr double kStep = 1.0 / 30;  // s
constexpr double kDensity = 1000;   // kg/m^3
constexpr double kYoung = 1e6;      // Pa
constexpr double kSpring = 1000;    // N/m
constexpr double kClothMass = 1;    // kg

SparseMatrix system(const Energy& energy, const Vector& M) {
  Triplets entries;
  energy.add_laplacian(entries);
  for (auto& entry : entries) entry = {entry.row(), entry.col(), kStep * kStep * entry.value()};
  for (int i = 0; i < M.size(); ++i) entries.emplace_back(i, i, M[i]);
  SparseMatrix A(M.size(), M.size());
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

SparseMatrix solid(const mesh::TetMesh& body) {
  Vector M = Vector::Zero(body.points.rows());
  for (const auto& tet : body.tetrahedra) {
    const Vec3 p0 = body.points.row(tet[0]), p1 = body.points.row(tet[1]), p2 = body.points.row(tet[2]),
               p3 = body.points.row(tet[3]);
    for (const int v : tet) M[v] += kDensity * (p1 - p0).cross(p2 - p0).dot(p3 - p0) / 24;
  }
  return system(ArapTets(body.points, body.tetrahedra, std::vector<double>(body.tetrahedra.size(), kYoung / 2.6)), M);
}

// The cells on the surface of a box: nearly every vertex is on a surface, as in a scanned model without inner points.
mesh::TetMesh hollow_box(int cells) {
  const mesh::TetMesh box = mesh::box({1, 1, 1}, {cells, cells, cells});
  const double inside = 0.5 - 1.0 / cells;
  mesh::TetMesh hollow;
  std::vector<int> number(box.points.rows(), -1);
  for (mesh::Tetrahedron tet : box.tetrahedra) {
    Vec3 centre = Vec3::Zero();
    for (const int v : tet) centre += box.points.row(v).transpose() / 4;
    if (centre.cwiseAbs().maxCoeff() < inside) continue;
    for (int& v : tet) {
      if (number[v] < 0) {
        number[v] = static_cast<int>(hollow.points.rows());
        hollow.points.conservativeResize(number[v] + 1, 3);
        hollow.points.row(number[v]) = box.points.row(v);
      }
      v = number[v];
    }
    hollow.tetrahedra.push_back(tet);
  }
  return hollow;
}

SparseMatrix cloth(int cells) {
  const mesh::SpringMesh net = mesh::cloth({1, 1}, {cells, cells});
  const std::size_t springs = net.edges.size();
  std::vector<double> length(springs);
  for (std::size_t s = 0; s < springs; ++s)
    length[s] = (net.points.row(net.edges[s][0]) - net.points.row(net.edges[s][1])).norm();
  const Vector M = Vector::Constant(net.points.rows(), kClothMass / static_cast<double>(net.points.rows()));
  return system(Springs(net.points, net.edges, length, std::vector<double>(springs, kSpring)), M);
}

const SparseMatrix& matrix(const std::string& body) {
  static std::map<std::string, SparseMatrix> made;
  if (!made.contains(body)) {
    if (body == "solid") made[body] = solid(mesh::box({1, 1, 1}, {32, 32, 31}));
    if (body == "thin") made[body] = solid(hollow_box(55));
    if (body == "small") made[body] = solid(mesh::box({1, 1, 1}, {16, 16, 17}));
    if (body == "cloth") made[body] = cloth(100);
  }
  return made.at(body);
}

Points right_hand_side(const SparseMatrix& A) {
  Points b(A.rows(), 3);
  for (Eigen::Index i = 0; i < b.size(); ++i) b.data()[i] = std::sin(0.37 * static_cast<double>(i));
  return b;
}

void substitution(benchmark::State& state, const std::string& body) {
  const SparseMatrix& A = matrix(body);
  CholmodWorkspace workspace;
  workspace.common.supernodal = CHOLMOD_SIMPLICIAL;
  auto view = cholmod_view(A);
  cholmod_factor* L = cholmod_analyze(&view, &workspace.common);
  cholmod_factorize(&view, L, &workspace.common);
  Eigen::Matrix<double, Eigen::Dynamic, 3> b = right_hand_side(A);
  cholmod_dense rhs{};
  rhs.nrow = rhs.d = static_cast<std::size_t>(b.rows());
  rhs.ncol = 3;
  rhs.nzmax = static_cast<std::size_t>(b.size());
  rhs.x = b.data();
  rhs.xtype = CHOLMOD_REAL;
  rhs.dtype = CHOLMOD_DOUBLE;
  cholmod_dense *X = nullptr, *Y = nullptr, *E = nullptr;
  for (auto _ : state) cholmod_solve2(CHOLMOD_A, L, &rhs, nullptr, &X, nullptr, &Y, &E, &workspace.common);
  state.counters["vertices"] = static_cast<double>(A.rows());
  state.counters["nonzeros"] = workspace.common.lnz;
  for (cholmod_dense** dense : {&X, &Y, &E}) cholmod_free_dense(dense, &workspace.common);
  cholmod_free_factor(&L, &workspace.common);
}

void block_inverse(benchmark::State& state, const std::string& body, BlockInverse::Precision precision) {
  const SparseMatrix& A = matrix(body);
  const EliminationPlan plan(A);
  Workers workers(static_cast<int>(state.range(0)));
  const BlockInverse inverse(plan, A, &workers, precision);
  const Points b = right_hand_side(A);
  AlignedBuffer<float> slots(std::size_t(kQuad) * inverse.slots()), start(slots.size());
  for (int i = 0; i < plan.vertices(); ++i)
    for (int k = 0; k < 3; ++k) start[kQuad * i + k] = static_cast<float>(b(plan.order()[i], k));
  for (auto _ : state) {
    std::copy_n(start.data(), start.size(), slots.data());
    inverse.solve(slots.data(), workers);
  }
  state.counters["top"] = plan.top().size();
  state.counters["bytes"] = static_cast<double>(inverse.bytes());
  state.counters["error"] = inverse.error();
}

void analysis(benchmark::State& state, const std::string& body) {
  for (auto _ : state) benchmark::DoNotOptimize(EliminationPlan(matrix(body)).vertices());
}

void factor(benchmark::State& state, const std::string& body) {
  const EliminationPlan plan(matrix(body));
  for (auto _ : state) benchmark::DoNotOptimize(NumericFactor(plan, matrix(body), nullptr).ok());
}

void conversion(benchmark::State& state, const std::string& body) {
  const EliminationPlan plan(matrix(body));
  const NumericFactor L(plan, matrix(body), nullptr);
  Workers workers(static_cast<int>(state.range(0)));
  const InverseKernel& kernel = inverse_kernel();
  InverseStore store(plan);
  for (auto _ : state)
    benchmark::DoNotOptimize(store.convert(plan, L, kernel, kernel.half.forward != nullptr, &workers));
}

const bool registered = [] {
  using Precision = BlockInverse::Precision;
  for (const std::string body : {"solid", "thin", "small", "cloth"}) {
    const auto add = [&](const char* what, auto function) {
      return benchmark::RegisterBenchmark((body + "/" + what).c_str(), function)
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    };
    add("substitution", [body](benchmark::State& state) { substitution(state, body); });
    add("block_inverse", [body](benchmark::State& state) { block_inverse(state, body, Precision::automatic); })
        ->Arg(1)
        ->Arg(2);
    add("block_inverse_floats", [body](benchmark::State& state) { block_inverse(state, body, Precision::single); })
        ->Arg(1)
        ->Arg(2);
    add("analysis", [body](benchmark::State& state) { analysis(state, body); });
    add("factor", [body](benchmark::State& state) { factor(state, body); });
    add("conversion", [body](benchmark::State& state) { conversion(state, body); })->Arg(1)->Arg(2);
  }
  return true;
}();

}  // namespace
}  // namespace rebound::sim
