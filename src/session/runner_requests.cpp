// What can be asked of a runner, and which requests make which others pointless.
#include "session/runner.hpp"

namespace rebound::session {

void Runner::post(Command command, bool goes_on) { post_to(kAllPanes, std::move(command), goes_on); }
void Runner::post_to(int pane, Command command, bool goes_on) {
  post(Event(Addressed{pane, std::move(command), goes_on}));
}
void Runner::add_pane(int from, std::string integrator) { post(Event(AddPane{from, std::move(integrator)})); }
void Runner::remove_pane(int pane) { post(Event(RemovePane{pane})); }
void Runner::undo() { post(Event(Undo{})); }
void Runner::redo() { post(Event(Redo{})); }

void Runner::go_to(std::int64_t frame) {
  set_paused(true);
  post(GoTo{frame});
}

std::future<std::string> Runner::save_run(std::filesystem::path file) {
  SaveRun save{std::move(file), {}};
  std::future<std::string> done = save.answer.future();
  post(std::move(save));
  return done;
}

void Runner::post(Request request) {
  {
    const std::lock_guard lock(mutex_);
    if (!posted_.empty() && replaces(request, posted_.back())) {
      put_in_place_of(posted_.back(), std::move(request));
    } else {
      posted_.push_back(std::move(request));
    }
  }
  wake_.notify_one();
}

bool Runner::replaces(const Request& newer, const Request& older) {
  if (!same_kind(newer, older)) return false;
  if (std::holds_alternative<GoTo>(newer)) return true;
  const auto* new_event = std::get_if<Event>(&newer);
  const auto* a = new_event != nullptr ? std::get_if<Addressed>(new_event) : nullptr;
  if (a == nullptr) return false;
  const auto& b = std::get<Addressed>(std::get<Event>(older));
  return a->pane == b.pane && session::replaces(a->command, b.command);
}

// What the older one went on with, or began, the newer one does.
void Runner::put_in_place_of(Request& older, Request newer) {
  const auto addressed = [](Request& request) {
    auto* event = std::get_if<Event>(&request);
    return event != nullptr ? std::get_if<Addressed>(event) : nullptr;
  };
  if (auto* a = addressed(newer)) a->goes_on = addressed(older)->goes_on;
  older = std::move(newer);
}

bool Runner::same_kind(const Request& a, const Request& b) {
  if (a.index() != b.index()) return false;
  const auto* event = std::get_if<Event>(&a);
  if (event == nullptr) return true;
  const Event& other = std::get<Event>(b);
  if (event->index() != other.index()) return false;
  const auto* addressed = std::get_if<Addressed>(event);
  return addressed == nullptr || addressed->command.index() == std::get<Addressed>(other).command.index();
}

bool Runner::moves_the_hand(const Request& request) {
  const auto* event = std::get_if<Event>(&request);
  return event != nullptr && session::moves_the_hand(*event);
}

Subject Runner::subject(const Request& request) {
  if (std::holds_alternative<GoTo>(request)) return {"rewind"};
  const auto* event = std::get_if<Event>(&request);
  return event != nullptr ? session::subject(*event) : Subject{"saving"};
}

}  // namespace rebound::session
