// What the local step costs, on one thread: ARAP tetrahedra and springs, in double and in single precision, on every
// instruction set that this machine has. Times are nanoseconds an element ("an_element" in the output).
#include <benchmark/benchmark.h>

#include "sim/energy/rotation_fit.hpp"
#include "support/split_bodies.hpp"

namespace rebound::test {
namespace {

constexpr int kBoxDivisions = 22;     // 127,776 tets
constexpr int kClothDivisions = 100;  // 120,000 springs

const SplitBox& body() {
  static const SplitBox box(kBoxDivisions);
  return box;
}
const SplitCloth& cloth() {
  static const SplitCloth all(kClothDivisions);
  return all;
}

/// Without the shuffling within the parts that the tests want: the solver's orders keep neighbours together.
Split local_order(const Points& rest) {
  Split split(rest);
  const Partition& p = split.partition;
  int next[] = {p.parts[0].begin, p.parts[1].begin, p.parts[2].begin};
  for (int& place : split.place) place = next[p.part_of(place)]++;
  return split;
}

enum State { gentle, strong, wild, mirrored };
const char* const kStateNames[] = {"strain 1e-3", "strain 0.1", "randomised", "mirrored"};

Points at(const Points& rest, State state, unsigned seed) {
  const double step = seed == 0 ? 1 : 1.5;
  if (state == wild) return random_points(static_cast<int>(rest.rows()), seed, 0.5);
  if (state == mirrored) return -step * rest;
  return strained(rest, step * (state == gentle ? 1e-3 : 0.1), 0.7 * step);
}

using Counter = benchmark::Counter;
void count_elements(benchmark::State& state, std::size_t elements) {
  state.counters["an_element"] =
      Counter(static_cast<double>(elements), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void tets_in_double(benchmark::State& state, State at_state) {
  Workspace work{1};
  const Points x = at(body().box.points, at_state, 0);
  Points gradient = Points::Zero(x.rows(), 3);
  for (auto _ : state) benchmark::DoNotOptimize(body().tets.add_gradient(x, gradient, work));
  count_elements(state, body().tets.tet_count());
}

void springs_in_double(benchmark::State& state) {
  Workspace work{1};
  const Points x = at(cloth().rest, strong, 0);
  Points gradient = Points::Zero(x.rows(), 3);
  for (auto _ : state) benchmark::DoNotOptimize(cloth().springs.add_gradient(x, gradient, work));
  count_elements(state, cloth().springs.edges().size());
}

// The rotations alone, one at a time.
void svd(benchmark::State& state) {
  const Points F = random_points(3000, 2);
  for (auto _ : state)
    for (int i = 0; i < F.rows(); i += 3) {
      double R[9];
      sim::rotation_by_svd(F.data() + 3 * i, R);
      benchmark::DoNotOptimize(R);
    }
  count_elements(state, 1000);
}

/// The two passes of a batch over all parts, one after the other.
struct Passes {
  Passes(std::unique_ptr<FloatBatch> b, const Split& split, const Points& x, std::size_t n)
      : batch(std::move(b)),
        x4(split.to_floats(x)),
        gradient(split.partition.slots),
        parts(split.partition.count()),
        elements(n) {}

  template <class Pass>
  void measure(benchmark::State& state, const Pass& pass) {
    for (auto _ : state)
      for (int part = 0; part < parts; ++part) pass(part);
    count_elements(state, elements);
  }
  void add_gradient(benchmark::State& state) {
    measure(state, [&](int part) { batch->add_gradient(part, x4.data(), 1e-9f, gradient.data()); });
  }
  void value(benchmark::State& state) {
    measure(state, [&](int part) { benchmark::DoNotOptimize(batch->value(part, x4.data())); });
  }

  std::unique_ptr<FloatBatch> batch;
  Quads x4, gradient;
  int parts;
  std::size_t elements;
};

void add_passes(const std::string& name, std::shared_ptr<Passes> passes) {
  benchmark::RegisterBenchmark((name + "/gradient").c_str(), [=](auto& s) { passes->add_gradient(s); });
  benchmark::RegisterBenchmark((name + "/value").c_str(), [=](auto& s) { passes->value(s); });
}

void add_all() {
  benchmark::RegisterBenchmark("JacobiSVD alone", svd);
  for (const State state : {gentle, strong, wild, mirrored})
    benchmark::RegisterBenchmark((std::string("tets/double/") + kStateNames[state] + "/gradient").c_str(),
                                 [=](auto& s) { tets_in_double(s, state); });
  benchmark::RegisterBenchmark("springs/double/gradient", springs_in_double);

  const Split box_order = local_order(body().box.points), cloth_order = local_order(cloth().rest);
  for (const sim::FloatKernel* kernel : float_kernels()) {
    for (const State state : {gentle, strong, wild, mirrored}) {
      const Points& rest = body().box.points;
      add_passes(std::string("tets/") + kernel->instruction_set + "/" + kStateNames[state],
                 std::make_shared<Passes>(
                     std::make_unique<ArapBatch>(body().tets, box_order.place, box_order.partition, *kernel), box_order,
                     at(rest, state, 0), body().tets.tet_count()));
    }
    add_passes(std::string("springs/") + kernel->instruction_set,
               std::make_shared<Passes>(
                   std::make_unique<SpringBatch>(cloth().springs, cloth_order.place, cloth_order.partition, *kernel),
                   cloth_order, at(cloth().rest, strong, 0), cloth().springs.edges().size()));
  }
}

}  // namespace
}  // namespace rebound::test

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  rebound::test::add_all();
  benchmark::RunSpecifiedBenchmarks();
}
