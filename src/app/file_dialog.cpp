#include "app/file_dialog.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/widgets.hpp"
#include "scene/files.hpp"

extern char** environ;

namespace rebound::app {
namespace fs = std::filesystem;
namespace {

bool is_openable(const fs::path& file) {
  return file.extension() == ".json" || file.extension() == ".jsonl" || scene::is_mesh_file(file);
}

bool suits(const fs::path& file, FileDialog::Purpose purpose) {
  return purpose == FileDialog::Purpose::obstacle ? scene::is_surface_file(file) : is_openable(file);
}

std::string patterns() {
  std::string text = "*.json *.jsonl";
  for (const auto& extension : scene::mesh_extensions()) text += " *" + extension;
  return text;
}

}  // namespace

FileDialog::~FileDialog() { cancel(); }

void FileDialog::ask(Purpose purpose, const fs::path& proposal) {
  if (asking()) return;
  purpose_ = purpose;
  if (!start_zenity(proposal)) browse(proposal);
}

const char* FileDialog::title() const {
  switch (purpose_) {
    case Purpose::open:
      return "Open a scene, a mesh or a run";
    case Purpose::save:
      return "Save the scene";
    case Purpose::save_run:
      return "Save the run";
    case Purpose::obstacle:
      return "Add a closed surface as an obstacle";
  }
  return "";
}

void FileDialog::cancel() {
  browsing_ = false;
  if (process_ <= 0) return;
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
  close(pipe_);
  process_ = pipe_ = -1;
}

bool FileDialog::start_zenity(const fs::path& proposal) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  std::vector<std::string> words = {"zenity", "--file-selection", "--filename=" + proposal.string(),
                                    std::string("--title=") + title()};
  if (purpose_ == Purpose::open) {
    words.insert(words.end(), {"--file-filter=Scenes, meshes and runs | " + patterns(), "--file-filter=All files | *"});
  } else if (purpose_ == Purpose::obstacle) {
    words.insert(words.end(), {"--file-filter=Surfaces | *.obj", "--file-filter=All files | *"});
  } else {
    words.insert(words.end(), {"--save", "--confirm-overwrite"});
  }
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const bool started = posix_spawnp(&process_, "zenity", &files, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  if (!started) {
    close(ends[0]);
    process_ = -1;
    return false;
  }
  pipe_ = ends[0];
  output_.clear();
  return true;
}

void FileDialog::read_zenity() {
  char buffer[4096];
  ssize_t count = 0;
  while ((count = read(pipe_, buffer, sizeof buffer)) > 0) output_.append(buffer, static_cast<std::size_t>(count));
  int status = 0;
  if (waitpid(process_, &status, WNOHANG) != process_) return;
  while ((count = read(pipe_, buffer, sizeof buffer)) > 0) output_.append(buffer, static_cast<std::size_t>(count));
  close(pipe_);
  process_ = pipe_ = -1;
  while (!output_.empty() && output_.back() == '\n') output_.pop_back();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || output_.empty()) return;
  const fs::path file = with_ending(output_);
  std::error_code unreadable;
  // It has asked about the name without the ending.
  if (file != output_ && fs::exists(file, unreadable)) return browse(file);
  choose(file);
}

std::optional<FileDialog::Answer> FileDialog::poll() {
  if (process_ > 0) read_zenity();
  return std::exchange(answer_, std::nullopt);
}

void FileDialog::choose(const fs::path& file) {
  browsing_ = false;
  answer_ = Answer{purpose_, file};
}

void FileDialog::browse(const fs::path& proposal) {
  std::error_code error;
  const bool is_folder = fs::is_directory(proposal, error);
  const fs::path folder = is_folder ? proposal : proposal.parent_path();
  // A bare name has no folder: it is meant for the one that the program runs in.
  folder_ = folder.empty() ? fs::current_path(error) : fs::absolute(folder, error).lexically_normal();
  const std::string name = is_folder ? std::string() : proposal.filename().string();
  std::snprintf(typed_, sizeof typed_, "%s", name.c_str());
  browsing_ = true;
  list_folder();
}

void FileDialog::list_folder() {
  entries_.clear();
  problem_.clear();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    std::error_code unreadable;
    const bool is_folder = entry.is_directory(unreadable);
    if (name.starts_with('.') || (!is_folder && !suits(entry.path(), purpose_))) continue;
    entries_.push_back({name, is_folder});
  }
  if (error) problem_ = folder_.string() + ": " + error.message();
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : strcasecmp(a.name.c_str(), b.name.c_str()) < 0;
  });
}

void FileDialog::show_entries(const Desk& desk) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec4(desk.theme().plot_background));
  ImGui::BeginChild("entries", {desk.points(520), desk.points(280)}, true);
  fs::path enter;
  if (folder_.has_relative_path() && ImGui::Selectable("..")) enter = folder_.parent_path();
  for (const Entry& entry : entries_) {
    const std::string label = entry.is_folder ? entry.name + "/" : entry.name;
    if (!ImGui::Selectable(label.c_str(), false, ImGuiSelectableFlags_AllowDoubleClick)) continue;
    if (entry.is_folder) {
      enter = folder_ / entry.name;
    } else {
      std::snprintf(typed_, sizeof typed_, "%s", entry.name.c_str());
      // What would be replaced is asked about first.
      if (ImGui::IsMouseDoubleClicked(0) && !saves()) choose(folder_ / entry.name);
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  if (enter.empty()) return;
  folder_ = enter;
  list_folder();
}

fs::path FileDialog::with_ending(fs::path file) const {
  if (!saves()) return file;
  const char* ending = purpose_ == Purpose::save ? ".json" : ".jsonl";
  if (strcasecmp(file.extension().c_str(), ending) != 0) file += ending;
  return file;
}

bool FileDialog::replaces() const {
  std::error_code unreadable;
  return saves() && typed_[0] != '\0' && fs::is_regular_file(with_ending(folder_ / typed_), unreadable);
}

nlohmann::ordered_json FileDialog::described() const {
  auto names = nlohmann::ordered_json::array();
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return {{"open", browsing_},
          {"folder", folder_.string()},
          {"problem", problem_},
          {"button", button()},
          {"entries", browsing_ ? names : nlohmann::ordered_json::array()}};
}

void FileDialog::show(const Desk& desk) {
  if (!browsing_) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, desk.points(1));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(18), desk.points(14)});
  ImGui::Begin("##browser", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushFont(desk.fonts().strong);
  ImGui::TextUnformatted(title());
  ImGui::PopFont();
  muted_text(desk, problem_.empty() ? folder_.string() : problem_);
  show_entries(desk);
  ImGui::SetNextItemWidth(desk.points(520));
  if (ImGui::IsWindowAppearing() || std::exchange(asks_again_, false)) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputTextWithHint("##path", "name or path", typed_, sizeof typed_,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool replaces = this->replaces();
  if (replaces) colored_text(desk.theme().warning, "There is a file of this name: it would be replaced.");
  const bool pressed = ImGui::Button(button(), {desk.points(90), 0});
  ImGui::SameLine();
  if (ImGui::Button("Cancel", {desk.points(90), 0})) browsing_ = false;
  // Enter alone replaces nothing.
  asks_again_ = entered && replaces;
  if (((entered && !replaces) || pressed) && typed_[0] != '\0') {
    const fs::path typed = folder_ / typed_;  // an absolute path replaces the folder
    std::error_code error;
    if (fs::is_directory(typed, error)) {
      folder_ = typed;
      typed_[0] = '\0';
      list_folder();
    } else {
      choose(with_ending(typed));
    }
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace rebound::app
