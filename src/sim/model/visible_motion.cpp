#include "sim/model/visible_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace rebound::sim {
namespace {

constexpr double kPicture = 1.0 / 30;  // s
constexpr double kMemory = 1;          // s
constexpr std::size_t kMostVertices = 500;

// The ideal filter, sin(pi k / 2) / (pi k), under Hamming's window, k pictures from the middle.
template <int reach>
std::array<float, 2 * reach + 1> half_band() {
  std::array<float, 2 * reach + 1> filter{};
  double sum = 0;
  for (int k = -reach; k <= reach; ++k) {
    const double ideal = k == 0 ? 0.5 : std::sin(std::numbers::pi * k / 2) / (std::numbers::pi * k);
    const double window = 0.54 + 0.46 * std::cos(std::numbers::pi * k / (reach + 1));
    filter[static_cast<std::size_t>(k + reach)] = static_cast<float>(ideal * window);
    sum += ideal * window;
  }
  for (float& weight : filter) weight /= static_cast<float>(sum);
  return filter;
}

}  // namespace

void VisibleMotion::forget() {
  count_ = 0;
  frames_ = 0;
  seen_.reset();
}

void VisibleMotion::choose(const Model& model) {
  vertices_.clear();
  double mass = 0;
  for (int i = 0; i < model.vertices(); ++i)
    if (!model.fixed[static_cast<std::size_t>(i)]) {
      vertices_.push_back(i);
      mass += model.M[i];
    }
  if (vertices_.size() > kMostVertices) {
    for (std::size_t i = 0; i < kMostVertices; ++i) vertices_[i] = vertices_[i * vertices_.size() / kMostVertices];
    vertices_.resize(kMostVertices);
  }
  double chosen = 0;
  for (const int i : vertices_) chosen += model.M[i];
  weights_.clear();
  for (const int i : vertices_) weights_.push_back(static_cast<float>(std::sqrt(model.M[i] * mass / chosen)));
  pictures_.assign(kPictures * 3 * vertices_.size(), 0);
}

void VisibleMotion::add(const Model& model, const Points& v, double seconds) {
  const auto frames_a_picture = std::max(1LL, std::llround(kPicture / seconds));
  if (frames_++ % frames_a_picture != 0) return;
  if (count_ == 0) choose(model);
  float* picture = pictures_.data() + static_cast<std::size_t>(count_ % kPictures) * 3 * vertices_.size();
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    for (int c = 0; c < 3; ++c) *picture++ = weights_[i] * static_cast<float>(v(vertices_[i], c));
  ++count_;
  if (count_ >= kPictures) part(static_cast<double>(frames_a_picture) * seconds);
}

void VisibleMotion::part(double seconds) {
  static const auto filter = half_band<kReach>();
  const std::size_t row = 3 * vertices_.size();
  const auto at = [&](int k) { return pictures_.data() + static_cast<std::size_t>((count_ + k) % kPictures) * row; };
  double slow = 0, all = 0;
  const float* middle = at(kReach);  // the oldest is at(0)
  for (std::size_t i = 0; i < row; ++i) {
    float low = 0;
    for (int k = 0; k < kPictures; ++k) low += filter[static_cast<std::size_t>(k)] * at(k)[i];
    slow += static_cast<double>(low) * low;
    all += static_cast<double>(middle[i]) * middle[i];
  }
  // In the mean over time what the filter leaves out is the rest, though not at each moment.
  SeenMotion now{0.5 * slow, 0.5 * (all - slow), 0};
  if (seen_) {
    const double share = std::min(1.0, seconds / kMemory);
    now.kinetic = seen_->kinetic + share * (now.kinetic - seen_->kinetic);
    now.shivering = seen_->shivering + share * (now.shivering - seen_->shivering);
  }
  // While a motion grows or fades the two do not quite add up.
  now.shivering = std::max(0.0, now.shivering);
  const double both = now.kinetic + now.shivering;
  now.shiver = both > 0 ? now.shivering / both : 0;
  seen_ = now;
}

}  // namespace rebound::sim
