#include "app/history.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::app {

void History::append(const std::vector<session::RunRecord>& records) {
  for (const session::RunRecord& record : records) {
    const auto& [last_began, last] = *stretches_.rbegin();
    const std::int64_t known = last_began + (last.records.empty() ? 0 : last.records.back().frame);
    if (known >= record.run_frame) cut(record.run_frame - 1);
    stretches_[record.started()].records.push_back(record);
  }
  forget_the_oldest();
}

// A stretch that begins at that frame was begun there, which comes after it.
void History::cut(std::int64_t run_frame) {
  const auto first_after = stretches_.lower_bound(std::max<std::int64_t>(run_frame, 1));
  stretches_.erase(first_after, stretches_.end());
  if (stretches_.empty()) stretches_[0];
  auto& [began, last] = *stretches_.rbegin();
  cut(last, run_frame - began);
  if (!stretches_.contains(shown_)) shown_ = began;
}

void History::cut(Stretch& stretch, std::int64_t frame) {
  auto& [records, markers] = stretch;
  while (!records.empty() && records.back().frame > frame) records.pop_back();
  std::erase_if(markers,
                [end = records.empty() ? 0 : records.back().time](const Marker& marker) { return marker.time > end; });
}

void History::forget_the_oldest() {
  std::size_t kept = 0;
  for (const auto& [began, stretch] : stretches_) kept += stretch.records.size();
  for (auto it = stretches_.begin(); kept > kCapacity;) {
    auto& records = it->second.records;
    for (; kept > kCapacity && !records.empty(); --kept) records.pop_front();
    const bool goes = records.empty() && it->first != shown_;
    it = goes ? stretches_.erase(it) : std::next(it);
  }
}

void History::show(std::int64_t started) {
  shown_ = started;
  stretches_[started];
}

std::int64_t History::started_before(std::int64_t run_frame) const {
  const auto after = stretches_.lower_bound(std::max<std::int64_t>(run_frame, 1));
  return after == stretches_.begin() ? 0 : std::prev(after)->first;
}

void History::begin(const session::FrameRecord& record) {
  Stretch& stretch = stretches_.at(shown_);
  stretch.records.assign({record});
  cut(stretch, record.frame);
}

void History::renew(const session::FrameRecord& record) {
  auto& records = stretches_.at(shown_).records;
  if (!records.empty() && records.back().frame == record.frame) records.back() = record;
}

void History::mark(double time, std::string label) {
  auto& markers = stretches_.at(shown_).markers;
  // Several switches at one moment, while paused say, are one: the last is what runs.
  if (!markers.empty() && markers.back().time == time) markers.pop_back();
  markers.push_back({time, std::move(label)});
}

std::size_t History::first_at_or_after(double time) const {
  const auto& all = records();
  const auto found = std::lower_bound(all.begin(), all.end(), time,
                                      [](const session::FrameRecord& record, double t) { return record.time < t; });
  return static_cast<std::size_t>(found - all.begin());
}

const session::FrameRecord* History::nearest(double time) const {
  const auto& all = records();
  if (all.empty()) return nullptr;
  const std::size_t after = first_at_or_after(time);
  if (after == all.size()) return &all.back();
  if (after == 0) return &all.front();
  const auto& before = all[after - 1];
  return time - before.time < all[after].time - time ? &before : &all[after];
}

}  // namespace rebound::app
