#include "film/footage.hpp"

#include <algorithm>

namespace rebound::film {
namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

template <class T>
std::size_t bytes_of(const std::vector<std::vector<T>>& lists) {
  std::size_t sum = lists.capacity() * sizeof(std::vector<T>);
  for (const auto& list : lists) sum += bytes_of(list);
  return sum;
}

/// Of what is of a moment alone, and grows with its bodies.
std::size_t bytes_of(const session::Snapshot& moment) {
  return sizeof moment + bytes_of(moment.surfaces) + bytes_of(moment.field.bodies) + bytes_of(moment.pinned) +
         bytes_of(moment.pinned_vertices) + bytes_of(moment.attachments) + bytes_of(moment.obstacles) +
         bytes_of(moment.inner_places) + bytes_of(moment.wires);
}

/// What films do not show, of which there may be more than of all else: a net of chains has a million touches.
void drop_what_is_not_shown(session::Snapshot& moment) {
  moment.contacts = {};
  moment.held = {};
  moment.solves = {};
  moment.vertices = {};
}

class PlayedBack final : public Cast {
 public:
  explicit PlayedBack(std::shared_ptr<const Reel> reel) : reel_(std::move(reel)), shown_(reel_->parts.size()) {
    show();
  }

  bool step() override {
    if (frame_ + 1 >= reel_->time_steps.size()) return false;
    ++frame_;
    show();
    return true;
  }
  const std::vector<Member>& members() const override { return members_; }
  double time_step() const override { return reel_->time_steps[frame_]; }

 private:
  void show() {
    members_.clear();
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      const Reel::Part& part = reel_->parts[i];
      if (frame_ < part.came || frame_ >= part.gone) continue;
      part.footage->show(std::min(frame_ - part.came, part.footage->size() - 1), shown_[i]);
      members_.push_back({part.id, &shown_[i]});
    }
  }

  std::shared_ptr<const Reel> reel_;
  std::vector<session::Snapshot> shown_;  ///< of each part
  std::vector<Member> members_;
  std::size_t frame_ = 0;
};

/// Keeps what another plays, until that is too much.
class Remembering final : public Cast {
 public:
  /// too_much: set where it was; it is not tried again.
  Remembering(std::unique_ptr<Cast> cast, std::shared_ptr<Reel> into, std::size_t most, std::shared_ptr<bool> too_much)
      : cast_(std::move(cast)), reel_(std::move(into)), most_(most), too_much_(std::move(too_much)) {
    keep();
  }

  bool step() override {
    if (!cast_->step()) return false;
    keep();
    return true;
  }
  const std::vector<Member>& members() const override { return cast_->members(); }
  double time_step() const override { return cast_->time_step(); }
  std::string divergence() const override { return cast_->divergence(); }

 private:
  void keep() {
    if (*too_much_) return;
    const std::size_t frame = reel_->time_steps.size();
    reel_->time_steps.push_back(cast_->time_step());
    auto& parts = reel_->parts;
    for (Reel::Part& part : parts)
      if (part.gone == Reel::Part::kStays && find(part.id) == nullptr) part.gone = frame;
    for (const auto& [id, moment] : cast_->members()) {
      auto part = std::find_if(parts.begin(), parts.end(),
                               [id = id](const auto& p) { return p.id == id && p.gone == Reel::Part::kStays; });
      if (part == parts.end())
        part = parts.insert(parts.end(), {id, frame, Reel::Part::kStays, std::make_shared<Footage>()});
      part->footage->add(*moment);
    }
    *too_much_ = reel_->bytes() > most_;
    if (*too_much_) *reel_ = {};
  }

  const session::Snapshot* find(int id) const {
    for (const Member& member : cast_->members())
      if (member.id == id) return member.moment;
    return nullptr;
  }

  std::unique_ptr<Cast> cast_;
  std::shared_ptr<Reel> reel_;
  std::size_t most_;
  std::shared_ptr<bool> too_much_;
};

}  // namespace

void Footage::add(const session::Snapshot& moment) {
  const bool is_new = moments_.empty() || moments_.back().revision != moment.revision;
  described_.push_back(is_new ? moments_.size() : described_.back());
  session::Snapshot& kept = moments_.emplace_back(moment);
  drop_what_is_not_shown(kept);
  if (!is_new) {
    kept.description = {};
    kept.bodies = {};
  }
  bytes_ += bytes_of(kept);
}

void Footage::show(std::size_t i, session::Snapshot& shown) const {
  const session::Snapshot &moment = moments_[i], &described = moments_[described_[i]];
  const bool is_known = !shown.bodies.empty() && shown.revision == moment.revision;
  scene::Description description = is_known ? std::move(shown.description) : described.description;
  scene::BodyList bodies = is_known ? std::move(shown.bodies) : described.bodies;
  shown = moment;
  shown.description = std::move(description);
  shown.bodies = std::move(bodies);
}

std::size_t Reel::bytes() const {
  std::size_t sum = 0;
  for (const Part& part : parts) sum += part.footage->bytes();
  return sum;
}

Play played_back(std::shared_ptr<const Reel> reel) {
  return [reel = std::move(reel)](session::FieldKind) { return std::make_unique<PlayedBack>(reel); };
}

Play remembered(Play play, std::size_t most) {
  auto reel = std::make_shared<Reel>();
  auto too_much = std::make_shared<bool>(false);
  return [play = std::move(play), reel, most, too_much](session::FieldKind colors) -> std::unique_ptr<Cast> {
    if (*too_much) return play(colors);
    if (!reel->time_steps.empty()) return std::make_unique<PlayedBack>(reel);
    return std::make_unique<Remembering>(play(colors), reel, most, too_much);
  };
}

}  // namespace rebound::film
