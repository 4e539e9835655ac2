#include "app/history.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::app {

void History::append(const std::vector<session::FrameRecord>& records) {
  for (const auto& record : records) {
    if (!records_.empty() && records_.back().frame >= record.frame) cut(record.frame - 1);
    records_.push_back(record);
    if (records_.size() > kCapacity) records_.pop_front();
  }
}

void History::cut(std::int64_t frame) {
  while (!records_.empty() && records_.back().frame > frame) records_.pop_back();
  std::erase_if(markers_, [end = last_time()](const Marker& marker) { return marker.time > end; });
}

void History::mark(double time, std::string label) {
  // Several switches at one moment, while paused say, are one: the last is what runs.
  if (!markers_.empty() && markers_.back().time == time) markers_.pop_back();
  markers_.push_back({time, std::move(label)});
}

void History::clear() {
  records_.clear();
  markers_.clear();
}

std::size_t History::first_at_or_after(double time) const {
  const auto found = std::lower_bound(records_.begin(), records_.end(), time,
                                      [](const session::FrameRecord& record, double t) { return record.time < t; });
  return static_cast<std::size_t>(found - records_.begin());
}

const session::FrameRecord* History::nearest(double time) const {
  if (records_.empty()) return nullptr;
  const std::size_t after = first_at_or_after(time);
  if (after == records_.size()) return &records_.back();
  if (after == 0) return &records_.front();
  const auto& before = records_[after - 1];
  return time - before.time < records_[after].time - time ? &before : &records_[after];
}

}  // namespace rebound::app
