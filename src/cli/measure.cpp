// `rebound measure`: motion, not only energy.
#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "cli/progress_bar.hpp"
#include "film/chart_sheet.hpp"
#include "film/sheet.hpp"
#include "mesh/error.hpp"
#include "mesh/progress.hpp"
#include "motion/measure.hpp"
#include "papers/newton_map.hpp"
#include "scene/build.hpp"
#include "scene/identifiers.hpp"
#include "scene/ranges.hpp"
#include "session/disk_cache.hpp"
#include "session/output_file.hpp"

namespace rebound::cli {
namespace {

struct MeasureOptions {
  SceneOptions scene;
  std::string reference = "implicit-midpoint/20x20", output, plot, newton_map;
  std::optional<double> frames;
  double starts = 1;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    require_known("integrator", word, scene::built().integrators);
    list.push_back(word);
  }
  return list;
}

/// The rows; the finished ones where it was interrupted.
std::vector<motion::Row> measured(const scene::Description& description, const std::vector<std::string>& integrators,
                                  const motion::Reference& reference, const MeasureOptions& options,
                                  const Interruption& interruption) {
  session::DiskCache cache(session::DiskCache::platform_folder());
  ProgressBar bar;
  std::vector<motion::Row> rows;
  const auto show = [&](const std::string& what, double share) {
    interruption.check();
    bar.show(share, what);
  };
  const auto done = [&](const motion::Row& row) {
    bar.clear();
    if (rows.empty())
      std::printf(
          "%s, %lld frames; the reference has shiver %.3f and %.3g J to be seen; it is within %.1e of its own "
          "refinement, its energy within %.1e\n%s\n",
          row.scene.c_str(), static_cast<long long>(row.frames), row.reference_bands.below_4,
          row.reference_visible_kinetic, row.reference_path_error, row.reference_energy_error,
          motion::table_head().c_str());
    std::printf("%s\n", motion::table_line(row).c_str());
    std::fflush(stdout);
    rows.push_back(row);
  };
  const auto frames = options.frames ? static_cast<std::int64_t>(*options.frames) : description.frames;
  const motion::Trial trial{reference, frames, static_cast<int>(options.starts), options.scene.thread_count(), &cache};
  const bool whole = finished([&] { motion::measure(description, integrators, trial, {show, done}); });
  bar.clear();
  if (!whole && rows.empty()) throw mesh::Cancelled();
  return rows;
}

/// What is seen from picture to picture, and the shiver, of the reference and of each integrator.
std::string plot_of(const std::vector<motion::Row>& rows, const std::string& file) {
  const render::Theme& theme = render::light_theme();
  const auto chart = [&](const char* title, std::vector<double> motion::Course::*part) {
    render::Chart made{.title = title, .x_unit = "s", .y_unit = "J", .curves = {}, .x_range = {}, .y_range = {}};
    double highest = 0;
    const auto add = [&](const std::string& name, const render::Color& color, const motion::Course& course,
                         float width) {
      render::Curve curve{name, color, {}, course.*part, width};
      for (std::size_t i = 0; i < curve.y.size(); ++i) curve.x.push_back(static_cast<double>(i) * rows[0].seconds);
      made.curves.push_back(std::move(curve));
    };
    add("the reference", theme.text_muted, rows[0].reference_course, 2.4f);
    for (std::size_t r = 0; r < rows.size(); ++r)
      add(film::title_of(rows[r].integrator), theme.series[r % theme.series.size()], rows[r].course, 1.6f);
    // What blows up must not press all else onto the axis.
    for (const double value : rows[0].reference_course.seen) highest = std::max(highest, value);
    made.y_range = render::Range{0, std::max(1.6 * highest, 1e-12)};
    return made;
  };
  const std::vector<render::Chart> charts{chart("Kinetic energy that is seen", &motion::Course::seen),
                                          chart("Shiver: periods below four pictures", &motion::Course::shiver)};
  return film::chart_sheet(file, rows[0].scene, charts);
}

/// Where plain Newton and `gast` arrive, as a picture and in numbers.
int draw_newton_map(const std::string& file) {
  const Interruption interruption;
  session::OutputFile output(file);
  ProgressBar bar;
  std::vector<papers::NewtonMap> maps;
  const auto steps = papers::NewtonMap::steps();
  const double pixels = papers::NewtonMap::kWidth * papers::NewtonMap::kHeight;
  std::printf("%-12s %14s %14s\n", "steps", "Newton fails", "gast fails");
  for (const auto& step : steps) {
    maps.push_back(papers::newton_map(step.h, [&](double share) {
      interruption.check();
      bar.show((static_cast<double>(maps.size()) + share) / static_cast<double>(steps.size()), step.name);
    }));
    bar.clear();
    const auto& map = maps.back();
    std::printf("%-12s %6d, %4.1f %% %6d, %4.1f %%\n", step.name, map.plain_failed(), 100 * map.plain_failed() / pixels,
                map.gast_failed(), 100 * map.gast_failed() / pixels);
    std::fflush(stdout);
  }
  output.write(render::png_bytes(papers::picture_of(maps), file));
  output.commit();
  return kDone;
}

int measure(MeasureOptions options) {
  if (!options.newton_map.empty()) {
    if (!options.scene.scene.empty()) throw InputError("--newton-map: has a body of its own; leave out SCENE");
    if (!options.newton_map.ends_with(".png"))
      throw InputError("--newton-map: writes a PNG, so name it .png, not '" + options.newton_map + "'");
    return draw_newton_map(options.newton_map);
  }
  if (options.scene.scene.empty()) throw InputError("measure needs a scene, or --newton-map FILE.png");
  const Interruption interruption;
  if (options.frames) scene::checked("frames", *options.frames, "--frames");
  scene::checked("measure.starts", options.starts, "--starts");
  // Here it is a list.
  std::vector<std::string> integrators;
  if (options.scene.integrator) integrators = split(*std::exchange(options.scene.integrator, std::nullopt));
  const motion::Reference reference = motion::parse_reference(options.reference);
  require_known("reference", reference.integrator, scene::built().integrators);
  const scene::Description description = options.scene.open_scene();
  for (const std::string& integrator : integrators) {
    require_known("integrator", integrator, scene::built().integrators);
    scene::Description with = description;
    with.integrator.type = integrator;
    scene::check_contact(with);
  }
  if (integrators.empty()) integrators.push_back(description.integrator.type);
  Paths paths;
  paths.reads(description);
  paths.writes("--output", options.output);
  paths.writes("--plot", options.plot);
  if (!options.plot.empty()) film::require_plot_name(options.plot);
  std::optional<session::OutputFile> file;
  if (!options.output.empty()) file.emplace(options.output);  // refused now rather than after minutes
  std::optional<session::OutputFile> plot;
  if (!options.plot.empty()) plot.emplace(options.plot);
  const bool csv = options.output.ends_with(".csv");

  const auto rows = measured(description, integrators, reference, options, interruption);
  if (file) {
    file->write(csv ? motion::to_csv(rows) : motion::to_json(rows));
    file->commit();
  }
  if (plot) {
    plot->write(plot_of(rows, options.plot));
    plot->commit();
  }
  if (rows.size() < integrators.size())
    return interrupted("there are rows of " + std::to_string(rows.size()) + " integrators of " +
                       std::to_string(integrators.size()));
  return kDone;
}

}  // namespace

