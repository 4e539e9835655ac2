#include "app/seen.hpp"

#include <algorithm>
#include <cmath>

#include "app/plot_data.hpp"
#include "scene/ranges.hpp"

namespace rebound::app {
namespace {

std::string percent(double share) { return std::to_string(std::lround(100 * std::clamp(share, 0.0, 1.0))) + " %"; }

}  // namespace

double unseen_share(const session::Snapshot& moment) {
  const session::FrameRecord& r = moment.record;
  if (!(r.scale > 0)) return 0;
  const double stored = std::max(0.0, r.measured.elastic + r.measured.contact);
  // A mean of the last second: what has come to rest since has no more than it has now.
  const double kinetic = r.seen ? std::min(r.seen->shivering, r.measured.kinetic + stored) : 0;
  return std::min((kinetic + std::min(kinetic, stored) + moment.inside_out.energy + r.in_ripples) / r.scale, 1.0);
}

std::string seen_text(const session::Snapshot& moment) {
  const auto& seen = moment.record.seen;
  if (!seen) return {};
  // What only rounding moves is still.
  if (seen->kinetic + seen->shivering < 1e-9 * moment.record.scale) return "nothing moves";
  return with_unit(seen->kinetic, "J", 3) + " to be seen, a second's mean; shiver " + percent(seen->shiver);
}

std::string modes_advice(const session::Snapshot& moment) {
  const auto& modal = moment.record.modal;
  if (!modal) return {};
  constexpr int kRigid = 6;  // of a free body
  constexpr double kMuch = 0.5;
  const int modes = moment.description.integrator.modes, rigid = kRigid * moment.record.free_bodies;
  const int enough = rigid + kRigid;
  if (rigid > 0 && modes < enough && enough <= static_cast<int>(scene::range("integrator.modes").max))
    return std::string(moment.record.free_bodies == 1 ? "The six slowest modes of a free body are"
                                                      : "The six slowest modes of each free body are") +
           " rigid: with fewer than " + std::to_string(enough) +
           " hardly a swing is kept, and a fast spin is damped as by backward Euler. Stabilized and Rebound keep it.";
  // Of next to nothing any share is rounding.
  if (modal->whole > 1e-6 * moment.record.scale && modal->beyond > kMuch * modal->whole)
    return percent(modal->beyond / modal->whole) +
           " of what moves is above these modes, and damped as by backward Euler.";
  return {};
}

std::string inside_out_text(const session::Snapshot& moment) {
  const sim::InsideOut& found = moment.inside_out;
  if (found.elements == 0) return {};
  const std::string count = std::to_string(found.elements) + (found.elements == 1 ? " element" : " elements");
  const double share = moment.record.scale > 0 ? found.energy / moment.record.scale : 0;
  return count + " inside out: " + with_unit(found.energy, "J", 3) + ", " + percent(share);
}

}  // namespace rebound::app
