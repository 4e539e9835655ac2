#include "app/arrivals.hpp"

#include <array>
#include <chrono>
#include <utility>

#include "app/canvas.hpp"
#include "app/conductor.hpp"
#include "app/desk.hpp"
#include "app/joined.hpp"
#include "app/messages.hpp"
#include "app/opener.hpp"
#include "app/widgets.hpp"
#include "scene/files.hpp"
#include "scene/library.hpp"

namespace rebound::app {
namespace fs = std::filesystem;

void Arrivals::open(Source source) {
  if (world_.conductor.is_recording())
    waiting_ = std::move(source);
  else
    world_.opener.open(std::move(source), world_.threads);
}

bool Arrivals::poll() {
  if (!looked_at_.valid() || looked_at_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
  const Surface surface = looked_at_.get();
  if (surface.has_border || surface.may_join)
    asked_ = surface;
  else
    open_as_it_is(surface.file);
  return true;
}

void Arrivals::forget() {
  waiting_.reset();
  asked_.reset();
}

std::string Arrivals::question() const {
  if (waiting_) return "A video is being recorded. “" + waiting_->name + "” ends it.";
  if (!asked_) return {};
  const std::string name = "“" + asked_->file.filename().string() + "”";
  if (asked_->has_border) return name + " has a border. Is it a solid with holes, or a sheet?";
  return name + ": shall it join the scene, or open by itself?";
}

void Arrivals::show_question(const Desk& desk) {
  if (question().empty()) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y * 0.4f}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, desk.points(1));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(20), desk.points(16)});
  ImGui::Begin("##question", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoNav);
  ImGui::TextUnformatted(question().c_str());
  ImGui::Dummy({0, desk.points(4)});
  waiting_ ? ask_about_recording() : ask_about_mesh(desk);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

void Arrivals::ask_about_recording() {
  const bool ends = ImGui::Button("End the video and open");
  ImGui::SameLine();
  const bool goes_on = ImGui::Button("Go on recording");
  if (ends) world_.opener.open(*std::exchange(waiting_, std::nullopt), world_.threads);
  if (goes_on) waiting_.reset();
}

void Arrivals::ask_about_mesh(const Desk& desk) {
  struct Choice {
    const char* name;
    const char* tip;
    bool joins, shell;
  };
  constexpr std::array kChoices{
      Choice{"Join as a solid", "Its holes are closed. The scene begins anew, with one body more", true, false},
      Choice{"Join as a shell", "Its own triangles, thin. The scene begins anew, with one body more", true, true},
      Choice{"Join the scene", "The scene begins anew, with one body more", true, false},
      Choice{"As a solid", "Its holes are closed, and it is filled with tetrahedra", false, false},
      Choice{"As a shell", "Its own triangles, thin, that stretch and bend", false, true},
      Choice{"Open by itself", "Hung by its top", false, false}};
  const Surface asked = *asked_;
  for (std::size_t i = 0; i < kChoices.size(); ++i) {
    const Choice& choice = kChoices[i];
    if ((choice.joins && !asked.may_join) || (i % 3 == 2) == asked.has_border) continue;
    if (ImGui::Button(choice.name)) {
      asked_.reset();
      if (choice.joins)
        join(asked.file, choice.shell);
      else if (choice.shell)
        open(Source{[file = asked.file] { return scene::scene_for_shell(file); }, asked.file.filename().string()});
      else
        open_as_it_is(asked.file);
    }
    note_place(desk, choice.name);
    tooltip(desk, choice.tip);
    ImGui::SameLine();
  }
  if (ImGui::Button("Leave it")) asked_.reset();
}

void Arrivals::join(const fs::path& file, bool shell) {
  const auto& now = world_.stage->now().description;
  const auto add = [scene = now, file, shell, bodies = world_.canvas.picture().bounds(),
                    at = world_.canvas.beside_the_bodies()] { return joined(scene, file, shell, bodies, at); };
  open(Source{add, file.filename().string()});
}

// Of a surface it is looked first whether it may be a sheet; what is being looked at already comes first.
void Arrivals::open(const fs::path& file) {
  if (!scene::is_surface_file(file) || looked_at_.valid()) return open_as_it_is(file);
  asked_.reset();
  looked_at_ = std::async(std::launch::async, [file = fs::absolute(file)] {
    return Surface{file, scene::has_border(file), false};
  });
}

// What cannot be read cannot join: opening it says why.
void Arrivals::drop(const fs::path& file) {
  if (!world_.stage || !scene::is_mesh_file(file) || looked_at_.valid()) return open(file);
  asked_.reset();
  looked_at_ = std::async(std::launch::async, [file = fs::absolute(file)] {
    const bool is_surface = scene::is_surface_file(file);
    return Surface{file, is_surface && scene::has_border(file), !is_surface || is_readable_surface(file)};
  });
}

void Arrivals::open_as_it_is(const fs::path& file) {
  const std::string path = file.string();
  if (session::is_run(file)) {
    const auto run = std::make_shared<session::Journal>();
    const auto read = [path, run] {
      *run = session::Journal::read(path);
      return run->scene();
    };
    open(Source{read, file.filename().string(), run});
    return;
  }
  open(Source{[path] { return scene::open(path); }, file.filename().string()});
}

void Arrivals::reopen_with_detail(int tets) {
  scene::Description description = world_.stage->now().description;
  std::size_t left_out = 0;
  for (auto& body : description.bodies) {
    auto* mesh = std::get_if<scene::FileMesh>(&body.mesh);
    if (mesh == nullptr) continue;
    mesh->tetrahedralize.tets = tets;
    // The same numbers would be of tetrahedra elsewhere.
    left_out += std::erase_if(body.regions, [](const scene::MaterialRegion& region) {
      return std::holds_alternative<std::vector<int>>(region.elements);
    });
  }
  if (left_out > 0) world_.messages.say("Other tetrahedra: what was marked as a region is to be marked again.");
  open(Source{[description] { return description; }, world_.stage->source().name});
}

}  // namespace rebound::app
