#include "papers/reproduce.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include "mesh/error.hpp"
#include "mesh/pending_file.hpp"
#include "mesh/progress.hpp"
#include "papers/film_row.hpp"
#include "papers/plots.hpp"
#include "session/output_file.hpp"
#include "sim/base/stop_request.hpp"

namespace rebound::papers {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

// Long enough for its threads to be awake in most of a turn's frames: while others run, they sleep.
constexpr double kTurn = 0.02;  // s

/// One after the other, so that only one is in memory; or, where the clock is read, in turn, so that a busy machine is
/// busy for all of them.
std::vector<Run> all_runs(const Row& row, const Means& means, FilmedRuns& filmed,
                          const std::function<void(double)>& show) {
  const auto count = static_cast<double>(row.runs.size());
  std::vector<Run> runs(row.runs.size());
  const auto take = [&](std::size_t i, Experiment& experiment) {
    runs[i] = experiment.take();
    runs[i].name = row.run_names[i];
  };
  if (!row.is_timed()) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      show(static_cast<double>(i) / count);
      const auto experiment = row.runs[i]->begin(means);
      filmed.take(i, *experiment);
      for (bool goes = true; goes;) {
        goes = experiment->advance();
        filmed.take(i, *experiment);
        show((static_cast<double>(i) + experiment->share()) / count);
      }
      take(i, *experiment);
    }
    return runs;
  }
  std::vector<std::unique_ptr<Experiment>> going;
  for (const auto& plan : row.runs) {
    show(0);
    going.push_back(plan->begin(means));
    filmed.take(going.size() - 1, *going.back());
  }
  std::vector<bool> goes(going.size(), true);
  while (std::find(goes.begin(), goes.end(), true) != goes.end()) {
    double share = 0;
    for (std::size_t i = 0; i < going.size(); ++i) {
      for (const auto begun = Clock::now(); goes[i] && seconds_since(begun) < kTurn;) {
        goes[i] = going[i]->advance();
        filmed.take(i, *going[i]);
      }
      share += goes[i] ? going[i]->share() : 1;
      show(std::min(1.0, share / count));
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) take(i, *going[i]);
  return runs;
}

void measure_all(const Row& row, const std::vector<Run>& runs, Kept& kept) {
  const auto add = [&](Number number, std::size_t run) {
    number.run = run;
    kept.values[number.key(row.run_names)] = number.measure->of(runs[run], number.at);
  };
  for (const Number& number : row.numbers) {
    add(number, number.run);
    if (number.over) add(number, *number.over);
  }
}

void write_file(const fs::path& path, const std::string& text) {
  session::OutputFile file(path);
  file.write(text);
  file.commit();
}

/// Runs a row; its results are the last that is written into its folder.
Kept run_row(const Row& row, const Request& request, const Means& means, const std::string& known_by,
             const std::function<void(double)>& show) {
  const auto began = Clock::now();
  const fs::path folder = request.folder / row.id;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError(folder.string() + ": cannot be made (" + error.message() + ")");
  fs::remove(folder / "results.json", error);
  remove_left_behind(folder);
  Kept kept;
  kept.fingerprint = known_by;
  kept.machine = machine();
  kept.version = request.version;
  kept.date = today();
  kept.threads = means.threads;
  FilmedRuns filmed(row);
  const std::vector<Run> runs = all_runs(row, means, filmed, show);
  for (const Run& run : runs) {
    kept.runs.push_back({run.name, run.ended, run.notes});
    write_table(folder / (file_name(run.name) + ".csv"), run);
  }
  measure_all(row, runs, kept);
  for (std::size_t i = 0; i < row.plots.size(); ++i) {
    kept.plots.push_back("plot-" + std::to_string(i + 1) + ".svg");
    write_file(folder / kept.plots.back(), draw(row.plots[i], row, runs));
  }
  if (row.film)
    film_row(
        row, filmed, means, folder, [&] { show(1); }, kept);
  kept.seconds = seconds_since(began);
  write_kept(folder, row, kept);
  return kept;
}

