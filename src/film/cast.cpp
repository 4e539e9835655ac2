#include "film/cast.hpp"

#include "mesh/error.hpp"

namespace rebound::film {
namespace {

/// The moments of panes that are simulated.
class Onlooker {
 public:
  explicit Onlooker(session::FieldKind colors) : colors_(colors) {}

  /// Looks at all of them, in this order.
  void look(const std::vector<std::pair<int, const session::Session*>>& panes) {
    // Moments keep their memory from frame to frame, and their place while members point to them.
    while (moments_.size() < panes.size()) moments_.push_back(std::make_unique<session::Snapshot>());
    members_.clear();
    for (std::size_t i = 0; i < panes.size(); ++i) {
      const auto& [id, session] = panes[i];
      session::Snapshot& moment = *moments_[i];
      moment.pane = id;
      session::look(*session, moment);
      if (colors_ != session::FieldKind::none) field_watch_.look(*session, colors_, moment.field);
      members_.push_back({id, &moment});
    }
  }
  const std::vector<Cast::Member>& members() const { return members_; }

 private:
  session::FieldKind colors_;
  session::FieldWatch field_watch_;
  std::vector<std::unique_ptr<session::Snapshot>> moments_;
  std::vector<Cast::Member> members_;
};

class Comparison final : public Cast {
 public:
  Comparison(const std::vector<scene::World>& worlds, int threads, session::FieldKind colors)
      : lockstep_(threads), onlooker_(colors) {
    for (const scene::World& world : worlds)
      sessions_.push_back(std::make_unique<session::Session>(scene::World(world), threads));
    look();
  }

  bool step() override {
    std::vector<session::Session*> all;
    for (const auto& session : sessions_) all.push_back(session.get());
    const bool stepped = lockstep_.step(all);
    for (const auto& session : sessions_) session::require_a_motion(*session);
    // The last moment of a pane that failed says so.
    look();
    return stepped;
  }
  const std::vector<Member>& members() const override { return onlooker_.members(); }
  double time_step() const override { return sessions_.front()->description().timeStep; }

 private:
  void look() {
    std::vector<std::pair<int, const session::Session*>> panes;
    for (std::size_t i = 0; i < sessions_.size(); ++i) panes.emplace_back(static_cast<int>(i), sessions_[i].get());
    onlooker_.look(panes);
  }

  std::vector<std::unique_ptr<session::Session>> sessions_;
  session::Lockstep lockstep_;
  Onlooker onlooker_;
};

class Replay final : public Cast {
 public:
  Replay(const scene::World& world, const session::Journal& journal, std::int64_t frames, std::string file, int threads,
         session::FieldKind colors)
      : journal_(journal),
        frames_(frames),
        file_(std::move(file)),
        ensemble_(std::make_unique<session::Session>(world, threads)),
        onlooker_(colors) {
    apply_entries();
    look();
  }

  bool step() override {
    if (ensemble_.frame() >= frames_) return false;
    const bool stepped = ensemble_.step();
    for (const session::Pane& pane : ensemble_.panes()) session::require_a_motion(*pane.session);
    // A journal that nobody stepped has no sums.
    if (stepped && divergence_.empty() && ensemble_.frame() <= journal_.last())
      divergence_ = session::divergence(journal_, ensemble_);
    if (stepped) apply_entries();
    look();
    return stepped;
  }
  const std::vector<Member>& members() const override { return onlooker_.members(); }
  double time_step() const override { return ensemble_.first().description().timeStep; }
  std::string divergence() const override { return divergence_; }

 private:
  void look() {
    std::vector<std::pair<int, const session::Session*>> panes;
    for (const session::Pane& pane : ensemble_.panes()) panes.emplace_back(pane.id, pane.session.get());
    onlooker_.look(panes);
  }
  void apply_entries() {
    const auto& entries = journal_.entries();
    for (; next_ < entries.size() && entries[next_].frame == ensemble_.frame(); ++next_) {
      try {
        ensemble_.apply(entries[next_].event);
      } catch (const InputError& error) {
        throw InputError(file_ + ":" + std::to_string(entries[next_].line) + ": " + error.what());
      }
    }
  }

  const session::Journal& journal_;
  const std::int64_t frames_;
  const std::string file_;
  session::Ensemble ensemble_;
  Onlooker onlooker_;
  std::size_t next_ = 0;
  std::string divergence_;  ///< the first
};

}  // namespace

Play side_by_side(std::vector<scene::World> worlds, int threads) {
  return [worlds = std::move(worlds), threads](session::FieldKind colors) {
    return std::make_unique<Comparison>(worlds, threads, colors);
  };
}

Play compared(const scene::World& world, std::vector<std::string> integrators, int threads) {
  std::vector<scene::World> worlds(integrators.size(), world);
  for (std::size_t i = 0; i < worlds.size(); ++i) worlds[i].description.integrator.type = std::move(integrators[i]);
  return side_by_side(std::move(worlds), threads);
}

Play replayed(const scene::World& world, const session::Journal& journal, std::int64_t frames, std::string file,
              int threads) {
  return [world, &journal, frames, file = std::move(file), threads](session::FieldKind colors) {
    return std::make_unique<Replay>(world, journal, frames, file, threads, colors);
  };
}

}  // namespace rebound::film
