// Damping, gravity, wind and the pull of the mouse.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/panels/panels.hpp"
#include "app/widgets.hpp"
#include "scene/identifiers.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

void damping_rows(Desk& desk) {
  scene::Damping damping = desk.now().description.damping;
  const scene::Damping before = damping;
  const auto* chosen = sim::find_damping(damping.type);
  row_label(desk, "Damping", chosen != nullptr ? chosen->what : "");
  if (begin_choice(desk, "##damping", chosen != nullptr ? std::string(chosen->title) : damping.type, -FLT_MIN)) {
    for (const auto& info : sim::dampings()) {
      // Another kind has another unit: nothing is damped until a coefficient is chosen.
      if (ImGui::Selectable(info.title.data(), info.id == damping.type) && info.id != before.type)
        damping = {.type = std::string(info.id), .per = std::string(info.usual_rate)};
      tooltip(desk, info.what);
    }
    ImGui::EndCombo();
  }
  const std::string range = scene::damping_range(before.type);
  if (const auto k = range_field(desk, ("  coefficient##" + before.type).c_str(), range, before.coefficient))
    damping.coefficient = *k;
  if (before.type == "rayleigh")
    if (const auto a = range_field(desk, "  of masses##damping", "damping.mass", before.mass)) damping.mass = *a;
  row_label(desk, "  counted per", "Per second, it is the same whatever the time step; the paper's share is per frame");
  static constexpr std::array kPeriods = {"frame", "second"};
  if (const auto period = segmented(desk, "period", kPeriods, before.per == kPeriods[1] ? 1 : 0))
    damping.per = kPeriods[static_cast<std::size_t>(*period)];
  if (!(damping == before)) desk.requests.commands.push_back(session::SetDamping{damping});
}

constexpr std::array kWorlds = {"None", "Moon", "Earth", "Jupiter"};
constexpr std::array kGravity = {0.0, -1.62, -9.81, -24.8};  // m/s^2

void gravity_rows(Desk& desk) {
  const auto& g = desk.now().description.gravity;
  if (const auto y = range_field(desk, "Gravity, up", "gravity", g[1]))
    desk.requests.commands.push_back(session::SetGravity{{g[0], *y, g[2]}});
  const auto here = std::find(kGravity.begin(), kGravity.end(), g[1]);
  const bool upright = g[0] == 0 && g[2] == 0;
  const int chosen = upright && here != kGravity.end() ? static_cast<int>(here - kGravity.begin()) : -1;
  if (const auto world = segmented(desk, "worlds", kWorlds, chosen))
    desk.requests.commands.push_back(session::SetGravity{{0, kGravity[static_cast<std::size_t>(*world)], 0}});
}

// Along the ground: how fast, and from where.
void wind_rows(Desk& desk) {
  const scene::Wind before = desk.now().description.wind.value_or(scene::Wind());
  const auto& v = before.velocity;
  const double speed = std::hypot(v[0], v[2]);
  // A wind that is turned down keeps its direction for when it is turned up again.
  float& kept = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("wind's direction"));
  const double angle = speed > 0 ? std::atan2(v[2], v[0]) : static_cast<double>(kept);
  kept = static_cast<float>(angle);
  scene::Wind wind = before;
  if (const auto to = range_field(desk, "Wind", "wind.speed", speed))
    wind.velocity = {*to * std::cos(angle), v[1], *to * std::sin(angle)};
  if (speed > 0) {
    if (const auto degrees = range_field(desk, "  towards", "wind.angle", angle * 180 / std::numbers::pi)) {
      const double to = *degrees * std::numbers::pi / 180;
      wind.velocity = {speed * std::cos(to), v[1], speed * std::sin(to)};
    }
    if (const auto gusts = range_field(desk, "  gusts", "wind.gusts", before.gusts)) wind.gusts = *gusts;
  }
  if (!(wind == before)) desk.requests.commands.push_back(session::SetWind{wind});
}

}  // namespace

void forces_panel(Desk& desk) {
  if (!begin_section(desk, "Damping, gravity, wind")) return;
  damping_rows(desk);
  gravity_rows(desk);
  wind_rows(desk);
  if (const auto s = range_field(desk, "Mouse strength", "grab.strength", desk.settings.grab_strength))
    desk.settings.grab_strength = *s;
  if (const auto reach = range_field(desk, "Mouse reach", "grab.reach", desk.settings.grab_reach))
    desk.settings.grab_reach = *reach;
  end_section(desk);
}

}  // namespace rebound::app
