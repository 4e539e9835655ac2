#include "session/mode_watch.hpp"

#include <chrono>

#include "session/output_file.hpp"

namespace rebound::session {

const SeenModes& ModeWatch::look(const Session& session, int wanted) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  seen_ = {session.frame(), {}, wanted, 0, 0, {}};
  try {
    if (!analysis_ || model_ != &session.model() || revision_ != session.revision()) {
      if (!work_ || work_->workers.threads() != session.threads())
        work_ = std::make_unique<sim::Workspace>(session.threads());
      analysis_ = std::make_unique<sim::ModalAnalysis>(session.model(), session.factors().analysis().coordinates);
      model_ = &session.model();
      revision_ = session.revision();
    }
    if (!analysis_->look(session.state(), session.step_size(), wanted, *work_)) {
      seen_.trouble = "the stiffness of the bodies as they are now could not be factored";
      return seen_;
    }
  } catch (const std::bad_alloc&) {
    analysis_.reset();
    seen_.trouble = "there is too little memory for the modes of this world";
    return seen_;
  }
  seen_.kinetic_above = session.record().measured.kinetic;
  for (int i = 0; i < analysis_->modes().count; ++i) {
    const sim::ModeEnergy& energy = analysis_->energies()[static_cast<std::size_t>(i)];
    seen_.modes.push_back({sim::frequency(analysis_->modes().lambda[i]), energy.kinetic, energy.potential});
    seen_.kinetic_above -= energy.kinetic;
  }
  // What is left of a difference of two large numbers may be below 0 by rounding.
  seen_.kinetic_above = std::max(0.0, seen_.kinetic_above);
  seen_.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - began).count();
  return seen_;
}

mesh::Points ModeWatch::surface(const Session& session, int body, int mode, double way) const {
  const auto [first, count] = session.model().bodies[static_cast<std::size_t>(body)];
  const sim::Points w = analysis_->shape(mode);
  const double farthest = std::sqrt(w.rowwise().squaredNorm().maxCoeff());
  const sim::Points x = session.state().x + (farthest > 0 ? way / farthest : 0) * w;
  return session.world().bodies[static_cast<std::size_t>(body)].embedding.apply(x.middleRows(first, count));
}

std::string modes_header() { return "frame,mode,frequency,energy,kinetic,potential\n"; }

std::string modes_rows(const SeenModes& seen) {
  std::string rows;
  for (std::size_t i = 0; i < seen.modes.size(); ++i) {
    const SeenMode& mode = seen.modes[i];
    rows += std::to_string(seen.frame) + ',' + std::to_string(i);
    for (const double value : {mode.frequency, mode.kinetic + mode.potential, mode.kinetic, mode.potential})
      append_number(rows += ',', value);
    rows += '\n';
  }
  return rows;
}

}  // namespace rebound::session
