// What finding and holding apart cost a pair: two blocks of 24^3 cells whose faces, turned by half a radian, hover half
// of the contact distance from each other. Counters: pairs or terms, and the time of each.
#include <benchmark/benchmark.h>

#include "sim/barrier_world.hpp"
#include "sim/contact/barrier.hpp"

namespace rebound::test {
namespace {

constexpr double kDistance = 0.004;  // m, about a cell

struct Faces {
  explicit Faces(int threads)
      : world(bodies(), kDistance, 0, Vec3::Zero()),
        work(threads),
        surface(std::make_shared<const ContactSurface>(world.model)),
        search(*surface, world.model),
        barrier(world.model, surface, work.workers) {
    barrier.distance = kDistance;
    barrier.begin_step(world.now.x);
    surface->place(world.model, world.now.x, 1, p);
    d = Points::Zero(p.rows(), 3);
    const ContactObject& upper = surface->objects()[1];
    d.middleRows(upper.first_point, upper.points).col(1).setConstant(-kDistance);
  }
  static std::vector<BoxBody> bodies() {
    BoxBody lower, upper;
    lower.divisions = upper.divisions = {24, 24, 24};
    upper.centre[1] = upper.size[1] + 0.5 * kDistance;
    upper.turn = Eigen::AngleAxisd(0.5, Vec3::UnitY()).toRotationMatrix();
    return {lower, upper};
  }

  BarrierWorld world;
  Workspace work;
  std::shared_ptr<const ContactSurface> surface;
  ContactSearch search;
  Barrier barrier;
  Points p, d, gradient;
};

void each(benchmark::State& state, const char* what, std::size_t count) {
  state.counters[what] = static_cast<double>(count);
  state.counters["seconds_each"] = benchmark::Counter(
      static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void find(benchmark::State& state, bool on_the_way) {
  Faces faces(static_cast<int>(state.range(0)));
  std::vector<NearPair> found;
  for (auto _ : state) {
    found.clear();
    faces.search.find(faces.p, on_the_way ? &faces.d : nullptr, on_the_way ? 0 : kDistance, faces.work.workers, found);
  }
  each(state, "candidates", found.size());
}

template <class Of>
void pairs(benchmark::State& state, const Of& of) {
  Faces faces(1);
  std::vector<NearPair> found;
  faces.search.find(faces.p, &faces.d, 0, faces.work.workers, found);
  std::vector<MovingPair> moving;
  for (const NearPair& pair : found) moving.push_back(faces.search.moving(pair, faces.p, faces.d));
  for (auto _ : state)
    for (const MovingPair& pair : moving) benchmark::DoNotOptimize(of(pair));
  each(state, "candidates", moving.size());
}

void ccd(benchmark::State& state) {
  pairs(state, [](const MovingPair& pair) { return free_way(pair); });
}

void distance(benchmark::State& state) {
  pairs(state, [](const MovingPair& pair) { return feature_distance(pair.kind, pair.x).squared; });
}

// x goes to and fro by less than makes a new list.
template <class Of>
void terms(benchmark::State& state, const Of& of) {
  Faces faces(static_cast<int>(state.range(0)));
  Points x = faces.world.now.x;
  const double step = 1e-3 * kDistance;
  double sign = 1;
  for (auto _ : state) {
    x.topRows(x.rows() / 2).col(1).array() += sign * step;
    sign = -sign;
    of(faces, x);
  }
  each(state, "terms", faces.barrier.terms(x).size());
}

void collect(benchmark::State& state) {
  terms(state, [](Faces& faces, const Points& x) { benchmark::DoNotOptimize(faces.barrier.terms(x).size()); });
}

void gradient(benchmark::State& state) {
  terms(state, [](Faces& faces, const Points& x) {
    faces.gradient.setZero(x.rows(), 3);
    benchmark::DoNotOptimize(faces.barrier.add_gradient(x, faces.gradient, faces.work));
  });
}

void hessian(benchmark::State& state) {
  Faces faces(static_cast<int>(state.range(0)));
  Triplets entries;
  for (int i = 0; i < faces.world.model.vertices(); ++i) entries.emplace_back(i, i, 0.0);
  std::vector<std::pair<int, int>> links;
  const Points& x = faces.world.now.x;
  faces.barrier.terms(x);
  faces.barrier.add_pattern(links);
  for (const auto& [i, j] : links) entries.emplace_back(i, j, 0.0);
  SparseMatrix pattern(x.rows(), x.rows());
  pattern.setFromTriplets(entries.begin(), entries.end());
  HessianBlocks H(pattern);
  for (auto _ : state) faces.barrier.add_hessian(x, Curvature::clamped, H, faces.work);
  each(state, "terms", faces.barrier.terms(x).size());
}

BENCHMARK_CAPTURE(find, broad_phase_of_a_place, false)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(find, broad_phase_of_a_way, true)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(ccd)->Unit(benchmark::kMillisecond);
BENCHMARK(distance)->Unit(benchmark::kMillisecond);
BENCHMARK(collect)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(gradient)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(hessian)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace rebound::test
