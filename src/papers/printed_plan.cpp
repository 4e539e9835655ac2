// What two equations of [Dinev18] do as they are printed: the damping of Eq. 32, on a body that spins, and the friction
// of Eq. 39, on a point that slides.
#include <cmath>
#include <numbers>

#include "papers/plans.hpp"
#include "sim/model/rigid_motion.hpp"

namespace rebound::papers {
namespace {

using sim::Vec3;

constexpr int kFrames = 60;
constexpr double kStep = 0.033;  // s, h

struct Printed {
  int equation = 32;
  double coefficient = 0;  ///< k a frame of Eq. 32, k_f of Eq. 39
  double slope = 0;        ///< degrees, of the ground of Eq. 39
};

class PrintedExperiment final : public Experiment {
 public:
  explicit PrintedExperiment(Printed printed) : printed_(printed) {}

  bool advance() override {
    if (printed_.equation == 32)
      spin();
    else
      slide();
    done_ = true;
    return false;
  }
  double share() const override { return done_ ? 1 : 0; }
  Run take() override { return std::move(run_); }

 private:
  // v_i := v_i - k dv_i, dv_i = v_i - v_cm + omega x r_i [Eq. 32, 33], of 27 equal masses on a cube's lattice that spin
  // about its middle. They stay where they are: how they are turned makes no difference.
  void spin() {
    constexpr int kPoints = 27;
    sim::Model model;
    model.M = sim::Vector::Ones(kPoints);
    model.fixed.assign(kPoints, 0);
    const sim::BodyRange body{0, kPoints};
    sim::State state;
    state.x.resize(kPoints, 3);
    state.v.resize(kPoints, 3);
    for (int i = 0; i < kPoints; ++i) {
      const Vec3 r(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
      state.x.row(i) = r.transpose();
      state.v.row(i) = Vec3(0.3, 1, -0.2).cross(r).transpose();
    }
    const auto spin_now = [&] { return sim::moments(model, std::span(&body, 1), state).L.norm(); };
    const double start = spin_now();
    run_.columns = {{"time", "s", {0}}, {"spin_left", "", {1}}};
    for (int frame = 1; frame <= kFrames; ++frame) {
      const sim::RigidMotion rigid = sim::fit_rigid_motion(model, body, state);
      for (int i = 0; i < kPoints; ++i) {
        const Vec3 v = state.v.row(i).transpose(), r = state.x.row(i).transpose() - rigid.x_cm;
        state.v.row(i) -= printed_.coefficient * (v - rigid.v_cm + rigid.omega.cross(r)).transpose();
      }
      run_.columns[0].values.push_back(frame * kStep);
      run_.columns[1].values.push_back(spin_now() / start);
    }
    run_.facts = {{"spin_left", run_.columns[1].values.back()}};
  }

  // v^f = v - k_f a [Eq. 39]: a = (v - v_n) / h along the ground, of the step before friction.
  void slide() {
    run_.columns = {{"time", "s", {0}}, {"speed", "m/s", {1}}};
    const double pull = 9.81 * std::sin(printed_.slope * std::numbers::pi / 180);
    double v = 1;
    for (int frame = 1; frame <= kFrames; ++frame) {
      const double before = v;
      v += kStep * pull;
      v -= printed_.coefficient * (v - before) / kStep;
      run_.columns[0].values.push_back(frame * kStep);
      run_.columns[1].values.push_back(v);
    }
    run_.facts = {{"speed", v}};
  }

  Printed printed_;
  bool done_ = false;
  Run run_;
};

class PrintedPlan final : public Plan {
 public:
  explicit PrintedPlan(Printed printed) : printed_(printed) {}
  std::unique_ptr<Experiment> begin(const Means&) const override {
    return std::make_unique<PrintedExperiment>(printed_);
  }
  std::string fingerprint(const Means&) const override {
    return "printed " + std::to_string(printed_.equation) + " " + std::to_string(printed_.coefficient) + " " +
           std::to_string(printed_.slope);
  }
  std::vector<Asked> asks() const override { return {}; }

 private:
  Printed printed_;
};

}  // namespace

std::unique_ptr<Plan> read_printed_plan(scene::Reader& run, const SceneSource&) {
  Printed printed;
  const scene::Value equation = run.required("equation", "32 or 39");
  printed.equation = static_cast<int>(equation.integer({"equation", 32, 39, 32, "", true, false, ""}));
  if (printed.equation != 32 && printed.equation != 39) equation.fail("is neither 32 nor 39");
  printed.coefficient = run.required("coefficient", "k or k_f").number({"coefficient", 0, 1, 0, "", false, false, ""});
  if (const auto slope = run.find("slope")) printed.slope = slope->number({"slope", 0, 80, 0, "deg", false, false, ""});
  return std::make_unique<PrintedPlan>(printed);
}

}  // namespace rebound::papers
