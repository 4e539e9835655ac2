// What was posted, applied on the runner's thread: in its order, prepared where it takes long, refused where it must
// be.
#include "mesh/error.hpp"
#include "session/runner.hpp"

namespace rebound::session {

// Whether anything was done that should be seen.
bool Runner::apply_posted() {
  {
    const std::lock_guard lock(mutex_);
    inbox_.swap(posted_);
  }
  bool changed = apply_waiting();
  for (Request& request : inbox_) {
    take(request);
    changed = true;
  }
  inbox_.clear();
  return changed;
}

void Runner::take(Request& request) {
  try {
    if (moves_the_hand(request)) {
      timeline_.apply(std::get<Event>(request));
    } else {
      queue(request);
      apply_waiting();
    }
  } catch (const InputError& refusal) {
    refuse(refusal.what());
  } catch (const std::bad_alloc& e) {
    stop(e, subject(request).words);
    if (auto* save = std::get_if<SaveRun>(&request)) save->answer.give("out of memory");
  }
}

// Behind those that wait, and in the place of one that it makes pointless: a slider that is dragged must not pile up
// work. Only requests of its own kind may lie between, such as the materials of other bodies: others might be refused,
// or mean something else, if they came before.
void Runner::queue(Request& request) {
  const std::size_t first = preparer_.busy() ? 1 : 0;
  for (std::size_t i = waiting_.size(); i > first && same_kind(waiting_[i - 1], request); --i)
    if (replaces(request, waiting_[i - 1])) {
      put_in_place_of(waiting_[i - 1], std::move(request));
      return;
    }
  waiting_.push_back(std::move(request));
}

bool Runner::apply_waiting() {
  bool changed = false;
  while (!waiting_.empty()) {
    try {
      if (!apply_next()) break;
    } catch (const InputError& refusal) {
      refuse(refusal.what());
    } catch (const std::bad_alloc& e) {
      stop(e, subject(waiting_.front()).words);
    }
    discard_prepared();
    waiting_.pop_front();
    changed = true;
  }
  return changed;
}

// False if it has to wait. Throws if it is refused, or memory runs out.
bool Runner::apply_next() {
  Request& request = waiting_.front();
  if (auto* save = std::get_if<SaveRun>(&request)) {
    this->save(*save);
  } else if (const auto* go_to = std::get_if<GoTo>(&request)) {
    timeline_.go_to(go_to->frame);
    pace_.forget();
  } else {
    const Event& event = std::get<Event>(request);
    if (timeline_.ensemble().first().model().vertices() < slow_vertices_) {
      timeline_.apply(event);
    } else {
      if (!prepare(event)) return false;
      // The same events before the same frames make the same run to the last byte: that something was prepared
      // elsewhere, and for how long, leaves no trace in it.
      timeline_.apply(event, prepared_event_);
    }
  }
  return true;
}

// One part after the other; true once all are prepared.
bool Runner::prepare(const Event& event) {
  if (preparer_.busy()) {
    auto made = preparer_.take();
    if (!made) return false;
    prepared_event_.made.push_back(std::move(made));
    timeline_.come_back();
  } else {
    timeline_.come_back();
    prepared_event_ = timeline_.ensemble().begin(event);
  }
  while (prepared_event_.made.size() < prepared_event_.parts.size()) {
    auto made = timeline_.ensemble().preparation(prepared_event_);
    if (made) {
      timeline_.stop_following();
      preparer_.start(std::move(made));
      return false;
    }
    prepared_event_.made.push_back(nullptr);
  }
  return true;
}

void Runner::discard_prepared() {
  for (auto& made : prepared_event_.made) preparer_.discard(std::move(made));
  prepared_event_ = {};
}

void Runner::save(SaveRun& request) {
  try {
    timeline_.journal().write(request.file);
    request.answer.give("");
  } catch (const InputError& e) {
    request.answer.give(e.what());
  } catch (const std::bad_alloc&) {
    request.answer.give("out of memory: the run is too long to be written beside what there is; close other programs");
  }
}

}  // namespace rebound::session
