// --set POINTER=JSON: changing a document before anything is made of it, so that every check applies to the change.
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "mesh/error.hpp"
#include "scene/parse.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {
namespace {

[[noreturn]] void fail(std::string_view pointer, const std::string& what) {
  throw InputError("--set " + one_line(pointer, 200) + ": " + what);
}

/// The keys of a JSON Pointer, "~1" and "~0" undone.
std::vector<std::string> tokens_of(std::string_view pointer) {
  if (pointer.empty() || pointer.front() != '/')
    fail(pointer, "a JSON Pointer begins with /, as in /bodies/0/material/young");
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    const char c = pointer[i];
    if (c == '/') {
      tokens.emplace_back();
    } else if (c != '~') {
      tokens.back() += c;
    } else {
      const char next = i + 1 < pointer.size() ? pointer[++i] : '\0';
      if (next != '0' && next != '1') fail(pointer, "'~' must be written ~0, and '/' inside a key ~1");
      tokens.back() += next == '0' ? '~' : '/';
    }
  }
  if (tokens.size() > static_cast<std::size_t>(kDeepestNesting)) fail(pointer, "is deeper than a scene may be");
  return tokens;
}

bool is_index(const std::string& token) {
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return !token.empty() && token.size() < 10 && std::all_of(token.begin(), token.end(), digit);
}

nlohmann::json& element(nlohmann::json& array, const std::string& token, bool last, std::string_view pointer,
                        const std::string& here) {
  const std::string size = std::to_string(array.size());
  if (token == "-" && last) return array.emplace_back();
  if (!is_index(token))
    fail(pointer, here + " is an array, so " + in_quotes(token) + " must be a number below " + size);
  const auto index = static_cast<std::size_t>(std::stoul(token));
  if (index < array.size()) return array[index];
  fail(pointer, here + " has " + size + (array.size() == 1 ? " element" : " elements") + ", so none is number " +
                    token + (array.empty() ? "" : "; they count from 0"));
}

nlohmann::json parse_json(std::string_view pointer, std::string_view text) {
  const std::string name = "--set " + one_line(pointer, 200);
  if (text.empty()) fail(pointer, "has no value; write POINTER=JSON, as in /timeStep=0.01");
  try {
    return parse_value(std::string(text), name);
  } catch (const InputError&) {
    // A bare word is most likely a text whose quotes the shell has taken.
    const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; };
    const bool word =
        std::isalpha(static_cast<unsigned char>(text.front())) != 0 && std::all_of(text.begin(), text.end(), plain);
    if (!word) throw;
    fail(pointer, in_quotes(text) + " is not JSON; a text needs quotes, which the shell needs quoted: '" +
                      one_line(pointer, 200) + "=\"" + std::string(text.substr(0, 60)) + "\"'");
  }
}

}  // namespace

void apply_set(nlohmann::json& document, std::string_view pointer, std::string_view text) {
  const std::vector<std::string> tokens = tokens_of(pointer);
  nlohmann::json value = parse_json(pointer, text);
  nlohmann::json* at = &document;
  std::string here;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    const bool last = i + 1 == tokens.size();
    if (at->is_array()) {
      at = &element(*at, token, last, pointer, here);
    } else if (at->is_object()) {
      // A section that the scene leaves out is added; a list is not, since its missing elements would have to be made
      // up.
      if (!at->contains(token) && !last) {
        if (is_index(tokens[i + 1])) fail(pointer, "there is no list at " + here + "/" + one_line(token));
        (*at)[token] = nlohmann::json::object();
      }
      at = &(*at)[token];
    } else {
      fail(pointer,
           (here.empty() ? "the scene" : here) + " is neither an object nor an array, so nothing can be set in it");
    }
    here.append("/").append(escaped(one_line(token, 60)));
  }
  *at = std::move(value);
}

void apply_set(Document& document, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    throw InputError("--set " + one_line(assignment, 200) + ": has no '='; write POINTER=JSON, as in /timeStep=0.01");
  }
  const std::string_view pointer = assignment.substr(0, equals);
  apply_set(*document.root, pointer, assignment.substr(equals + 1));
  document.settings.emplace_back(pointer);
}

}  // namespace rebound::scene
