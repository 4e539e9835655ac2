#include "film/side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "film/picture.hpp"
#include "render/chart.hpp"
#include "render/offscreen.hpp"
#include "render/renderer.hpp"
#include "sim/registry.hpp"

namespace rebound::film {
namespace {

constexpr int kCaptionHeight = 44;
constexpr double kChartShare = 0.27;  // of a pane's height
// A body that has grown beyond this many times its size has exploded.
constexpr float kExploded = 3;
constexpr float kTight = 0.75f;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

SideBySide::SideBySide(const scene::World& world, const FilmOptions& options,
                       const std::function<void(double)>& progress)
    : world_(world), options_(options), font_(render::Font::find()) {
  std::fill(std::begin(low_), std::end(low_), INFINITY);
  std::fill(std::begin(high_), std::end(high_), -INFINITY);
  lowest_ = INFINITY;
  highest_ = -INFINITY;
  panes_.resize(options_.integrators.size());
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    panes_[i].integrator = options_.integrators[i];
    const double n = static_cast<double>(panes_.size());
    rehearse(panes_[i], [&](double share) { progress((static_cast<double>(i) + share) / n); });
  }
}

std::unique_ptr<session::Session> SideBySide::open(const std::string& integrator) const {
  scene::World world = world_;
  world.description.integrator.type = integrator;
  return std::make_unique<session::Session>(std::move(world), options_.threads);
}

void SideBySide::rehearse(Pane& pane, const std::function<void(double)>& progress) {
  const auto session = open(pane.integrator);
  session::Snapshot moment;
  float first_size = 0;
  bool exploded = false;
  std::vector<double> times;
  do {
    session::look(*session, moment);
    const render::Box box = box_of(moment);
    const float size = box.isEmpty() ? 0 : box.diagonal().norm();
    if (session->frame() == 0) first_size = size;
    // Neither the camera nor the axes follow an explosion.
    const auto& r = session->record();
    exploded = exploded || size > kExploded * first_size || r.measured.total() - r.target > r.scale;
    if (!exploded) {
      for (int c = 0; c < 3; ++c) {
        low_[c] = std::min(low_[c], box.min()[c]);
        high_[c] = std::max(high_[c], box.max()[c]);
      }
      lowest_ = std::min(lowest_, r.target - 1.05 * r.scale);
      highest_ = std::max(highest_, r.target + 0.45 * r.scale);
    }
    pane.records.push_back(r);
    if (session->frame() > 0) times.push_back(r.step_ms);
    progress(static_cast<double>(session->frame()) / static_cast<double>(std::max<std::int64_t>(options_.frames, 1)));
  } while (session->frame() < options_.frames && session->step());
  pane.failure = session->failure();
  pane.median_ms = median(times);
}

std::int64_t SideBySide::pictures() const {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(options_.frames) * world_.description.timeStep *
                                              options_.pictures_a_second)) +
         1;
}

SideBySide::Area SideBySide::area(std::size_t pane) const {
  const int count = static_cast<int>(panes_.size()), rows = count > 3 ? 2 : 1, columns = (count + rows - 1) / rows;
  const int column = static_cast<int>(pane) % columns, row = static_cast<int>(pane) / columns;
  const int height = options_.height - kCaptionHeight;
  const int left = options_.width * column / columns, right = options_.width * (column + 1) / columns;
  const int top = height * row / rows, bottom = height * (row + 1) / rows;
  return {left, kCaptionHeight + top, right - left - (column + 1 < columns ? 2 : 0),
          bottom - top - (row + 1 < rows ? 2 : 0)};
}

