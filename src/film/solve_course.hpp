// How the solves of one frame got there, as stills: where the frame begins, every iterate, and where the frame ends if
// that is somewhere else. What a film of iterates shows of one solver.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "render/chart.hpp"
#include "session/session.hpp"

namespace rebound::film {

class SolveCourse {
 public:
  struct Still {
    /// The iterate's, counted through all solves of the frame from 0; -1: where the frame begins; as many as there are
    /// iterates: where it ends.
    std::int64_t number = 0;
    const sim::Points* x = nullptr;  ///< n x 3, m
  };

  /// Steps a world up to this frame (from 1) and through it. At most `most` iterates have a still, an even sample of
  /// them. progress gets the share done, in [0, 1], between frames. Throws InputError as a session does.
  SolveCourse(scene::World world, std::int64_t frame, std::size_t most, int threads,
              const std::function<void(double)>& progress);

  /// At the end of the frame, or before what could not be done.
  const session::Session& session() const { return *session_; }
  /// Did it come through the frame? If not, session().failure() says why.
  bool arrived() const { return arrived_; }
  /// All of them, whether they have a still or not; none where nothing was solved.
  const std::vector<sim::SolveIterate>& iterates() const { return session_->solves(); }
  /// In their order, the first of number -1.
  const std::vector<Still>& stills() const { return stills_; }
  /// The one to be seen while others show theirs of this number: it stands still at its last one.
  std::size_t still_at(std::int64_t number) const;
  /// How many iterates apart stills are, the last one aside.
  std::size_t every() const;

  /// "Newton".
  std::string title() const;
  /// What is said of a still in one line.
  std::string said_of(const Still& still) const;

 private:
  std::unique_ptr<session::Session> session_;
  bool arrived_ = false;
  std::unique_ptr<const sim::Points> start_;  ///< n x 3, m
  std::vector<Still> stills_;
};

/// The numbers at which any of them has a still, ascending.
std::vector<std::int64_t> numbers_of(const std::vector<SolveCourse>& courses);

/// How many pictures of a film each of so many stills is held: the first ones long, so that one sees what is going on,
/// later ones shorter, as a solve of hundreds of iterates is to be seen to its end; the last one long again.
std::vector<int> pictures_held(std::size_t stills, double pictures_a_second);

/// |dE| of a course's iterates, N, by the number of the iterate; a gap between solves.
render::Curve gradients_of(const SolveCourse& course);
/// E above where the iterate's solve ends, J; what is lost in rounding is a gap.
render::Curve heights_of(const SolveCourse& course);

}  // namespace rebound::film
