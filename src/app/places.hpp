// Where the window puts the files that it writes without asking.
#pragma once

#include <filesystem>
#include <string>

namespace rebound::app {

/// The folder of that name in the home folder ("Pictures", "Videos"); where there is none, the working folder.
std::filesystem::path home_folder(const char* name);
std::filesystem::path working_folder();

/// "rebound-spinning-cube-2024-05-01-142233.png" in that folder, with a number if there is one of that second already.
std::filesystem::path dated(const std::filesystem::path& folder, const std::string& scene, const char* extension);

}  // namespace rebound::app
