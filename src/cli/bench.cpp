// `rebound bench`: what a step costs on bodies of the paper's sizes, how near it comes to its minimum, and what a plain
// implementation costs.
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "bench/bodies.hpp"
#include "bench/stiff_bodies.hpp"
#include "bench/stream.hpp"
#include "bench/suite.hpp"
#include "bench/table.hpp"
#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "mesh/error.hpp"
#include "session/output_file.hpp"

namespace rebound::cli {
namespace {

std::string stiff_names() {
  std::string line = " ";
  for (const bench::StiffBody& body : bench::stiff_bodies()) line += " " + std::string(body.name);
  return line + "\n";
}

std::string explanation() {
  std::string text =
      R"(NAME is one of these with a body, or what such names begin with:
  local/BODY, global/BODY        the two parts of an iteration of backward Euler
  frame/BODY                     a whole frame, by default of backward-euler, implicit-midpoint, stabilized and rebound,
                                 each on one thread and on two
  cores/BODY                     the longest way through an iteration on 2 to 16 threads, from the times of its parts
                                 on one: what more cores could make of it; the reference is one thread
  newton/BODY                    a step of backward Euler of rubber (stable-neo-hookean) by Newton's method to 1e-3 m/s
  assembly/BODY                  the Hessian of that step
  rubber/BODY                    a frame of rubber by quasi-newton; the reference is one of arap by local-global, both
                                 with the iterations that reach a gap of 1e-4
  siere/BODY                     a step of semi-implicit, of siere with the paper's number of modes, with 5 and with 50,
                                 and of exponential
The last five run only where they are named. The bodies spin, stretched, without gravity:
)";
  for (const bench::BodyInfo& body : bench::bodies()) {
    char line[160];
    std::snprintf(line, sizeof line, "  %-12s %6d vertices, %6d %-10s  %s\n", std::string(body.name).c_str(),
                  body.vertices, body.elements, body.springs ? "springs" : "tetrahedra",
                  std::string(body.what).c_str());
    text += line;
  }
  return text +
         R"(These are the sizes in Table I of the paper, within 2 %; thin-* and solid-* show growth and run only where they
are named. The bodies of siere stand for those of [Chen20 Table 1], with as many vertices and tetrahedra, or are, where
--meshes has them, the paper's own tetrahedra:
)" + stiff_names() +
         R"(printed: what Table 2 there says of a step, ms, on the paper's machine.
gap: of a frame, (g - g*) / (g0 - g*) with g the objective of its first solve, g0 at the first guess, g* at the
minimum; of the others, the relative error against the reference.
its: iterations of the first solve; of what goes to its tolerance, those that a frame took.
reference: plain code in double precision on one thread (Eigen's JacobiSVD, CHOLMOD; of newton, Eigen's simplicial
factor, up to 50,000 tetrahedra), timed in turn with ours.
MB: what an iteration, or the part of one, reads and writes by the layout of its numbers; GB/s: what that comes to in
the time measured, to be held against what the machine reads, which the last line says.)";
}

struct BenchOptions {
  SceneOptions scene;
  std::vector<std::string> names;
  std::string json;
  std::string meshes;
};

/// What is being done, on a terminal; nothing where the output is piped.
class StatusLine {
 public:
  ~StatusLine() { clear(); }
  void show(const std::string& what) const {
    if (shown_) std::fprintf(stderr, "\r%s ...\033[K", what.c_str());
  }
  void clear() const {
    if (shown_) std::fputs("\r\033[K", stderr);
  }

 private:
  bool shown_ = isatty(STDERR_FILENO) != 0;
};

int bench(const BenchOptions& options) {
  const Interruption interruption;
  const SceneOptions& scene = options.scene;
  bench::Settings settings;
  settings.scene = scene.overrides();
  settings.meshes = options.meshes;
  if (!options.meshes.empty()) bench::require_bodies_in(options.meshes);
  for (const std::string& setting : settings.scene)
    if (!scene.integrator && (setting.starts_with("/integrator=") || setting.starts_with("/integrator/type")))
      throw InputError("--set /integrator: use --integrator, which says what frames are measured");
  if (scene.seed) settings.seed = static_cast<std::uint64_t>(*scene.seed);
  settings.integrators = {"backward-euler", "implicit-midpoint", "stabilized", "rebound"};
  if (scene.integrator) settings.integrators = {*scene.integrator};
  settings.threads = {1};
  if (scene.threads)
    settings.threads = {static_cast<int>(*scene.threads)};
  else if (std::thread::hardware_concurrency() > 1)
    settings.threads.push_back(2);

  const auto names = bench::chosen(options.names);
  std::optional<session::OutputFile> json;
  if (!options.json.empty()) json.emplace(options.json);  // refused now rather than after minutes
  std::printf("%s\n", bench::table_head().c_str());
  const StatusLine status;
  std::vector<bench::Row> rows;
  const auto begin = [&](const std::string& what) {
    interruption.check();
    status.show(what);
  };
  const auto done = [&](const bench::Row& row) {
    status.clear();
    std::printf("%s\n", bench::table_line(row).c_str());
    std::fflush(stdout);
    rows.push_back(row);
  };
  const bool whole = finished([&] {
    bench::run(names, settings, {begin, done});
    begin("how fast this machine reads");
    const std::string rates = bench::to_text(bench::read_rates(settings.threads));
    status.clear();
    std::printf("%s\n", rates.c_str());
  });
  status.clear();
  if (!whole && rows.empty()) throw mesh::Cancelled();
  if (json) {
    json->write(bench::to_json(rows));
    json->commit();
  }
  return whole ? kDone : interrupted("there are " + std::to_string(rows.size()) + " rows");
}

}  // namespace

void add_bench(Program& program) {
  Command command = program.subcommand("bench", "Measure times of frames and their parts on bodies of known sizes");
  command.footer(explanation);
  auto options = std::make_shared<BenchOptions>();
  command.option("name", options->names, "Benchmarks, or what their names begin with (default: all)",
                 {.completion = Completion::words, .words = bench::chosen({})});
  command.option("--json", options->json, "JSON: a list of rows, with what the table shows and more",
                 {.value = "FILE.json", .completion = Completion::files});
  command.option("--meshes", options->meshes, "Where the papers' own bodies lie, as for reproduce; siere takes them",
                 {.value = "FOLDER", .completion = Completion::files});
  options->scene.add_overrides_to(command);
  command.action([options] { return bench(*options); });
}

}  // namespace rebound::cli
