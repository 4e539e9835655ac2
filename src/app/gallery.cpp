#include "app/gallery.hpp"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "app/legend.hpp"
#include "app/widgets.hpp"
#include "render/image.hpp"

namespace rebound::app {
namespace {

constexpr float kCard = 214, kTitle = 27, kPad = 6, kGap = 12;  // points
constexpr float kLines = 4;                                     // of a summary
constexpr int kReadsAPicture = 6;

/// None if it cannot be read: its card then has a plain ground.
std::optional<render::gl::Texture> read_texture(const std::filesystem::path& file) {
  const auto image = render::read_image(file);
  if (!image) return std::nullopt;
  render::gl::Texture texture;
  glBindTexture(GL_TEXTURE_2D, texture.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image->width, image->height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               image->rgba.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
  return texture;
}

/// What stands below a card's picture.
float text_height(const Desk& desk) { return desk.points(kTitle) + kLines * desk.fonts().small->FontSize; }

}  // namespace

const std::vector<scene::GalleryGroup>& Gallery::groups() {
  if (!groups_) groups_ = scene::gallery();
  return *groups_;
}

GLuint Gallery::picture(const std::filesystem::path& file) {
  if (file.empty()) return 0;
  auto found = pictures_.find(file);
  if (found == pictures_.end()) {
    if (++reads_ > kReadsAPicture) return 0;
    found = pictures_.emplace(file, read_texture(file)).first;
  }
  return found->second ? found->second->id() : 0;
}

void Gallery::show(Desk& desk) {
  if (!open_) return;
  reads_ = 0;
  cards_.clear();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const ImVec2 size{display.x * 0.94f, display.y * 0.92f};
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(20), desk.points(16)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, desk.points(1));
  ImGui::Begin(
      "##gallery", nullptr,
      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav);
  ImGui::PushFont(desk.fonts().title);
  ImGui::TextUnformatted("Scenes");
  ImGui::PopFont();
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - desk.points(64));
  if (ImGui::Button("Close")) close();
  // So that a press in the picture below closes it, as it does the list of keys.
  if (ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
      !ImGui::IsWindowAppearing())
    close();
  ImGui::BeginChild("##cards");
  const float width = ImGui::GetContentRegionAvail().x;
  for (const auto& group : groups()) show_group(desk, group, width);
  ImGui::EndChild();
  ImGui::End();
  ImGui::PopStyleVar(2);
}

void Gallery::show_group(Desk& desk, const scene::GalleryGroup& group, float width) {
  if (group.scenes.empty()) return;
  ImGui::Dummy({0, desk.points(4)});
  ImGui::PushFont(desk.fonts().strong);
  colored_text(desk.theme().accent, group.name);
  ImGui::PopFont();
  const float gap = desk.points(kGap);
  const int columns = std::max(1, static_cast<int>((width + gap) / (desk.points(kCard) + gap)));
  const float card = (width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const ImVec2 size{std::floor(card), std::floor(card * 9 / 16 + text_height(desk) + desk.points(kPad))};
  int column = 0;
  for (const auto& entry : group.scenes) {
    if (column > 0) ImGui::SameLine(0, gap);
    column = (column + 1) % columns;
    show_card(desk, entry, size);
  }
}

void Gallery::show_card(Desk& desk, const scene::GalleryEntry& entry, const ImVec2& size) {
  const auto& theme = desk.theme();
  ImGui::PushID(entry.scene.name.c_str());
  const bool chosen = ImGui::InvisibleButton("##card", size);
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImVec2 below{low.x, low.y + size.x * 9 / 16};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = desk.points(6), pad = desk.points(8);
  if (ImGui::IsItemVisible()) {
    cards_[entry.scene.name] = {(low.x + high.x) / 2, (low.y + high.y) / 2};
    list.AddRectFilled(low, high, to_u32(theme.panel_raised), round);
    if (const GLuint texture = picture(entry.picture); texture != 0)
      list.AddImageRounded(reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(texture)), low, {high.x, below.y},
                           {0, 0}, {1, 1}, IM_COL32_WHITE, round, ImDrawFlags_RoundCornersTop);
    const ImVec4 clip{low.x, low.y, high.x - pad, below.y + text_height(desk)};  // whole lines
    const float wrap = size.x - 2 * pad;
    const ImFont* strong = desk.fonts().strong;
    const std::string title = shortened(entry.scene.title, wrap, [&](const std::string& text) {
      return strong->CalcTextSizeA(strong->FontSize, FLT_MAX, 0, text.c_str()).x;
    });
    list.AddText(strong, strong->FontSize, {low.x + pad, below.y + desk.points(6)}, to_u32(theme.text), title.c_str(),
                 nullptr, 0, &clip);
    const ImFont* small = desk.fonts().small;
    list.AddText(small, small->FontSize, {low.x + pad, below.y + desk.points(kTitle)}, to_u32(theme.text_muted),
                 entry.scene.summary.c_str(), nullptr, wrap, &clip);
    if (hovered) list.AddRect(low, high, to_u32(theme.accent), round, 0, desk.points(2));
  }
  if (hovered)
    tooltip(desk,
            entry.scene.title + "\n" + entry.scene.summary + (entry.hint.empty() ? "" : "\n\nTry this: " + entry.hint));
  if (chosen) {
    desk.requests.open = entry.scene.file;
    close();
  }
  ImGui::PopID();
}

}  // namespace rebound::app