/// What several threads tell, and how long the rest will take.
class Reporter {
 public:
  Reporter(const Watch& watch, const std::vector<const Row*>& rows) : watch_(watch) {
    for (const Row* row : rows) left_ += row->seconds;
  }

  void show(const Row& row, double share) {
    const std::scoped_lock lock(mutex_);
    watch_.check();
    under_way_ = row.seconds * share;
    const double done = done_ + under_way_;
    // The estimates are of another machine: once some are behind us, we know how it compares.
    const double pace = done > 2 ? seconds_since(began_) / done : 1;
    watch_.show(row.paper + " " + row.place, (done + reused_) / std::max(1e-9, left_), pace * (left_ - reused_ - done));
  }
  void finished(const Row& row, const Judged& judged, double seconds, bool reused) {
    const std::scoped_lock lock(mutex_);
    (reused ? reused_ : done_) += row.seconds;
    under_way_ = 0;
    watch_.done(row, judged, seconds, reused);
  }
  void failed(const Row& row, const std::string& why) {
    const std::scoped_lock lock(mutex_);
    done_ += row.seconds;
    failures_.push_back(row.id + ": " + why);
  }
  std::vector<std::string> failures() const { return failures_; }
  const std::atomic<bool>* stop() const { return watch_.stop; }

 private:
  const Watch& watch_;
  std::mutex mutex_;
  Clock::time_point began_ = Clock::now();
  double left_ = 0, done_ = 0, reused_ = 0, under_way_ = 0;  ///< by the rows' own estimates, s
  std::vector<std::string> failures_;
};

void do_row(const Row& row, const Request& request, const Means& means, Reporter& reporter) {
  const std::string waits = waits_for(row);
  if (!waits.empty()) return reporter.finished(row, judge(row, nullptr, waits), 0, true);
  const sim::StopRequest steps_too(reporter.stop());
  try {
    const std::string known_by = fingerprint(row, request.means);
    const auto there = read_kept(request.folder / row.id);
    if (there && there->fingerprint == known_by)
      return reporter.finished(row, judge(row, &*there, {}), there->seconds, true);
    const Kept kept = run_row(row, request, means, known_by, [&](double share) { reporter.show(row, share); });
    reporter.finished(row, judge(row, &kept, {}), kept.seconds, false);
  } catch (const mesh::Cancelled&) {
    throw;
  } catch (const sim::StepAbandoned&) {
    throw mesh::Cancelled();
  } catch (const std::exception& error) {
    reporter.failed(row, error.what());
  }
}

void run_together(const std::vector<const Row*>& rows, const Request& request, Reporter& reporter) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> ended = false;
  std::mutex mutex;
  std::exception_ptr trouble;
  Means means = request.means;
  means.threads = std::max(1, means.threads / request.jobs);
  {
    std::vector<std::jthread> workers;
    for (int job = 0; job < request.jobs; ++job)
      workers.emplace_back([&] {
        try {
          for (std::size_t i = next++; i < rows.size() && !ended; i = next++)
            do_row(*rows[i], request, means, reporter);
        } catch (...) {
          ended = true;
          const std::scoped_lock lock(mutex);
          trouble = std::current_exception();
        }
      });
  }
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace

std::vector<std::string> run_rows(const std::vector<const Row*>& rows, const Request& request, const Watch& watch) {
  Reporter reporter(watch, rows);
  std::vector<const Row*> timed, others;
  for (const Row* row : rows) (row->is_timed() ? timed : others).push_back(row);
  run_together(others, request, reporter);
  for (const Row* row : timed) do_row(*row, request, request.means, reporter);
  return reporter.failures();
}

std::vector<Shown> look_up(const std::vector<Row>& rows, const Request& request) {
  std::vector<Shown> all;
  for (const Row& row : rows) {
    Shown shown{&row, {}, {}};
    const std::string waits = waits_for(row);
    if (waits.empty()) {
      shown.kept = read_kept(request.folder / row.id);
      if (shown.kept && shown.kept->fingerprint != fingerprint(row, request.means)) shown.kept.reset();
    }
    shown.judged = judge(row, shown.kept ? &*shown.kept : nullptr, waits);
    all.push_back(std::move(shown));
  }
  return all;
}

}  // namespace rebound::papers
