// Scene files: JSON to Description and back. Every complaint is an InputError of one line: place, what is wrong, what
// would be right.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "scene/description.hpp"
#include "scene/document.hpp"
#include "scene/identifiers.hpp"

namespace rebound::scene {

/// What a document describes, with every default filled in.
Description parse(const Document& document, const Known& known = built());

/// Reads a scene file. Paths in it are relative to the file.
Description read_scene(const std::filesystem::path& file, const Known& known = built());

/// A scene without a name is called by its file.
void name_after_file(Description& description);

/// The same from memory.
Description parse_scene(std::string_view text, const std::string& name_for_messages,
                        const std::filesystem::path& base_folder, const Known& known = built());

/// Sets the element of a JSON Pointer to a value given as JSON. May add the last key of an object, the objects on the
/// way to it, and with "-" an element at the end of an array; what that means is checked by parsing afterwards.
void apply_set(nlohmann::json& document, std::string_view pointer, std::string_view json);

/// The same for "POINTER=JSON", remembering it for the messages.
void apply_set(Document& document, std::string_view assignment);

/// A description as a document: parsing it gives the same description. Paths are written relative to `folder`.
nlohmann::ordered_json to_json(const Description& description, const std::filesystem::path& folder = {});

/// The same as a scene file's text.
std::string to_text(const Description& description, const std::filesystem::path& folder = {});

/// Throws InputError, with the place, where a description that was made in memory says what no scene file may say.
void check(const Description& description);

}  // namespace rebound::scene
