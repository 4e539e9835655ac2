#include "papers/film_row.hpp"

#include <mutex>
#include <set>

#include "film/cast.hpp"
#include "film/side_by_side.hpp"
#include "render/gl.hpp"
#include "render/offscreen.hpp"
#include "render/process.hpp"
#include "render/video.hpp"
#include "scene/build.hpp"
#include "session/output_file.hpp"

namespace rebound::papers {
namespace {

constexpr int kFilmWidth = 600, kFilmHeight = 338;
constexpr double kPicturesASecond = 20;
constexpr int kQuality = 72;  // of the page's pictures

/// Evenly over all of it, the first and the last among them.
std::set<std::int64_t> chosen(int pictures, std::int64_t of) {
  std::set<std::int64_t> list;
  for (int i = 0; i < pictures; ++i) list.insert(pictures == 1 ? of - 1 : i * (of - 1) / (pictures - 1));
  return list;
}

std::unique_ptr<render::VideoWriter> video_writer(const std::filesystem::path& file, Kept& kept) {
  render::VideoOptions options;
  options.width = kFilmWidth;
  options.height = kFilmHeight;
  options.frames_per_second = kPicturesASecond;
  try {
    return std::make_unique<render::VideoWriter>(file, options);
  } catch (const render::MissingProgram& error) {
    kept.remark = error.what();
    return nullptr;
  }
}

/// Null where there is nothing to be seen.
film::Play play_of(const Row& row, const FilmedRuns& filmed, const Means& means) {
  if (auto reel = filmed.reel()) return film::played_back(std::move(reel));
  std::vector<scene::World> worlds;
  for (const std::size_t run : row.film->runs)
    if (const auto scene = row.runs[run]->shown(means)) {
      worlds.push_back(scene::load_world(*scene));
      if (!worlds.back().description.runaway) worlds.back().description.runaway = session::kUsualRunaway;
    }
  if (worlds.empty()) return nullptr;
  return film::remembered(film::side_by_side(std::move(worlds), means.threads), film::kMostKept);
}

void shoot(const Row& row, const FilmedRuns& filmed, const Means& means, const std::filesystem::path& folder,
           const std::function<void()>& check, Kept& kept) {
  const render::OffscreenContext context;
  film::Play play = play_of(row, filmed, means);
  if (!play) return;
  film::FilmOptions options;
  options.name = row.title;
  options.frames = row.film->frames;
  options.width = kFilmWidth;
  options.height = kFilmHeight;
  options.pictures_a_second = kPicturesASecond;
  options.plots = film::Plots::none;
  options.layout = film::Layout::row;
  film::SideBySide film(std::move(play), options, [&](double) { check(); });
  const auto writer = video_writer(folder / "motion.mp4", kept);
  const std::set<std::int64_t> stills = chosen(row.film->pictures, film.pictures());
  std::int64_t taken = 0;
  film.shoot([&](render::Image picture) {
    check();
    if (stills.contains(taken)) {
      const std::string name = "picture-" + std::to_string(kept.pictures.size() + 1) + ".jpg";
      session::OutputFile file(folder / name);
      file.write(render::jpeg_bytes(picture, name, kQuality));
      file.commit();
      kept.pictures.push_back(name);
    }
    ++taken;
    if (writer) writer->write(std::move(picture));
  });
  if (!writer) return;
  writer->finish();
  kept.video = "motion.mp4";
}

}  // namespace

void film_row(const Row& row, const FilmedRuns& filmed, const Means& means, const std::filesystem::path& folder,
              const std::function<void()>& check, Kept& kept) {
  // One context at a time, whatever the number of rows under way.
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  try {
    shoot(row, filmed, means, folder, check, kept);
  } catch (const render::GlError& error) {
    kept.remark = std::string("no pictures: ") + error.what();
  } catch (const render::OutputError& error) {
    kept.remark = std::string("no video: ") + error.what();
  }
}

}  // namespace rebound::papers
