// The geometries of a world's bodies, each shared: lists that differ in one body have the others in common.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

namespace rebound::scene {

struct BodyGeometry;

/// To be read as a vector of geometries.
class BodyList {
 public:
  BodyList() = default;
  /// Takes them over.
  explicit BodyList(std::vector<BodyGeometry>&& bodies);
  /// They must outlive it.
  BodyList(const std::vector<BodyGeometry>& bodies);  // NOLINT(google-explicit-constructor): a view

  std::size_t size() const { return bodies_.size(); }
  bool empty() const { return bodies_.empty(); }
  const BodyGeometry& operator[](std::size_t body) const { return *bodies_[body]; }
  const std::shared_ptr<const BodyGeometry>& shared(std::size_t body) const { return bodies_[body]; }
  void replace(std::size_t body, std::shared_ptr<const BodyGeometry> by) { bodies_[body] = std::move(by); }
  /// The same geometries, not only equal ones?
  bool operator==(const BodyList&) const = default;

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = BodyGeometry;
    using difference_type = std::ptrdiff_t;
    using pointer = const BodyGeometry*;
    using reference = const BodyGeometry&;
    Iterator() = default;
    explicit Iterator(const std::shared_ptr<const BodyGeometry>* at) : at_(at) {}
    reference operator*() const { return **at_; }
    pointer operator->() const { return at_->get(); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    bool operator==(const Iterator&) const = default;

   private:
    const std::shared_ptr<const BodyGeometry>* at_ = nullptr;
  };
  Iterator begin() const { return Iterator(bodies_.data()); }
  Iterator end() const { return Iterator(bodies_.data() + bodies_.size()); }

 private:
  std::vector<std::shared_ptr<const BodyGeometry>> bodies_;
};

}  // namespace rebound::scene
