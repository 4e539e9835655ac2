#include "app/places.hpp"

#include <cctype>
#include <cstdlib>
#include <ctime>

namespace rebound::app {
namespace fs = std::filesystem;
namespace {

std::string file_safe(const std::string& name) {
  std::string safe;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0;
    if (plain) safe += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!plain && !safe.empty() && safe.back() != '-') safe += '-';
  }
  while (!safe.empty() && safe.back() == '-') safe.pop_back();
  return safe.empty() ? "scene" : safe;
}

}  // namespace

fs::path working_folder() {
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  return error ? fs::path(".") : folder;
}

fs::path home_folder(const char* name) {
  std::error_code error;
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return working_folder();
  const fs::path folder = fs::path(home) / name;
  fs::create_directory(folder, error);  // nothing where it is there; a home that does not exist is not made
  return fs::is_directory(folder, error) ? folder : working_folder();
}

fs::path dated(const fs::path& folder, const std::string& scene, const char* extension) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d-%H%M%S", &local);
  const std::string stem = "rebound-" + file_safe(scene) + "-" + date;
  std::error_code error;
  fs::path file = folder / (stem + extension);
  for (int i = 2; fs::exists(file, error); ++i) file = folder / (stem + "-" + std::to_string(i) + extension);
  return file;
}

}  // namespace rebound::app
