#include "film/solve_course.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "sim/registry.hpp"

namespace rebound::film {
namespace {

constexpr double kNothingThere = std::numeric_limits<double>::quiet_NaN();

/// "239035", "7.50124e6".
std::string digits(double value, int count) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", count, value);
  std::string said = text;
  const std::size_t exponent = said.find('e');
  if (exponent == std::string::npos) return said;
  const bool negative = said[exponent + 1] == '-';
  const std::size_t first = said.find_first_not_of("+-0", exponent + 1);
  return said.substr(0, exponent) + (negative ? "e-" : "e") + said.substr(first);
}

std::string counted(int count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// A curve over the iterates' numbers.
template <class Value>
render::Curve curve_of(const std::vector<sim::SolveIterate>& iterates, const Value& value) {
  render::Curve curve;
  for (std::size_t i = 0; i < iterates.size(); ++i) {
    const auto number = static_cast<double>(i);
    if (i > 0 && iterates[i].iteration == 0) {
      curve.x.push_back(number);
      curve.y.push_back(kNothingThere);
    }
    curve.x.push_back(number);
    curve.y.push_back(value(i));
  }
  return curve;
}

}  // namespace

SolveCourse::SolveCourse(scene::World world, std::int64_t frame, std::size_t most, int threads,
                         const std::function<void(double)>& progress)
    : session_(std::make_unique<session::Session>(std::move(world), threads)) {
  for (; session_->frame() + 1 < frame; progress(static_cast<double>(session_->frame()) / static_cast<double>(frame)))
    if (!session_->step()) return;
  start_ = std::make_unique<const sim::Points>(session_->state().x);
  session_->keep_places_of_solves(most);
  arrived_ = session_->step();
  if (!arrived_) return;
  stills_.push_back({-1, start_.get()});
  for (const auto* place : session_->places_of_solves()->all())
    stills_.push_back({static_cast<std::int64_t>(place->iterate), &place->x});
  const sim::Points& end = session_->state().x;
  if (end != *stills_.back().x) stills_.push_back({static_cast<std::int64_t>(iterates().size()), &end});
}

std::size_t SolveCourse::still_at(std::int64_t number) const {
  const auto after = std::upper_bound(stills_.begin(), stills_.end(), number,
                                      [](std::int64_t n, const Still& still) { return n < still.number; });
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - stills_.begin(), 1)) - 1;
}

std::size_t SolveCourse::every() const {
  const auto& places = session_->places_of_solves();
  return places ? places->every() : 1;
}

std::string SolveCourse::title() const {
  const std::string& id = session_->description().solver.type;
  const sim::SolverInfo* solver = sim::find_solver(id);
  return solver != nullptr ? std::string(solver->title) : id;
}

std::string SolveCourse::said_of(const Still& still) const {
  if (still.number < 0) return "where frame " + std::to_string(session_->frame()) + " begins";
  const auto at = static_cast<std::size_t>(still.number);
  if (at >= iterates().size()) return "where frame " + std::to_string(session_->frame()) + " ends";
  const sim::SolveIterate& iterate = iterates()[at];
  const int solves = iterates().back().solve + 1;
  std::string text;
  if (solves > 1) text = "solve " + std::to_string(iterate.solve + 1) + " of " + std::to_string(solves) + ", ";
  text += "iteration " + std::to_string(iterate.iteration) + (iterate.iteration == 0 ? ", the first guess" : "");
  text += ":  E " + digits(iterate.objective, 6) + " J,  |dE| " + digits(iterate.gradient, 3) + " N";
  if (iterate.iteration > 0) text += ",  step " + digits(iterate.alpha, 3);
  if (iterate.cg > 0) text += ",  " + counted(iterate.cg, "product", "products") + " with H";
  if (at + 1 == iterates().size())
    text += session_->record().converged ? ";  it has converged" : ";  it stopped short of its tolerance";
  return text;
}

std::vector<std::int64_t> numbers_of(const std::vector<SolveCourse>& courses) {
  std::set<std::int64_t> numbers;
  for (const SolveCourse& course : courses)
    for (const auto& still : course.stills()) numbers.insert(still.number);
  return {numbers.begin(), numbers.end()};
}

std::vector<int> pictures_held(std::size_t stills, double pictures_a_second) {
  constexpr double kFirst = 0.5, kStart = 1.0, kEnd = 2.0;  // s
  constexpr double kQuicker = 0.92;                         // from one to the next
  constexpr double kRest = 12;                              // s, of all that would be quicker still
  const double least = std::min(kFirst, kRest / static_cast<double>(std::max<std::size_t>(stills, 1)));
  std::vector<int> held;
  double seconds = kFirst;
  for (std::size_t i = 0; i < stills; ++i) {
    double shown = std::max(seconds, least);
    if (i == 0) shown = kStart;
    if (i + 1 == stills) shown = kEnd;
    held.push_back(std::max(1, static_cast<int>(std::lround(shown * pictures_a_second))));
    if (i > 0) seconds *= kQuicker;
  }
  return held;
}

render::Curve gradients_of(const SolveCourse& course) {
  const auto& iterates = course.iterates();
  return curve_of(iterates, [&](std::size_t i) { return iterates[i].gradient; });
}

render::Curve heights_of(const SolveCourse& course) {
  constexpr double kRounding = 1e-13;
  const auto& iterates = course.iterates();
  std::vector<double> ends;  // of each solve
  for (const auto& iterate : iterates) {
    ends.resize(static_cast<std::size_t>(iterate.solve) + 1);
    ends.back() = iterate.objective;
  }
  return curve_of(iterates, [&](std::size_t i) {
    const double end = ends[static_cast<std::size_t>(iterates[i].solve)], height = iterates[i].objective - end;
    return height > kRounding * std::abs(iterates[i].objective) ? height : kNothingThere;
  });
}

}  // namespace rebound::film
