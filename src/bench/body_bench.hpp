// The benchmarks of one body: the parts of an iteration, whole frames, rubber, and Newton's method.
#pragma once

#include <memory>

#include "bench/bodies.hpp"
#include "bench/interleave.hpp"
#include "bench/suite.hpp"
#include "session/session.hpp"

namespace rebound::bench {

/// PART/BODY.
std::string name_of(std::string_view part, std::string_view body);

/// Frames after which a body starts anew: midpoint alone does not live for ever.
inline constexpr int kTrajectory = 3 * kInARow;
/// Frames of a trajectory whose gap is taken.
inline constexpr int kSampledFrames[] = {4, 14, 24};

/// What Newton's method and the fast solver are measured with.
inline constexpr const char* kRubber = "stable-neo-hookean";
inline constexpr double kRubberPoisson = 0.4;

class BodyBench {
 public:
  /// Makes the body. Throws InputError for settings that its scene refuses.
  BodyBench(const BodyInfo& body, const Settings& settings, const Listener& listener);

  /// Appends the rows of "local", "global", "cores", "frame", "rubber", "assembly" or "newton". Throws
  /// std::runtime_error where a simulation fails.
  void run(const std::string& part);

  std::vector<Row> rows;

 private:
  void tell(const std::string& what, std::string_view name) const;
  Row row(const char* part, const std::string& integrator) const;
  /// A row a number of threads; iterations: of local/global in each of ours, or of the part of one that is measured.
  void report(const Row& common, const Interleaved& times, const std::vector<double>& iterations);
  /// One row.
  void report(Row row, int threads, const Times& ours, const Times& reference, double iterations = 1);

  std::unique_ptr<session::Session> session(const std::string& integrator, int threads) const;
  /// A swinging body in backward Euler's next step: where the parts of an iteration are measured.
  std::unique_ptr<session::Session> swinging() const;

  void local();
  void global();
  void cores();
  void frames(const std::string& integrator);
  /// Of local/global; vectors that both halves read are counted in each. The same for every integrator.
  std::optional<double> bytes_of_an_iteration(const session::Session& at);
  /// Goes through a trajectory, so that every factor is made, and takes gaps on the way. Ends at its start.
  std::optional<double> warm_up(const std::vector<std::unique_ptr<session::Session>>& sessions) const;

  void rubber();

  struct NewtonStep;
  NewtonStep newton_step() const;
  Row newton_row(const char* part) const;
  void assembly();
  void newton();

  const Settings& settings_;
  const Listener& listener_;
  scene::World world_;
  Row base_;
  std::optional<std::optional<double>> bytes_of_an_iteration_;  ///< empty: not looked for yet
};

/// One step of a session; throws std::runtime_error with its failure.
void advance(session::Session& session);
/// The same, from the start again after a trajectory. Returns what it took, ms.
double next_frame(session::Session& session);
/// |x - reference| / |reference|.
double relative_error(const sim::Points& x, const sim::Points& reference);

}  // namespace rebound::bench
