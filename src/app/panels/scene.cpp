// What is open: its name, what to try, what it is made of, and what was mended in its meshes.
#include <array>

#include "app/panels/panels.hpp"
#include "app/widgets.hpp"
#include "mesh/solidify.hpp"
#include "scene/files.hpp"

namespace rebound::app {
namespace {

std::string made_of(const scene::BodyGeometry& body) {
  const auto count = [](std::size_t n, const char* what) { return std::to_string(n) + " " + what; };
  if (body.is_affine()) return "affine body, " + count(body.surface.triangles.size(), "triangles");
  std::string text = count(static_cast<std::size_t>(body.vertices()), "vertices");
  if (body.is_solid()) text += ", " + count(body.tetrahedra().size(), "tetrahedra");
  if (!body.triangles().empty()) text += ", " + count(body.triangles().size(), "triangles");
  if (!body.edges().empty()) text += ", " + count(body.edges().size(), "springs");
  return text;
}

/// A level of detail: how many tetrahedra carry the surface.
struct Detail {
  const char* label;
  int tets;
};
constexpr std::array kDetails = {Detail{"3k", 3'000}, Detail{"12k", 12'000}, Detail{"40k", 40'000},
                                 Detail{"120k", 120'000}};

// Only surfaces have a choice: tetrahedra from a file or a shape are what they are.
void detail_row(Desk& desk) {
  const scene::FileMesh* file = nullptr;
  for (const auto& body : desk.now().description.bodies)
    if (const auto* mesh = std::get_if<scene::FileMesh>(&body.mesh);
        mesh && !mesh->shell && scene::is_surface_file(mesh->file))
      file = mesh;
  if (file == nullptr) return;
  const int wanted = file->tetrahedralize.tets.value_or(mesh::SolidOptions().wanted_tets);
  std::array<const char*, kDetails.size()> labels;
  int chosen = 0;
  for (std::size_t i = 0; i < kDetails.size(); ++i) {
    labels[i] = kDetails[i].label;
    if (wanted >= kDetails[i].tets) chosen = static_cast<int>(i);
  }
  row_label(desk, "Detail", "How many tetrahedra carry the surface: more is finer and slower. The scene starts anew");
  if (const auto i = segmented(desk, "detail", labels, chosen))
    desk.requests.detail = kDetails[static_cast<std::size_t>(*i)].tets;
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
  detail_row(desk);
  end_section(desk);
}

}  // namespace rebound::app
