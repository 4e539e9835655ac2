#include "papers/newton_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "papers/flat_body.hpp"
#include "papers/plain_newton.hpp"
#include "render/text.hpp"

namespace rebound::papers {
namespace {

// The body at rest, in pixels of the map: from (10, 12) to its tip at (35, 12), which is where the paper has its rest.
constexpr double kBase = 10, kTip = 35, kMiddle = 12, kPixelsAMetre = 25;
constexpr int kAlong = 6, kAcross = 3, kVertices = kAlong * kAcross;
constexpr double kThick = 0.4, kDensity = 1000, kYoung = 1e5, kPoisson = 0.45;
constexpr double kTolerance = 1e-6;  // m/s

sim::Points rest_body() {
  sim::Points rest(kVertices, 3);
  for (int i = 0; i < kAlong; ++i)
    for (int j = 0; j < kAcross; ++j)
      rest.row(i * kAcross + j) << static_cast<double>(i) / (kAlong - 1), kThick * (0.5 * j - 0.5), 0;
  return rest;
}

std::vector<FlatBody::Triangle> triangles_of_body() {
  std::vector<FlatBody::Triangle> triangles;
  for (int i = 0; i + 1 < kAlong; ++i)
    for (int j = 0; j + 1 < kAcross; ++j) {
      const int a = i * kAcross + j, b = a + kAcross, c = b + 1, d = a + 1;
      if ((i + j) % 2 == 0) {
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, d});
      } else {
        triangles.push_back({a, b, d});
        triangles.push_back({b, c, d});
      }
    }
  return triangles;
}

sim::Model model_of_body(const sim::Points& rest) {
  sim::Model model;
  model.M = sim::Vector::Zero(kVertices);
  const auto triangles = triangles_of_body();
  for (const auto& t : triangles) {
    const auto a = rest.row(t[1]) - rest.row(t[0]), b = rest.row(t[2]) - rest.row(t[0]);
    for (const int v : t) model.M[v] += kDensity * 0.5 * (a[0] * b[1] - a[1] * b[0]) / 3;
  }
  model.fixed.assign(kVertices, 0);
  model.bodies.push_back({0, kVertices});
  const double mu = kYoung / (2 * (1 + kPoisson)), lambda = kYoung * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));
  model.energies.push_back(std::make_shared<FlatBody>(rest, triangles, mu, lambda));
  return model;
}

// The tip goes to the pixel, the base stays, and what lies between follows by the square of how far along it is.
sim::Points start(const sim::Points& rest, int column, int row) {
  sim::Points x = rest;
  const Eigen::RowVector3d pull((column - kTip) / kPixelsAMetre, (row - kMiddle) / kPixelsAMetre, 0);
  for (Eigen::Index v = 0; v < x.rows(); ++v) x.row(v) += rest(v, 0) * rest(v, 0) * pull;
  return x;
}

int failed_in(const std::vector<int>& iterations) {
  return static_cast<int>(std::count(iterations.begin(), iterations.end(), -1));
}

void paint(const std::vector<int>& iterations, int left, int top, int zoom, render::Image& image) {
  for (int y = 0; y < NewtonMap::kHeight; ++y)
    for (int x = 0; x < NewtonMap::kWidth; ++x) {
      const int n = iterations[static_cast<std::size_t>(y * NewtonMap::kWidth + x)];
      const double blue = std::min(1.0, n / 15.0), green = std::clamp((n - 15) / 15.0, 0.0, 1.0);
      const std::array<std::uint8_t, 4> color{static_cast<std::uint8_t>(n < 0 ? 220 : 0),
                                              static_cast<std::uint8_t>(n < 0 ? 30 : 255 * green),
                                              static_cast<std::uint8_t>(n < 0 ? 30 : 255 * blue), 255};
      for (int j = 0; j < zoom; ++j)
        for (int i = 0; i < zoom; ++i)
          std::copy(color.begin(), color.end(),
                    image.pixel(left + x * zoom + i, top + (NewtonMap::kHeight - 1 - y) * zoom + j));
    }
}

}  // namespace

