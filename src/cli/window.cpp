#include "cli/window.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/app.hpp"
#include "mesh/error.hpp"
#include "scene/library.hpp"
#include "session/journal.hpp"

namespace rebound::cli {
namespace {

struct Options {
  SceneOptions scene;
  bool paused = false;
  std::string size;
  std::string trace;
};

/// Who names nothing gets the scene that shows best what the program is for, under our own integrator.
void choose_defaults(SceneOptions& of) {
  constexpr const char* kFavourite = "swinging-bunny";
  of.scene = kFavourite;
  if (!of.integrator) of.integrator = "rebound";
  if (scene::find_scene(kFavourite)) return;
  const auto scenes = scene::list_scenes();
  if (scenes.empty())
    throw InputError("no built-in scenes were found (REBOUND_ASSETS can name their folder); give a scene or a mesh");
  of.scene = scenes.front().name;
}

app::Size parse_size(const std::string& text) {
  app::Size size;
  char rest = 0;
  if (text.empty()) return size;
  if (std::sscanf(text.c_str(), "%dx%d%c", &size.width, &size.height, &rest) != 2 || size.empty() ||
      size.width > 16384 || size.height > 16384)
    throw InputError("--size: '" + text + "' is not a size such as 1280x800");
  return size;
}

int show(const app::WindowOptions& window) {
  try {
    app::open_window(window);
  } catch (const app::NoDisplay& none) {
    std::fprintf(stderr, "rebound: no window (%s); without a display there are `rebound run` and `rebound record`\n",
                 none.what());
    return kMachineLacks;
  }
  return kDone;
}

int open(const Options& given) {
  Options options = given;
  if (options.scene.scene.empty()) choose_defaults(options.scene);
  // Once here, so that what is wrong with a scene is said before a window opens.
  const bool is_run = session::is_run(options.scene.scene);
  if (is_run && (!options.scene.overrides().empty() || options.scene.seed))
    throw InputError(options.scene.scene + ": a run has all that was set; leave out what changes it");
  const std::string name =
      is_run ? session::Journal::read(options.scene.scene).scene().name : options.scene.open_scene().name;
  app::WindowOptions window;
  if (is_run) window.run = std::make_shared<session::Journal>();
  window.open = [scene = options.scene, run = window.run] {
    if (!run) return scene.open_scene();
    *run = session::Journal::read(scene.scene);
    return run->scene();
  };
  window.name = name;
  window.threads = options.scene.threads ? static_cast<int>(*options.scene.threads) : 0;
  window.paused = options.paused;
  window.size = parse_size(options.size);
  window.trace = options.trace;
  return show(window);
}

}  // namespace

int open_scene(const scene::Description& scene) {
  app::WindowOptions window;
  window.open = [scene] { return scene; };
  window.name = scene.name;
  return show(window);
}

void add_window(Program& program) {
  // A file of any kind, even a broken one, is not a command that was mistyped.
  Command command = program.alone(
      [](const std::string& word) { return std::filesystem::exists(word) || scene::find_scene(word).has_value(); });
  auto options = std::make_shared<Options>();
  options->scene.add_to(command, false);
  command.flag("--paused", options->paused, "Begin paused");
  command.option("--size", options->size, "Size of the window, such as 1280x800", {.value = "WIDTHxHEIGHT"});
  command.option("--trace", options->trace, "", {.hidden = true});
  command.action([options] { return open(*options); });
}

}  // namespace rebound::cli
