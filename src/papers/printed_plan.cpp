// What two equations of [Dinev18] do as they are printed: the damping of Eq. 32, on a body that spins, and the friction
// of Eq. 39, on a point that slides.
#include <cmath>
#include <numbers>

#include "papers/plans.hpp"
#include "sim/base/types.hpp"

namespace rebound::papers {
namespace {

using sim::Vec3;

struct Printed {
  int equation = 32;
  int frames = 60;
  double time_step = 0.033;  ///< s, h
  double coefficient = 0;    ///< k a frame of Eq. 32, k_f of Eq. 39
  double slope = 0;          ///< degrees, of the ground of Eq. 39
};

/// 27 equal masses on a cube's lattice that spin about its middle.
class SpinningPoints {
 public:
  SpinningPoints() {
    for (int i = 0; i < 27; ++i) {
      x_.emplace_back(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
      v_.push_back(Vec3(0.3, 1, -0.2).cross(x_.back()));
    }
  }
  Vec3 angular_momentum() const {
    Vec3 L = Vec3::Zero();
    for (std::size_t i = 0; i < x_.size(); ++i) L += x_[i].cross(v_[i]);
    return L;
  }
  /// v_i := v_i - k dv_i, dv_i = v_i - v_cm + omega x r_i [Eq. 32, 33], with v_cm = 0 and r_i = x_i. The points stay:
  /// how they are turned makes no difference.
  void damp(double k) {
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    for (const Vec3& r : x_) inertia += r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose();
    const Vec3 omega = inertia.ldlt().solve(angular_momentum());
    for (std::size_t i = 0; i < x_.size(); ++i) v_[i] -= k * (v_[i] + omega.cross(x_[i]));
  }

 private:
  std::vector<Vec3> x_, v_;
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
  void spin() {
    run_.columns = {{"time", "s", {0}}, {"spin_left", "", {1}}};
    SpinningPoints body;
    const double start = body.angular_momentum().norm();
    for (int frame = 1; frame <= printed_.frames; ++frame) {
      body.damp(printed_.coefficient);
      run_.columns[0].values.push_back(frame * printed_.time_step);
      run_.columns[1].values.push_back(body.angular_momentum().norm() / start);
    }
    run_.facts = {{"spin_left", run_.columns[1].values.back()}};
  }

  // v^f = v - k_f a [Eq. 39]: a = (v - v_n) / h along the ground, of the step before friction.
  void slide() {
    run_.columns = {{"time", "s", {0}}, {"speed", "m/s", {1}}};
    const double pull = 9.81 * std::sin(printed_.slope * std::numbers::pi / 180);
    double v = 1;
    for (int frame = 1; frame <= printed_.frames; ++frame) {
      const double before = v;
      v += printed_.time_step * pull;
      v -= printed_.coefficient * (v - before) / printed_.time_step;
      run_.columns[0].values.push_back(frame * printed_.time_step);
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
    return "printed " + std::to_string(printed_.equation) + " " + std::to_string(printed_.frames) + " " +
           std::to_string(printed_.coefficient) + " " + std::to_string(printed_.slope);
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
