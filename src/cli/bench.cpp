// `rebound bench`: what a step costs on bodies of the paper's sizes, how near it comes to its minimum, and what a plain
// implementation costs.
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "bench/bodies.hpp"
#include "bench/stream.hpp"
#include "bench/suite.hpp"
#include "bench/table.hpp"
#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "mesh/error.hpp"
#include "session/output_file.hpp"

namespace rebound::cli {
namespace {

std::string explanation() {
  std::string text =
      "NAME is local/BODY, global/BODY, frame/BODY, assembly/BODY or newton/BODY, or what such names begin with. local and\n"
      "global are the two parts of an iteration of backward Euler; frame is a whole frame, by default of backward-euler,\n"
      "implicit-midpoint and stabilized, each on one thread and on two; newton is a step of backward Euler of rubber\n"
      "(stable-neo-hookean) by Newton's method to 1e-3 m/s, assembly its Hessian, both only where they are named. The\n"
      "bodies spin, stretched, without gravity:\n";
  for (const bench::BodyInfo& body : bench::bodies()) {
    char line[160];
    std::snprintf(line, sizeof line, "  %-12s %6d vertices, %6d %-10s  %s\n", std::string(body.name).c_str(),
                  body.vertices, body.elements, body.springs ? "springs" : "tetrahedra",
                  std::string(body.what).c_str());
    text += line;
  }
  return text +
         "These are the sizes in Table I of the paper, within 2 %; thin-* and solid-* show growth and run only where "
         "they\nare named.\n"
         "gap: of a frame, (g - g*) / (g0 - g*) with g the objective of its first solve, g0 at the first guess, g* at "
         "the\n"
         "minimum; of the others, the relative error against the reference.\n"
         "its: iterations of the first solve; of newton, those that it took.\n"
         "reference: plain code in double precision on one thread (Eigen's JacobiSVD, CHOLMOD; of newton, Eigen's\n"
         "simplicial factor), timed in turn with ours.\n"
         "MB: what an iteration, or the part of one, reads and writes by the layout of its numbers; GB/s: what that "
         "comes\n"
         "to in the time measured; of memory: as a share of what this machine reads from its memory on as many threads,\n"
         "which the last line says; above 100 %, caches serve.\n"
         "8 cores: how much faster than on one an iteration would be, by the critical path over its parts as they are\n"
         "timed one by one here; the file has 4 and 16 cores as well, and the bytes of the largest part.";
}

struct BenchOptions {
  SceneOptions scene;
  std::vector<std::string> names;
  std::string json;
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
  for (const std::string& setting : settings.scene)
    if (!scene.integrator && (setting.starts_with("/integrator=") || setting.starts_with("/integrator/type")))
      throw InputError("--set /integrator: use --integrator, which says what frames are measured");
  if (scene.seed) settings.seed = static_cast<std::uint64_t>(*scene.seed);
  settings.integrators = {"backward-euler", "implicit-midpoint", "stabilized"};
  if (scene.integrator) settings.integrators = {*scene.integrator};
  settings.threads = {1};
  if (scene.threads)
    settings.threads = {static_cast<int>(*scene.threads)};
  else if (std::thread::hardware_concurrency() > 1)
    settings.threads.push_back(2);

  const auto names = bench::chosen(options.names);
  std::optional<session::OutputFile> json;
  if (!options.json.empty()) json.emplace(options.json);  // refused now rather than after minutes
  const StatusLine status;
  status.show("how fast this machine reads");
  settings.rates = bench::read_rates(settings.threads);
  status.clear();
  std::printf("%s\n", bench::table_head().c_str());
  const auto rows = bench::run(names, settings,
                               {[&](const std::string& what) {
                                  interruption.check();
                                  status.show(what);
                                },
                                [&](const bench::Row& row) {
                                  status.clear();
                                  std::printf("%s\n", bench::table_line(row).c_str());
                                  std::fflush(stdout);
                                }});
  interruption.check();
  status.clear();
  std::printf("%s\n", bench::to_text(settings.rates).c_str());
  if (json) {
    json->write(bench::to_json(rows));
    json->commit();
  }
  return kDone;
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
  options->scene.add_overrides_to(command);
  command.action([options] { return bench(*options); });
}

}  // namespace rebound::cli
