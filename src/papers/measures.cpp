#include "papers/measures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rebound::papers {
namespace {

using At = std::optional<double>;
using Found = std::optional<double>;

const std::vector<double>* values_of(const Run& run, std::string_view name) {
  const Column* column = run.find(name);
  return column == nullptr || column->values.empty() ? nullptr : &column->values;
}

/// The largest of what a function makes of two columns, moment by moment.
template <class Function>
Found largest(const Run& run, std::string_view a, std::string_view b, const Function& f) {
  const auto *first = values_of(run, a), *second = values_of(run, b);
  if (first == nullptr || second == nullptr) return {};
  double most = -INFINITY;
  for (std::size_t i = 0; i < first->size(); ++i) most = std::max(most, f((*first)[i], (*second)[i]));
  return most;
}

/// Off the ledger's target, as a share of its scale at that moment.
template <class Function>
Found energy_error(const Run& run, const Function& part) {
  const auto* scale = values_of(run, "scale");
  if (scale == nullptr) return {};
  double most = 0;
  const auto *total = values_of(run, "total"), *target = values_of(run, "target");
  for (std::size_t i = 0; i < scale->size(); ++i) most = std::max(most, part((*total)[i] - (*target)[i]) / (*scale)[i]);
  return most;
}

Found first(const Run& run, std::string_view name) {
  const auto* values = values_of(run, name);
  return values == nullptr ? Found() : values->front();
}

Found last(const Run& run, std::string_view name) {
  const auto* values = values_of(run, name);
  return values == nullptr ? Found() : values->back();
}

Found share_of_start(const Run& run, std::string_view name) {
  const Found begin = first(run, name), end = last(run, name);
  return begin && *begin != 0 ? Found(*end / *begin) : Found();
}

Found median(std::vector<double> values) {
  if (values.empty()) return {};
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Without the start, where there was no step.
std::vector<double> of_steps(const Run& run, std::string_view name) {
  const auto* values = values_of(run, name);
  return values == nullptr ? std::vector<double>() : std::vector<double>(values->begin() + 1, values->end());
}

Found mean(const std::vector<double>& values) {
  if (values.empty()) return {};
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

template <class Test>
Found share_of_frames(const std::vector<double>& values, const Test& test) {
  if (values.empty()) return {};
  return static_cast<double>(std::count_if(values.begin(), values.end(), test)) / static_cast<double>(values.size());
}

double distance(const Run& run, const char* const (&names)[3], std::size_t i, std::size_t j) {
  double sum = 0;
  for (const char* name : names) {
    const auto& values = *values_of(run, name);
    sum += (values[i] - values[j]) * (values[i] - values[j]);
  }
  return std::sqrt(sum);
}

double length(const Run& run, const char* const (&names)[3], std::size_t i) {
  double sum = 0;
  for (const char* name : names) sum += (*values_of(run, name))[i] * (*values_of(run, name))[i];
  return std::sqrt(sum);
}

/// The largest change of a vector since the start, as a share of its length then.
Found worst_change(const Run& run, const char* const (&names)[3]) {
  const auto* values = values_of(run, names[0]);
  if (values == nullptr || length(run, names, 0) == 0) return {};
  double most = 0;
  for (std::size_t i = 1; i < values->size(); ++i) most = std::max(most, distance(run, names, i, 0));
  return most / length(run, names, 0);
}

constexpr const char* kLinear[3] = {"px", "py", "pz"};
constexpr const char* kAngular[3] = {"lx", "ly", "lz"};

/// The centre comes down and goes up again: how far up, as a share of the way down.
Found height_regained(const Run& run, At) {
  const auto* height = values_of(run, "centre_y");
  if (height == nullptr) return {};
  std::size_t low = 1;
  while (low + 1 < height->size() && (*height)[low + 1] <= (*height)[low]) ++low;
  std::size_t high = low;
  while (high + 1 < height->size() && (*height)[high + 1] >= (*height)[high]) ++high;
  const double fallen = height->front() - (*height)[low];
  return fallen > 0 ? Found(((*height)[high] - (*height)[low]) / fallen) : Found();
}

/// How often the centre comes up again by more than a tenth of its first fall.
Found bounces(const Run& run, At) {
  const auto* height = values_of(run, "centre_y");
  if (height == nullptr) return {};
  double last = height->front(), enough = 0, count = 0;
  bool falls = true;
  for (const double y : *height) {
    if (falls ? y <= last : y >= last) {
      last = y;  // the lowest, or the highest, since it turned
      continue;
    }
    if (count == 0) enough = 0.1 * (height->front() - last);
    if (!(enough > 0) || std::abs(y - last) <= enough) continue;
    if (falls) ++count;
    falls = !falls;
    last = y;
  }
  return count;
}

/// How far up the lowest point comes in the last sixth, as a share of its deepest fall.
Found late_height_regained(const Run& run, At) {
  const auto* low = values_of(run, "lowest");
  if (low == nullptr) return {};
  const double deepest = *std::min_element(low->begin(), low->end());
  const double late = *std::max_element(low->end() - static_cast<std::ptrdiff_t>(low->size() / 6 + 1), low->end());
  const double fallen = low->front() - deepest;
  return fallen > 0 ? Found((late - deepest) / fallen) : Found();
}

/// Between the highest and the lowest place of the centre in the second half, m.
Found late_swing(const Run& run, At) {
  const auto* height = values_of(run, "centre_y");
  if (height == nullptr) return {};
  const auto begin = height->begin() + static_cast<std::ptrdiff_t>(height->size() / 2);
  const auto [low, high] = std::minmax_element(begin, height->end());
  return *high - *low;
}

Found late_kinetic(const Run& run, At) {
  const auto* kinetic = values_of(run, "kinetic");
  if (kinetic == nullptr) return {};
  return mean({kinetic->begin() + static_cast<std::ptrdiff_t>(2 * kinetic->size() / 3), kinetic->end()});
}

/// What is left of the speed along the ground.
Found ground_speed_left(const Run& run, At) {
  const auto *x = values_of(run, "px"), *z = values_of(run, "pz");
  if (x == nullptr) return {};
  // The mean of half a second, as what hops sways.
  const std::size_t count = std::min<std::size_t>(15, x->size());
  double sum_x = 0, sum_z = 0;
  for (std::size_t i = x->size() - count; i < x->size(); ++i) sum_x += (*x)[i], sum_z += (*z)[i];
  const double start = std::hypot(x->front(), z->front());
  return start > 0 ? Found(std::hypot(sum_x, sum_z) / static_cast<double>(count) / start) : Found();
}

Found frames_to_untangle(const Run& run, At) {
  const auto* inverted = values_of(run, "inverted");
  if (inverted == nullptr || inverted->back() > 0) return {};
  std::size_t i = inverted->size();
  while (i > 0 && (*inverted)[i - 1] == 0) --i;
  return static_cast<double>(i);
}

/// Of every step: was its alpha strictly inside of its bounds, so that the search could set the energy?
std::vector<bool> in_reach(const Run& run) {
  const std::vector<double> alpha = of_steps(run, "alpha");
  const Found low = run.fact("alpha_min"), high = run.fact("alpha_max");
  std::vector<bool> inside;
  if (!low || !high) return inside;
  for (const double a : alpha) inside.push_back(a > *low && a < *high);
  return inside;
}

Found share_in_reach(const Run& run, At) {
  const std::vector<bool> inside = in_reach(run);
  if (inside.empty()) return {};
  return static_cast<double>(std::count(inside.begin(), inside.end(), true)) / static_cast<double>(inside.size());
}

/// Off the target at the end of the steps that touch nothing and whose alpha is inside of its bounds.
Found energy_error_in_reach(const Run& run, At) {
  const std::vector<bool> inside = in_reach(run);
  const std::vector<double> total = of_steps(run, "total"), target = of_steps(run, "target"),
                            scale = of_steps(run, "scale"), contact = of_steps(run, "contact");
  Found most;
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i] && contact[i] == 0) most = std::max(most.value_or(0), std::abs(total[i] - target[i]) / scale[i]);
  return most;
}

/// Of the steps that touch nothing, those that end within a fiftieth of the target.
Found share_on_target(const Run& run, At) {
  const std::vector<double> total = of_steps(run, "total"), target = of_steps(run, "target"),
                            scale = of_steps(run, "scale"), contact = of_steps(run, "contact");
  double free = 0, on_target = 0;
  for (std::size_t i = 0; i < total.size(); ++i)
    if (contact[i] == 0) {
      ++free;
      on_target += std::abs(total[i] - target[i]) <= 0.02 * scale[i] ? 1 : 0;
    }
  return free > 0 ? Found(on_target / free) : Found();
}

/// The mean of the last third: what rings from step to step does not decide it.
Found late_energy_left(const Run& run, At) {
  const auto* total = values_of(run, "total");
  if (total == nullptr || total->front() == 0) return {};
  return *mean({total->begin() + static_cast<std::ptrdiff_t>(2 * total->size() / 3), total->end()}) / total->front();
}

/// From when on alpha is at its least and stays there, s.
Found alpha_least_from(const Run& run, At) {
  const auto *alpha = values_of(run, "alpha"), *time = values_of(run, "time");
  const Found low = run.fact("alpha_min");
  if (alpha == nullptr || time == nullptr || !low) return {};
  std::size_t from = alpha->size();
  while (from > 1 && (*alpha)[from - 1] <= *low) --from;
  return from < alpha->size() ? Found((*time)[from]) : Found();
}

/// The mean alpha of the steps before anything touches.
Found alpha_before_contact(const Run& run, At) {
  const std::vector<double> alpha = of_steps(run, "alpha"), contact = of_steps(run, "contact");
  const auto touching = std::find_if(contact.begin(), contact.end(), [](double energy) { return energy > 0; });
  return mean({alpha.begin(), alpha.begin() + (touching - contact.begin())});
}

/// Of the steps in the last third.
Found late_share_of_least_alpha(const Run& run, At) {
  const std::vector<double> alpha = of_steps(run, "alpha");
  const Found low = run.fact("alpha_min");
  if (!low) return {};
  return share_of_frames({alpha.begin() + static_cast<std::ptrdiff_t>(2 * alpha.size() / 3), alpha.end()},
                         [&](double a) { return a <= *low; });
}

/// The largest kinetic energy in the mode within the last half second, of that at the start.
Found mode_kept(const Run& run, At) {
  const auto *kinetic = values_of(run, "mode_kinetic"), *time = values_of(run, "time");
  if (kinetic == nullptr || time == nullptr || !(kinetic->front() > 0)) return {};
  double most = 0;
  for (std::size_t i = 0; i < kinetic->size(); ++i)
    if ((*time)[i] > time->back() - 0.5) most = std::max(most, (*kinetic)[i]);
  return most / kinetic->front();
}

/// At the moment nearest to `at` of what the table is over.
Found value_at(const Run& run, std::string_view name, At at) {
  const auto* values = values_of(run, name);
  if (values == nullptr || !at) return {};
  const auto& over = run.columns.front().values;
  for (std::size_t i = 0; i < over.size(); ++i)
    if (std::abs(over[i] - *at) <= 1e-9 * std::max(1.0, std::abs(*at))) return (*values)[i];
  return {};
}

constexpr std::string_view kScene = "scene", kMotion = "motion", kOscillator = "oscillator", kBar = "bar",
                           kWall = "wall", kModes = "modes", kSprings = "two-springs", kMap = "map",
                           kLeast = "least-steps", kAfter = "after-the-solve", kPrinted = "printed";
constexpr double kFullBlend = 1 - 1e-12;

constexpr Measure kMeasures[] = {
    // energy
    {"worst_energy_error", "", "largest |H - target|, share of the ledger's scale", kScene,
     [](const Run& r, At) { return energy_error(r, [](double e) { return std::abs(e); }); }},
    {"worst_overshoot", "", "largest H - target, share of the ledger's largest scale", kScene,
     [](const Run& r, At) {
       const Found over = largest(r, "total", "target", [](double H, double target) { return H - target; });
       const Found scale = largest(r, "scale", "scale", [](double s, double) { return s; });
       return over && *scale > 0 ? Found(*over / *scale) : Found();
     }},
    {"energy_start", "J", "H at the start", kScene, [](const Run& r, At) { return first(r, "total"); }},
    {"energy_left", "", "H at the end, share of the start's", kScene,
     [](const Run& r, At) { return share_of_start(r, "total"); }},
    {"highest_energy", "J", "largest H", kScene,
     [](const Run& r, At) { return largest(r, "total", "total", [](double H, double) { return H; }); }},
    {"energy_growth", "", "largest H, share of the start's", kScene,
     [](const Run& r, At) {
       const Found most = largest(r, "total", "total", [](double H, double) { return H; }), begin = first(r, "total");
       return most && *begin != 0 ? Found(*most / *begin) : Found();
     }},
    {"energy_over_lowest", "", "H at the end, over the lowest of the run", kScene,
     [](const Run& r, At) -> Found {
       const auto* H = values_of(r, "total");
       if (H == nullptr) return {};
       const double low = *std::min_element(H->begin(), H->end());
       return low > 0 ? Found(H->back() / low) : Found();
     }},
    {"rising_frames", "", "frames in which H rises", kScene,
     [](const Run& r, At) -> Found {
       const auto* H = values_of(r, "total");
       if (H == nullptr) return {};
       double count = 0;
       for (std::size_t i = 1; i < H->size(); ++i) count += (*H)[i] > (*H)[i - 1] + 1e-9 * std::abs(H->front()) ? 1 : 0;
       return count;
     }},
    {"blow_up_frame", "", "frame in which H runs away from its target", kScene,
     [](const Run& r, At) { return r.fact("blew_up_at"); }, false, false, true},
    {"late_energy_left", "", "mean H in the last third, share of the start's", kScene, late_energy_left},
    {"energy_error_in_reach", "",
     "largest |H - target| where nothing touches and alpha is inside of its bounds, share of the ledger's scale",
     kScene, energy_error_in_reach},
    {"share_on_target", "", "share of the steps that touch nothing whose H is within 2 % of the target", kScene,
     share_on_target},
    {"final_kinetic", "J", "kinetic energy at the end", kScene, [](const Run& r, At) { return last(r, "kinetic"); }},
    {"late_kinetic", "J", "mean kinetic energy in the last third", kScene, late_kinetic},
    {"final_elastic", "J", "elastic energy at the end", kScene, [](const Run& r, At) { return last(r, "elastic"); }},
    // momenta
    {"momentum_error", "", "largest change of the linear momentum, share of the start's", kScene,
     [](const Run& r, At) { return worst_change(r, kLinear); }},
    {"angular_momentum_error", "", "largest change of the angular momentum, share of the start's", kScene,
     [](const Run& r, At) { return worst_change(r, kAngular); }},
    // motion
    {"height_regained", "", "height of the centre after the first bounce, share of its fall", kScene, height_regained},
    {"bounces", "", "times that the centre comes up by more than a tenth of its first fall", kScene, bounces},
    {"late_height_regained", "", "height of the lowest point near the end, share of its deepest fall", kScene,
     late_height_regained},
    {"late_swing", "m", "way of the centre up and down in the second half", kScene, late_swing},
    {"ground_speed_left", "", "speed along the ground at the end, share of the start's", kScene, ground_speed_left},
    {"turned", "deg", "turn about the upright axis from start to end", kScene,
     [](const Run& r, At) { return r.fact("turned"); }},
    {"farthest", "m", "largest distance of any vertex from the origin", kScene,
     [](const Run& r, At) { return largest(r, "farthest", "farthest", [](double d, double) { return d; }); }},
    {"highest_point", "m", "height of the highest point at the end", kScene,
     [](const Run& r, At) { return last(r, "highest"); }},
    {"shape_error", "", "farthest vertex from the best-fitting rest shape at the end, body diagonals", kScene,
     [](const Run& r, At) { return r.fact("shape_error"); }},
    {"inverted", "", "elements inside out at the end", kScene, [](const Run& r, At) { return last(r, "inverted"); }},
    {"most_inverted", "", "most elements that are inside out at once", kScene,
     [](const Run& r, At) { return largest(r, "inverted", "inverted", [](double n, double) { return n; }); }},
    {"lowest_point", "m", "height of the lowest point that any surface has been at", kScene,
     [](const Run& r, At) -> Found {
       const Found depth = largest(r, "lowest", "lowest", [](double y, double) { return -y; });
       return depth ? Found(-*depth) : Found();
     }},
    {"deepest_overlap", "m", "deepest that a point of a body has been inside another", kScene,
     [](const Run& r, At) { return largest(r, "overlap", "overlap", [](double depth, double) { return depth; }); }},
    {"frames_to_untangle", "", "frames until no element is inside out any more", kScene, frames_to_untangle, false,
     false, true},
    {"mode_kept", "", "largest kinetic energy in the struck mode in the last half second, share of the start's", kScene,
     mode_kept},
    // method
    {"blended_frames", "", "share of the frames that are blended", kScene,
     [](const Run& r, At) {
       return share_of_frames(of_steps(r, "blend"), [](double b) { return std::isfinite(b) && b != 0; });
     }},
    {"full_backward_frames", "", "share of the frames that are all backward Euler", kScene,
     [](const Run& r, At) { return share_of_frames(of_steps(r, "blend"), [](double b) { return b > kFullBlend; }); }},
    {"share_in_reach", "", "share of the frames whose alpha is inside of its bounds", kScene, share_in_reach},
    {"alpha_least_from", "s", "when alpha falls to its least and stays there", kScene, alpha_least_from, false, false,
     true},
    {"alpha_before_contact", "", "mean alpha until something touches", kScene, alpha_before_contact},
    {"median_alpha", "", "median alpha", kScene, [](const Run& r, At) { return median(of_steps(r, "alpha")); }},
    {"late_share_of_least_alpha", "", "share of the steps of the last third whose alpha is at its least", kScene,
     late_share_of_least_alpha},
    {"iterations", "", "of the solver a frame, mean", kScene,
     [](const Run& r, At) { return mean(of_steps(r, "iterations")); }},
    {"unconverged_frames", "", "frames with a solve that did not reach its tolerance", kScene,
     [](const Run& r, At) -> Found {
       const std::vector<double> converged = of_steps(r, "converged");
       if (converged.empty()) return {};
       return static_cast<double>(std::count(converged.begin(), converged.end(), 0.0));
     }},
    {"ms_per_frame", "ms", "wall clock a frame, median", kScene,
     [](const Run& r, At) { return median(of_steps(r, "ms")); }, false, true},
    {"mean_ms_per_frame", "ms", "wall clock a frame, mean", kScene,
     [](const Run& r, At) { return mean(of_steps(r, "ms")); }, false, true},
    {"stiffness_number", "", "h^2 k/m", kScene, [](const Run& r, At) { return r.fact("stiffness_number"); }},
    {"vertices", "", "of all bodies", kScene, [](const Run& r, At) { return r.fact("vertices"); }},
    {"elements", "", "springs and tetrahedra", kScene, [](const Run& r, At) { return r.fact("elements"); }},
    // what is seen
    {"shiver", "", "share of the velocities' power at periods below 4 pictures", kMotion,
     [](const Run& r, At) { return r.fact("shiver"); }},
    {"visible_kinetic_share", "", "kinetic energy that is seen late, over the reference's", kMotion,
     [](const Run& r, At) { return r.fact("visible_kinetic_share"); }},
    {"path_error", "", "RMS distance from the reference in the first 2 s, body diagonals", kMotion,
     [](const Run& r, At) { return r.fact("path_error"); }},
    {"seen_energy_error", "", "largest |H - target|, share of the ledger's scale", kMotion,
     [](const Run& r, At) { return r.fact("worst_energy_error"); }},
    // a linear oscillator
    {"artificial_damping", "", "d/omega, -2 ln |lambda| / z", kOscillator,
     [](const Run& r, At at) { return value_at(r, "artificial_damping", at); }, true},
    {"frequency_ratio", "", "arg lambda / z", kOscillator,
     [](const Run& r, At at) { return value_at(r, "frequency_ratio", at); }, true},
    {"growth", "", "|lambda|", kOscillator, [](const Run& r, At at) { return value_at(r, "growth", at); }, true},
    {"trace", "", "sum of the two largest eigenvalues of a step", kOscillator,
     [](const Run& r, At at) { return value_at(r, "trace", at); }, true},
    {"determinant", "", "product of the two largest eigenvalues of a step", kOscillator,
     [](const Run& r, At at) { return value_at(r, "determinant", at); }, true},
    // one dimension
    {"final_speed", "m/s", "of the centre of mass, mean over the gaps", kBar,
     [](const Run& r, At) -> Found {
       const auto* speeds = values_of(r, "speed");
       return speeds == nullptr ? Found() : mean(*speeds);
     }},
    {"speed_spread", "m/s", "between the gaps with the most and the least speed", kBar,
     [](const Run& r, At) -> Found {
       const auto* speeds = values_of(r, "speed");
       if (speeds == nullptr) return {};
       const auto [low, high] = std::minmax_element(speeds->begin(), speeds->end());
       return *high - *low;
     }},
    {"top_third_share", "", "share of the vibration in the fastest third of the modes", kBar,
     [](const Run& r, At) { return r.fact("top_third_share"); }},
    {"speed_after", "m/s", "velocity after so many steps", kWall,
     [](const Run& r, At at) { return value_at(r, "v", at); }, true},
    // where Newton's method arrives
    {"newton_failed", "", "starts of the map from which plain Newton does not arrive", kMap,
     [](const Run& r, At) { return r.fact("newton_failed"); }},
    {"gast_failed", "", "the same of the solver gast", kMap, [](const Run& r, At) { return r.fact("gast_failed"); }},
    {"least_steps", "", "least steps a frame at which plain Newton arrives in every one", kLeast,
     [](const Run& r, At) { return r.fact("least_steps"); }, false, false, true},
    {"steps_newton_fails", "", "steps in which plain Newton does not arrive, at one a frame", kLeast,
     [](const Run& r, At) { return r.fact("newton_failed"); }},
    {"steps_gast_fails", "", "the same of the solver gast", kLeast,
     [](const Run& r, At) { return r.fact("gast_failed"); }},
    {"newton_iterations", "", "of plain Newton where it arrives, a step, at one a frame", kLeast,
     [](const Run& r, At) { return r.fact("newton_iterations"); }},
    {"gast_iterations", "", "of the solver gast, a step, at one a frame", kLeast,
     [](const Run& r, At) { return r.fact("gast_iterations"); }},
    {"seconds_gast_over_newton", "", "time in both solvers, at one step a frame", kLeast,
     [](const Run& r, At) { return r.fact("seconds_ratio"); }, false, true},
    {"most_inverted_after", "", "most elements that are inside out at once, contacts mended after the solve", kAfter,
     [](const Run& r, At) { return r.fact("most_inverted"); }},
    // eigenpairs by themselves
    {"cost_exponent", "", "slope of the logarithm of the time over that of the number of modes", kModes,
     [](const Run& r, At) { return r.fact("cost_exponent"); }, false, true},
    {"eigenvalue_error", "", "largest relative error of an eigenvalue against its closed form", kModes,
     [](const Run& r, At) { return r.fact("eigenvalue_error"); }},
    {"eigenpairs_ms", "ms", "that so many modes take", kModes,
     [](const Run& r, At at) { return value_at(r, "eigenpairs_ms", at); }, true, true},
    // equations as they are printed
    {"spin_left", "", "angular momentum at the end, share of the start's", kPrinted,
     [](const Run& r, At) { return r.fact("spin_left"); }},
    {"speed_along_ground", "m/s", "speed at the end, of 1 m/s", kPrinted,
     [](const Run& r, At) { return r.fact("speed"); }},
    // the potential of two springs
    {"minimum_at", "m", "where the potential is least", kSprings,
     [](const Run& r, At) { return r.fact("minimum_at"); }},
    {"hump", "", "E(0) / k, of the hump between the minima", kSprings, [](const Run& r, At) { return r.fact("hump"); }},
    {"beta", "m", "where E meets the line of Lemma 2", kSprings, [](const Run& r, At) { return r.fact("beta"); }},
};

}  // namespace

std::span<const Measure> measures() { return kMeasures; }

const Measure* find_measure(std::string_view name) {
  for (const Measure& measure : kMeasures)
    if (measure.name == name) return &measure;
  return nullptr;
}

}  // namespace rebound::papers
