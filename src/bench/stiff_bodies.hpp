// The bodies of [Chen20 Table 1]: the built-in scenes that stand for them, or the paper's own tetrahedra where they
// are.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/build.hpp"

namespace rebound::bench {

struct StiffBody {
  std::string_view name;
  std::string_view scene;  ///< built in
  /// POINTER=JSON, which give the scene's body the paper's size.
  std::vector<std::string> of_scene{};
  std::string_view mesh{};  ///< the paper's tetrahedra, in the folder of --meshes
  /// POINTER=JSON, which turn the scene into one of those.
  std::vector<std::string> of_mesh{};
  double stiffer = 1;  ///< so many times as stiff as these
  int modes;           ///< of the paper
  /// [Chen20 Table 2], ms a step; 0: it says that the method fails, or was stopped.
  double printed_semi_implicit = 0, printed_siere = 0, printed_exponential = 0;
};

std::span<const StiffBody> stiff_bodies();

/// Throws InputError if this is no folder with any of the papers' bodies.
void require_bodies_in(const std::filesystem::path& meshes);

bool has_own_mesh(const StiffBody& body, const std::filesystem::path& meshes);

/// `settings`: POINTER=JSON, last of all. Throws InputError.
scene::World stiff_world(const StiffBody& body, const std::filesystem::path& meshes,
                         const std::vector<std::string>& settings);

}  // namespace rebound::bench
