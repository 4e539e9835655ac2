// The list of integrators, straight from the registry. A switch keeps positions and velocities.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/panels/panels.hpp"
#include "app/seen.hpp"
#include "app/widgets.hpp"
#include "scene/ranges.hpp"
#include "scene/wording.hpp"
#include "session/commands/method.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

/// A row with a key cap; true when it was clicked.
bool row(const Desk& desk, const sim::IntegratorInfo& info, int number, bool chosen) {
  const auto& theme = desk.theme();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, desk.points(27)};
  const bool clicked = ImGui::InvisibleButton(info.id.data(), size);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (chosen || ImGui::IsItemHovered())
    list.AddRectFilled(low, high, to_u32(chosen ? theme.accent.with_alpha(0.16f) : theme.panel_raised), desk.points(5));
  if (chosen) list.AddRectFilled(low, {low.x + desk.points(3), high.y}, to_u32(theme.accent), desk.points(2));
  const float text_y = (low.y + high.y - ImGui::GetTextLineHeight()) / 2;
  if (chosen) ImGui::PushFont(desk.fonts().strong);
  list.AddText({low.x + desk.points(11), text_y}, to_u32(theme.text), info.title.data());
  if (chosen) ImGui::PopFont();
  if (number <= kIntegratorKeys) {
    const std::string key = std::to_string(number);
    const ImVec2 extent = ImGui::CalcTextSize(key.c_str());
    list.AddText({high.x - extent.x - desk.points(9), text_y}, to_u32(theme.text_muted), key.c_str());
  }
  tooltip(desk, info.what);
  return clicked;
}

/// A choice among words of the format, shown in words of the window.
template <std::size_t N>
std::optional<std::string> choose(const Desk& desk, const char* label, const char* hint, const std::string& now,
                                  const std::array<std::pair<const char*, const char*>, N>& words) {
  row_label(desk, label, hint);
  const auto shown = std::find_if(words.begin(), words.end(), [&](const auto& word) { return now == word.first; });
  std::optional<std::string> chosen;
  const std::string id = std::string("##") + label;
  if (!begin_choice(desk, id.c_str(), shown != words.end() ? shown->second : now, -FLT_MIN)) return chosen;
  for (const auto& [word, text] : words)
    if (ImGui::Selectable(text, now == word)) chosen = word;
  ImGui::EndCombo();
  return chosen;
}

void alpha_rows(Desk& desk, const scene::Integrator& now) {
  session::SetAlpha alpha{now.alphaMin, now.alphaMax, now.every, now.base};
  bool changed = false;
  const auto take = [&](auto& into, const auto& from) {
    if (!from) return;
    into = static_cast<std::decay_t<decltype(into)>>(*from);
    changed = true;
  };
  take(alpha.min, range_field(desk, "Alpha from", "integrator.alphaMin", now.alphaMin));
  take(alpha.max, range_field(desk, "Alpha to", "integrator.alphaMax", now.alphaMax));
  take(alpha.every, range_field(desk, "Every", "integrator.every", now.every));
  take(alpha.base, choose(desk, "Positions of", "Whose positions it has; the velocities are mixed", now.base,
                          std::array<std::pair<const char*, const char*>, 2>{
                              {{"backward-euler", "Backward Euler"}, {"sdirk2", "SDIRK2"}}}));
  if (changed && alpha.min <= alpha.max) desk.requests.commands.push_back(alpha);
}

void settings_rows(Desk& desk, const scene::Integrator& now) {
  const sim::IntegratorInfo& integrator = *sim::find_integrator(now.type);
  if (integrator.reads("alphaMin")) alpha_rows(desk, now);
  if (integrator.reads("rho"))
    if (const auto rho = range_field(desk, "rho", "integrator.rho", now.rho))
      desk.requests.commands.push_back(session::SetRho{*rho});
  if (integrator.reads("modes"))
    if (const auto modes = range_field(desk, "Modes", "integrator.modes", now.modes))
      desk.requests.commands.push_back(session::SetModes{static_cast<int>(*modes)});
  if (const std::string advice = modes_advice(desk.now()); !advice.empty()) {
    ImGui::PushTextWrapPos(0);
    colored_text(legible(desk, desk.theme().warning), advice);
    ImGui::PopTextWrapPos();
  }
  if (!integrator.reads("unresolved")) return;
  if (const auto becomes =
          choose(desk, "Unresolved", "What becomes of energy that a step of this length cannot show", now.unresolved,
                 std::array<std::pair<const char*, const char*>, 3>{
                     {{"heat", "becomes heat"}, {"moving", "keeps the motion going"}, {"held", "is held"}}}))
    desk.requests.commands.push_back(session::SetUnresolved{*becomes});
}

