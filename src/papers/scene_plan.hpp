// Runs of scenes: how a row's scene is opened.
#pragma once

#include "papers/plans.hpp"
#include "scene/build.hpp"

namespace rebound::papers {

/// What it describes. Throws InputError.
scene::Description description_of(const SceneSource& source, const Means& means);
/// The same with its bodies. Throws InputError.
scene::World world_of(const SceneSource& source, const Means& means);
/// Identifiers of methods and materials that it names. Throws InputError.
std::vector<Asked> asked_by(const SceneSource& source);
/// The document's text, and what its mesh files hold.
std::string fingerprint_of(const SceneSource& source, const Means& means);
/// Is the paper's own body there?
bool has_own_mesh(const SceneSource& source, const Means& means);

}  // namespace rebound::papers
