// What is open: its name, what to try, what it is made of, and what was mended in its meshes.
#include "app/panels/panels.hpp"
#include "app/widgets.hpp"

namespace rebound::app {
namespace {

std::string made_of(const scene::BodyGeometry& body) {
  const auto count = [](std::size_t n, const char* what) { return std::to_string(n) + " " + what; };
  std::string text = count(static_cast<std::size_t>(body.vertices()), "vertices");
  if (!body.tetrahedra.empty()) text += ", " + count(body.tetrahedra.size(), "tetrahedra");
  if (!body.edges.empty()) text += ", " + count(body.edges.size(), "springs");
  return text;
}

}  // namespace

void scene_panel(Desk& desk) {
  if (!begin_section(desk, "Scene")) return;
  const auto& description = desk.now().description;
  if (!description.summary.empty()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(description.summary.c_str());
    ImGui::PopTextWrapPos();
  }
  const auto& bodies = desk.stage.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string name = i < description.bodies.size() ? description.bodies[i].name : std::string();
    muted_text(desk, (name.empty() ? "" : name + ": ") + made_of(bodies[i]));
    for (const auto& note : bodies[i].notes) muted_text(desk, "• " + note);
  }
  end_section(desk);
}

}  // namespace rebound::app
