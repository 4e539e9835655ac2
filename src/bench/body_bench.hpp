// The benchmarks of one body: the parts of an iteration, whole frames, and Newton's method.
#pragma once

#include <memory>

#include "bench/bodies.hpp"
#include "bench/interleave.hpp"
#include "bench/suite.hpp"
#include "session/session.hpp"

namespace rebound::bench {

/// PART/BODY.
std::string name_of(std::string_view part, std::string_view body);

class BodyBench {
 public:
  /// Makes the body. Throws InputError for settings that its scene refuses.
  BodyBench(const BodyInfo& body, const Settings& settings, const Listener& listener);

  /// Appends the rows of "local", "global", "frame", "assembly" or "newton". Throws std::runtime_error where a simulation fails.
  void run(const std::string& part);

  std::vector<Row> rows;

 private:
  void tell(const std::string& what, std::string_view name) const;
  Row row(const char* part, const std::string& integrator) const;
  /// A row a number of threads; iterations: of local/global in each of ours, or of the part of one that is measured.
  void report(const Row& common, const Interleaved& times, const std::vector<double>& iterations);

  std::unique_ptr<session::Session> session(const std::string& integrator, int threads) const;
  /// A swinging body in backward Euler's next step: where the parts of an iteration are measured.
  std::unique_ptr<session::Session> swinging() const;

  void local();
  void global();
  void frames(const std::string& integrator);
  /// What is known of an iteration of local/global, the same for every integrator.
  void add_iteration(const session::Session& at, Row& row);
  /// Goes through a trajectory, so that every factor is made, and takes gaps on the way. Ends at its start.
  std::optional<double> warm_up(const std::vector<std::unique_ptr<session::Session>>& sessions) const;

  struct NewtonStep;
  NewtonStep newton_step() const;
  Row newton_row(const char* part) const;
  void assembly();
  void newton();

  const Settings& settings_;
  const Listener& listener_;
  scene::World world_;
  Row base_;
  struct OfAnIteration {
    std::optional<IterationBytes> bytes;
    std::optional<IterationTimes> times;
  };
  std::optional<OfAnIteration> of_an_iteration_;  ///< empty: not looked for yet
};

/// One step of a session; throws std::runtime_error with its failure.
void advance(session::Session& session);
/// |x - reference| / |reference|.
double relative_error(const sim::Points& x, const sim::Points& reference);

}  // namespace rebound::bench