void add_measure(Program& program) {
  Command command = program.subcommand("measure", "Measure what is seen of a motion, against one of many small steps");
  command.footer([] {
    return std::string(
        "shiver: share of the velocities' power at periods below 4 pictures (30 a second), over the last half; 4 to 8: "
        "the next\nband. visible: kinetic energy without the shiver, over the reference's, in the last third; from, to: "
        "of several starts.\npath error: RMS distance from the reference in the first 2 s, in body diagonals. amp: late "
        "swing of the centre of mass\nover the reference's. |H-T|: largest energy error, share of the scale. L error: of "
        "free bodies.");
  });
  auto options = std::make_shared<MeasureOptions>();
  options->scene.add_to(command, false, true);
  command.option("--reference", options->reference, "What it is held against",
                 {.shows_default = true, .value = "ID/SUBSTEPSxITERATIONS"});
  command.option("--frames", options->frames, "Frames to simulate (default: the scene's)", {.value = "INT"});
  command.option("--starts", options->starts,
                 "Runs, with stiffnesses a hundredth apart, of which it is the mean: "
                 "motions of cloth depend on every detail",
                 {.shows_default = true, .value = "INT"});
  command.option("-o,--output", options->output, "JSON, or CSV by its name: a list of rows",
                 {.value = "FILE", .completion = Completion::files});
  command.option("--plot", options->plot, "SVG or PNG by its name: what is seen over time, and the shiver",
                 {.value = "FILE", .completion = Completion::files});
  command.option(
      "--newton-map", options->newton_map,
      "PNG: from which starts of a small body plain Newton arrives, and the solver gast, at six steps; needs no SCENE",
      {.value = "FILE.png", .completion = Completion::files});
  command.action([options] { return measure(*options); });
}

}  // namespace rebound::cli
