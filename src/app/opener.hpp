// Opening a scene while the one before lives on.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/disposal.hpp"
#include "app/stage.hpp"
#include "session/loader.hpp"

namespace rebound::app {

class Opener {
 public:
  explicit Opener(Disposal& disposal);

  /// Starts; what was being opened before is given up.
  void open(Source source, int threads);
  void cancel();

  bool busy() const { return loader_ != nullptr; }
  const std::string& name() const { return source_.name; }
  /// Meaningful while busy.
  session::Loader::Status status() const { return loader_->status(); }

  struct Result {
    std::unique_ptr<session::Session> session;  ///< null if it failed
    std::string error;                          ///< one line, then
    Source source;
  };
  /// Once, when opening has ended of itself.
  std::optional<Result> poll();

 private:
  Disposal& disposal_;
  std::shared_ptr<sim::FactorCache> cache_;  ///< outlives a loader that is being given up
  Source source_;
  std::unique_ptr<session::Loader> loader_;
};

}  // namespace rebound::app
