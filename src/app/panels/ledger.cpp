// Where every joule came from and went: the ledger of Algorithm 1, entry by entry.
#include <array>
#include <cmath>

#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/seen.hpp"
#include "app/trouble.hpp"
#include "app/widgets.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

enum class Weight { normal, strong };

void entry(const Desk& desk, const char* sign, const char* name, double joules, const char* tip,
           Weight weight = Weight::normal) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (weight == Weight::strong) ImGui::PushFont(desk.fonts().strong);
  colored_text(desk.theme().text_muted, sign);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  tooltip(desk, tip);
  ImGui::TableNextColumn();
  const std::string text = with_unit(without_rounding(joules, desk.now().record.scale), "J", 4);
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(ImGui::GetContentRegionAvail().x - width, 0.0f));
  ImGui::TextUnformatted(text.c_str());
  if (weight == Weight::strong) ImGui::PopFont();
}

/// What a method left when another took over; one click asks for it back.
void left_by_entry(Desk& desk) {
  const session::Snapshot& now = desk.now();
  const bool any = !now.left_by.empty();
  const std::string name = any ? "Left by " + short_title(now.left_by) : std::string("Left at a switch");
  entry(
      desk, "+", name.c_str(), now.record.left,
      any ? "How far off its target the energy was when another integrator took over: the target is now what was there"
          : "How far off its target the energy is when another integrator takes over");
  if (!any) return;
  ImGui::TableSetColumnIndex(1);
  const ImVec2 at = ImGui::GetItemRectMin();
  ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + desk.points(18), at.y});
  if (ImGui::InvisibleButton("##old target", {desk.points(170), ImGui::GetTextLineHeight()}))
    desk.requests.commands.push_back(session::SetIntegrator{now.description.integrator.type, false});
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  desk.fields["old target"] = {(low.x + high.x) / 2, (low.y + high.y) / 2};
  if (!ImGui::IsItemHovered()) return;
  ImGui::GetWindowDrawList()->AddLine({low.x, high.y}, {low.x + ImGui::CalcTextSize(name.c_str()).x, high.y},
                                      to_u32(desk.theme().accent), desk.points(1));
  tooltip(desk, "Click to take the old target, which the integrator then makes up for");
}

std::string percentage(double share) {
  constexpr double kMostSaid = 100;
  return share > kMostSaid ? "over 10,000 %" : short_number(100 * share) + " %";
}

/// A line that comes and goes; once it has come its room stays, so that nothing below it jumps from under the mouse.
void lasting_line(const char* id, const render::Color& color, const std::string& text) {
  bool& has_come = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(id));
  has_come |= !text.empty();
  if (has_come) colored_text(color, text.empty() ? " " : text);
}

void difference(const Desk& desk, const session::FrameRecord& record) {
  const double error = without_rounding(record.measured.total() + record.in_ripples - record.target, record.scale);
  const double share = record.scale > 0 ? error / record.scale : 0;
  const double tolerance = desk.now().description.integrator.tolerance;
  const auto& theme = desk.theme();
  const double unseen = unseen_share(desk.now());
  const bool moves = unseen <= kUnseen;
  // Nothing is well where it has stopped.
  const bool stands = !desk.now().failure.empty();
  const auto& color = stands || !(std::abs(share) < 0.5)          ? theme.error
                      : std::abs(share) <= 2 * tolerance && moves ? theme.series[1]
                                                                  : theme.warning;
  ImGui::PushFont(desk.fonts().strong);
  ImGui::PushTextWrapPos(0);
  colored_text(legible(desk, color), runs_away(record)
                                         ? "Running away: " + times_text(record)
                                         : (stands ? "Stopped, off by " : "Off by ") + with_unit(error, "J", 3) + ", " +
                                               percentage(share) + " of the scale");
  ImGui::PopTextWrapPos();
  tooltip(desk, "Actual less target, with what is in ripples, and the same as a share of " +
                    with_unit(record.scale, "J", 3) + ": the target's height above the lowest gravity potential seen.");
  lasting_line("in no motion", legible(desk, theme.warning),
               moves ? std::string() : percentage(unseen) + " of it is in no motion one sees");
  ImGui::PopFont();
}

