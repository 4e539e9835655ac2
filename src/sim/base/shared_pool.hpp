// Objects that others may hold for long, such as states to go back to. One that nobody holds any more is used again, so
// that a step allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

namespace rebound::sim {

template <class T, std::size_t kCount>
class SharedPool {
 public:
  /// One that nobody else holds, as it was left or as make() made it: all are made by the first call.
  template <class Make>
  const std::shared_ptr<T>& free(const Make& make) {
    for (std::shared_ptr<T>& object : objects_)
      if (!object) object = std::make_shared<T>(make());
    for (const std::shared_ptr<T>& object : objects_)
      if (object.use_count() == 1) return object;
    oldest_ = (oldest_ + 1) % kCount;
    return objects_[oldest_] = std::make_shared<T>(make());
  }

 private:
  std::array<std::shared_ptr<T>, kCount> objects_;
  std::size_t oldest_ = 0;
};

}  // namespace rebound::sim