std::span<const NewtonMap::Step> NewtonMap::steps() {
  static constexpr std::array kSteps{Step{"170 a frame", 1 / (24.0 * 170)}, Step{"40 a frame", 1 / (24.0 * 40)},
                                     Step{"20 a frame", 1 / (24.0 * 20)},   Step{"10 a frame", 1 / (24.0 * 10)},
                                     Step{"1 a frame", 1 / 24.0},           Step{"1 s", 1.0}};
  return kSteps;
}

int NewtonMap::plain_failed() const { return failed_in(plain); }
int NewtonMap::gast_failed() const { return failed_in(gast); }

void add_rows(double h, int first, int last, NewtonMap& map) {
  const sim::Points rest = rest_body();
  const sim::Model model = model_of_body(rest);
  PlainNewton plain(model);
  sim::Gast gast(model);
  sim::Workspace work(1);
  sim::StepBuffers buffers;
  sim::History history;
  history.now.v = sim::Points::Zero(kVertices, 3);
  sim::SolveEffort effort(PlainNewton::kMost);
  effort.tolerance = kTolerance;
  for (int row = first; row < last; ++row)
    for (int column = 0; column < NewtonMap::kWidth; ++column) {
      history.now.x = start(rest, column, row);
      const sim::StepObjective g(model, sim::kBackwardEuler, h, history, buffers, work);
      sim::Points x = g.y();
      map.plain.push_back(plain.solve(g, kTolerance, PlainNewton::kMost, x).value_or(-1));
      x = g.y();
      const sim::SolveReport report = gast.minimize(g, effort, nullptr, x);
      map.gast.push_back(report.converged && report.outcome == sim::Outcome::done ? report.iterations : -1);
    }
}

NewtonMap newton_map(double h, const std::function<void(double)>& show) {
  NewtonMap map;
  for (int row = 0; row < NewtonMap::kHeight; ++row) {
    show(static_cast<double>(row) / NewtonMap::kHeight);
    add_rows(h, row, row + 1, map);
  }
  return map;
}

render::Image picture_of(std::span<const NewtonMap> maps) {
  constexpr int kZoom = 3, kGap = 12, kLine = 26, kSide = 90, kLetters = 18;
  const int wide = NewtonMap::kWidth * kZoom, tall = NewtonMap::kHeight * kZoom;
  render::Image image(kSide + static_cast<int>(maps.size()) * (wide + kGap), 2 * (kLine + tall + kGap) + kLine);
  const render::Color paper{1, 1, 1, 1}, ink{0.1f, 0.1f, 0.1f, 1};
  render::fill_rectangle(image, 0, 0, image.width, image.height, paper);
  render::Font font = render::Font::find();
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const int left = kSide + static_cast<int>(i) * (wide + kGap), middle = 2 * kLine + tall;
    const auto write = [&](const std::string& text, int y) {
      font.draw(image, text, static_cast<float>(left), static_cast<float>(y - 7), kLetters, ink);
    };
    paint(maps[i].plain, left, 2 * kLine, kZoom, image);
    paint(maps[i].gast, left, middle + kLine, kZoom, image);
    write(maps.size() == NewtonMap::steps().size() ? NewtonMap::steps()[i].name : "", kLine);
    write(std::to_string(maps[i].plain_failed()) + " fail", 2 * kLine);
    write(std::to_string(maps[i].gast_failed()) + " fail", middle + kLine);
  }
  font.draw(image, "Newton", 10, static_cast<float>(2 * kLine + tall / 2), kLetters, ink);
  font.draw(image, "gast", 10, static_cast<float>(3 * kLine + tall + tall / 2), kLetters, ink);
  return image;
}

}  // namespace rebound::papers