void SideBySide::shoot(const std::function<void(render::Image)>& take) {
  const render::Theme& theme = options_.dark ? render::dark_theme() : render::light_theme();
  render::Renderer renderer({render::Antialiasing::msaa4, render::ShadowQuality::fast});
  std::vector<std::unique_ptr<session::Session>> sessions;
  std::vector<Picture> pictures(panes_.size());
  std::vector<session::Snapshot> moments(panes_.size());
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    sessions.push_back(open(panes_[i].integrator));
    session::look(*sessions[i], moments[i]);
    pictures[i].show(sessions[i]->world().bodies, moments[i]);
  }
  const double h = world_.description.timeStep;
  const std::int64_t count = this->pictures();
  for (std::int64_t k = 0; k < count; ++k) {
    const double time = static_cast<double>(k) / options_.pictures_a_second;
    // A hair late rather than a frame early: 0.033 s and 1/30 s nearly coincide.
    const auto frame = std::min(options_.frames, static_cast<std::int64_t>(std::floor(time / h + 1e-9)));
    render::Image picture(options_.width, options_.height);
    render::fill_rectangle(picture, 0, 0, picture.width, picture.height, theme.panel);
    for (std::size_t i = 0; i < panes_.size(); ++i) {
      while (sessions[i]->frame() < frame && sessions[i]->step()) {
      }
      session::look(*sessions[i], moments[i]);
      pictures[i].update(moments[i]);
      const Area a = area(i);
      const int chart_height = static_cast<int>(a.height * kChartShare);
      const render::RenderTarget target(a.width, a.height - chart_height);
      auto& camera = pictures[i].camera();
      camera.resize(target.width(), target.height());
      // The default view leaves room to swing, which this box holds already.
      const render::Vec3 low(low_[0], low_[1], low_[2]), high(high_[0], high_[1], high_[2]);
      const render::Vec3 centre = 0.5f * (low + high);
      if (pictures[i].is_figure()) {
        pictures[i].go_home();
      } else {
        camera.home(render::Box(centre + kTight * (low - centre), centre + kTight * (high - centre)));
      }
      camera.finish();
      target.bind();
      renderer.draw(pictures[i].view(moments[i], {.dark = options_.dark}, 1), target.viewport());
      render::copy_into(picture, target.read(), a.x, a.y);
      label(picture, panes_[i], a, sessions[i]->frame());
      chart(picture, panes_[i], {a.x, a.y + a.height - chart_height, a.width, chart_height}, sessions[i]->frame());
    }
    caption(picture, time);
    take(std::move(picture));
  }
}

void SideBySide::caption(render::Image& picture, double time) {
  const render::Theme& theme = options_.dark ? render::dark_theme() : render::light_theme();
  const auto& d = world_.description;
  font_.draw(picture, d.name, 16, 29, 22, theme.text);
  const std::string right =
      "time step " + formatted("%g", d.timeStep * 1000) + " ms     t = " + formatted("%.2f", time) + " s";
  font_.draw(picture, right, static_cast<float>(picture.width - 16), 29, 18, theme.text_muted, render::Align::right);
}

void SideBySide::label(render::Image& picture, const Pane& pane, const Area& area, std::int64_t frame) {
  const render::Theme& theme = options_.dark ? render::dark_theme() : render::light_theme();
  const auto* info = sim::find_integrator(pane.integrator);
  const float x = static_cast<float>(area.x + 14), y = static_cast<float>(area.y);
  font_.draw(picture, info != nullptr ? std::string(info->title) : pane.integrator, x, y + 28, 20, theme.text);
  const auto& r = pane.records[static_cast<std::size_t>(frame)];
  font_.draw(picture, formatted("%.2f ms a step", pane.median_ms), x, y + 50, 15, theme.text_muted);
  const double excess = (r.measured.total() - r.target) / r.scale;
  if (!pane.failure.empty() && frame + 1 == static_cast<std::int64_t>(pane.records.size())) {
    font_.draw(picture, "blew up", x, y + 74, 18, theme.error);
  } else if (excess > 1) {
    font_.draw(picture, "exploding: energy off by " + formatted("%.3g", excess) + " x", x, y + 74, 18, theme.error);
  }
}

void SideBySide::chart(render::Image& picture, const Pane& pane, const Area& area, std::int64_t frame) {
  const render::Theme& theme = options_.dark ? render::dark_theme() : render::light_theme();
  render::Chart chart;
  chart.x_unit = "s";
  chart.y_unit = "J";
  chart.x_range = render::Range{0, std::max(1e-9, static_cast<double>(options_.frames) * world_.description.timeStep)};
  chart.y_range = render::Range{lowest_, highest_};
  chart.curves = {{"target", theme.text_muted, {}, {}, 1.5f}, {"total energy", theme.series[0], {}, {}, 2.5f}};
  for (std::int64_t f = 0; f <= frame; ++f) {
    const auto& r = pane.records[static_cast<std::size_t>(f)];
    for (auto& curve : chart.curves) curve.x.push_back(r.time);
    chart.curves[0].y.push_back(r.target);
    chart.curves[1].y.push_back(r.measured.total());
  }
  render::draw_chart(picture, {area.x, area.y, area.width, area.height}, chart, theme, font_);
}

}  // namespace rebound::film
