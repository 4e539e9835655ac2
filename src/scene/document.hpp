// A scene file as JSON, before anyone asks what it means: read strictly, with the places for messages kept.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rebound::scene {

inline constexpr std::size_t kLargestSceneFile = std::size_t{16} << 20;  // bytes
inline constexpr int kDeepestNesting = 64;

struct DeleteJson {
  void operator()(nlohmann::json* json) const;
};
/// JSON behind a pointer, so that only files that look into it compile its library.
using OwnedJson = std::unique_ptr<nlohmann::json, DeleteJson>;
OwnedJson owned(nlohmann::json json);

struct Document {
  OwnedJson root;                     ///< never null in a document that is read
  std::string text;                   ///< as read; empty for one made in memory
  std::string name;                   ///< what messages call it: the file as the user wrote it
  std::filesystem::path folder;       ///< where relative paths start
  std::vector<std::string> settings;  ///< pointers of what was changed after reading (--set)
  std::size_t first_line = 1;         ///< the number of the text's first line, where it is a part of a file
};

/// Reads JSON with comments. Syntax errors, duplicate keys, too deep nesting and too much text are InputErrors
/// "NAME:LINE:COLUMN: ...". first_line: the number of the text's first line.
Document parse_document(std::string text, std::string name, const std::filesystem::path& folder,
                        std::size_t first_line = 1);

/// Reads and parses a file; InputError also for a file that cannot be read.
Document load_document(const std::filesystem::path& file);

/// One value alone, as after --set; `name` is the place in its messages.
nlohmann::json parse_value(const std::string& text, const std::string& name);

struct TextPosition {
  std::size_t line = 1, column = 1;
  bool exact = true;  ///< of the element itself, not of one around it
};

/// Where in the text the element of a JSON Pointer stands, or the nearest of the elements around it.
TextPosition locate(const std::string& text, const std::string& pointer);

/// "FILE:LINE: POINTER: what", or "FILE: POINTER (set by --set): what".
std::string message_at(const Document& document, const std::string& pointer, const std::string& what);

/// A key as it stands in a JSON Pointer.
std::string escaped(std::string_view key);

}  // namespace rebound::scene
