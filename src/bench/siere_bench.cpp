#include "bench/siere_bench.hpp"

#include <algorithm>
#include <memory>

#include "bench/body_bench.hpp"
#include "bench/interleave.hpp"
#include "session/session.hpp"

namespace rebound::bench {
namespace {

constexpr int kUsualModes = 5, kManyModes = 50;
// The first step analyses and looks for modes from nowhere.
constexpr int kFirstSteps = 3;
constexpr int kSceneSteps = 60;  // steps after which the scene starts anew

struct Rival {
  std::string name, integrator;
  int modes;
  double printed_ms;
};

std::vector<Rival> rivals(const StiffBody& body) {
  std::vector<Rival> all{{"semi-implicit", "semi-implicit", 0, body.printed_semi_implicit}};
  for (const int modes : {body.modes, kUsualModes, kManyModes}) {
    if (all.back().modes == modes) continue;
    all.push_back({"siere, " + std::to_string(modes) + (modes == 1 ? " mode" : " modes"), "siere", modes,
                   modes == body.modes ? body.printed_siere : 0});
  }
  all.push_back({"exponential", "exponential", 0, body.printed_exponential});
  return all;
}

}  // namespace

std::vector<Row> siere_rows(const StiffBody& body, const Settings& settings, const Listener& listener) {
  const std::string name = name_of("siere", body.name);
  if (listener.working) listener.working(name + ": making the body");
  const scene::World world = stiff_world(body, settings.meshes, settings.scene);

  std::vector<Row> rows;
  std::vector<std::unique_ptr<session::Session>> sessions;
  for (const Rival& rival : rivals(body)) {
    scene::World own = world;
    own.description.integrator.type = rival.integrator;
    if (rival.modes > 0) own.description.integrator.modes = rival.modes;
    for (const int threads : settings.threads) {
      sessions.push_back(std::make_unique<session::Session>(own, threads));
      Row& row = rows.emplace_back();
      row.name = name;
      row.body = body.name;
      row.vertices = sessions.back()->model().vertices();
      row.elements = static_cast<int>(world.bodies[0].element_count());
      row.integrator = rival.name;
      row.solver = "-";
      row.threads = threads;
      if (rival.printed_ms > 0) row.printed_ms = rival.printed_ms;
    }
  }

  // Where a method diverges, as its paper may say, the scene starts anew as well.
  const auto step = [](session::Session& session) {
    if (session.frame() == kSceneSteps) session.apply(session::Reset{});
    if (!session.step()) {
      session.apply(session::Reset{});
      advance(session);
    }
    return session.record().step_ms;
  };
  const auto measure = [&](bool exponential, auto&& in_turns) {
    std::vector<Timed> timed;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if ((rows[i].integrator == "exponential") != exponential) continue;
      if (listener.working) listener.working(name + ": " + rows[i].integrator);
      for (int k = 0; k < (exponential ? 1 : kFirstSteps); ++k) step(*sessions[i]);
      timed.push_back([&step, &session = *sessions[i]] { return step(session); });
      which.push_back(i);
    }
    const Interleaved times = in_turns(timed);
    for (std::size_t k = 0; k < which.size(); ++k) {
      Row& row = rows[which[k]];
      row.iterations = sessions[which[k]]->record().iterations;
      row.median_ms = times.ours[k].median();
      row.max_ms = times.ours[k].max();
      row.repetitions = times.ours[k].count();
      if (listener.measured) listener.measured(row);
    }
  };
  measure(false, [](const std::vector<Timed>& timed) { return interleave(timed, {}); });
  measure(true, [](const std::vector<Timed>& timed) { return in_turn(timed, {}); });
  return rows;
}

}  // namespace rebound::bench
