#include "session/field_show.hpp"

#include <algorithm>

#include "session/snapshot.hpp"

namespace rebound::session {
namespace {

// Smaller strains are what rounding makes of a body at rest.
constexpr double kNoStrain = 1e-6;
// What a law calls infinite; between two such numbers colours can still be found.
constexpr double kMostField = 1e30;
constexpr double kShareBelowTop = 0.98;

double chosen_field(const sim::ElementField& of, FieldKind kind) {
  const double value = kind == FieldKind::stress ? of.stress : kind == FieldKind::strain ? of.strain : of.energy;
  if (of.strain < kNoStrain && !std::isnan(value)) return 0;
  return std::min(value, kMostField);
}

}  // namespace

bool SeenField::has_any() const {
  return std::any_of(bodies.begin(), bodies.end(), [](const auto& body) { return !body.empty(); });
}

void FieldWatch::look(const Session& session, FieldKind kind, SeenField& seen) {
  const sim::Model& model = session.model();
  if (!work_ || work_->workers.threads() != session.threads())
    work_ = std::make_unique<sim::Workspace>(session.threads());
  model.element_fields(session.state().x, elements_, *work_);
  average(model, kind);
  seen.kind = kind;
  seen.bodies.resize(session.world().bodies.size());
  for (std::size_t b = 0; b < seen.bodies.size(); ++b) {
    const auto [first, count] = model.bodies[b];
    const mesh::Embedding& hung = session.world().bodies[b].embedding;
    std::vector<float>& points = seen.bodies[b];
    points.clear();
    const auto its = volume_.begin() + first;
    if (std::none_of(its, its + count, [](double volume) { return volume > 0; })) continue;
    points.assign(hung.vertices.size(), 0);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (int j = 0; j < 4; ++j)
        points[i] +=
            static_cast<float>(hung.weights[i][j]) * value_[static_cast<std::size_t>(first + hung.vertices[i][j])];
  }
  seen.top = value_below_which(kShareBelowTop);
}

void FieldWatch::average(const sim::Model& model, FieldKind kind) {
  const auto vertices = static_cast<std::size_t>(model.vertices());
  std::vector<double> sum(vertices, 0.0);
  volume_.assign(vertices, 0.0);
  for (const sim::ElementField& element : elements_) {
    const double value = chosen_field(element, kind);
    if (std::isnan(value)) continue;
    for (int k = 0; k < element.corners; ++k) {
      const auto v = static_cast<std::size_t>(element.vertices[k]);
      sum[v] += element.volume * value;
      volume_[v] += element.volume;
    }
  }
  value_.resize(vertices);
  for (std::size_t v = 0; v < vertices; ++v) value_[v] = volume_[v] > 0 ? static_cast<float>(sum[v] / volume_[v]) : 0;
}

double FieldWatch::value_below_which(double share) {
  sorted_.clear();
  double all = 0;
  for (std::size_t v = 0; v < value_.size(); ++v) {
    if (volume_[v] <= 0 || value_[v] >= kMostField) continue;
    sorted_.emplace_back(value_[v], volume_[v]);
    all += volume_[v];
  }
  std::sort(sorted_.begin(), sorted_.end());
  double below = 0;
  for (const auto& [value, volume] : sorted_)
    if ((below += volume) >= share * all) return value;
  return 0;
}

void FieldShow::add_to(const Timeline& timeline, FieldKind kind, Moment& moment) {
  for (Snapshot& snapshot : moment.panes) {
    if (kind == FieldKind::none) {
      snapshot.field = {};
    } else {
      watch_.look(*timeline.ensemble().find(snapshot.pane), kind, snapshot.field);
    }
  }
}

}  // namespace rebound::session
