// How the solves of the last frame got where they are: the gradient's size after each iteration, by the logarithm, and
// under it how many products with the Hessian each took.
#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/widgets.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

using Iterates = std::vector<sim::SolveIterate>;

struct Decades {
  double low, high;
};

/// Whole powers of ten around all gradients.
Decades decades_of(const Iterates& iterates) {
  double low = INFINITY, high = 0;
  for (const auto& iterate : iterates) {
    if (iterate.gradient > 0) low = std::min(low, iterate.gradient);
    high = std::max(high, iterate.gradient);
  }
  if (!(high > 0)) return {-1, 0};
  const double bottom = std::floor(std::log10(low)), top = std::ceil(std::log10(high));
  return {bottom, std::max(top, bottom + 1)};
}

std::string said_of(const Iterates& iterates, const sim::SolveIterate& iterate) {
  std::string text =
      iterates.back().solve > 0 ? "Solve " + std::to_string(iterate.solve + 1) + ", iteration " : "Iteration ";
  text += std::to_string(iterate.iteration) + ": E " + with_unit(iterate.objective, "J", 6) + ", |dE| " +
          with_unit(iterate.gradient, "N", 3);
  if (iterate.iteration == 0) return text + ", where it began";
  text += ", step " + short_number(iterate.alpha, 3);
  if (iterate.cg > 0) text += ", " + std::to_string(iterate.cg) + (iterate.cg == 1 ? " product" : " products");
  return text;
}

/// Where things are drawn: an iterate a column.
struct Field {
  ImVec2 low;
  float width, height;
  float x(std::size_t i, std::size_t count) const {
    return low.x + width * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
  }
};

void bars_of_products(const Desk& desk, const Iterates& iterates, const Field& field, ImDrawList& list) {
  int most = 0;
  for (const auto& iterate : iterates) most = std::max(most, iterate.cg);
  if (most == 0) return;
  const float half = std::max(0.5f, 0.35f * field.width / static_cast<float>(iterates.size()));
  for (std::size_t i = 0; i < iterates.size(); ++i) {
    const float x = field.x(i, iterates.size()), bottom = field.low.y + field.height;
    const float tall = 0.5f * field.height * static_cast<float>(iterates[i].cg) / static_cast<float>(most);
    list.AddRectFilled({x - half, bottom - tall}, {x + half, bottom},
                       to_u32(desk.theme().text_muted.with_alpha(0.35f)));
  }
}

void line_of_gradients(const Desk& desk, const Iterates& iterates, const Decades& decades, const Field& field,
                       ImDrawList& list) {
  const auto& theme = desk.theme();
  const auto place = [&](std::size_t i) {
    const double size = iterates[i].gradient > 0 ? std::log10(iterates[i].gradient) : decades.low;
    const double share = (size - decades.low) / (decades.high - decades.low);
    return ImVec2{field.x(i, iterates.size()), field.low.y + field.height * static_cast<float>(1 - share)};
  };
  const auto color = to_u32(legible(desk, theme.series[1])), cut = to_u32(legible(desk, theme.series[2]));
  for (std::size_t i = 0; i < iterates.size(); ++i) {
    const ImVec2 at = place(i);
    if (iterates[i].iteration > 0) list.AddLine(place(i - 1), at, color, desk.points(1.6f));
    if (iterates.size() > 120) continue;
    const bool whole = iterates[i].iteration == 0 || iterates[i].alpha == 1;
    list.AddCircleFilled(at, desk.points(2.4f), whole ? color : cut);
  }
}

void draw_iterates(Desk& desk, const Iterates& iterates) {
  const Decades decades = decades_of(iterates);
  const float margin = desk.points(58);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const Field field{
      {corner.x + margin, corner.y + desk.points(4)}, ImGui::GetContentRegionAvail().x - margin, desk.points(96)};
  const ImVec2 end{field.low.x + field.width, field.low.y + field.height};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto& theme = desk.theme();
  list.AddRectFilled(field.low, end, to_u32(theme.text_muted.with_alpha(0.10f)));
  const auto label = [&](double decade, float y) {
    list.AddText({corner.x, y}, to_u32(theme.text_muted), with_unit(std::pow(10, decade), "N", 1).c_str());
  };
  label(decades.high, field.low.y - desk.points(4));
  label(decades.low, end.y - desk.points(12));
  bars_of_products(desk, iterates, field, list);
  line_of_gradients(desk, iterates, decades, field, list);
  ImGui::SetCursorScreenPos(field.low);
  ImGui::InvisibleButton("iterates", {std::max(field.width, 1.0f), field.height});
  if (ImGui::IsItemHovered()) {
    const float share = (ImGui::GetIO().MousePos.x - field.low.x) / field.width;
    const auto count = static_cast<float>(iterates.size());
    const auto i = static_cast<std::size_t>(std::clamp(share * count, 0.0f, count - 1));
    list.AddLine({field.x(i, iterates.size()), field.low.y}, {field.x(i, iterates.size()), end.y},
                 to_u32(theme.text_muted));
    tooltip(desk, said_of(iterates, iterates[i]));
  }
  ImGui::SetCursorScreenPos({corner.x, end.y + desk.points(4)});
}

}  // namespace

void solve_trace_panel(Desk& desk) {
  if (!begin_section(desk, "How the solver got there", false)) return;
  const auto& now = desk.now();
  const auto* solver = sim::find_solver(now.description.solver.type);
  const auto* integrator = sim::find_integrator(now.description.integrator.type);
  if (integrator->schemes.empty()) {
    muted_text(desk, std::string(integrator->title) + " minimises nothing.");
  } else if (!solver->tells_how) {
    std::string others;
    for (const auto& info : sim::solvers())
      if (info.tells_how) others += (others.empty() ? "" : "; ") + std::string(info.title);
    muted_text(desk,
               std::string(solver->title) + " does not look at what it minimises. These solvers do: " + others + ".");
  } else if (now.solves.empty()) {
    muted_text(desk, "Nothing yet: go on by a frame.");
  } else {
    draw_iterates(desk, now.solves);
    muted_text(desk,
               "|dE| after each iteration by the logarithm; amber: a step other than 1. Bars: products with the "
               "Hessian. Point at one to read it.");
    const auto& last = now.solves.back();
    const int iterations = static_cast<int>(now.solves.size()) - last.solve - 1;
    ImGui::TextWrapped("%d %s, %d %s; at the end E %s, |dE| %s.", last.solve + 1, last.solve > 0 ? "solves" : "solve",
                       iterations, iterations == 1 ? "iteration" : "iterations",
                       with_unit(last.objective, "J", 5).c_str(), with_unit(last.gradient, "N", 3).c_str());
  }
  end_section(desk);
}

}  // namespace rebound::app
