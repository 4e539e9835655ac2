#include "app/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "film/pane_colors.hpp"
#include "render/gl.hpp"

namespace rebound::app {
namespace fs = std::filesystem;
namespace {

// Of a time step: sums of time steps and pictures' times nearly coincide, and must not be told apart by rounding.
constexpr double kHair = 1e-6;

render::RenderSettings settings_for_this_machine() {
  return render::gl::is_software() ? render::RenderSettings::for_current_context() : render::RenderSettings::finest();
}

}  // namespace

Recorder::~Recorder() {
  stop();
  if (finishing_.valid()) finishing_.wait();
}

void Recorder::start(const fs::path& file, const RecordingOptions& options, std::size_t panes) {
  render::VideoOptions video;
  video.width = options.width;
  video.height = options.height;
  video.frames_per_second = options.pictures_a_second;
  auto writer = std::make_unique<render::VideoWriter>(file, video);
  sheet_.emplace(options.width, options.height, panes, options.picture.dark);
  renderer_.emplace(settings_for_this_machine());
  targets_.clear();
  for (std::size_t i = 0; i < panes; ++i) {
    const auto area = sheet_->picture(i);
    targets_.push_back(std::make_unique<render::RenderTarget>(area.width, area.height));
  }
  video_ = std::move(writer);
  file_ = file;
  options_ = options;
  copies_ = pictures_ = 0;
  last_time_.reset();
  elapsed_ = 0;
  failure_.clear();
  state_ = State::recording;
}

double Recorder::follow_time(double time) {
  if (last_time_) elapsed_ += std::max(0.0, time - *last_time_);
  last_time_ = time;
  return elapsed_;
}

// A moment is shown until the next one: in all pictures from its own time on, but not in one at that of the next.
int Recorder::count_due(double elapsed, double step) const {
  const double end = (elapsed + (1 - kHair) * step) * options_.pictures_a_second;
  return std::max(0, static_cast<int>(std::floor(end)) + 1 - pictures_);
}

int Recorder::steps_to_next(const session::Snapshot& moment) const {
  const double h = moment.description.timeStep;
  return std::max(1, static_cast<int>(std::floor((seconds() - elapsed_) / h + kHair)));
}

void Recorder::take(std::span<const RecordedPane> panes) {
  if (!records() || panes.empty()) return;
  hand_over();
  const auto& moment = panes.front().moment;
  const double elapsed = follow_time(moment.record.time);
  if (!records() || copies_ > 0) return;
  const int due = count_due(elapsed, moment.description.timeStep);
  if (due == 0) return;
  waiting_ = draw(panes);
  copies_ = due;
  hand_over();
}

bool Recorder::has_room() {
  hand_over();
  return copies_ == 0 && video_ && !video_->is_full();
}

void Recorder::hand_over() {
  try {
    while (records() && copies_ > 0 && !video_->is_full()) {
      video_->write(copies_ > 1 ? waiting_ : std::move(waiting_));
      --copies_;
      ++pictures_;
    }
    if (records() && !video_->failure().empty()) fail(video_->failure());
  } catch (const render::OutputError& error) {
    fail(error.what());
  }
}

void Recorder::fail(std::string reason) {
  failure_ = std::move(reason);
  report_ = Report{failure_, true};
  video_.reset();
  state_ = State::failed;
}

void Recorder::stop(const std::string& why) {
  if (!records()) return;
  hand_over();
  if (!records()) return;
  state_ = State::finishing;
  pictures_ += copies_;
  const auto last = std::make_shared<render::Image>(std::move(waiting_));
  finishing_ = std::async(std::launch::async, [video = std::move(video_), file = file_, seconds = seconds(), last,
                                               copies = std::exchange(copies_, 0), why] {
    try {
      for (int i = 0; i < copies; ++i) video->write(*last);
      video->finish();
      char length[32];
      std::snprintf(length, sizeof length, " (%.1f s)", seconds);
      return Report{"Video: " + file.string() + length + (why.empty() ? "" : "; it ends there, as " + why), false};
    } catch (const std::exception& error) {
      return Report{error.what(), true};
    }
  });
}

std::optional<Recorder::Report> Recorder::poll() {
  if (records()) hand_over();
  const bool finished =
      state_ == State::finishing && finishing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  if (finished) {
    report_ = finishing_.get();
    failure_ = report_->failed ? report_->text : std::string();
    state_ = report_->failed ? State::failed : State::idle;
  }
  return std::exchange(report_, std::nullopt);
}

// ---- a picture ----

render::Image Recorder::draw(std::span<const RecordedPane> panes) {
  const auto& moment = panes.front().moment;
  render::Image page = sheet_->page(moment.description.name, moment.description.timeStep, moment.record.time);
  const std::size_t count = std::min(panes.size(), targets_.size());
  const render::Range time = plotted(panes);
  for (std::size_t i = 0; i < count; ++i) draw_pane(page, i, panes[i], time);
  return page;
}

// The same of all, wherever a pane began or stopped: what happens at one time is seen at one place.
render::Range Recorder::plotted(std::span<const RecordedPane> panes) const {
  // A short history fills the chart, too; below this it would seem to jump about.
  constexpr double kLeast = 3;
  double now = 0, earliest = INFINITY;
  for (const RecordedPane& pane : panes) {
    now = std::max(now, pane.moment.record.time);
    if (!pane.records.empty()) earliest = std::min(earliest, pane.records.front().time);
  }
  const double begin = std::max(std::min(earliest, now), now - options_.plot_seconds);
  return {begin, std::max(now, begin + std::min(kLeast, options_.plot_seconds))};
}

void Recorder::draw_pane(render::Image& page, std::size_t place, const RecordedPane& pane,
                         const render::Range& plotted) {
  const render::RenderTarget& target = *targets_[place];
  {
    const render::gl::KeepFramebuffer keep;
    render::Camera& camera = pane.picture.camera();
    const render::Camera windows_own = camera;
    camera.resize(target.width(), target.height());
    target.bind();
    renderer_->draw(pane.picture.view(pane.moment, options_.picture, sheet_->unit()), target.viewport());
    camera = windows_own;
    const auto at = sheet_->picture(place);
    render::copy_into(page, target.read(), at.x, at.y);
  }
  const double now = pane.moment.record.time;
  const auto first = std::lower_bound(pane.records.begin(), pane.records.end(), plotted.low,
                                      [](const session::FrameRecord& r, double time) { return r.time < time; });
  // What comes after is of the time before one went back.
  const auto end = std::upper_bound(first, pane.records.end(), now,
                                    [](double time, const session::FrameRecord& r) { return time < r.time; });
  const std::vector<session::FrameRecord> shown(first, end);
  film::EnergyAxis axis;
  std::vector<double> last_second;
  for (const auto& record : shown) {
    axis.take(record);
    if (record.step_ms > 0 && record.time > now - 1) last_second.push_back(record.step_ms);
  }
  sheet_->write(page, place,
                {film::title_of(pane.moment.description.integrator.type), film::timing_of(std::move(last_second)),
                 film::trouble_of(pane.moment.record, pane.moment.outcome)});
  const auto& color = sheet_->theme().series[film::kPaneSeries[place % film::kPaneSeries.size()]];
  sheet_->draw_energy(page, place, color, shown, plotted, axis.range());
}

}  // namespace rebound::app
