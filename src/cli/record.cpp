// `rebound record`: a video without any display, one pane an integrator.
#include <cstdio>
#include <sstream>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "cli/progress_bar.hpp"
#include "film/side_by_side.hpp"
#include "mesh/error.hpp"
#include "mesh/progress.hpp"
#include "render/gl.hpp"
#include "render/offscreen.hpp"
#include "render/video.hpp"
#include "scene/identifiers.hpp"
#include "scene/ranges.hpp"
#include "scene/wording.hpp"
#include "session/journal.hpp"

namespace rebound::cli {
namespace {

struct RecordOptions {
  SceneOptions scene;
  std::string output, compare, replay, size = "1280x720", layout = "auto", plot = "one";
  std::optional<double> frames, last;
  double fps = 30;
  bool light = false;
};

std::vector<std::string> integrators_of(const RecordOptions& options, const scene::Description& description) {
  std::vector<std::string> list;
  std::istringstream words(options.compare);
  for (std::string word; std::getline(words, word, ',');) {
    require_known("compare", word, scene::built().integrators);
    list.push_back(word);
  }
  if (list.empty()) list.push_back(description.integrator.type);
  if (list.size() > 6)
    throw InputError("--compare: " + std::to_string(list.size()) + " integrators; at most 6 fit side by side");
  return list;
}

void read_size(const std::string& text, int& width, int& height) {
  double w = 0, h = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%lfx%lf%c", &w, &h, &rest) != 2)
    throw InputError("--size: '" + text + "' is not WIDTHxHEIGHT, such as 1280x720");
  width = static_cast<int>(scene::checked("record.width", w, "--size"));
  height = static_cast<int>(scene::checked("record.height", h, "--size"));
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

film::FilmOptions film_options(const RecordOptions& options, const Subject& what) {
  film::FilmOptions film;
  film.name = what.description.name;
  film.frames = what.frames;
  read_size(options.size, film.width, film.height);
  film.pictures_a_second = options.fps;
  film.last_seconds = options.last;
  film.dark = !options.light;
  film.layout = options.layout == "row"      ? film::Layout::row
                : options.layout == "column" ? film::Layout::column
                : options.layout == "grid"   ? film::Layout::grid
                                             : film::Layout::automatic;
  film.plots = options.plot == "each"  ? film::Plots::each
               : options.plot == "off" ? film::Plots::none
                                       : film::Plots::one;
  return film;
}

/// Returns how many pictures were taken: fewer than there are where it was interrupted.
std::int64_t shoot(film::SideBySide& side_by_side, render::VideoWriter& writer, ProgressBar& bar,
                   const Interruption& interruption) {
  std::int64_t taken = 0;
  try {
    side_by_side.shoot([&](render::Image picture) {
      interruption.check();
      writer.write(std::move(picture));
      bar.show(0.3 + 0.7 * static_cast<double>(++taken) / static_cast<double>(side_by_side.pictures()), "filming");
    });
  } catch (const mesh::Cancelled&) {
    if (taken == 0) throw;
  }
  return taken;
}

int record(const RecordOptions& options) {
  const Interruption interruption;
  if (options.frames) scene::checked("frames", *options.frames, "--frames");
  scene::checked("record.fps", options.fps, "--fps");
  if (options.last && !(*options.last > 0))
    throw InputError("--last: " + scene::number_text(*options.last) + " is not a time above 0 s");
  const Subject what = subject(options);
  const film::FilmOptions film = film_options(options, what);
  const auto integrators = integrators_of(options, what.description);
  Paths paths;
  paths.reads(what.description);
  paths.reads("the run", options.replay);
  paths.writes("--output", options.output);

  // What the machine lacks is said before the work begins.
  const render::OffscreenContext context;
  render::VideoOptions video;
  video.width = film.width;
  video.height = film.height;
  video.frames_per_second = options.fps;
  render::VideoWriter writer(options.output, video);

  const scene::World world = load_world(what.description, interruption);
  const int threads = options.scene.thread_count();
  film::Play play = what.recorded ? film::replayed(world, *what.recorded, what.frames, options.replay, threads)
                                  : film::compared(world, integrators, threads);
  ProgressBar bar;
  film::SideBySide side_by_side(std::move(play), film, [&](double share) {
    interruption.check();
    bar.show(0.3 * share, "simulating");
  });
  const std::int64_t taken = shoot(side_by_side, writer, bar, interruption);
  bar.clear();
  writer.finish();
  if (taken < side_by_side.pictures())
    return interrupted(options.output + " has the first " + std::to_string(taken) + " pictures of " +
                       std::to_string(side_by_side.pictures()));
  std::printf("%s: %lld pictures, %.2f s\n", options.output.c_str(), static_cast<long long>(taken),
              static_cast<double>(taken) / options.fps);
  return kDone;
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
  command.option("--frames", options->frames, "Frames to simulate (default: the scene's)", {.value = "INT"});
  command.option("--size", options->size, "Of the pictures, in pixels",
                 {.shows_default = true, .value = "WIDTHxHEIGHT"});
  command.option("--fps", options->fps, "Pictures a second of the video", {.shows_default = true});
  command.option("--last", options->last, "Only the last so many seconds of simulated time", {.value = "SECONDS"});
  command.option("--layout", options->layout, "Of the panes; auto: as large as they go",
                 {.shows_default = true, .value = "LAYOUT", .one_of = {"auto", "row", "column", "grid"}});
  command.option("--plot", options->plot, "Energies: one plot of all panes, one each, or none",
                 {.shows_default = true, .value = "PLOT", .one_of = {"one", "each", "off"}});
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