// From 0, all is taken at once, to 1, nothing is: in between the time in which the energy falls to 1/e.
constexpr double kShortestFold = 0.05, kLongestFold = 100;  // s

double fold_time(double share) { return kShortestFold * std::pow(kLongestFold / kShortestFold, share); }

std::string energy_text(double share) {
  if (share <= 0) return "as backward Euler";
  if (share >= 1) return "keeps everything";
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "to 1/e in %.2g s", fold_time(share));
  return text.data();
}

std::optional<double> energy_share(const std::vector<scene::EnergyPiece>& pieces) {
  if (pieces.empty()) return 1;
  const scene::EnergyPiece& piece = pieces.back();
  if (pieces.size() > 1 || piece.target || piece.ground) return std::nullopt;
  if (!piece.foldTime) return piece.factor == 1 ? 1 : 0;
  const double share = std::log(*piece.foldTime / kShortestFold) / std::log(kLongestFold / kShortestFold);
  return std::clamp(share, 0.0, 1.0);
}

std::string those_that_follow() {
  std::vector<std::string> titles;
  for (const auto& info : sim::integrators())
    if (info.reads("energy")) titles.emplace_back(info.title);
  return scene::either(titles);
}

// One slider for all that follow the target.
void energy_row(Desk& desk, const std::vector<scene::EnergyPiece>& now) {
  row_label(desk, "Energy",
            "What the target is asked to do, down to the energy of lying still; followed by " + those_that_follow());
  const std::optional<double> share = energy_share(now);
  float at = static_cast<float>(share.value_or(1));
  const std::string text = share ? energy_text(*share) : "follows a curve";
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool moved = ImGui::SliderFloat("##energy", &at, 0, 1, text.c_str(), ImGuiSliderFlags_NoInput);
  row_label(desk, "", "");
  if (ImGui::Button(desk.energy_curve.armed ? "Leave" : "Draw it", {-FLT_MIN, 0}))
    desk.energy_curve = {!desk.energy_curve.armed, {}};
  tooltip(desk, "Draw the target of the seconds to come with the mouse, in the chart of the total energy");
  if (!moved) return;
  session::SetEnergy wish;
  if (at < 1) wish.pieces.push_back({0, 1, fold_time(at), {}, {}});
  if (at <= 0) wish.pieces.back().foldTime = scene::range("energy.foldTime").min;
  desk.requests.commands.push_back(wish);
}

}  // namespace

void integrator_panel(Desk& desk) {
  if (!begin_section(desk, "Integrator")) return;
  const std::string& chosen = desk.now().description.integrator.type;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, desk.points(1)});
  // Those with a key are always there; of the others the chosen one, until more are asked for.
  constexpr int kWithKeys = 9;
  bool& all = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("all integrators"));
  int number = 0, left_out = 0;
  for (const auto& info : sim::integrators()) {
    if (++number > kWithKeys && !all && info.id != chosen) {
      ++left_out;
      continue;
    }
    if (row(desk, info, number, info.id == chosen)) desk.requests.integrator = std::string(info.id);
  }
  const std::string others = std::to_string(left_out) + " more";
  if (ImGui::SmallButton(all ? "Fewer" : others.c_str())) all = !all;
  ImGui::PopStyleVar();
  if (const auto* info = sim::find_integrator(chosen)) {
    ImGui::Dummy({0, desk.points(1)});
    muted_text(desk, std::string(info->what), 2);
  }
  settings_rows(desk, desk.now().description.integrator);
  energy_row(desk, desk.now().description.energy);
  if (const auto* info = sim::find_integrator(chosen); info != nullptr && !info->reads("energy"))
    muted_text(desk, std::string(info->title) + " does not follow it.");
  end_section(desk);
}

}  // namespace rebound::app
