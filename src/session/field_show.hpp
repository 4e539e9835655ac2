// Stress, strain or energy of the bodies while somebody looks at them: a number for each surface point, to colour it
// by. For the runner: what an onlooker has asked for, and the moments that he gets.
#pragma once

#include <memory>
#include <vector>

#include "session/session.hpp"

namespace rebound::session {

enum class FieldKind { none, stress, strain, energy };
inline constexpr int kFieldKinds = 4;

/// A field of the elements (sim/energy/element_field.hpp), averaged over those at each vertex by volume.
struct SeenField {
  FieldKind kind = FieldKind::none;
  /// A body: a number a surface point; Pa, - or J/m^3. Empty where its elements have none: springs have strain alone.
  std::vector<std::vector<float>> bodies;
  double top = 0;  ///< 98 % of all bodies' volume are below

  bool has_any() const;
};

class FieldWatch {
 public:
  /// The field of the session now.
  void look(const Session& session, FieldKind kind, SeenField& seen);

 private:
  void average(const sim::Model& model, FieldKind kind);
  double value_below_which(double share);

  std::unique_ptr<sim::Workspace> work_;
  std::vector<sim::ElementField> elements_;
  std::vector<float> value_;    ///< of each vertex
  std::vector<double> volume_;  ///< of the elements round it that have a value
  std::vector<std::pair<float, double>> sorted_;
};

struct Moment;
class Timeline;

class FieldShow {
 public:
  /// Writes the field into the panes of a moment, or takes it out.
  void add_to(const Timeline& timeline, FieldKind kind, Moment& moment);

 private:
  FieldWatch watch_;
};

}  // namespace rebound::session
