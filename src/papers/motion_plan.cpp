// What is seen of a scene, as `rebound measure` has it.
#include <nlohmann/json.hpp>

#include "motion/measure.hpp"
#include "papers/scene_plan.hpp"
#include "session/disk_cache.hpp"

namespace rebound::papers {
namespace {

class MotionExperiment final : public Experiment {
 public:
  MotionExperiment(scene::Description description, motion::Reference reference, std::int64_t frames, int threads)
      : description_(std::move(description)), reference_(std::move(reference)), frames_(frames), threads_(threads) {}

  bool advance() override {
    session::DiskCache cache(session::DiskCache::platform_folder());
    const motion::Trial trial{.reference = reference_, .frames = frames_, .threads = threads_, .cache = &cache};
    const auto rows = motion::measure(description_, {description_.integrator.type}, trial,
                                      {[](const std::string&, double) {}, [](const motion::Row&) {}});
    const motion::Row& row = rows.front();
    run_.facts = {
        {"shiver", row.bands.below_4}, {"path_error", row.path_error}, {"worst_energy_error", row.worst_energy_error}};
    if (row.reference_visible_kinetic > 0)
      run_.facts["visible_kinetic_share"] = row.visible_kinetic / row.reference_visible_kinetic;
    run_.columns = {{"time", "s", {}}, {"seen", "J", row.course.seen}, {"reference", "J", row.reference_course.seen}};
    for (std::size_t i = 0; i < row.course.seen.size(); ++i)
      run_.columns[0].values.push_back(static_cast<double>(i) * row.seconds);
    run_.columns[2].values.resize(row.course.seen.size(), 0);
    done_ = true;
    return false;
  }
  double share() const override { return done_ ? 1 : 0; }
  Run take() override { return std::move(run_); }

 private:
  scene::Description description_;
  motion::Reference reference_;
  std::int64_t frames_;
  int threads_;
  bool done_ = false;
  Run run_;
};

class MotionPlan final : public Plan {
 public:
  MotionPlan(SceneSource source, std::string reference)
      : source_(std::move(source)), reference_(std::move(reference)) {}

  std::unique_ptr<Experiment> begin(const Means& means) const override {
    scene::Description description = description_of(source_, means);
    const std::int64_t frames = source_.frames.value_or(description.frames);
    return std::make_unique<MotionExperiment>(std::move(description), motion::parse_reference(reference_), frames,
                                              means.threads);
  }
  std::string fingerprint(const Means& means) const override {
    return "motion " + reference_ + fingerprint_of(source_, means);
  }
  std::vector<Asked> asks() const override { return asked_by(source_); }
  const SceneSource* source() const override { return &source_; }

 private:
  SceneSource source_;
  std::string reference_;
};

}  // namespace

std::unique_ptr<Plan> read_motion_plan(scene::Reader& run, const SceneSource& shared) {
  SceneSource source = shared;
  read_scene_source(run, source);
  if (!source.is_given()) run.fail("has no scene; give \"scene\" or \"body\", here or for the whole row");
  std::string reference = "implicit-midpoint/20x20";
  run.text("reference", reference);
  return std::make_unique<MotionPlan>(std::move(source), std::move(reference));
}

}  // namespace rebound::papers
