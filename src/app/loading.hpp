// The card with progress and Cancel while a scene is being opened.
#pragma once

#include "app/layout.hpp"
#include "app/opener.hpp"
#include "app/style.hpp"

namespace rebound::app {

/// Returns true if Cancel was pressed.
bool loading_card(const Style& style, const Rect& picture, const std::string& name,
                  const session::Loader::Status& status);

}  // namespace rebound::app
