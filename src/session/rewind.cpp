#include "session/rewind.hpp"

#include <algorithm>

namespace rebound::session {
namespace {

std::size_t bytes_of(const sim::State& state) {
  return sizeof(double) * static_cast<std::size_t>(state.x.size() + state.v.size());
}

/// What a checkpoint does not share with the one before it, which may be null.
std::size_t own_bytes(const SavedEnsemble& saved, const SavedEnsemble* before) {
  std::size_t bytes = sizeof saved + (saved.undo.size() + saved.redo.size()) * sizeof(std::shared_ptr<const Edit>);
  const auto shared = [&](const std::shared_ptr<const sim::State>& state) {
    if (before == nullptr) return false;
    return std::any_of(before->panes.begin(), before->panes.end(),
                       [&](const auto& pane) { return pane.state->now == state || pane.state->before == state; });
  };
  for (const auto& [id, state] : saved.panes) {
    bytes += state->bytes;
    if (!shared(state->now)) bytes += bytes_of(*state->now);
    if (state->before && !shared(state->before)) bytes += bytes_of(*state->before);
  }
  return bytes;
}

}  // namespace

void Rewind::add(const Ensemble& ensemble) {
  last_ = ensemble.frame();
  if (!checkpoints_.empty() && last_ % spacing_ != 0) return;
  push(ensemble.save());
  while (bytes_ > limits_.bytes && checkpoints_.size() > 2) make_room();
}

void Rewind::push(SavedEnsemble saved) {
  const std::size_t bytes = own_bytes(saved, checkpoints_.empty() ? nullptr : &checkpoints_.back().saved);
  checkpoints_.push_back({std::move(saved), bytes});
  bytes_ += bytes;
}

void Rewind::give_way(std::int64_t keep) {
  if (checkpoints_.size() <= 2 || checkpoints_[1].saved.frame > keep) return;
  if (spacing_ < limits_.widest || has_frames_to_spare()) make_room();
}

// Whichever costs less: frames that are not remembered, or steps to come back to one. Takes no memory.
void Rewind::make_room() {
  if (spacing_ >= limits_.widest && has_frames_to_spare()) {
    bytes_ -= checkpoints_.front().bytes;
    checkpoints_.pop_front();
    return;
  }
  spacing_ *= 2;
  std::erase_if(checkpoints_, [first = first(), spacing = spacing_](const Checkpoint& checkpoint) {
    return checkpoint.saved.frame != first && checkpoint.saved.frame % spacing != 0;
  });
  bytes_ = 0;
  const SavedEnsemble* before = nullptr;
  for (Checkpoint& checkpoint : checkpoints_) {
    checkpoint.bytes = own_bytes(checkpoint.saved, before);
    bytes_ += checkpoint.bytes;
    before = &checkpoint.saved;
  }
}

bool Rewind::has_frames_to_spare() const { return last_ - checkpoints_[1].saved.frame >= limits_.frames; }

void Rewind::truncate(std::int64_t frame) {
  while (checkpoints_.size() > 1 && checkpoints_.back().saved.frame > frame) {
    bytes_ -= checkpoints_.back().bytes;
    checkpoints_.pop_back();
  }
  last_ = frame;
}

const SavedEnsemble* Rewind::at_or_before(std::int64_t frame) const {
  const auto after = std::upper_bound(
      checkpoints_.begin(), checkpoints_.end(), frame,
      [](std::int64_t wanted, const Checkpoint& checkpoint) { return wanted < checkpoint.saved.frame; });
  return after == checkpoints_.begin() ? nullptr : &std::prev(after)->saved;
}

}  // namespace rebound::session
