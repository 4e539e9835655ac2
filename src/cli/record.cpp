// `rebound record`: a video without any display, one pane an integrator; or of how the solves of a frame got there, one
// pane a solver.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "cli/progress_bar.hpp"
#include "film/footage.hpp"
#include "film/iterates.hpp"
#include "film/side_by_side.hpp"
#include "mesh/error.hpp"
#include "mesh/progress.hpp"
#include "render/gl.hpp"
#include "render/offscreen.hpp"
#include "render/video.hpp"
#include "render/video_format.hpp"
#include "scene/identifiers.hpp"
#include "scene/ranges.hpp"
#include "scene/wording.hpp"
#include "session/journal.hpp"
#include "sim/registry.hpp"

namespace rebound::cli {
namespace {

struct RecordOptions {
  SceneOptions scene;
  std::string output, compare, solvers, replay, size = "1280x720", layout = "auto", plot = "one", colors = "plain";
  std::optional<double> frames, last, iterates;
  double fps = 30;
  bool light = false;
};

/// What stands between the commas. `what`: as messages call several of them.
std::vector<std::string> listed(const char* option, const std::string& text, const char* what,
                                const std::vector<std::string>& known) {
  std::vector<std::string> list;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    require_known(option, word, known);
    list.push_back(word);
  }
  if (list.size() > 6)
    throw InputError("--" + std::string(option) + ": " + std::to_string(list.size()) + " " + what +
                     "; at most 6 fit side by side");
  return list;
}

std::vector<std::string> integrators_of(const RecordOptions& options, const scene::Description& description) {
  auto list = listed("compare", options.compare, "integrators", scene::built().integrators);
  if (list.empty()) list.push_back(description.integrator.type);
  return list;
}

/// Those that tell how they got there.
std::vector<std::string> tellers() {
  std::vector<std::string> ids;
  for (const auto& solver : sim::solvers())
    if (solver.tells_how) ids.emplace_back(solver.id);
  return ids;
}

void read_size(const std::string& text, int& width, int& height) {
  double w = 0, h = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%lfx%lf%c", &w, &h, &rest) != 2)
    throw InputError("--size: '" + text + "' is not WIDTHxHEIGHT, such as 1280x720");
  width = static_cast<int>(scene::checked("record.width", w, "--size"));
  height = static_cast<int>(scene::checked("record.height", h, "--size"));
}

void tell_size_of_video(int width, int height) {
  if (width % 2 != 0 || height % 2 != 0)
    std::fprintf(stderr, "note: --size: a video has an even width and height, so one of %dx%d is %dx%d\n", width,
                 height, width / 2 * 2, height / 2 * 2);
}

/// What is filmed: a scene with several integrators, or a run that was recorded.
struct Subject {
  std::optional<session::Journal> recorded;
  scene::Description description;
  std::int64_t frames = 0;
};

Subject subject(const RecordOptions& options) {
  const auto wanted = options.frames ? std::optional(static_cast<std::int64_t>(*options.frames)) : std::nullopt;
  if (options.replay.empty()) {
    if (options.scene.scene.empty()) throw InputError("record needs a scene, or --replay FILE");
    if (session::is_run(options.scene.scene))
      throw InputError(options.scene.scene + ": is a run, not a scene; `rebound record --replay` films it");
    scene::Description description = options.scene.open_scene();
    const auto frames = wanted.value_or(description.frames);
    return {{}, std::move(description), frames};
  }
  if (!options.scene.scene.empty() || !options.scene.overrides().empty() || options.scene.seed ||
      !options.compare.empty())
    throw InputError("--replay: the file has the scene and all that was set; leave out SCENE and what changes it");
  session::Journal recorded = session::Journal::read(options.replay);
  scene::Description description = recorded.scene();
  const std::int64_t frames = std::min(recorded.last(), wanted.value_or(recorded.last()));
  return {std::move(recorded), std::move(description), frames};
}

double pictures_a_second(const RecordOptions& options) {
  const double most = render::most_pictures_a_second(render::video_format(options.output));
  if (options.fps <= most) return options.fps;
  std::fprintf(stderr, "note: --fps: players show at most %s pictures a second of a GIF, so it has those\n",
               scene::number_text(most).c_str());
  return most;
}

film::FilmOptions film_options(const RecordOptions& options, const std::string& name, std::int64_t frames) {
  film::FilmOptions film;
  film.name = name;
  film.frames = frames;
  read_size(options.size, film.width, film.height);
  if (render::video_format(options.output) != render::VideoFormat::pictures)
    tell_size_of_video(film.width, film.height);
  film.pictures_a_second = pictures_a_second(options);
  film.last_seconds = options.last;
  film.dark = !options.light;
  film.layout = options.layout == "row"      ? film::Layout::row
                : options.layout == "column" ? film::Layout::column
                : options.layout == "grid"   ? film::Layout::grid
                                             : film::Layout::automatic;
  film.plots = options.plot == "each"  ? film::Plots::each
               : options.plot == "off" ? film::Plots::none
                                       : film::Plots::one;
  film.colors = options.colors == "stress"   ? session::FieldKind::stress
                : options.colors == "strain" ? session::FieldKind::strain
                : options.colors == "energy" ? session::FieldKind::energy
                                             : session::FieldKind::none;
  return film;
}

render::VideoOptions video_options(const film::FilmOptions& film) {
  render::VideoOptions video;
  video.width = film.width;
  video.height = film.height;
  video.frames_per_second = film.pictures_a_second;
  return video;
}

/// Shoots a film, SideBySide or Iterates, and ends the video: earlier where it is interrupted. Returns the exit status.
template <class Film>
int shoot(Film& film, const RecordOptions& options, double fps, render::VideoWriter& writer, ProgressBar& bar,
          const Interruption& interruption) {
  std::int64_t taken = 0;
  const bool whole = finished([&] {
    film.shoot([&](render::Image picture) {
      interruption.check();
      writer.write(std::move(picture));
      bar.show(0.3 + 0.7 * static_cast<double>(++taken) / static_cast<double>(film.pictures()), "filming");
    });
  });
  if (!whole && taken == 0) throw mesh::Cancelled();
  bar.clear();
  writer.finish();
  if (taken < film.pictures())
    return interrupted(options.output + " has the first " + std::to_string(taken) + " pictures of " +
                       std::to_string(film.pictures()));
  std::printf("%s: %lld %s, %.2f s\n", options.output.c_str(), static_cast<long long>(taken),
              taken == 1 ? "picture" : "pictures", static_cast<double>(taken) / fps);
  return kDone;
}

// ---- how the solves of a frame got there ----

/// Throws InputError for what goes with a film of frames alone.
void refuse_frames(const RecordOptions& options) {
  const auto refuse = [](bool given, const std::string& option, const std::string& what) {
    if (given) throw InputError(option + ": --iterates " + what + "; leave one of the two out");
  };
  refuse(!options.replay.empty(), "--replay", "films a scene");
  refuse(!options.compare.empty(), "--compare", "has a pane a solver, which --solvers names");
  refuse(options.frames.has_value(), "--frames", "films one frame");
  refuse(options.last.has_value(), "--last", "films one frame");
  refuse(options.colors != "plain", "--colors", "films how a solve goes");
  if (options.scene.solver && !options.solvers.empty())
    throw InputError("--solvers: names what --solver does; leave one of the two out");
}

/// The scene with each solver, one pane each.
std::vector<scene::Description> scenes_to_solve(const RecordOptions& options) {
  if (options.scene.scene.empty()) throw InputError("record --iterates needs a scene");
  if (session::is_run(options.scene.scene))
    throw InputError(options.scene.scene + ": is a run, not a scene; --iterates films a scene");
  std::vector<scene::Description> scenes;
  for (const std::string& solver : listed("solvers", options.solvers, "solvers", scene::built().solvers)) {
    SceneOptions with = options.scene;
    with.solver = solver;
    scenes.push_back(with.open_scene());
  }
  if (scenes.empty()) scenes.push_back(options.scene.open_scene());
  for (const auto& scene : scenes) require_traced("--iterates", scene);
  return scenes;
}

/// How many iterates of each pane have a picture: what memory holds, and what anybody looks at.
std::size_t most_stills(const scene::World& world, std::size_t panes) {
  constexpr double kBytes = 512e6;
  constexpr double kLeast = 32, kMost = 1000;
  double vertices = 1;
  for (const auto& body : world.bodies) vertices += body.vertices();
  const double fit = kBytes / (sizeof(double) * 3 * vertices * static_cast<double>(panes));
  return static_cast<std::size_t>(std::clamp(fit, kLeast, kMost));
}

void tell_what_is_left_out(const film::SolveCourse& course) {
  const std::string name = course.title() + ": " + std::to_string(course.iterates().size()) + " iterates";
  if (course.every() > 1)
    std::fprintf(stderr, "note: %s; one in %zu has a picture, and the last\n", name.c_str(), course.every());
}

int record_iterates(const RecordOptions& options, const Interruption& interruption) {
  refuse_frames(options);
  if (*options.iterates == 0) throw InputError("--iterates: frame 0 is the start; the first that is solved is 1");
  const auto frame = static_cast<std::int64_t>(scene::checked("frames", *options.iterates, "--iterates"));
  const auto scenes = scenes_to_solve(options);
  const film::FilmOptions film = film_options(options, scenes.front().name, frame);
  Paths paths;
  paths.reads(scenes.front());
  paths.writes("--output", options.output);
  const render::OffscreenContext context;
  render::VideoWriter writer(options.output, video_options(film));

  const scene::World world = load_world(scenes.front(), interruption);
  ProgressBar bar;
  std::vector<film::SolveCourse> courses;
  for (const auto& description : scenes) {
    scene::World solved = world;
    solved.description = description;
    const auto panes = static_cast<double>(scenes.size()), before = static_cast<double>(courses.size());
    courses.emplace_back(std::move(solved), frame, most_stills(world, scenes.size()), options.scene.thread_count(),
                         [&](double share) {
                           interruption.check();
                           bar.show(0.3 * (before + share) / panes, "simulating");
                         });
    const film::SolveCourse& course = courses.back();
    bar.clear();
    if (!course.arrived())
      return fail(failed_status(course.session()), options.scene.scene + ": " + course.session().failure());
    if (course.iterates().empty())
      throw InputError("--iterates: nothing was solved in frame " + std::to_string(frame) + "; name another frame");
    tell_what_is_left_out(course);
  }
  film::Iterates iterates(courses, film);
  return shoot(iterates, options, film.pictures_a_second, writer, bar, interruption);
}

// ---- motions ----

/// What a film shows and does not say: that the simulation failed, or that a run is not the one that was recorded.
/// Returns the exit status.
int conclude(const film::SideBySide& shown, const Subject& what, const std::string& name) {
  if (!shown.divergence().empty()) return fail(kSimulationFailed, name + ": " + shown.divergence());
  if (what.recorded && what.recorded->is_cut_off() && what.frames == what.recorded->last())
    return fail_cut_off(name, what.recorded->last());
  const auto failures = shown.failures();
  if (std::none_of(failures.begin(), failures.end(), [](const std::string& failure) { return failure.empty(); }))
    return fail(kSimulationFailed, name + ": " + failures.front());
  for (const std::string& failure : failures)
    if (!failure.empty()) std::fprintf(stderr, "note: %s\n", failure.c_str());
  return kDone;
}

int record(const RecordOptions& options) {
  const Interruption interruption;
  if (options.frames) scene::checked("frames", *options.frames, "--frames");
  scene::checked("record.fps", options.fps, "--fps");
  if (options.last && !(*options.last > 0))
    throw InputError("--last: " + scene::number_text(*options.last) + " is not a time above 0 s");
  if (options.iterates) return record_iterates(options, interruption);
  if (options.scene.integrator && !options.compare.empty())
    throw InputError("--compare: names what --integrator does; leave one of the two out");
  if (!options.solvers.empty())
    throw InputError("--solvers: goes with --iterates FRAME; --solver names the one of a motion");
  const Subject what = subject(options);
  const film::FilmOptions film = film_options(options, what.description.name, what.frames);
  const auto integrators = integrators_of(options, what.description);
  Paths paths;
  paths.reads(what.description);
  paths.reads("the run", options.replay);
  paths.writes("--output", options.output);

  // What the machine lacks is said before the work begins.
  const render::OffscreenContext context;
  render::VideoWriter writer(options.output, video_options(film));

  const scene::World world = load_world(what.description, interruption);
  const int threads = options.scene.thread_count();
  film::Play play = what.recorded ? film::replayed(world, *what.recorded, what.frames, options.replay, threads)
                                  : film::compared(world, integrators, threads);
  ProgressBar bar;
  film::SideBySide side_by_side(film::remembered(std::move(play), film::kMostKept), film, [&](double share) {
    interruption.check();
    bar.show(0.3 * share, "simulating");
  });
  const int status = shoot(side_by_side, options, film.pictures_a_second, writer, bar, interruption);
  return status == kDone ? conclude(side_by_side, what, what.recorded ? options.replay : options.scene.scene) : status;
}

}  // namespace

