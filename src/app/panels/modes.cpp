// The slowest modes of the body as it stands, and what energy each holds: a bar for each, and one for all motion above
// them, in which shiver shows at once.
#include <algorithm>
#include <cmath>

#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/widgets.hpp"
#include "session/mode_watch.hpp"

namespace rebound::app {
namespace {

std::string frequency_text(double hertz) {
  if (std::abs(hertz) < 1e-3) return "0 Hz";
  return hertz < 0 ? "grows" : with_unit(hertz, "Hz", 3);
}

// As tall as its share of the largest; by the logarithm, so that what is a thousandth is still seen.
float bar_share(double joules, double largest) {
  constexpr double kDecades = 4;
  if (!(joules > 0) || !(largest > 0)) return 0;
  return static_cast<float>(std::clamp(1 + std::log10(joules / largest) / kDecades, 0.0, 1.0));
}

struct Bar {
  std::string name, tip;
  double kinetic, potential;
  int mode;  ///< or -1 for all that is above
};

std::vector<Bar> bars_of(const session::SeenModes& seen) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < seen.modes.size(); ++i) {
    const auto& mode = seen.modes[i];
    bars.push_back({std::to_string(i + 1),
                    "Mode " + std::to_string(i + 1) + ", " + frequency_text(mode.frequency) + ": " +
                        with_unit(mode.kinetic, "J", 3) + " kinetic, " + with_unit(mode.potential, "J", 3) +
                        " elastic. Click to see it swing",
                    mode.kinetic, mode.potential, static_cast<int>(i)});
  }
  bars.push_back(
      {"above",
       "All motion in faster modes: " + with_unit(seen.kinetic_above, "J", 3) + ". High where a method shivers",
       seen.kinetic_above, 0, -1});
  return bars;
}

void chart(Desk& desk, const std::vector<Bar>& bars) {
  double largest = 0;
  for (const Bar& bar : bars) largest = std::max(largest, bar.kinetic + bar.potential);
  const float gap = desk.points(2), height = desk.points(72);
  const float width = ImGui::GetContentRegionAvail().x;
  const float each = (width - gap * static_cast<float>(bars.size() - 1)) / static_cast<float>(bars.size());
  const ImVec2 low = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto& theme = desk.theme();
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const Bar& bar = bars[i];
    const float x = low.x + static_cast<float>(i) * (each + gap), bottom = low.y + height;
    const bool played = desk.modes.played && *desk.modes.played == bar.mode;
    list.AddRectFilled({x, low.y}, {x + each, bottom}, to_u32(theme.text_muted.with_alpha(played ? 0.35f : 0.10f)));
    const double whole = bar.kinetic + bar.potential;
    const float tall = height * bar_share(whole, largest);
    const float moving = whole > 0 ? tall * static_cast<float>(bar.kinetic / whole) : 0;
    list.AddRectFilled({x, bottom - tall}, {x + each, bottom - moving}, to_u32(theme.series[1]));
    list.AddRectFilled({x, bottom - moving}, {x + each, bottom}, to_u32(theme.series[bar.mode < 0 ? 2 : 0]));
    ImGui::SetCursorScreenPos({x, low.y});
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("bar", {std::max(each, 1.0f), height}) && bar.mode >= 0) {
      desk.modes.played = played ? std::nullopt : std::optional(bar.mode);
      if (desk.modes.played) desk.requests.pause = true;
    }
    tooltip(desk, bar.tip);
    ImGui::PopID();
  }
  ImGui::SetCursorScreenPos({low.x, low.y + height + desk.points(3)});
}

}  // namespace

void modes_panel(Desk& desk) {
  if (!begin_section(desk, "Modes", false)) return;
  // What swings in a mode stands still otherwise.
  if (!desk.stage.paused()) desk.modes.played.reset();
  if (const auto count = range_field(desk, "How many", "integrator.modes", desk.modes.count))
    desk.modes.count = static_cast<int>(*count);
  const auto& seen = desk.now().modes;
  if (!seen) {
    muted_text(desk, "Looking for them ...");
  } else if (!seen->trouble.empty()) {
    muted_text(desk, seen->trouble);
  } else {
    chart(desk, bars_of(*seen));
    muted_text(
        desk, "Energy of each mode by the logarithm: kinetic below, elastic above. The last bar is all faster motion.");
    if (static_cast<int>(seen->modes.size()) > seen->wanted)
      muted_text(desk, std::to_string(seen->modes.size()) + " modes: equal frequencies are not cut apart.");
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(seen->modes.size(), 8); ++i)
      text += (i > 0 ? ", " : "") + frequency_text(seen->modes[i].frequency);
    if (seen->modes.size() > 8) text += ", ... " + frequency_text(seen->modes.back().frequency);
    ImGui::TextWrapped("%s", text.c_str());
    if (desk.modes.played) {
      const auto mode = static_cast<std::size_t>(*desk.modes.played);
      if (mode < seen->modes.size())
        ImGui::TextWrapped("Shown: mode %d, slowed down. Go on, or click its bar, to stop.", *desk.modes.played + 1);
    }
  }
  desk.requests.shown_modes.wanted = desk.modes.count;
  if (desk.modes.played) desk.requests.shown_modes.played = {desk.now().pane, *desk.modes.played};
  end_section(desk);
}

}  // namespace rebound::app
