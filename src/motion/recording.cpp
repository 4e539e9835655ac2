#include "motion/recording.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "session/session.hpp"

namespace rebound::motion {
namespace {

// Enough to tell shares of power to a part in a hundred; a body of a hundred thousand vertices would fill the memory.
constexpr Eigen::Index kMostPoints = 1500;
constexpr double kPicturesASecond = 30;

// Every n-th, so that at most kMostPoints are left.
std::vector<Eigen::Index> chosen(Eigen::Index count) {
  const Eigen::Index every = std::max<Eigen::Index>(1, (count + kMostPoints - 1) / kMostPoints);
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < count; i += every) rows.push_back(i);
  return rows;
}

class Camera {
 public:
  Camera(const session::Session& session, std::int64_t frames, std::int64_t every) : session_(session), every_(every) {
    const sim::Model& model = session.model();
    const auto samples = frames / every + 1;
    Eigen::Index surface = 0;
    for (const auto& body : session.world().bodies)
      surface += static_cast<Eigen::Index>(body.embedding.vertices.size());
    points_ = chosen(surface);
    std::vector<Eigen::Index> movable;
    for (int i = 0; i < model.vertices(); ++i)
      if (!model.fixed[static_cast<std::size_t>(i)]) movable.push_back(i);
    for (const Eigen::Index i : chosen(static_cast<Eigen::Index>(movable.size())))
      vertices_.push_back(movable[static_cast<std::size_t>(i)]);
    double all = 0, some = 0;
    for (const Eigen::Index i : movable) all += model.M[i];
    for (const Eigen::Index i : vertices_) some += model.M[i];
    seen_.mass.resize(static_cast<Eigen::Index>(vertices_.size()));
    for (std::size_t k = 0; k < vertices_.size(); ++k)
      seen_.mass[static_cast<Eigen::Index>(k)] = static_cast<float>(model.M[vertices_[k]] * all / some);
    const auto width = 3 * static_cast<Eigen::Index>(points_.size());
    for (Recording::Series* series : {&seen_.x, &seen_.v}) series->setZero(samples, width);
    seen_.mass_v.setZero(samples, 3 * static_cast<Eigen::Index>(vertices_.size()));
    seen_.centre.setZero(samples, 3);
    seen_.seconds = session.description().timeStep * static_cast<double>(every);
    seen_.diagonal = model.extent;
    look();
  }

  void after_frame(std::int64_t frame) {
    if (frame % every_ == 0) look();
  }
  Recording& seen() { return seen_; }

 private:
  void look() {
    const sim::Model& model = session_.model();
    const sim::State& state = session_.state();
    sim::Points x(0, 3), v(0, 3);
    const auto append = [](sim::Points& to, const sim::Points& more) {
      const Eigen::Index before = to.rows();
      to.conservativeResize(before + more.rows(), 3);
      to.bottomRows(more.rows()) = more;
    };
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const mesh::Embedding& embedding = session_.world().bodies[b].embedding;
      const sim::BodyRange& body = model.bodies[b];
      append(x, embedding.apply(state.x.middleRows(body.first, body.count)));
      append(v, embedding.apply(state.v.middleRows(body.first, body.count)));
    }
    const Eigen::Index row = seen_.samples++;
    for (std::size_t k = 0; k < points_.size(); ++k)
      for (int c = 0; c < 3; ++c) {
        seen_.x(row, 3 * static_cast<Eigen::Index>(k) + c) = static_cast<float>(x(points_[k], c));
        seen_.v(row, 3 * static_cast<Eigen::Index>(k) + c) = static_cast<float>(v(points_[k], c));
      }
    for (std::size_t k = 0; k < vertices_.size(); ++k)
      for (int c = 0; c < 3; ++c)
        seen_.mass_v(row, 3 * static_cast<Eigen::Index>(k) + c) = static_cast<float>(state.v(vertices_[k], c));
    seen_.centre.row(row) = ((state.x.transpose() * model.M) / model.M.sum()).transpose().cast<float>();
  }

  const session::Session& session_;
  const std::int64_t every_;
  std::vector<Eigen::Index> points_, vertices_;
  Recording seen_;
};

bool is_free(const session::Session& session) {
  const sim::Model& model = session.model();
  return std::none_of(model.fixed.begin(), model.fixed.end(), [](auto fixed) { return fixed != 0; }) &&
         model.attachments.items.empty() && model.obstacles.empty();
}

sim::Vec3 angular_momentum(const session::Session& session) {
  const sim::Measurement& m = session.record().measured;
  const sim::Vec3 centre = session.state().x.transpose() * session.model().M / session.model().M.sum();
  return m.l - centre.cross(m.p);
}

}  // namespace

Recording record(const scene::World& world, int threads, std::int64_t frames,
                 const std::function<void(std::int64_t)>& watch) {
  session::Session session(world, threads);
  const double h = session.description().timeStep;
  const auto every = std::max<std::int64_t>(1, std::llround(1 / (kPicturesASecond * h)));
  Camera camera(session, frames, every);
  Recording& seen = camera.seen();
  const bool free = is_free(session);
  const sim::Vec3 L = angular_momentum(session);
  double iterations = 0, scale = session.record().scale;
  std::vector<double> ms;
  while (session.frame() < frames) {
    if (!session.step()) {
      session::require_a_motion(session);
      seen.blew_up_at = session.frame() + 1;
      seen.failure = session.failure();
      break;
    }
    const session::FrameRecord& record = session.record();
    camera.after_frame(record.frame);
    ms.push_back(record.step_ms);
    iterations += record.iterations;
    scale = std::max(scale, record.scale);
    seen.worst_energy_error =
        std::max(seen.worst_energy_error, std::abs(record.measured.total() - record.target) / record.scale);
    seen.unresolved = record.dissipated[static_cast<int>(sim::Dissipated::unresolved)] / scale;
    watch(record.frame);
  }
  const double steps = static_cast<double>(std::max<std::size_t>(1, ms.size())) * session.description().substeps;
  seen.solves_per_step = iterations / steps;
  if (!ms.empty()) {
    std::nth_element(ms.begin(), ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2), ms.end());
    seen.ms_per_step = ms[ms.size() / 2] / session.description().substeps;
  }
  const double size = L.norm(), rounding = 1e-9 * session.model().M.sum() * seen.diagonal * seen.diagonal;
  if (free && size > rounding) seen.angular_momentum_error = (angular_momentum(session) - L).norm() / size;
  return std::move(seen);
}

}  // namespace rebound::motion
