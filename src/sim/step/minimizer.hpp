// How the minimum of a step's objective is found. One interface for local/global and Newton, so that every implicit
// integrator runs on both.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "sim/contact/obstacle_constraints.hpp"
#include "sim/step/carried_factor.hpp"
#include "sim/step/factors.hpp"
#include "sim/step/objective.hpp"
#include "sim/step/solve_trace.hpp"

namespace rebound::sim {

/// constraints: hard ones that cannot hold all at once, or not from here.
enum class Outcome { done, not_finite, ran_away, factor_failed, damping_failed, out_of_memory, crossing, constraints };

struct SolveReport {
  Outcome outcome = Outcome::done;
  int iterations = 0;
  bool converged = false;  ///< it reached the solver's tolerance, or what it was to be stopped at
  /// The velocity that dg leaves undetermined, m/s: the largest |dg_i| / (m_i h). Of solvers that look at it.
  std::optional<double> residual = {};
  /// The last correction's largest coordinate over h, m/s. Of solvers that look at it.
  std::optional<double> last_correction = {};
  /// The one of Model::constraints that is furthest off, where the outcome says so.
  std::optional<int> constraint = {};
};

/// Below this residual, in m/s, a solve has converged where nothing else is asked for. It scales with the step: an
/// absolute tolerance would stop small steps early, and every method would measure as order 0.
inline constexpr double kVelocityTolerance = 1e-11;

/// What a Newton step is made of where elements curve down, of solvers that have a choice: the exact Hessian as long as
/// it is positive definite and the clamped one where it is not; the exact one, come what may; or always one of the
/// others. [Longva23] compares them: which is best depends on the problem.
enum class Projection { on_demand, none, clamp, absolute };
inline constexpr std::array<std::string_view, 4> kProjections{"on-demand", "none", "clamp", "absolute"};
/// What is tried, one after the other.
std::span<const Curvature> curvatures(Projection projection);

/// The sizes of a solve's corrections so far.
class Corrections {
 public:
  void add(double size);
  int count() const { return count_; }
  double first() const { return first_; }
  double last() const { return size(count_ - 1); }
  /// By which factor a correction is smaller than the one before, in the mean of the last few; 1 of the first.
  double rate() const;

 private:
  static constexpr int kLooksBack = 4;
  double size(int index) const { return sizes_[static_cast<std::size_t>(index) % sizes_.size()]; }

  std::array<double, kLooksBack + 1> sizes_{};
  double first_ = 0;
  int count_ = 0;
};

/// How much a solver does for one minimum.
struct SolveEffort {
  // Most callers ask for a number of iterations and nothing else.
  SolveEffort(int most, double enough_ = 0, bool accelerated_ = false)  // NOLINT(google-explicit-constructor)
      : iterations(most), enough(enough_), accelerated(accelerated_) {}

  int iterations;  ///< at most
  /// Iterations by need: of a solver that takes a fixed number of them, the solve ends once a correction, and what is
  /// to come of all further ones, are below about this share of the first one. 0: never.
  double enough;
  /// Fewer iterations for the same result, if this solver has a way; the result of one iteration is the same.
  bool accelerated;
  /// x is where this solver's last solve has ended, and g has that one's x_n and y: what it knows of them is used.
  bool goes_on = false;
  /// Of solvers that look at the residual: converged below this, m/s.
  double tolerance = kVelocityTolerance;
  Projection projection = Projection::on_demand;

  /// Is that residual small enough? A guess knows nothing of the forces, whose whole effect may be less than the
  /// tolerance in a small step: it has to be as good as a solver can be.
  bool is_reached(const SolveReport& report) const {
    return *report.residual <= (report.iterations == 0 ? std::min(tolerance, kVelocityTolerance) : tolerance);
  }

  /// Of a world of so many vertices.
  bool is_enough(const Corrections& made, Eigen::Index vertices) const;
};

/// Asked before each correction with x and E(x), for schemes that evaluate E at x itself; true ends the solve. The
/// first time x is the guess that the solve was given; later it is an iterate, or x_n where the solver begins anew from
/// there. A solver that goes on to convergence asks once, before the first.
using StopRule = std::function<bool(const Points& x, double E)>;

/// E along a line x(alpha) = (1 - alpha) from + alpha to, for searches on it.
class EnergyLine {
 public:
  virtual ~EnergyLine() = default;
  struct Place {
    double E = 0;                      ///< J
    std::optional<double> slope = {};  ///< dE/dalpha, J, where it costs little
  };
  /// At x(alpha), 0 <= alpha <= 1.
  virtual Place look(const Points& from, const Points& to, double alpha, Workspace& work) = 0;
};

/// Evaluates the energy itself.
class ExactLine final : public EnergyLine {
 public:
  explicit ExactLine(const Model& model) : model_(model) {}
  Place look(const Points& from, const Points& to, double alpha, Workspace& work) override {
    x_.noalias() = from + alpha * (to - from);
    return {model_.energy(x_, work)};
  }

 private:
  const Model& model_;
  Points x_;
};

class Minimizer {
 public:
  virtual ~Minimizer() = default;

  /// Improves x until it no longer changes, `stop` says so, or the effort is made. If the outcome is not `done`, x is
  /// of no use.
  virtual SolveReport minimize(const Objective& g, const SolveEffort& effort, const StopRule& stop, Points& x) = 0;

  /// gradient = dE(x), N, zero at fixed vertices; as precise as what its solves begin with.
  virtual void gradient(const Points& x, Points& gradient, Workspace& work) = 0;

  /// E along a line, as precise as what its solves begin with.
  virtual EnergyLine& line() = 0;

  /// Where obstacles that are constraints held x at the end of the last solve, of solvers that keep them.
  virtual std::span<const HeldVertex> held() const { return {}; }

  /// Of the last solve, N: what holds the equations of Model::constraints, one after the other; and the work that they
  /// did, J. Of solvers that take them.
  virtual const Vector* constraint_forces() const { return nullptr; }
  virtual double constraint_work() const { return 0; }

  /// With which factor the next solve may begin, and what there is to remember of it after a solve. Of solvers that go
  /// on with the last one's.
  virtual void carry(const CarriedFactor&) {}
  virtual CarriedFactor carried() const { return {}; }

  /// What it keeps from step to step.
  virtual Factors& factors() = 0;
  virtual const Factors& factors() const = 0;

  /// Where solves write how they got there, if this solver can say it; null: nowhere. Must stay until the next call.
  void write_trace(SolveTrace* trace) { trace_ = trace; }

 protected:
  /// An iterate x, if anybody wants to see it: value = g(x), gradient = dg(x).
  void note(const Objective& g, const Points& x, int iteration, double value, const Points& gradient, double alpha,
            int cg) const;

 private:
  SolveTrace* trace_ = nullptr;
};

/// Below this share of x a correction is not resolved in double precision.
inline constexpr double kNegligible = 1e-16;
/// Is a correction d to x as small as that?
bool negligible(const Points& d, const Points& x);

}  // namespace rebound::sim