void what_is_seen(const Desk& desk) {
  if (const std::string text = seen_text(desk.now()); !text.empty()) {
    muted_text(desk, text);
    tooltip(desk,
            "Kinetic energy over about a second. What has a period below four frames is shiver: nobody sees more of it "
            "than that something trembles");
  }
  if (const std::string text = inside_out_text(desk.now()); !text.empty()) {
    lasting_line("inside out", legible(desk, desk.theme().warning), text);
    tooltip(desk,
            "Elements turned inside out, marked in the picture, and the elastic energy that is locked in them. They "
            "seldom turn back by themselves: reset, or take another material or more iterations");
  } else {
    lasting_line("inside out", {}, {});
  }
}

}  // namespace

void ledger_panel(Desk& desk) {
  if (!begin_section(desk, "Energy ledger")) return;
  const session::FrameRecord& r = desk.now().record;
  const auto added = [&r](sim::Added cause) { return r.added[static_cast<std::size_t>(cause)]; };
  const auto taken = [&r](sim::Dissipated cause) { return r.dissipated[static_cast<std::size_t>(cause)]; };
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {desk.points(2), desk.points(1.5f)});
  if (ImGui::BeginTable("ledger", 3, ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn("sign", ImGuiTableColumnFlags_WidthFixed, desk.points(12));
    ImGui::TableSetupColumn("entry", ImGuiTableColumnFlags_WidthStretch, 1.6f);
    ImGui::TableSetupColumn("joules", ImGuiTableColumnFlags_WidthStretch, 1);
    entry(desk, "", "At the start", r.initial, "Energy of the scene at the last reset");
    entry(desk, "+", "By the mouse", added(sim::Added::user),
          "Work of your hand on the bodies, held or pushed by an obstacle");
    entry(desk, "+", "By set motions", added(sim::Added::motion),
          "Work of the handles and obstacles that the scene itself moves");
    if (desk.now().description.wind)
      entry(desk, "+", "By the wind", added(sim::Added::wind), "Work of the air on the bodies; below 0 it slows them");
    entry(desk, "+", "By edits", added(sim::Added::edit), "Jumps from changed materials, gravity and pins");
    entry(desk, "+", "By the wish", added(sim::Added::wish),
          "The target was asked to be more or less: see Energy in the panel of the integrator");
    entry(desk, "+", "By the guard", added(sim::Added::guard),
          "Raised where the target had sunk below what can be reached");
    left_by_entry(desk);
    entry(desk, "−", "Damping", taken(sim::Dissipated::damping), "Taken by damping");
    entry(desk, "−", "Friction", taken(sim::Dissipated::friction), "Taken by friction");
    entry(
        desk, "−", "Unresolved", taken(sim::Dissipated::unresolved),
        "What was missing and Rebound has given up: motion too fast for this time step, or what was lost before it took "
        "over");
    entry(desk, "=", "Target", r.target, "The energy that should be there", Weight::strong);
    if (r.in_ripples > 0 || sim::find_integrator(desk.now().description.integrator.type)->reads("unresolved"))
      entry(
          desk, "−", "In ripples", r.in_ripples,
          "What Rebound knows to be in motion too fast for this time step. It comes back over seconds, or is given up");
    entry(desk, "", "Actual", r.measured.total(), "Kinetic, elastic, gravity, attachment and contact energy",
          Weight::strong);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
  difference(desk, r);
  what_is_seen(desk);
  if (ImGui::Button("Export CSV")) desk.requests.actions.push_back(Action::export_csv);
  tooltip(desk, described(Action::export_csv));
  end_section(desk);
}

}  // namespace rebound::app
