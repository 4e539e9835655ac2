#include "papers/scene_plan.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "papers/overlap.hpp"
#include "session/session.hpp"

namespace rebound::papers {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// One column of the table, and where its values come from.
struct FrameColumn {
  const char *name, *unit;
  double (*of)(const session::FrameRecord&);
};
constexpr FrameColumn kFrameColumns[] = {
    {"time", "s", [](const session::FrameRecord& r) { return r.time; }},
    {"total", "J", [](const session::FrameRecord& r) { return r.measured.total(); }},
    {"target", "J", [](const session::FrameRecord& r) { return r.target; }},
    {"scale", "J", [](const session::FrameRecord& r) { return r.scale; }},
    {"kinetic", "J", [](const session::FrameRecord& r) { return r.measured.kinetic; }},
    {"elastic", "J", [](const session::FrameRecord& r) { return r.measured.elastic; }},
    {"gravity", "J", [](const session::FrameRecord& r) { return r.measured.gravity; }},
    {"attachment", "J", [](const session::FrameRecord& r) { return r.measured.attachment; }},
    {"contact", "J", [](const session::FrameRecord& r) { return r.measured.contact; }},
    {"dissipated", "J", [](const session::FrameRecord& r) { return r.dissipated_total(); }},
    {"px", "kg m/s", [](const session::FrameRecord& r) { return r.measured.p.x(); }},
    {"py", "kg m/s", [](const session::FrameRecord& r) { return r.measured.p.y(); }},
    {"pz", "kg m/s", [](const session::FrameRecord& r) { return r.measured.p.z(); }},
    {"lx", "kg m^2/s", [](const session::FrameRecord& r) { return r.measured.l.x(); }},
    {"ly", "kg m^2/s", [](const session::FrameRecord& r) { return r.measured.l.y(); }},
    {"lz", "kg m^2/s", [](const session::FrameRecord& r) { return r.measured.l.z(); }},
    {"blend", "", [](const session::FrameRecord& r) { return r.blend.value_or(kNone); }},
    {"alpha", "", [](const session::FrameRecord& r) { return r.alpha.value_or(kNone); }},
    {"iterations", "", [](const session::FrameRecord& r) { return static_cast<double>(r.iterations); }},
    {"converged", "", [](const session::FrameRecord& r) { return r.converged ? 1.0 : 0.0; }},
    {"ms", "ms", [](const session::FrameRecord& r) { return r.step_ms; }},
};
constexpr std::size_t kFromFrames = std::size(kFrameColumns);
/// What is looked up in the state.
constexpr const char* kStateColumns[][2] = {{"centre_x", "m"}, {"centre_y", "m"}, {"centre_z", "m"}, {"lowest", "m"},
                                            {"highest", "m"},  {"farthest", "m"}, {"inverted", ""},  {"overlap", "m"}};

/// The farthest vertex from where the best-fitting rigid motion of the rest shape has it, m. Mirror images do not fit.
double farthest_from_rest(const sim::Points& rest, const sim::Points& x) {
  const Eigen::Matrix4d motion = Eigen::umeyama(rest.transpose(), x.transpose(), false);
  const sim::Points placed = (rest * motion.topLeftCorner<3, 3>().transpose()).rowwise() +
                             Eigen::RowVector3d(motion.topRightCorner<3, 1>().transpose());
  return (x - placed).rowwise().norm().maxCoeff();
}

/// About the upright axis, degrees: the turn that fits best.
double turn(const sim::Vector& M, const sim::Points& start, const sim::Points& end) {
  const sim::Vec3 from = start.transpose() * M / M.sum(), to = end.transpose() * M / M.sum();
  double along = 0, across = 0;
  for (Eigen::Index i = 0; i < M.size(); ++i) {
    const sim::Vec3 p = start.row(i).transpose() - from, q = end.row(i).transpose() - to;
    along += M[i] * (p.x() * q.x() + p.z() * q.z());
    across += M[i] * (p.z() * q.x() - p.x() * q.z());
  }
  return std::atan2(across, along) * 180 / M_PI;
}

class SceneExperiment final : public Experiment {
 public:
  SceneExperiment(scene::World world, std::int64_t frames, const std::optional<Strike>& strike, int threads)
      : session_(std::move(world), threads),
        frames_(frames),
        start_(session_.state().x),
        overlap_(session_.model(), threads) {
    for (const FrameColumn& column : kFrameColumns) run_.columns.push_back({column.name, column.unit, {}});
    for (const auto& [name, unit] : kStateColumns) run_.columns.push_back({name, unit, {}});
    if (strike) {
      mode_ = drum_mode(*strike, session_.world().bodies[0].rest);
      run_.columns.push_back({"mode_kinetic", "J", {}});
    }
    for (const auto& body : session_.world().bodies)
      for (const std::string& note : body.notes) run_.notes += (run_.notes.empty() ? "" : "; ") + note;
    look();
  }

