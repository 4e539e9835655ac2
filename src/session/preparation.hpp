// What some commands need that takes long to make: a model of another material, factors for other pins or another time
// step. It is made from copies, and from geometry that never changes, so that the session may go on meanwhile.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "scene/build.hpp"
#include "sim/registry.hpp"
#include "sim/step/minimizer.hpp"

namespace rebound::session {

class Session;

/// What lies or hangs still, and its energy.
struct Rest {
  scene::Description description;
  std::vector<std::uint8_t> fixed;
  double energy = 0;  ///< J

  /// Is this the rest of that world as well?
  bool is_of(const scene::Description& other, const std::vector<std::uint8_t>& other_fixed) const;
};

class Preparation {
 public:
  // What takes long of what a command needs; null if nothing does.
  static std::unique_ptr<Preparation> of_pins(const Session& session, std::vector<std::uint8_t> fixed);
  /// For steps of h seconds.
  static std::unique_ptr<Preparation> of_factors(const Session& session, std::string_view integrator, double h);
  /// To read what the obstacle is made of, if it is made of a mesh that is not there yet.
  static std::unique_ptr<Preparation> of_surface(const Session& session, const scene::Obstacle& obstacle);
  /// The energy at rest of what is there; null where the session knows it.
  static std::unique_ptr<Preparation> of_rest(const Session& session);
  /// What bodies that are to meet need to know of one another.
  static std::unique_ptr<Preparation> of_meeting(const Session& session);
  /// Another solver, of the same elements or of others; its name and its materials are those of the description. Never
  /// null. Throws InputError if there is no such solver.
  static std::unique_ptr<Preparation> of_solver(const Session& session, scene::Description description);
  static std::unique_ptr<Preparation> of_elements(const Session& session, scene::Description description);
  /// All that a session begins with; cache: where its factors may be found, may be null.
  static std::unique_ptr<Preparation> of_world(const scene::SharedWorld& world, sim::FactorCache* cache);

  /// On any thread, once. Throws InputError if the command has to be refused. Ends early, with nothing of use, once
  /// *cancel is true; it may be null.
  void run(sim::Workers& workers, const std::atomic<bool>* cancel = nullptr);

 private:
  friend class Session;
  static std::unique_ptr<Preparation> of_solver(scene::Description description);
  void build_model(const std::atomic<bool>* cancel);
  bool take_forms(const std::atomic<bool>* cancel);
  void keep_pins(const scene::BodyList& before, sim::Model& built) const;
  std::vector<std::uint8_t> fixed_before(const scene::BodyList& before, std::size_t body) const;
  void load_surface(const std::atomic<bool>* cancel);
  void find_rest(sim::Workers& workers, const std::atomic<bool>* cancel);

  // All that is read here is its own, or never changes.
  scene::Description description_;           ///< with what the command sets
  std::optional<scene::SharedWorld> world_;  ///< of which elements are made; none: they stay as they are
  bool reformed_ = false;                    ///< some bodies are of other vertices than before
  std::optional<scene::BodyList> meeting_;   ///< bodies to meet; none: that is as it was
  const sim::SolverInfo* solver_ = nullptr;  ///< null: the session's minimizer stays
  sim::Analysis known_;
  std::vector<double> coefficients_;             ///< of L in the matrices that will be wanted, s^2
  std::optional<scene::Obstacle> new_obstacle_;  ///< whose surface has to be read
  scene::MeshSurfaces surfaces_;                 ///< what was read
  sim::Points rest_from_;                        ///< where the search for a rest begins; empty: there is none

  // Null or empty: not needed, or not made yet. Afterwards, what the session had before.
  std::unique_ptr<sim::Model> model_;  ///< outlives the two below
  std::unique_ptr<sim::Minimizer> minimizer_;
  std::unique_ptr<sim::Factoring> factors_;
  std::optional<double> stiffest_;  ///< 1/s^2
  std::shared_ptr<const Rest> rest_;
  std::vector<std::shared_ptr<const sim::ContactBody>> contact_bodies_;
};

/// Throws InputError if a step of h seconds is too long for a body whose stiffest motion has lambda = `stiffest`,
/// 1/s^2. place: of the time step, with which the message begins.
void check_conditioning(double h, double stiffest, const std::string& place = "/timeStep");

}  // namespace rebound::session
