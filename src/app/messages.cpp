#include "app/messages.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "app/folder_opener.hpp"
#include "app/widgets.hpp"

namespace rebound::app {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::milliseconds reading_time(const std::string& text) {
  return std::chrono::milliseconds(3500 + 40 * text.size());
}

}  // namespace

std::string without_place(const std::string& refusal, const std::filesystem::path& file) {
  const std::string place = file.string() + ": ";
  if (file.empty() || !refusal.starts_with(place)) return refusal;
  std::string what = refusal.substr(place.size());
  if (const std::size_t end = what.find(": "); what.starts_with('/') && end != std::string::npos)
    what.erase(0, end + 2);
  if (!what.empty()) what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
  return what;
}

void Messages::say(std::string text, Kind kind) {
  latest_ = text;
  std::erase_if(toasts_, [&](const Toast& toast) { return toast.text == text || toast.kind == kind; });
  const auto until = Clock::now() + reading_time(text);
  toasts_.push_back({std::move(text), kind, until, {}});
  unsettled_ = kPicturesToSettle;
}

void Messages::say_written(std::string text, const std::filesystem::path& file) {
  say(std::move(text));
  std::error_code error;
  const auto whole = std::filesystem::absolute(file, error);
  // A folder of pictures is named with a slash at its end, and is the one that is meant.
  if (!error && FolderOpener::can_open()) toasts_.back().folder = whole.parent_path();
}

void Messages::fail(std::string title, std::string text) {
  latest_ = text;
  dialog_title_ = std::move(title);
  dialog_text_ = std::move(text);
  unsettled_ = kPicturesToSettle;
}

nlohmann::ordered_json Messages::described() const {
  auto texts = nlohmann::ordered_json::array();
  for (const Toast& toast : toasts_) texts.push_back(toast.text);
  return texts;
}

bool Messages::has_gone_by(const Toast& toast) { return toast.until < Clock::now(); }

std::vector<Rect> Messages::places() const {
  std::vector<Rect> all;
  for (const Toast& toast : toasts_) all.push_back({toast.x, toast.y, toast.width, toast.height});
  return all;
}

void Messages::dismiss() {
  dialog_text_.clear();
  toasts_.clear();
}

bool Messages::has_news() const {
  return unsettled_ > 0 || (!pointed_at_ && std::ranges::any_of(toasts_, has_gone_by));
}

void Messages::show(const Desk& desk, const Rect& picture, const Rect& plots, std::span<const Rect> taken) {
  unsettled_ = std::max(unsettled_ - 1, 0);
  show_toasts(desk, picture, plots, taken);
  show_dialog(desk);
}

// Where bodies leave it no room in the picture, it covers charts, which can wait. What a person points at neither goes
// nor moves: it is about to be clicked.
void Messages::show_toasts(const Desk& desk, const Rect& picture, const Rect& plots, std::span<const Rect> taken) {
  if (!pointed_at_ && std::erase_if(toasts_, has_gone_by) > 0) unsettled_ = kPicturesToSettle;
  if (picture.empty()) return;
  float width = 0, height = 0;
  for (const Toast& toast : toasts_) {
    width = std::max(width, toast.width);
    height += toast.height + desk.points(8);
  }
  const Rect& room = plots.empty() ? picture : plots;
  if (toasts_.empty() || height == 0)
    place_ = std::nullopt;
  else if (!pointed_at_)
    place_ = free_.find(picture, width, height, desk.points(14), taken);
  const float left = place_ ? place_->x : room.x + desk.points(14);
  float bottom = place_ ? place_->y + place_->height : room.y + room.height - desk.points(14);
  std::size_t clicked = toasts_.size();
  pointed_at_ = false;
  for (std::size_t i = toasts_.size(); i-- > 0;) {
    Toast& toast = toasts_[i];
    const auto& color = toast.kind == Kind::warning ? desk.theme().warning : desk.theme().outline;
    ImGui::SetNextWindowPos({left, bottom}, ImGuiCond_Always, {0, 1});
    ImGui::PushStyleColor(ImGuiCol_Border, to_vec4(color));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, desk.points(1));
    ImGui::Begin(toast.kind == Kind::warning ? "##toast warning" : "##toast note", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
    ImGui::PushTextWrapPos(std::clamp(picture.width - desk.points(60), desk.points(60), desk.points(460)));
    ImGui::TextUnformatted(toast.text.c_str());
    ImGui::PopTextWrapPos();
    if (!toast.folder.empty() && ImGui::Button("Open folder")) wanted_folder_ = toast.folder;
    if (!toast.folder.empty()) note_place(desk, "open folder");
    // A button that is held down must not lose what it stands on.
    pointed_at_ |= ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0) && !ImGui::IsAnyItemHovered()) clicked = i;
    toast.x = ImGui::GetWindowPos().x;
    toast.y = ImGui::GetWindowPos().y;
    toast.width = ImGui::GetWindowWidth();
    toast.height = ImGui::GetWindowHeight();
    bottom -= toast.height + desk.points(8);
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
  }
  if (clicked == toasts_.size()) return;
  toasts_.erase(toasts_.begin() + static_cast<std::ptrdiff_t>(clicked));
  pointed_at_ = false;
  unsettled_ = kPicturesToSettle;
}

void Messages::show_dialog(const Desk& desk) {
  if (dialog_text_.empty()) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y * 0.4f}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleColor(ImGuiCol_Border, to_vec4(desk.theme().error));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, desk.points(1));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(20), desk.points(16)});
  ImGui::Begin("##error", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoNav);
  ImGui::PushFont(desk.fonts().strong);
  ImGui::TextUnformatted(dialog_title_.c_str());
  ImGui::PopFont();
  ImGui::PushTextWrapPos(std::clamp(display.x - desk.points(60), desk.points(60), desk.points(460)));
  ImGui::TextUnformatted(dialog_text_.c_str());
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, desk.points(4)});
  const bool closed =
      ImGui::Button("OK", {desk.points(90), 0}) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false);
  ImGui::SameLine();
  if (ImGui::Button("Copy")) ImGui::SetClipboardText(dialog_text_.c_str());
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  if (closed) dialog_text_.clear();
}

}  // namespace rebound::app