void add_record(Program& program) {
  Command command = program.subcommand("record", "Film a scene off screen, with several integrators side by side");
  auto options = std::make_shared<RecordOptions>();
  options->scene.add_to(command, false);
  command.option("-o,--output", options->output,
                 "The video: .mp4, .mkv, .webm or .gif; or pictures, FOLDER/ or FOLDER/%05d.png",
                 {.required = true, .value = "FILE", .completion = Completion::files});
  command.option(
      "--compare", options->compare, "Integrators side by side, such as backward-euler,stabilized",
      {.value = "ID,ID,...", .completion = Completion::words, .words = scene::built().integrators, .listed = true});
  command.option("--iterates", options->iterates,
                 "Film how the solver got through this frame, iterate by iterate: 1 is the first after the start",
                 {.value = "INT"});
  command.option("--solvers", options->solvers, "With --iterates, solvers side by side, such as gast,newton",
                 {.value = "ID,ID,...", .completion = Completion::words, .words = tellers(), .listed = true});
  command.option("--frames", options->frames, "Frames to simulate (default: the scene's)", {.value = "INT"});
  command.option("--size", options->size, "Of the pictures, in pixels",
                 {.shows_default = true, .value = "WIDTHxHEIGHT"});
  command.option("--fps", options->fps, "Pictures a second of the video", {.shows_default = true});
  command.option("--last", options->last, "Only the last so many seconds of simulated time", {.value = "SECONDS"});
  command.option("--layout", options->layout, "Of the panes; auto: as large as they go",
                 {.shows_default = true, .value = "LAYOUT", .one_of = {"auto", "row", "column", "grid"}});
  command.option("--plot", options->plot, "Energies: one plot of all panes, one each, or off",
                 {.shows_default = true, .value = "PLOT", .one_of = {"one", "each", "off"}});
  command.option("--colors", options->colors, "What the bodies are coloured by",
                 {.shows_default = true, .value = "FIELD", .one_of = {"plain", "stress", "strain", "energy"}});
  command.option("--replay", options->replay, "A saved run instead of a scene",
                 {.value = "FILE", .completion = Completion::files});
  command.flag("--light", options->light, "The light theme");
  command.action([options] {
    try {
      return record(*options);
    } catch (const render::MissingProgram& error) {
      return fail(kMachineLacks, error.what());
    } catch (const render::GlError& error) {
      return fail(kMachineLacks, error.what());
    } catch (const render::OutputError& error) {
      return fail(kUnusableInput, error.what());
    }
  });
}

}  // namespace rebound::cli
