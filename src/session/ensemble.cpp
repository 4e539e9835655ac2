#include "session/ensemble.hpp"

#include <algorithm>

#include "mesh/error.hpp"

namespace rebound::session {
namespace {

bool one_gesture(const Edit& newer, const Edit& older) {
  if (newer.done.size() != older.done.size()) return false;
  for (std::size_t i = 0; i < newer.done.size(); ++i)
    if (newer.done[i].pane != older.done[i].pane || !replaces(newer.done[i].command, older.done[i].command))
      return false;
  return true;
}

}  // namespace

Ensemble::Ensemble(std::unique_ptr<Session> first) : lockstep_(first->threads()) {
  panes_.push_back({0, std::move(first)});
}

Session* Ensemble::session(int id) {
  for (Pane& pane : panes_)
    if (pane.id == id) return pane.session.get();
  return nullptr;
}

const Session* Ensemble::find(int id) const {
  for (const Pane& pane : panes_)
    if (pane.id == id) return pane.session.get();
  return nullptr;
}

// ---- what is done to it ----

void Ensemble::apply(const Event& event) {
  PreparedEvent prepared = prepare(event);
  do_event(event, prepared);
}

void Ensemble::apply(const Event& event, PreparedEvent& prepared) {
  if (prepared.edits != edits_) return apply(event);
  do_event(event, prepared);
}

PreparedEvent Ensemble::prepare(const Event& event) const {
  PreparedEvent prepared = begin(event);
  while (prepared.made.size() < prepared.parts.size()) {
    auto made = preparation(prepared);
    if (made) panes_.front().session->run(*made);
    prepared.made.push_back(std::move(made));
  }
  return prepared;
}

PreparedEvent Ensemble::begin(const Event& event) const {
  PreparedEvent prepared{parts(event), {}, nullptr, edits_};
  if (const auto* add = std::get_if<AddPane>(&event)) prepared.newcomer = newcomer(*add);
  return prepared;
}

std::unique_ptr<Preparation> Ensemble::preparation(const PreparedEvent& prepared) const {
  const Addressed& part = prepared.parts[prepared.made.size()];
  const Session& s = prepared.newcomer ? *prepared.newcomer : *find(part.pane);
  return s.preparation(part.command);
}

std::vector<Addressed> Ensemble::parts(const Event& event) const {
  if (std::holds_alternative<Undo>(event) || std::holds_alternative<Redo>(event)) {
    const bool back = std::holds_alternative<Undo>(event);
    const auto& stack = back ? undo_ : redo_;
    if (stack.empty()) throw InputError(back ? "there is nothing to undo" : "there is nothing to redo");
    std::vector<Addressed> result;
    for (const Addressed& part : stack.back()->inverse)
      if (find(part.pane) != nullptr) result.push_back(part);
    return result;
  }
  if (const auto* add = std::get_if<AddPane>(&event)) return {{add->from, SetIntegrator{add->integrator}}};
  const auto* addressed = std::get_if<Addressed>(&event);
  if (addressed == nullptr) return {};
  std::vector<Addressed> result;
  const bool all = addressed->pane == kAllPanes || is_for_all(addressed->command);
  if (!all && find(addressed->pane) == nullptr) throw InputError("there is no pane " + std::to_string(addressed->pane));
  for (const Pane& pane : panes_)
    if (all || pane.id == addressed->pane) result.push_back({pane.id, addressed->command});
  return result;
}

void Ensemble::do_event(const Event& event, PreparedEvent& prepared) {
  if (const auto* comes = std::get_if<AddPane>(&event)) {
    add(*comes, prepared);
  } else if (const auto* goes = std::get_if<RemovePane>(&event)) {
    remove(*goes);
  } else {
    do_parts(event, prepared);
  }
  if (!moves_the_hand(event)) ++edits_;
}

void Ensemble::do_parts(const Event& event, PreparedEvent& prepared) {
  Edit edit{{}, std::move(prepared.parts), frame_};
  for (std::size_t i = 0; i < edit.done.size(); ++i) {
    const int id = edit.done[i].pane;
    const Command& command = edit.done[i].command;
    Session& s = *session(id);
    const auto inverse = s.inverse(command);
    // What is refused here is refused by the first pane: it is a matter of ranges, which are everybody's.
    s.apply(command, prepared.made[i].get());
    if (inverse) edit.inverse.push_back({id, *inverse});
  }
  remember(event, std::move(edit));
}

void Ensemble::remember(const Event& event, Edit edit) {
  const bool undoes = std::holds_alternative<Undo>(event), redoes = std::holds_alternative<Redo>(event);
  if (undoes) undo_.pop_back();
  if (redoes) redo_.pop_back();
  if (edit.inverse.empty()) return;
  if (!undoes && !redoes) {
    redo_.clear();
    const auto* addressed = std::get_if<Addressed>(&event);
    const bool goes_on = addressed != nullptr && addressed->goes_on;
    if (!undo_.empty() && (goes_on || edit.frame - undo_.back()->frame <= kOneGesture) &&
        one_gesture(edit, *undo_.back()))
      edit.inverse = undo_.back()->inverse, undo_.pop_back();
  }
  auto& stack = undoes ? redo_ : undo_;
  stack.push_back(std::make_shared<const Edit>(std::move(edit)));
  if (stack.size() > kMostEdits) stack.erase(stack.begin());
}

std::unique_ptr<Session> Ensemble::newcomer(const AddPane& add) const {
  const Session* from = find(add.from);
  if (from == nullptr) throw InputError("there is no pane " + std::to_string(add.from));
  if (panes_.size() == kMostPanes) throw InputError("there are six panes already; close one first");
  return from->twin();
}

void Ensemble::add(const AddPane& add, PreparedEvent& prepared) {
  // The others may have gone on since it was made.
  prepared.newcomer->restore(find(add.from)->save());
  prepared.newcomer->apply(prepared.parts[0].command, prepared.made[0].get());
  panes_.push_back({next_id_++, std::move(prepared.newcomer)});
}

void Ensemble::remove(const RemovePane& remove) {
  if (find(remove.pane) == nullptr) throw InputError("there is no pane " + std::to_string(remove.pane));
  if (panes_.size() == 1) throw InputError("the last pane stays");
  std::erase_if(panes_, [&](const Pane& pane) { return pane.id == remove.pane; });
}

bool Ensemble::step() {
  if (stands_still()) return false;
  std::vector<Session*> sessions;
  for (const Pane& pane : panes_) sessions.push_back(pane.session.get());
  const bool stepped = lockstep_.step(sessions);
  // A frame in which the last of them failed is one as well: that they tried leaves its mark.
  ++frame_;
  return stepped;
}

bool Ensemble::stands_still() const {
  return std::none_of(panes_.begin(), panes_.end(), [](const Pane& pane) { return pane.session->failure().empty(); });
}

SavedEnsemble Ensemble::save() const {
  SavedEnsemble saved{frame_, next_id_, {}, undo_, redo_};
  for (const Pane& pane : panes_)
    saved.panes.push_back({pane.id, std::make_shared<const SavedState>(pane.session->save())});
  return saved;
}

// Sessions are handed round before any is restored: whatever happens, each pane has one.
void Ensemble::restore(const SavedEnsemble& saved) {
  ++edits_;
  std::vector<Pane> panes;
  panes.reserve(saved.panes.size());
  spare_.reserve(spare_.size() + panes_.size());
  for (const auto& wanted : saved.panes) {
    const auto same =
        std::find_if(panes_.begin(), panes_.end(), [&](const Pane& pane) { return pane.id == wanted.id; });
    panes.push_back({wanted.id, same != panes_.end() ? std::move(same->session) : nullptr});
  }
  for (Pane& pane : panes_)
    if (pane.session) spare_.push_back(std::move(pane.session));
  for (Pane& pane : panes) {
    if (pane.session || spare_.empty()) continue;
    pane.session = std::move(spare_.back());
    spare_.pop_back();
  }
  if (spare_.size() > kMostPanes) spare_.resize(kMostPanes);
  std::erase_if(panes, [](const Pane& pane) { return !pane.session; });
  panes_ = std::move(panes);

  const auto state_of = [&](int id) -> const SavedState& {
    return *std::find_if(saved.panes.begin(), saved.panes.end(), [&](const auto& pane) {
              return pane.id == id;
            })->state;
  };
  for (Pane& pane : panes_) pane.session->restore(state_of(pane.id));
  for (std::size_t i = 0; i < saved.panes.size(); ++i) {
    if (i < panes_.size() && panes_[i].id == saved.panes[i].id) continue;
    Pane pane{saved.panes[i].id, panes_.front().session->twin()};
    pane.session->restore(*saved.panes[i].state);
    panes_.insert(panes_.begin() + static_cast<std::ptrdiff_t>(i), std::move(pane));
  }
  frame_ = saved.frame;
  next_id_ = saved.next_id;
  undo_ = saved.undo;
  redo_ = saved.redo;
}

}  // namespace rebound::session
