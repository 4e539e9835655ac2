// After its first ten, a step asks for no memory: frames would stutter when the system is busy handing it out. What
// CHOLMOD and its threads ask for while they factor and solve is theirs.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <span>
#include <string_view>

#include "support/material_cube.hpp"
#include "support/sheets.hpp"

namespace {

std::atomic<bool> counting{false};
std::atomic<long> allocations{0};

extern "C" char __executable_start, etext;

// Was it called from this program, and not from a library?
void count(const void* caller) {
  const auto* at = static_cast<const char*>(caller);
  if (counting && at >= &__executable_start && at < &etext) ++allocations;
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (counting) ++allocations;
  return std::malloc(bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) { return count(__builtin_return_address(0)), __libc_malloc(bytes); }
void* calloc(std::size_t number, std::size_t bytes) {
  return count(__builtin_return_address(0)), __libc_calloc(number, bytes);
}
void* realloc(void* old, std::size_t bytes) { return count(__builtin_return_address(0)), __libc_realloc(old, bytes); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return count(__builtin_return_address(0)), __libc_memalign(alignment, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return count(__builtin_return_address(0)), __libc_memalign(alignment, bytes);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) {
  count(__builtin_return_address(0));
  *result = __libc_memalign(alignment, bytes);
  return *result == nullptr ? ENOMEM : 0;
}
}

namespace rebound::test {
namespace {

struct Combination {
  const char *solver, *material, *integrator;
  double young = 1e5;
};
void PrintTo(const Combination& c, std::ostream* out) {
  *out << c.solver << ", " << c.material << ", " << c.integrator;
}

constexpr const char* kWithEverySolver[] = {"backward-euler", "bdf2",    "implicit-midpoint",
                                            "stabilized",     "tr-bdf2", "rebound"};

bool is_among(std::span<const char* const> list, std::string_view id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

/// Every solver with some integrators, and every integrator with one solver.
std::vector<Combination> combinations() {
  std::vector<Combination> all;
  for (const IntegratorInfo& integrator : integrators()) {
    if (is_among(kWithEverySolver, integrator.id)) continue;
    const bool is_explicit = integrator.id == "forward-euler" || integrator.id == "symplectic-euler";
    all.push_back({"quasi-newton", "stable-neo-hookean", integrator.id.data(), is_explicit ? 1e2 : 1e5});
  }
  for (const SolverInfo& solver : solvers())
    for (const char* material : {"arap", "neo-hookean", "stable-neo-hookean"})
      for (const char* integrator : kWithEverySolver)
        if (solver.takes(find_material(material)->laws.front()))
          all.push_back({solver.id.data(), material, integrator});
  return all;
}

/// Takes ten steps, then ten more that are counted.
void expect_no_allocation(const Model& model, State start, const char* solver, const char* integrator,
                          std::optional<LinearDamping> damping = {}, int modes = kUsualModes) {
  Stepper stepper(model, integrator, 0.02, find_solver(solver)->iterations, solver);
  stepper.modes = modes;
  stepper.damping = damping;
  stepper.start(std::move(start));
  for (int i = 0; i < 10; ++i) ASSERT_EQ(stepper.step().outcome, Outcome::done);
  allocations = 0;
  counting = true;
  for (int i = 0; i < 10; ++i) stepper.step();
  counting = false;
  EXPECT_EQ(allocations, 0);
}

class AllocationTest : public testing::TestWithParam<Combination> {};

TEST_P(AllocationTest, ThereIsNoneAfterTenSteps) {
  const auto [solver, material, integrator, young] = GetParam();
  MaterialCube cube(material, young, 0.35, 5);
  cube.fall();
  cube.hold_a_face();
  expect_no_allocation(cube.model, {cube.rest, Points::Zero(cube.rest.rows(), 3)}, solver, integrator);
}

TEST(DampedAllocation, ThereIsNoneAfterTenSteps) {
  for (const char* integrator : {"siere", "semi-implicit", "exponential"}) {
    SCOPED_TRACE(integrator);
    MaterialCube cube("neo-hookean", 1e5, 0.35, 5);
    cube.fall();
    cube.hold_a_face();
    expect_no_allocation(cube.model, {cube.rest, Points::Zero(cube.rest.rows(), 3)}, "newton", integrator,
                         LinearDamping{0.5, 0.01});
  }
}

TEST(ModesAllocation, ThereIsNoneAfterTenStepsWithFiftyOfThem) {
  MaterialCube cube("neo-hookean", 1e5, 0.35, 5);
  cube.fall();
  cube.hold_a_face();
  expect_no_allocation(cube.model, {cube.rest, Points::Zero(cube.rest.rows(), 3)}, "newton", "siere", {}, 50);
}

TEST(SheetAllocation, ThereIsNoneAfterTenSteps) {
  for (const char* law : {"stvk", "neo-hookean"})
    for (const char* solver : {"quasi-newton", "newton", "newton-cg", "gast"})
      for (const char* integrator :
           {"backward-euler", "bdf2", "implicit-midpoint", "stabilized", "tr-bdf2", "rebound"}) {
        SCOPED_TRACE(std::string(law) + ", " + solver + ", " + integrator);
        MaterialValues values;
        values.young = 1e5;
        Sheet sheet(flat_grid(1, 1, 12, 12), law, values, 300);
        sheet.fall();
        sheet.hold([](const Vec3& at) { return at.x() < -0.499; });
        // It moves from the start, so that whatever a solve needs is needed at once.
        Points v = random_points(static_cast<int>(sheet.rest.rows()), 2, 1);
        sheet.model.clear_fixed(v);
        expect_no_allocation(sheet.model, {sheet.rest, v}, solver, integrator);
      }
}

INSTANTIATE_TEST_SUITE_P(Solvers, AllocationTest, testing::ValuesIn(combinations()));

}  // namespace
}  // namespace rebound::test
