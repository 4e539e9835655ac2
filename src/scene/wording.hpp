// Small helpers for messages: numbers, lists and near misses as a person would write them, whatever the locale.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rebound::scene {

/// The shortest text that reads back as the number: "0.033", "1e6", "nan".
std::string number_text(double value);

/// "a, b or c".
std::string either(std::span<const std::string> words);

/// The word that was most likely meant; empty if none is near.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'young'?", or "" if nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// The text with control characters made visible and cut at `limit` bytes, so that a message stays one line.
std::string one_line(std::string_view text, std::size_t limit = 4096);

/// one_line, in single quotes and short enough for the middle of a sentence.
std::string in_quotes(std::string_view text);

}  // namespace rebound::scene
