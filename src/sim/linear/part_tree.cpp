#include "sim/linear/part_tree.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/base/float_quads.hpp"

namespace rebound::sim {
namespace {

// Halos begin on lines of a cache of their own: threads do not take them from one another.
constexpr int kSlotsALine = 4;

Quad* quads_of(float* vector) { return reinterpret_cast<Quad*>(vector); }

}  // namespace

PartTree::PartTree(std::vector<Part> parts) : parts_(std::move(parts)), copies_(parts_.size()) {
  const auto next_line = [](int slot) { return (slot + kSlotsALine - 1) / kSlotsALine * kSlotsALine; };
  slots_ = next_line(vertices());
  std::vector<bool> is_leaf(parts_.size(), true);
  for (int p = 0; p < count(); ++p) {
    Part& part = parts_[static_cast<std::size_t>(p)];
    part.halo_slot = slots_;
    slots_ = next_line(slots_ + static_cast<int>(part.halo.size()));
    if (part.above >= 0) is_leaf[static_cast<std::size_t>(part.above)] = false;
    // A part's own vertices follow one another, so they do in every halo.
    for (int above = part.above; above >= 0; above = parts_[static_cast<std::size_t>(above)].above) {
      const Part& owner = parts_[static_cast<std::size_t>(above)];
      const auto first = std::lower_bound(part.halo.begin(), part.halo.end(), owner.begin);
      const auto last = std::lower_bound(first, part.halo.end(), owner.end);
      if (first == last) continue;
      copies_[static_cast<std::size_t>(above)].push_back(
          {p, static_cast<int>(first - part.halo.begin()), static_cast<int>(last - first)});
    }
  }
  std::vector<std::size_t> depth(parts_.size(), 0);
  for (int p = top_index() - 1; p >= 0; --p) {
    const auto at = static_cast<std::size_t>(p);
    depth[at] = depth[static_cast<std::size_t>(parts_[at].above)] + 1;
    if (is_leaf[at]) continue;
    if (between_.size() < depth[at]) between_.resize(depth[at]);
    between_[depth[at] - 1].push_back(p);
  }
  for (int p = 0; p < top_index(); ++p)
    if (is_leaf[static_cast<std::size_t>(p)]) leaves_.push_back(p);
}

int PartTree::owner(int vertex) const {
  return static_cast<int>(std::upper_bound(parts_.begin(), parts_.end(), vertex,
                                           [](int v, const Part& part) { return v < part.end; }) -
                          parts_.begin());
}

bool PartTree::sees(int part, int vertex) const {
  const Part& own = this->part(part);
  return (own.begin <= vertex && vertex < own.end) || std::binary_search(own.halo.begin(), own.halo.end(), vertex);
}

int PartTree::slot(int part, int vertex) const {
  assert(sees(part, vertex));
  const Part& own = this->part(part);
  if (vertex < own.end) return vertex;
  return own.halo_slot + static_cast<int>(std::lower_bound(own.halo.begin(), own.halo.end(), vertex) - own.halo.begin());
}

void PartTree::collect(int part, float* vector) const {
  for (const Copies& copies : copies_[static_cast<std::size_t>(part)]) {
    const Part& from = this->part(copies.part);
    const int* vertex = from.halo.data() + copies.first;
    const Quad* copy = quads_of(vector) + from.halo_slot + copies.first;
    for (int i = 0; i < copies.count; ++i) quads_of(vector)[vertex[i]] += copy[i];
  }
}

void PartTree::take(int part, float* vector) const {
  const Part& own = this->part(part);
  Quad* halo = quads_of(vector) + own.halo_slot;
  for (std::size_t i = 0; i < own.halo.size(); ++i) halo[i] = quads_of(vector)[own.halo[i]];
}

void PartTree::clear_halo(int part, float* vector) const {
  const Part& own = this->part(part);
  std::fill_n(quads_of(vector) + own.halo_slot, own.halo.size(), Quad{});
}

}  // namespace rebound::sim