  bool advance() override {
    if (session_.frame() >= frames_) return false;
    if (!session_.step()) {
      session::require_a_motion(session_);
      run_.ended = session_.failure();
      blew_up(session_.frame() + 1);
      return false;
    }
    look();
    if (session_.record().times_its_target() > session::kRunsAway) blew_up(session_.frame());
    return session_.frame() < frames_;
  }

  double share() const override {
    return frames_ == 0 ? 1 : static_cast<double>(session_.frame()) / static_cast<double>(frames_);
  }

  Run take() override {
    const sim::Model& model = session_.model();
    run_.facts["stiffness_number"] = session_.stiffness_number();
    run_.facts["vertices"] = model.vertices();
    double elements = 0;
    for (const auto& body : session_.world().bodies) elements += static_cast<double>(body.element_count());
    run_.facts["elements"] = elements;
    const scene::Integrator& integrator = session_.world().description.integrator;
    if (integrator.type == "a-search") {
      run_.facts["alpha_min"] = integrator.alphaMin;
      run_.facts["alpha_max"] = integrator.alphaMax;
    }
    run_.facts["turned"] = turn(model.M, start_, session_.state().x);
    const sim::Points& rest = session_.world().bodies[0].rest;
    if (rest.rows() > 3 && session_.state().finite())
      run_.facts["shape_error"] = farthest_from_rest(rest, session_.state().x.topRows(rest.rows())) / model.extent;
    return std::move(run_);
  }

  const session::Session* session() const override { return &session_; }

 private:
  void blew_up(std::int64_t frame) { run_.facts.try_emplace("blew_up_at", static_cast<double>(frame)); }

  void look() {
    const sim::Points& x = session_.state().x;
    const sim::Vector& M = session_.model().M;
    const sim::Vec3 centre = x.transpose() * M / M.sum();
    // Of what is seen: the corners of a lattice reach beyond the surface that hangs in it.
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (std::size_t b = 0; b < session_.world().bodies.size(); ++b) {
      const mesh::Points surface = session_.surface(static_cast<int>(b));
      lowest = std::min(lowest, surface.col(1).minCoeff());
      highest = std::max(highest, surface.col(1).maxCoeff());
    }
    for (std::size_t i = 0; i < kFromFrames; ++i)
      run_.columns[i].values.push_back(kFrameColumns[i].of(session_.record()));
    const double values[] = {centre.x(),
                             centre.y(),
                             centre.z(),
                             lowest,
                             highest,
                             x.rowwise().norm().maxCoeff(),
                             static_cast<double>(session_.model().inside_out(x).elements),
                             overlap_.deepest(session_.model(), x)};
    for (std::size_t i = 0; i < std::size(values); ++i) run_.columns[kFromFrames + i].values.push_back(values[i]);
    if (mode_.size() > 0) run_.columns.back().values.push_back(mode_kinetic());
  }

  /// Of the mode that the first body was struck into, (u^T M v)^2 / (2 u^T M u), J.
  double mode_kinetic() const {
    const Eigen::Index n = mode_.size();
    const sim::Vector Mu = session_.model().M.head(n).cwiseProduct(mode_);
    const double along = Mu.dot(session_.state().v.col(1).head(n));
    return along * along / (2 * Mu.dot(mode_));
  }

  session::Session session_;
  std::int64_t frames_;
  sim::Points start_;
  Overlap overlap_;
  sim::Vector mode_;  ///< heights of the first body's vertices in the mode that it was struck into, or empty
  Run run_;
};

class ScenePlan final : public Plan {
 public:
  explicit ScenePlan(SceneSource source) : source_(std::move(source)) {}

  std::unique_ptr<Experiment> begin(const Means& means) const override {
    scene::World world = world_of(source_, means);
    // What has run away says no more, and takes long to solve.
    if (!world.description.runaway) world.description.runaway = session::kUsualRunaway;
    const std::int64_t frames = source_.frames.value_or(world.description.frames);
    return std::make_unique<SceneExperiment>(std::move(world), frames, source_.strike, means.threads);
  }
  std::string fingerprint(const Means& means) const override { return "scene " + fingerprint_of(source_, means); }
  std::vector<Asked> asks() const override { return asked_by(source_); }
  const SceneSource* source() const override { return &source_; }

 private:
  SceneSource source_;
};

}  // namespace

std::unique_ptr<Plan> read_scene_plan(scene::Reader& run, const SceneSource& shared) {
  SceneSource source = shared;
  read_scene_source(run, source);
  if (!source.is_given()) run.fail("has no scene; give \"scene\" or \"body\", here or for the whole row");
  return std::make_unique<ScenePlan>(std::move(source));
}

}  // namespace rebound::papers
