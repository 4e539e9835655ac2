// `rebound reproduce`: what the papers claim, run, judged and put on a page.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench/stiff_bodies.hpp"
#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "cli/progress_bar.hpp"
#include "mesh/error.hpp"
#include "mesh/progress.hpp"
#include "papers/page.hpp"
#include "scene/ranges.hpp"
#include "scene/wording.hpp"
#include "session/output_file.hpp"
#ifdef REBOUND_WINDOW
#include "cli/window.hpp"
#endif

namespace rebound::cli {
namespace {

struct ReproduceOptions {
  std::vector<std::string> ids;
  std::string paper, rank, output, meshes, open, version;
  bool list = false, json = false, quick = false;
  std::optional<double> jobs, threads;
};

const papers::Row& row_named(const std::vector<papers::Row>& rows, const std::string& id) {
  std::vector<std::string> ids;
  for (const papers::Row& row : rows) {
    if (row.id == id) return row;
    ids.push_back(row.id);
  }
  const std::string guess = scene::did_you_mean(id, ids);
  throw InputError("there is no row " + scene::in_quotes(id) +
                   (guess.empty() ? "; `rebound reproduce --list` shows all" : guess));
}

/// Those that the command line speaks of, in the order of the list.
std::vector<const papers::Row*> chosen_rows(const std::vector<papers::Row>& rows, const ReproduceOptions& options) {
  std::vector<const papers::Row*> named;
  bool all = options.ids.empty();
  for (const std::string& id : options.ids) {
    if (id == "all")
      all = true;
    else
      named.push_back(&row_named(rows, id));
  }
  std::vector<const papers::Row*> chosen;
  for (const papers::Row& row : rows) {
    const bool is_named = all || std::find(named.begin(), named.end(), &row) != named.end();
    const bool fits = (options.paper.empty() || row.paper == options.paper) &&
                      (options.rank.empty() || row.rank == options.rank) && (!options.quick || row.quick);
    if (is_named && fits) chosen.push_back(&row);
  }
  if (chosen.empty()) throw InputError("no row fits; `rebound reproduce --list` shows all");
  return chosen;
}

std::string about(double seconds) {
  char text[32];
  if (seconds < 100)
    std::snprintf(text, sizeof text, "%.0f s", std::max(1.0, seconds));
  else
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  return text;
}

/// Of the ids, in letters.
int widest(const std::vector<const papers::Row*>& rows) {
  std::size_t most = 0;
  for (const papers::Row* row : rows) most = std::max(most, row->id.size());
  return static_cast<int>(most);
}

int list_rows(const std::vector<const papers::Row*>& rows, bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const papers::Row* row : rows) {
    const std::string waits = papers::waits_for(*row);
    if (json) {
      all.push_back({{"id", row->id},
                     {"paper", row->paper},
                     {"place", row->place},
                     {"title", row->title},
                     {"class", row->rank},
                     {"seconds", row->seconds},
                     {"quick", row->quick},
                     {"state", waits.empty() ? "ready" : "not yet"},
                     {"needs", waits}});
      continue;
    }
    const std::string state = waits.empty() ? (row->quick ? "quick" : "") : "not yet: needs " + waits;
    std::printf("%-*s  %-2s %7s  %s, %s: %s%s\n", widest(rows), row->id.c_str(), row->rank.c_str(),
                about(row->seconds).c_str(), row->paper.c_str(), row->place.c_str(), row->title.c_str(),
                state.empty() ? "" : (" (" + state + ")").c_str());
  }
  if (json) std::printf("%s\n", all.dump(2).c_str());
  return kDone;
}

papers::Request request_of(const ReproduceOptions& options) {
  papers::Request request;
  request.folder = options.output;
  request.version = options.version;
  request.means.meshes = options.meshes;
  if (options.threads) scene::checked("threads", *options.threads, "--threads");
  if (options.jobs) scene::checked("threads", *options.jobs, "--jobs");
  SceneOptions threads;
  threads.threads = options.threads;
  request.means.threads = threads.thread_count();
  request.jobs = options.jobs ? static_cast<int>(*options.jobs) : 1;
  std::error_code error;
  if (!options.meshes.empty()) bench::require_bodies_in(options.meshes);
  std::filesystem::create_directories(request.folder, error);
  if (error) throw InputError("--output: " + options.output + " cannot be made (" + error.message() + ")");
  return request;
}

void tell(const papers::Row& row, int width, const papers::Judged& judged, double seconds, bool reused) {
  const bool was_run = judged.verdict != papers::Verdict::not_yet;
  const std::string time = !was_run ? "" : reused ? " (kept)" : " (" + about(seconds) + ")";
  std::printf("%-*s  %-14s %s%s\n", width, row.id.c_str(), std::string(papers::name_of(judged.verdict)).c_str(),
              judged.reason.c_str(), time.c_str());
  std::fflush(stdout);
}

void write_page(const std::vector<papers::Row>& rows, const papers::Request& request) {
  session::OutputFile file(request.folder / "index.html");
  file.write(papers::page(papers::look_up(rows, request), request));
  file.commit();
}

int run_chosen(const std::vector<papers::Row>& rows, const std::vector<const papers::Row*>& chosen,
               const ReproduceOptions& options) {
  if (options.output.empty()) throw InputError("--output is required: a folder for the results and the page");
  const papers::Request request = request_of(options);
  const Interruption interruption;
  ProgressBar bar;
  papers::Watch watch;
  watch.check = [&] { interruption.check(); };
  watch.stop = interruption.flag();
  watch.show = [&](const std::string& what, double share, double left) {
    bar.show(std::min(1.0, share), what + ", about " + about(left) + " left");
  };
  watch.done = [&](const papers::Row& row, const papers::Judged& judged, double seconds, bool reused) {
    bar.clear();
    tell(row, widest(chosen), judged, seconds, reused);
  };
  const std::string where = (request.folder / "index.html").string();
  std::vector<std::string> failures;
  try {
    failures = papers::run_rows(chosen, request, watch);
  } catch (const mesh::Cancelled&) {
    bar.clear();
    write_page(rows, request);
    return interrupted(where + " has the rows that were finished; the same command goes on");
  }
  bar.clear();
  write_page(rows, request);
  std::printf("%s\n", where.c_str());
  if (failures.empty()) return kDone;
  std::string text = failures.front();
  if (failures.size() > 1) text += "; and " + std::to_string(failures.size() - 1) + " rows more";
  return fail(kSimulationFailed, text);
}

int open_row(const std::vector<papers::Row>& rows, const std::string& id) {
  const papers::Row& row = row_named(rows, id);
  if (const std::string waits = papers::waits_for(row); !waits.empty())
    throw InputError(row.id + ": needs " + waits + ", which is not in this version");
  for (const auto& run : row.runs) {
    auto scene = run->shown({});
    if (!scene) continue;
    scene->summary = row.paper + ", " + row.place + ". " + row.look;
#ifdef REBOUND_WINDOW
    return open_scene(*scene);
#else
    return fail(kMachineLacks, "this program was built without the window");
#endif
  }
  throw InputError(row.id + ": has no scene that a window could show; `rebound reproduce " + row.id +
                   " -o FOLDER` runs it");
}

int reproduce(const ReproduceOptions& options) {
  const std::vector<papers::Row> rows = papers::read_rows(papers::rows_folder());
  if (!options.open.empty()) return open_row(rows, options.open);
  const bool says_which = !options.ids.empty() || !options.paper.empty() || !options.rank.empty() || options.quick;
  if (!options.list && !says_which)
    throw InputError("which rows? Name some, or 'all', or give --quick, --paper or --class; --list shows them");
  const auto chosen = chosen_rows(rows, options);
  if (options.list) return list_rows(chosen, options.json);
  if (options.json) throw InputError("--json: goes with --list; results are JSON in each row's folder anyway");
  return run_chosen(rows, chosen, options);
}

}  // namespace

