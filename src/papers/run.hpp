// What a run leaves behind: a table, a row a moment, and what was found at its end.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rebound::session {
class Session;
}

namespace rebound::papers {

struct Column {
  std::string name, unit;
  std::vector<double> values;
};

struct Run {
  std::string name;
  std::vector<Column> columns;  ///< of one length; the first is what the others are plotted over
  std::map<std::string, double> facts;
  std::string ended;  ///< why it ended before its time; else empty
  std::string notes;  ///< what is to be known of its bodies

  /// Null if there is none of that name.
  const Column* find(std::string_view column) const {
    for (const Column& c : columns)
      if (c.name == column) return &c;
    return nullptr;
  }
  std::optional<double> fact(const std::string& key) const {
    const auto found = facts.find(key);
    return found == facts.end() ? std::nullopt : std::optional(found->second);
  }
};

/// A run under way, done in small pieces so that several can take turns and all can be ended.
class Experiment {
 public:
  virtual ~Experiment() = default;
  /// The next piece. False when there is none.
  virtual bool advance() = 0;
  /// Of all pieces, [0, 1].
  virtual double share() const = 0;
  /// What there is; once, at the end.
  virtual Run take() = 0;
  /// What it steps, a frame a piece; null where it is something else.
  virtual const session::Session* session() const { return nullptr; }
};

}  // namespace rebound::papers
