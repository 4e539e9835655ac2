#include "film/cast.hpp"

#include "mesh/error.hpp"

namespace rebound::film {
namespace {

class Comparison : public Cast {
 public:
  Comparison(const std::vector<scene::World>& worlds, int threads) : lockstep_(threads) {
    for (const scene::World& world : worlds)
      sessions_.push_back(std::make_unique<session::Session>(scene::World(world), threads));
  }

  bool step() override {
    std::vector<session::Session*> all;
    for (const auto& session : sessions_) all.push_back(session.get());
    return lockstep_.step(all);
  }
  std::vector<Member> members() const override {
    std::vector<Member> all;
    for (std::size_t i = 0; i < sessions_.size(); ++i) all.push_back({static_cast<int>(i), sessions_[i].get()});
    return all;
  }
  double time_step() const override { return sessions_.front()->description().timeStep; }

 private:
  std::vector<std::unique_ptr<session::Session>> sessions_;
  session::Lockstep lockstep_;
};

class Replay : public Cast {
 public:
  Replay(const scene::World& world, const session::Journal& journal, std::int64_t frames, std::string file, int threads)
      : journal_(journal),
        frames_(frames),
        file_(std::move(file)),
        ensemble_(std::make_unique<session::Session>(world, threads)) {
    apply_entries();
  }

  bool step() override {
    if (ensemble_.frame() >= frames_ || !ensemble_.step()) return false;
    apply_entries();
    return true;
  }
  std::vector<Member> members() const override {
    std::vector<Member> all;
    for (const session::Pane& pane : ensemble_.panes()) all.push_back({pane.id, pane.session.get()});
    return all;
  }
  double time_step() const override { return ensemble_.first().description().timeStep; }

 private:
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
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Cast> side_by_side(const std::vector<scene::World>& worlds, int threads) {
  return std::make_unique<Comparison>(worlds, threads);
}

Play compared(const scene::World& world, std::vector<std::string> integrators, int threads) {
  std::vector<scene::World> worlds(integrators.size(), world);
  for (std::size_t i = 0; i < worlds.size(); ++i) worlds[i].description.integrator.type = std::move(integrators[i]);
  return [worlds = std::move(worlds), threads] { return side_by_side(worlds, threads); };
}

Play replayed(const scene::World& world, const session::Journal& journal, std::int64_t frames, std::string file,
              int threads) {
  return [world, &journal, frames, file = std::move(file), threads] {
    return std::make_unique<Replay>(world, journal, frames, file, threads);
  };
}

}  // namespace rebound::film