void add_reproduce(Program& program, const std::string& version) {
  Command command = program.subcommand("reproduce", "Rerun what four papers claim, and say row by row what holds");
  auto options = std::make_shared<ReproduceOptions>();
  options->version = version;
  command.footer([] {
    return std::string(
        "Each row is a file in assets/papers: scenes, methods, the paper's numbers and what would bear them out. Its "
        "folder\n"
        "gets CSV, JSON, SVG and a video; index.html shows all of them side by side with the paper. What is finished "
        "is\n"
        "kept: the same command goes on where it was, and folders from several machines can be laid together.");
  });
  command.option("id", options->ids, "Rows, as --list has them, or 'all'", {.value = "ID"});
  command.option("-o,--output", options->output, "Folder for a folder a row, and the page",
                 {.value = "FOLDER", .completion = Completion::folders});
  command.flag("--list", options->list, "Show the rows, and how long each takes on two cores");
  command.flag("--json", options->json, "With --list, as JSON");
  command.option("--paper", options->paper, "Rows of this paper",
                 {.value = "PAPER", .one_of = {"Dinev18", "Chen20", "Gast15", "You26"}});
  command.option("--class", options->rank,
                 "Rows of this class: A numbers given or recovered, A- curves, B orders, C pictures, X not possible",
                 {.value = "CLASS", .one_of = {"A", "A-", "B", "C", "X"}});
  command.flag("--quick", options->quick, "Only what is done in five minutes, all together");
  command.option("--jobs", options->jobs, "Rows at a time; those that measure times run alone", {.value = "INT"});
  command.option("--threads", options->threads, "Threads of the simulations; the results do not depend on it",
                 {.value = "INT"});
  command.option("--meshes", options->meshes, "Folder with the papers' own bodies, used where they are there",
                 {.value = "FOLDER", .completion = Completion::folders});
  command.option("--open", options->open, "Open a row's scene in the window, with what to look for", {.value = "ID"});
  command.action([options] { return reproduce(*options); });
}

}  // namespace rebound::cli
